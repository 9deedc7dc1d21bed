"""What memory costs a turn, and what keeping and finding what was said costs.

Each thing stands beside the usual way to do it, which is measured in the same run.
"""

import argparse
import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
import logging
from pathlib import Path
import sys
import tempfile
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, insert, text
from sqlalchemy.orm import DeclarativeBase, Session

from custom_components.caesar.memory.composer import Caps
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.episodes import Wanted, episodes
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Scope
from custom_components.caesar.memory.recall import Question, Recall
from custom_components.caesar.memory.schema import audit_log, personal_facts
from custom_components.caesar.memory.vectors.sketch import SketchIndex

from .measuring.archive import (
    MODEL,
    HouseClock,
    Words,
    exchange,
    fill,
    fill_exchanges,
    fill_words,
)
from .measuring.embeddings import ASKED_BY, END, OWNERS, said
from .measuring.questions import KnownQuestions
from .measuring.stopwatch import Stopwatch
from .measuring.table import machine, print_table

FEW: Final = 20
MANY: Final = 10_000
EXCHANGES: Final = 1_000_000
MEANT: Final = 100_000
ROUNDS: Final = 100
BATCH: Final = 100

_SCOPE: Final = Scope(owner=ASKED_BY)
_LATEST: Final = 50
_UNINDEXED: Final = text(
    "SELECT * FROM audit_log NOT INDEXED WHERE owner = :owner AND at >= :since"
    " ORDER BY at DESC LIMIT :limit"
)


class _Base(DeclarativeBase):
    """The audit log, as an object-relational mapper has it."""


class _Row(_Base):
    __table__ = audit_log


def main() -> int:
    """Measure, and print what came out."""
    parser = argparse.ArgumentParser(prog="scripts/benchmark turn", description=__doc__)
    parser.add_argument("--exchanges", type=int, default=EXCHANGES)
    parser.add_argument("--vectors", type=int, default=MEANT)
    parser.add_argument("--folder", help="where the files are put; some gigabytes")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    print(f"Measured on {machine()}.", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        asyncio.run(_measure(Path(folder), options))
    return 0


async def _measure(folder: Path, options: argparse.Namespace) -> None:
    _print("A turn's section", *await _sections(folder))
    _print("Keeping an exchange", *_appends(folder))
    _print(
        f"The latest {_LATEST} of one person's last week, of {options.exchanges:,}",
        *await _by_time(folder / "time.db", options.exchanges),
    )
    _print(
        f"What fits a question best, of {options.vectors:,}",
        *await _by_meaning(folder / "meaning.db", options.vectors),
    )


def _print(title: str, usual: Stopwatch, *ours: Stopwatch) -> None:
    print_table(
        title,
        ("", "median ms", "p99 ms", "how much faster"),
        [
            (one.name, 1000 * one.median, 1000 * one.p99, usual.median / one.median)
            for one in (usual, *ours)
        ],
    )
    sys.stdout.flush()


async def _sections(folder: Path) -> Sequence[Stopwatch]:
    """Compare with what the mere way to another thread and back takes."""
    few = await _knowing(folder / "few.db", FEW)
    many = await _knowing(folder / "many.db", MANY)
    hop = Stopwatch(name="to another thread and back")
    under = Stopwatch(name=f"section, {FEW} facts")
    over = Stopwatch(name=f"section, {MANY:,} facts")
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as executor:
        for words in Words().texts(ROUNDS):
            await hop.take(lambda: loop.run_in_executor(executor, int))
            for watch, memory in ((under, few), (over, many)):
                watch.take_now(partial(memory.section, _SCOPE, words, Caps()))
    await few.close()
    await many.close()
    return hop, under, over


async def _knowing(path: Path, count: int) -> Memory:
    """Open a memory that knows so many facts of one person."""
    memory = Memory(path, clock=HouseClock())
    await memory.open()
    facts = [
        {
            "owner": ASKED_BY,
            "key": f"friend.{number}.note" if number > 1 else "friend.note",
            "value": words,
            "first_seen_at": END,
            "last_confirmed_at": END - timedelta(minutes=number),
        }
        for number, words in enumerate(Words().texts(count), 1)
    ]
    await memory.database.write(
        lambda connection: connection.execute(insert(personal_facts), facts) and None
    )
    await memory.close()
    await memory.open()
    return memory


def _appends(folder: Path) -> Sequence[Stopwatch]:
    """Compare with an object and a transaction for each row; all wait for the disk."""
    engine = _engine(folder / "append.db")
    audit_log.create(engine)
    texts = Words().texts(BATCH)

    def rows() -> list[dict[str, Any]]:
        made = [exchange(n, OWNERS[0], END, words) for n, words in enumerate(texts)]
        return [{key: row[key] for key in row if key != "id"} for row in made]

    def by_objects() -> None:
        for row in rows():
            with Session(engine) as session:
                session.add(_Row(**row))
                session.commit()

    def one_by_one() -> None:
        for row in rows():
            with engine.begin() as connection:
                connection.execute(insert(audit_log), row)

    def together() -> None:
        with engine.begin() as connection:
            connection.execute(insert(audit_log), rows())

    watches = [
        (Stopwatch(name=f"{BATCH} rows, an object and a commit each"), by_objects),
        (Stopwatch(name=f"{BATCH} rows, a commit each"), one_by_one),
        (Stopwatch(name=f"{BATCH} rows in one transaction"), together),
    ]
    for _ in range(5):
        for watch, work in watches:
            watch.take_now(work)
    engine.dispose()
    return [watch for watch, _ in watches]


async def _by_time(path: Path, count: int) -> Sequence[Stopwatch]:
    """Compare with looking at all rows."""
    database = Database(path)
    await database.open()
    await fill_exchanges(database, count)
    since = END - timedelta(days=7)
    scan, found = (
        Stopwatch(name="every row looked at"),
        Stopwatch(name="recall_history"),
    )
    wanted = Wanted(owners=(ASKED_BY,), since=since, limit=_LATEST)

    def look(connection: Connection) -> int:
        bound = {"owner": ASKED_BY, "since": str(since)[:19], "limit": _LATEST}
        return len(connection.execute(_UNINDEXED, bound).all())

    for number in range(ROUNDS):
        if number < 3:  # noqa: PLR2004  it takes long enough
            await scan.take(partial(database.read, look))
        await found.take(partial(database.read, episodes, wanted))
    await database.close()
    return scan, found


async def _by_meaning(path: Path, count: int) -> Sequence[Stopwatch]:
    """Compare words and meaning with meaning alone."""
    database = Database(path)
    await database.open()
    rows = said(count, 1024)
    await fill(database, rows)
    await fill_words(database)
    index = SketchIndex(database, MODEL)
    await index.count()
    recall = Recall(database, embedder=KnownQuestions(rows.questions), index=index)
    alone, both = Stopwatch(name="by meaning"), Stopwatch(name="by words and meaning")
    for number, words in enumerate(Words().texts(ROUNDS)):
        vector = rows.questions[number % len(rows.questions)]
        asked = " ".join(words.split()[:6])
        question = Question(text=asked, owners=(ASKED_BY,), language="en")
        await alone.take(partial(index.search, vector, 200, owners=[ASKED_BY]))
        await both.take(partial(recall.search, question))
    await database.close()
    return alone, both


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}")

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    return engine


if __name__ == "__main__":
    sys.exit(main())
