"""Old exchanges go in small batches; facts, and what is not read yet, stay."""

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import Connection, select

from custom_components.caesar.memory import (
    cursor as cursors,
    ledger,
    retention,
    set_aside,
)
from custom_components.caesar.memory.events import EXCHANGE_KINDS
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, Exchange, Scope
from custom_components.caesar.memory.retention import Retention
from custom_components.caesar.memory.schema import audit_log, semantic_memory

from .conftest import TestClock, spoken
from .made import fact

SCOPE = Scope(owner="user:robin")


async def said(memory: Memory, *texts: str) -> list[int]:
    return [await memory.finish(None, spoken(text)) for text in texts]


async def read_up_to(memory: Memory, exchange_id: int) -> None:
    await memory.database.write(cursors.advance, exchange_id)


async def kept(memory: Memory) -> list[str]:
    events = await memory.events(SCOPE, kinds=EXCHANGE_KINDS, limit=10_000)
    return [event.user_text or "" for event in reversed(events)]


def words(connection: Connection, word: str) -> int:
    return len(
        connection.exec_driver_sql(
            "SELECT rowid FROM semantic_words WHERE semantic_words MATCH ?", (word,)
        ).all()
    )


async def test_what_is_older_goes_with_what_it_is_found_by(
    memory: Memory, clock: TestClock
) -> None:
    await said(memory, "The boiler hums.")
    clock.pass_time(days=91)
    (last,) = await said(memory, "The boiler is quiet.")
    await read_up_to(memory, last)
    keeps = Retention(memory=memory, days=90)

    due = await keeps.preview()
    assert due is not None
    assert (due.exchanges, due.unread, due.set_aside) == (1, 0, 0)
    assert await keeps.sweep() == 1

    assert await kept(memory) == ["The boiler is quiet."]
    assert await memory.database.read(words, "boiler") == 1
    assert await memory.database.read(
        lambda connection: (
            connection.execute(select(semantic_memory.c.id)).scalars().all()
        )
    ) == [last]
    (told,) = await memory.events(
        Scope(owner=HOUSEHOLD), kinds=("memory.retention_sweep",)
    )
    assert told.payload == {
        "count": 1,
        "cutoff": (clock.now() - timedelta(days=90)).isoformat(),
    }
    assert await keeps.sweep() == 0
    assert len(await memory.events(SCOPE, kinds=("memory.retention_sweep",))) == 1


async def test_what_is_not_read_yet_and_what_was_set_aside_stays(
    memory: Memory, clock: TestClock
) -> None:
    aside, _, _ = await said(memory, "Set aside.", "Read.", "Not read.")
    exchange = Exchange(
        id=aside,
        at=clock.now(),
        owner=SCOPE.owner,
        language="en",
        user_text="Set aside.",
    )
    await memory.database.write(set_aside.put, exchange, clock.now())
    await read_up_to(memory, aside + 1)
    clock.pass_time(days=1000)

    due = await Retention(memory=memory, days=90).preview()
    assert due is not None
    assert (due.exchanges, due.unread, due.set_aside) == (1, 1, 1)
    assert await Retention(memory=memory, days=90).sweep() == 1

    assert await kept(memory) == ["Set aside.", "Not read."]


async def test_nothing_goes_where_everything_is_kept(
    memory: Memory, clock: TestClock
) -> None:
    (last,) = await said(memory, "Old.")
    await read_up_to(memory, last)
    clock.pass_time(days=10_000)
    keeps = Retention(memory=memory, days=0)

    assert await keeps.preview() is None
    assert await keeps.sweep() == 0
    assert await kept(memory) == ["Old."]
    assert await keeps.sweep(30) == 1


async def test_facts_outlive_what_taught_them_with_their_quote(
    memory: Memory, clock: TestClock
) -> None:
    (taught_by,) = await said(memory, "My dog is Beans.")
    told = fact(
        "dog.name", "Beans", id=0, source_audit_id=taught_by, quote="My dog is Beans."
    )
    cause = ledger.Cause(at=clock.now())
    await memory.change(lambda connection: (ledger.add(connection, told, cause),))
    await read_up_to(memory, taught_by)
    clock.pass_time(days=91)

    assert await Retention(memory=memory, days=90).sweep() == 1

    (in_ram,) = memory.facts(SCOPE)
    (on_disk,) = await memory.database.read(ledger.load)
    assert in_ram == on_disk
    assert (in_ram.source_audit_id, in_ram.quote) == (None, "My dog is Beans.")
    await memory.delete_fact(SCOPE, in_ram.id)
    assert (await memory.restore_fact(SCOPE, in_ram.id)).value == "Beans"


async def test_turns_are_stored_between_small_batches(
    memory: Memory, clock: TestClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 3)
    old = await said(memory, *(f"Old {number}." for number in range(10)))
    await read_up_to(memory, old[-1])
    clock.pass_time(days=91)
    left: list[int] = []
    turns: list[asyncio.Task[int]] = []

    def count(connection: Connection) -> int:
        return len(
            connection.execute(
                select(audit_log.c.id).where(audit_log.c.id.in_(old))
            ).all()
        )

    def between() -> None:
        if len(turns) < 3:
            turns.append(asyncio.create_task(turn(len(turns))))

    async def turn(number: int) -> int:
        new_id = await memory.finish(None, spoken(f"New {number}."))
        left.append(await memory.database.read(count))
        return new_id

    stop = memory.database.on_write(between)
    assert await Retention(memory=memory, days=90).sweep() == 10
    stop()
    await asyncio.gather(*turns)

    # Each turn waited for one batch at most, and found the rest of the old ones there.
    assert left[0] >= 4
    assert all(before - after <= 3 for before, after in pairwise([10, *left]))
    assert await kept(memory) == ["New 0.", "New 1.", "New 2."]
