"""The words of each exchange that can be looked up, in SQLite's own full-text index.

The index holds what ``searchable`` makes of a text, never the text, and can be made
anew from the audit log at any time. Where SQLite lacks FTS5 there is none.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    column,
    func,
    literal_column,
    select,
    table,
)
import yaml

from .extraction.text import fold, is_cjk, words
from .schema import audit_log, semantic_memory

_TABLE: Final = "semantic_words"
_TRIGGER: Final = "semantic_words_follow"
_INDEX: Final = table(_TABLE, column("rowid"), column("words"))
# An exchange that goes, however it goes, takes its words along.
_FOLLOW = (
    f"CREATE TRIGGER {_TRIGGER} AFTER DELETE ON semantic_memory"  # noqa: S608
    f" BEGIN DELETE FROM {_TABLE} WHERE rowid = old.id; END"
)
# English endings are cut off, so that "painting" finds "painted"; what else is written
# in plain letters may lose some too, in the index and in the question alike.
_CREATE = (
    f"CREATE VIRTUAL TABLE {_TABLE} USING fts5"
    "(words, content='', contentless_delete=1, tokenize='porter unicode61')"
)
# The SQL function is ``searchable``, which every connection of ours has.
_FILL = (
    f"INSERT INTO {_TABLE} (rowid, words)"  # noqa: S608  no words of anybody's
    " SELECT id, searchable(user_text, assistant_text)"
    " FROM semantic_memory JOIN audit_log USING (id)"
)
_COUNT = f"SELECT count(*) FROM (SELECT 1 FROM {_TABLE} WHERE words MATCH ? LIMIT ?)"  # noqa: S608

MAX_ROWS: Final = 20_000
"""Rows that the words of one search may be scored in; BM25 over more costs seconds.

A word in 2 % of a million rows scored in 8 ms, one in 99 % of them in 6 s.
"""
_LATEST: Final = 200_000
"""Ids within which a word is looked for that stands nearly everywhere."""
_MIN_PREFIX: Final = 5
"""Letters from which on a word may end otherwise, where English is not spoken."""
_ENDING: Final = 2


def load() -> None:
    """Read the stop words, so that no search waits for a file."""
    _all_stop_words()


def searchable(*texts: str | None) -> str:
    """Return the words to find texts by: folded, Chinese and Japanese in pairs."""
    return " ".join(word for text in texts if text for word in words(text))


def prepare(connection: Connection) -> None:
    """Create and fill the index where it is missing, inside the caller's transaction.

    A file that was used meanwhile where SQLite has no FTS5 gets a new one.
    """
    present = set(
        connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE name IN (?, ?)", (_TABLE, _TRIGGER)
        ).scalars()
    )
    if not _has_fts5(connection):
        # With it, no exchange could be deleted here.
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {_TRIGGER}")
        return
    if present == {_TABLE, _TRIGGER}:
        return
    connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {_TRIGGER}")
    connection.exec_driver_sql(f"DROP TABLE IF EXISTS {_TABLE}")
    connection.exec_driver_sql(_CREATE)
    connection.exec_driver_sql(_FILL)
    connection.exec_driver_sql(_FOLLOW)


def optimize(connection: Connection) -> None:
    """Let the index hold nothing of what was deleted from it."""
    if is_there(connection):
        connection.exec_driver_sql(
            f"INSERT INTO {_TABLE} ({_TABLE}) VALUES ('optimize')"  # noqa: S608
        )


def is_there(connection: Connection) -> bool:
    """Return whether exchanges can be found by the index."""
    found = connection.exec_driver_sql(
        "SELECT 1 FROM sqlite_master WHERE name = ?", (_TRIGGER,)
    )
    return found.first() is not None


def add(connection: Connection, exchange_id: int, *texts: str | None) -> None:
    """Let an exchange be found by its words."""
    if is_there(connection):
        connection.exec_driver_sql(
            f"INSERT INTO {_TABLE} (rowid, words) VALUES (?, ?)",  # noqa: S608
            (exchange_id, searchable(*texts)),
        )


def sought(question: str, language: str) -> tuple[str, ...]:
    """Return the words of a question that say what is looked for, each once.

    Where all of them say nothing, all of them are returned.
    """
    stop = _stop_words(language)
    if is_cjk(question):
        rest = fold(question)
        for word in sorted(stop, key=len, reverse=True):
            rest = rest.replace(word, " ")
        return tuple(dict.fromkeys(words(rest))) or words(question)
    said = tuple(dict.fromkeys(words(question)))
    return tuple(word for word in said if word not in stop) or said


def match_of(word: str, language: str) -> str:
    """Return how the index is asked for a word and for what it may have become."""
    quoted = '"' + word.replace('"', "") + '"'
    if _code(language) == "en" or is_cjk(word) or len(word) < _MIN_PREFIX:
        return quoted
    return f'({quoted} OR "{word[:-_ENDING]}"*)'


def scores(
    connection: Connection,
    question: str,
    language: str,
    conditions: Sequence[ColumnElement[bool]],
    limit: int,
) -> dict[int, float]:
    """Return how well exchanges hold the words of a question, by BM25; more is better.

    The conditions are on ``semantic_memory``. The rarest words count first, and one
    that stands nearly everywhere only where there is no other.
    """
    terms = [match_of(word, language) for word in sought(question, language)]
    chosen, is_common = _affordable(connection, terms)
    if not chosen:
        return {}
    # Scoring comes before all conditions but one on the id, which grows with time.
    low, high = connection.execute(
        select(func.min(semantic_memory.c.id), func.max(semantic_memory.c.id)).where(
            *conditions
        )
    ).one()
    if low is None:
        return {}
    if is_common:
        low = max(low, high - _LATEST)
    score = -func.bm25(literal_column(_TABLE))
    found = connection.execute(
        select(_INDEX.c.rowid, score)
        .join_from(_INDEX, semantic_memory, semantic_memory.c.id == _INDEX.c.rowid)
        .where(
            _INDEX.c.words.match(" OR ".join(chosen)),
            _INDEX.c.rowid.between(low, high),
            *conditions,
        )
        .order_by(score.desc(), _INDEX.c.rowid.desc())
        .limit(limit)
    )
    return {row[0]: row[1] for row in found}


def holds_all(connection: Connection, text: str, language: str) -> ColumnElement[bool]:
    """Return the condition that an exchange of the audit log holds all sought words."""
    terms = sought(text, language)
    if not is_there(connection):
        said = func.searchable(audit_log.c.user_text, audit_log.c.assistant_text)
        return and_(*(func.instr(said, term) > 0 for term in terms))
    match = " AND ".join(match_of(term, language) for term in terms)
    return audit_log.c.id.in_(
        select(_INDEX.c.rowid).where(_INDEX.c.words.match(match or '""'))
    )


def coverage(
    connection: Connection, question: str, language: str, ids: Collection[int]
) -> dict[int, float]:
    """Return which share of the sought words each of these exchanges holds, 0 to 1."""
    terms = [match_of(word, language) for word in sought(question, language)]
    held = dict.fromkeys(ids, 0)
    for term in terms:
        for exchange_id in ids:
            found = connection.exec_driver_sql(
                f"SELECT 1 FROM {_TABLE} WHERE words MATCH ? AND rowid = ?",  # noqa: S608
                (term, exchange_id),
            )
            held[exchange_id] += found.first() is not None
    return {one: count / max(1, len(terms)) for one, count in held.items()}


def _affordable(
    connection: Connection, terms: Collection[str]
) -> tuple[list[str], bool]:
    """Return the terms to search for, and whether even they stand nearly everywhere."""
    rows = {
        term: connection.exec_driver_sql(_COUNT, (term, MAX_ROWS + 1)).scalar_one()
        for term in terms
    }
    chosen: list[str] = []
    spent = 0
    for term in sorted((term for term in rows if rows[term]), key=lambda t: rows[t]):
        if chosen and spent + rows[term] > MAX_ROWS:
            break
        chosen.append(term)
        spent += rows[term]
    return chosen, spent > MAX_ROWS


def _has_fts5(connection: Connection) -> bool:
    options = connection.exec_driver_sql("PRAGMA compile_options").scalars()
    return "ENABLE_FTS5" in set(options)


@cache
def _stop_words(language: str) -> frozenset[str]:
    """Return a language's stop words; reads a file on the first call."""
    return _all_stop_words().get(_code(language), frozenset())


@cache
def _all_stop_words() -> Mapping[str, frozenset[str]]:
    path = Path(__file__).with_name("stop_words.yaml")
    # The base loader takes "on" for the word it is.
    lists = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
    return {code: frozenset(map(fold, entries)) for code, entries in lists.items()}


def _code(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]
