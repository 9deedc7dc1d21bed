"""The words of each exchange that can be looked up, in SQLite's own full-text index.

The index holds what ``searchable`` makes of a text, never the text, and can be made
anew from the audit log at any time. Where SQLite lacks FTS5 there is none.
"""

from sqlalchemy import Connection

from .extraction.text import words

_TABLE = "semantic_words"
_TRIGGER = "semantic_words_follow"
# An exchange that goes, however it goes, takes its words along.
_FOLLOW = (
    f"CREATE TRIGGER {_TRIGGER} AFTER DELETE ON semantic_memory"  # noqa: S608
    f" BEGIN DELETE FROM {_TABLE} WHERE rowid = old.id; END"
)
_CREATE = (
    f"CREATE VIRTUAL TABLE {_TABLE} USING fts5"
    "(words, content='', contentless_delete=1, tokenize='unicode61')"
)
# The SQL function is ``searchable``, which every connection of ours has.
_FILL = (
    f"INSERT INTO {_TABLE} (rowid, words)"  # noqa: S608  no words of anybody's
    " SELECT id, searchable(user_text, assistant_text)"
    " FROM semantic_memory JOIN audit_log USING (id)"
)


def searchable(*texts: str | None) -> str:
    """Return the words to find texts by: folded, Chinese and Japanese in pairs."""
    return " ".join(word for text in texts if text for word in words(text))


def prepare(connection: Connection) -> None:
    """Create and fill the index where it is missing, inside the caller's transaction.

    A file that was used meanwhile where SQLite has no FTS5 gets a new one.
    """
    present = set(
        connection.exec_driver_sql(
            f"SELECT name FROM sqlite_master WHERE name IN ('{_TABLE}', '{_TRIGGER}')"  # noqa: S608
        ).scalars()
    )
    if not _has_fts5(connection):
        # With it, no exchange could be deleted here.
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {_TRIGGER}")
        return
    if present == {_TABLE, _TRIGGER}:
        return
    connection.exec_driver_sql(f"DROP TABLE IF EXISTS {_TABLE}")
    connection.exec_driver_sql(_CREATE)
    connection.exec_driver_sql(_FILL)
    connection.exec_driver_sql(_FOLLOW)


def is_there(connection: Connection) -> bool:
    """Return whether exchanges can be found by the index."""
    found = connection.exec_driver_sql(
        f"SELECT 1 FROM sqlite_master WHERE name = '{_TRIGGER}'"  # noqa: S608
    )
    return found.first() is not None


def add(connection: Connection, exchange_id: int, *texts: str | None) -> None:
    """Let an exchange be found by its words."""
    if is_there(connection):
        connection.exec_driver_sql(
            f"INSERT INTO {_TABLE} (rowid, words) VALUES (?, ?)",  # noqa: S608
            (exchange_id, searchable(*texts)),
        )


def _has_fts5(connection: Connection) -> bool:
    options = connection.exec_driver_sql("PRAGMA compile_options").scalars()
    return "ENABLE_FTS5" in set(options)
