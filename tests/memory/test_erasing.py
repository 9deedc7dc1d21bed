"""A person is erased: no row, no word of the index and no byte of the file is left."""

import asyncio
from pathlib import Path
import signal
import sqlite3
import sys

import pytest
from sqlalchemy import Connection

from custom_components.caesar.memory import events, ledger
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    EventKind,
    Json,
    NewEvent,
    Scope,
)
from custom_components.caesar.memory.purging import Purge
from custom_components.caesar.memory.words import searchable

from .conftest import TestClock, spoken
from .made import fact

ANN = "user:ann"
BOB = "user:bob"
WORDS = (
    "Ahornblattpfannkuchen",
    "maplepancakes",
    "crêpesérablière",
    "tortitasarcequeño",
    "pannenkoekenesdoorn",
    "naleśnikiklonowe",
    "枫叶煎饼早餐",
    "メープルパンケーキ",
)
"""One word of each language, as nobody else says it."""


SEA: dict[str, Json] = {
    "reason": "unsure",
    "fact_id": None,
    "key": "place",
    "value": "the sea",
    "confidence": 0.5,
    "expires_at": None,
}


def traces(path: Path, word: str) -> list[str]:
    """Return the files that hold a word, however it is written in the index."""
    forms = {word, word.casefold(), *erased_forms(word)}
    return [
        file.name
        for file in path.parent.glob("caesar.db*")
        for form in forms
        if form.encode() in file.read_bytes()
    ]


def erased_forms(word: str) -> set[str]:
    return {form for form in searchable(word).split() if len(form.encode()) > 6}


async def live(memory: Memory, clock: TestClock) -> int:
    """Let Ann and Bob have a memory; return the fact that Ann gave the household."""
    cause = ledger.Cause(at=clock.now(), actor=ANN)

    def work(connection: Connection) -> tuple[ledger.Patch, ...]:
        patches = []
        for number in range(40):
            for word in WORDS:
                said = f"{word} number {number}, please."
                exchange = say(connection, said, ANN)
                say(connection, f"Plain {number}.", BOB)
            told = {"quote": said, "source_audit_id": exchange, "id": 0}
            noted = fact(f"note.{number}", f"{WORDS[5]} {number}", owner=ANN, **told)
            patches.append(ledger.add(connection, noted, cause))
        given = fact("place", "the lake", owner=HOUSEHOLD, **told)
        patches.append(ledger.add(connection, given, cause))
        suggested = NewEvent(
            kind=EventKind.FACT_SUGGESTED,
            owner=HOUSEHOLD,
            payload={**SEA, "exchange_id": exchange, "quote": said},
        )
        events.append(connection, suggested, clock.now())
        return tuple(patches)

    def say(connection: Connection, said: str, owner: str) -> int:
        return events.finish_exchange(
            connection, None, spoken(said, owner), clock.now()
        )

    return (await memory.change(work))[-1].fact_id


async def test_no_byte_is_left_in_any_language(
    memory: Memory, clock: TestClock, path: Path
) -> None:
    await live(memory, clock)
    assert all(traces(path, word) for word in WORDS)
    # A panel's read, whose connection stays open.
    await memory.database.read(lambda c: c.exec_driver_sql("SELECT 1").all())

    await memory.erase_owner(ANN)
    assert await memory.database.purge()

    assert [name for word in WORDS for name in traces(path, word)] == []
    assert b"user:ann" not in path.read_bytes()
    with sqlite3.connect(path) as other:
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert (
        len(
            await memory.events(Scope(owner=BOB), kinds=("chat.completed",), limit=1000)
        )
        == 320
    )


async def test_what_was_given_to_the_household_stays_without_the_words(
    memory: Memory, clock: TestClock
) -> None:
    given = await live(memory, clock)
    counted = await memory.traces(ANN)
    assert (counted.facts, counted.exchanges) == (40, 320)
    # The fact, the event that added it, and the suggestion.
    assert counted.with_others == 3

    await memory.erase_owner(ANN)

    (home,) = memory.facts(Scope(owner=ANN))
    (on_disk,) = await memory.database.read(ledger.load)
    assert home == on_disk
    assert (home.id, home.value, home.quote) == (given, "the lake", None)
    (suggestion,) = await memory.suggestions(Scope(owner=HOUSEHOLD))
    assert (suggestion.value, suggestion.quote) == ("the sea", "")
    for event in await memory.events(Scope(owner=HOUSEHOLD)):
        assert event.actor is None
        assert WORDS[-1] not in str(event.payload)
    left = await memory.traces(ANN)
    assert (left.facts, left.exchanges, left.events, left.with_others) == (0, 0, 0, 0)


async def test_a_reader_that_stays_keeps_it_from_being_finished(
    memory: Memory, clock: TestClock, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await live(memory, clock)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM audit_log").fetchone()
    await memory.database.write(
        lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout = 50").all()
    )

    await memory.erase_owner(ANN)
    assert not await memory.database.purge()

    other.close()
    assert await memory.database.purge()
    assert traces(path, WORDS[0]) == []


async def test_a_process_that_dies_in_between_is_finished_by_the_next(
    clock: TestClock, path: Path
) -> None:
    memory = Memory(path, clock=clock)
    await memory.open()
    await live(memory, clock)
    await memory.close()
    # It erases and is killed before the file is cleaned, with all in SQLite's log.
    program = f"""
import asyncio, os, signal
from pathlib import Path
from tests.memory.conftest import TestClock
from custom_components.caesar.memory.memory import Memory

async def main():
    memory = Memory(Path({str(path)!r}), clock=TestClock())
    await memory.open()
    await memory.erase_owner({ANN!r})
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", program)
    assert await killed.wait() == -signal.SIGKILL
    assert traces(path, WORDS[0])

    memory = Memory(path, clock=clock)
    await memory.open()
    assert await memory.database.read(user_version) == Purge.ERASED
    assert await memory.database.purge()
    assert await memory.database.read(user_version) == 0
    assert [name for word in WORDS for name in traces(path, word)] == []
    await memory.close()


def user_version(connection: Connection) -> int:
    version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return version
