"""What was said gets its vectors, whatever the embedder does meanwhile."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
import math
from pathlib import Path
from typing import Any

import pytest

from custom_components.caesar.memory import semantic
from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.documents import MAX_SAID, document
from custom_components.caesar.memory.embedding import BATCH, BATCH_TOKENS
from custom_components.caesar.memory.events import MAX_TEXT
from custom_components.caesar.memory.indexing import Indexing, IndexingReport
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, Event, EventKind, Scope
from custom_components.caesar.memory.ports import EmbedderUnavailableError
from tests.memory.conftest import TestClock, spoken
from tests.memory.embedding import Scripted, Shelf

ROBIN = "user:robin"


@pytest.fixture
def embedder() -> Scripted:
    return Scripted()


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def indexing(memory: Memory, embedder: Scripted, shelf: Shelf) -> Indexing:
    return Indexing(memory, embedder, shelf)


async def say(memory: Memory, *texts: str, **parts: Any) -> list[int]:
    return [await memory.finish(None, spoken(text, **parts)) for text in texts]


async def numbered(memory: Memory, count: int, **parts: Any) -> list[int]:
    return await say(memory, *(f"This is sentence {n}." for n in range(count)), **parts)


async def indexed(memory: Memory) -> list[Event]:
    kinds = (EventKind.SEMANTIC_INDEXED,)
    return list(reversed(await memory.events(Scope(owner=HOUSEHOLD), kinds=kinds)))


async def counts(memory: Memory, model: str = "scripted") -> tuple[int, int]:
    counted = await memory.database.read(semantic.count, model)
    return counted.indexed, counted.waiting


def since(indexing: Indexing) -> datetime | None:
    return indexing.failing_since


async def test_each_exchange_gets_one_vector_and_an_event_tells_how_many(
    memory: Memory, indexing: Indexing, embedder: Scripted, shelf: Shelf
):
    ids = await say(memory, "The boiler leaks.", "I like tea.")
    assert await indexing.tick() == IndexingReport(read=2)
    assert embedder.asked == [
        ["2026-11-30: The boiler leaks.\nOkay.", "2026-11-30: I like tea.\nOkay."]
    ]
    assert sorted(shelf.rows) == ids
    assert {row.owner for row in shelf.rows.values()} == {ROBIN}
    (event,) = await indexed(memory)
    assert dict(event.payload) == {
        "count": 2,
        "model": "scripted",
        "input_tokens": 20,
    }
    assert "boiler" not in str(event)

    await say(memory, "I like coffee.")
    assert (await indexing.tick()).read == 1
    assert len(embedder.texts) == 3
    assert await counts(memory) == (3, 0)


def test_the_text_holds_the_day_and_what_was_said_first():
    at = datetime(2026, 6, 3, 21, 0, tzinfo=UTC)
    assert document(at, "Hello \n there", "") == "2026-06-03: Hello there"
    long = document(at, "a" * 9000, "b" * 9000)
    assert len(long) < 2 * MAX_SAID + 20 < MAX_TEXT
    assert long.startswith("2026-06-03: aaa")
    assert long.endswith("b")


async def test_many_go_in_batches_and_progress_is_told(
    memory: Memory, indexing: Indexing, embedder: Scripted
):
    await numbered(memory, 2 * BATCH + 3)
    told = []
    stop = indexing.on_progress(lambda: told.append(indexing.progress))
    assert (await indexing.tick()).read == 2 * BATCH + 3
    stop()
    assert [len(texts) for texts in embedder.asked] == [BATCH, BATCH, 3]
    assert [event.payload["count"] for event in await indexed(memory)] == [32, 32, 3]
    assert [(one.done, one.total) for one in told if one] == [
        (0, 67),
        (32, 67),
        (64, 67),
    ]
    assert told[-1] is None


async def test_long_texts_make_small_batches(
    memory: Memory, indexing: Indexing, embedder: Scripted
):
    await say(memory, *["很" * 3500] * 4, "short")
    assert (await indexing.tick()).read == 5
    assert [len(texts) for texts in embedder.asked] == [2, 3]
    assert all(sum(map(len, texts)) < BATCH_TOKENS for texts in embedder.asked)


async def test_secrets_are_masked_before_anybody_embeds_them(
    memory: Memory, indexing: Indexing, embedder: Scripted
):
    await say(memory, "The alarm code is 4711, and my dog's name is Beans.")
    await indexing.tick()
    (text,) = embedder.texts
    assert "Beans" in text
    assert "4711" not in text


async def test_what_is_gone_or_off_the_record_is_never_sent(
    memory: Memory, indexing: Indexing, embedder: Scripted
):
    kept, deleted = await say(memory, "I like tea.", "I like gin.")
    await say(memory, "I like rum.", owner="user:sam")
    await say(memory, "What do you know?", payload={"teaches": False})
    await memory.receive(spoken("I am still speaking."))
    await Archive(memory=memory).delete_exchange([ROBIN], deleted, "keep", actor=ROBIN)
    await memory.erase_owner("user:sam")
    assert (await indexing.tick()).read == 1
    assert embedder.texts == ["2026-11-30: I like tea.\nOkay."]
    assert await counts(memory) == (1, 0)
    assert kept


async def test_what_is_deleted_while_the_embedder_thinks_stays_away(
    memory: Memory, indexing: Indexing, embedder: Scripted, shelf: Shelf
):
    kept, deleted = await say(memory, "I like tea.", "I like gin.")
    embedder.hold = asyncio.Event()
    ticking = asyncio.create_task(indexing.tick())
    await embedder.asking.wait()
    # Whoever is asked holds nothing up: this writes at once.
    await Archive(memory=memory).delete_exchange([ROBIN], deleted, "keep", actor=ROBIN)
    embedder.hold.set()
    assert (await ticking).read == 1
    assert list(shelf.rows) == [kept]
    assert await counts(memory) == (1, 0)


async def test_who_is_down_is_asked_again_after_growing_pauses(
    memory: Memory, indexing: Indexing, embedder: Scripted, clock: TestClock
):
    await say(memory, "I like tea.")
    embedder.error = EmbedderUnavailableError("down")
    report = await indexing.tick()
    assert (report.problem, report.waiting) == ("unavailable", 1)
    assert since(indexing) == clock.now()
    for seconds, asked in ((29, 1), (2, 2), (58, 2), (3, 3)):
        clock.pass_time(seconds=seconds)
        await indexing.tick()
        assert len(embedder.asked) == asked
    embedder.error = EmbedderUnavailableError("slow", retry_after=600)
    await indexing.tick(impatient=True)
    clock.pass_time(seconds=599)
    await indexing.tick()
    assert len(embedder.asked) == 4
    embedder.error = None
    clock.pass_time(seconds=2)
    assert (await indexing.tick()).read == 1
    assert since(indexing) is None
    assert await counts(memory) == (1, 0)


@pytest.mark.parametrize("poison", [("sentence 5.",), ("sentence 0.", "sentence 15.")])
async def test_a_text_that_cannot_be_embedded_is_found_and_passed_over(
    memory: Memory,
    indexing: Indexing,
    embedder: Scripted,
    shelf: Shelf,
    poison: tuple[str, ...],
):
    await numbered(memory, 16)
    embedder.poison = poison
    report = await indexing.tick()
    assert (report.read, report.set_aside) == (16 - len(poison), len(poison))
    assert (report.problem, report.waiting) == (None, 0)
    assert len(shelf.rows) == 16 - len(poison)
    assert (await indexing.standing()).set_aside == len(poison)
    asked = len(embedder.asked)
    await say(memory, "I like tea.")
    assert await indexing.tick() == IndexingReport(read=1)
    assert len(embedder.asked) == asked + 1


def _nan(vectors: list[list[float]]) -> list[list[float]]:
    return [[math.nan, *vectors[0][1:]], *vectors[1:]]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda vectors: vectors[1:],
        lambda vectors: [*vectors, vectors[0]],
        _nan,
        lambda vectors: [[0.0] * 32 for _ in vectors],
        lambda vectors: [[] for _ in vectors],
        lambda _: [],
        lambda _: None,
        lambda vectors: [vectors[0][:7], *vectors[1:], vectors[0]],
        lambda vectors: ["word" for _ in vectors],
    ],
)
async def test_no_answer_of_no_use_is_stored_and_nobody_is_blamed_for_it(
    memory: Memory,
    indexing: Indexing,
    embedder: Scripted,
    shelf: Shelf,
    clock: TestClock,
    spoil: object,
):
    await numbered(memory, 4)
    right = embedder.spoil
    embedder.spoil = spoil  # type: ignore[assignment]
    report = await indexing.tick()
    assert (report.read, report.set_aside, report.problem) == (0, 0, "unusable")
    assert indexing.failing_since is not None
    assert shelf.rows == {}
    assert await indexed(memory) == []
    embedder.spoil = right
    clock.pass_time(minutes=1)
    assert (await indexing.tick()).read == 4
    assert await counts(memory) == (4, 0)


async def test_one_bad_vector_costs_its_own_exchange_only(
    memory: Memory, indexing: Indexing, embedder: Scripted, shelf: Shelf
):
    await numbered(memory, 8)

    def spoil(vectors: Sequence[list[float]]) -> Sequence[list[float]]:
        texts = embedder.asked[-1]
        return [
            [math.inf] if "sentence 3." in text else vector
            for text, vector in zip(texts, vectors, strict=True)
        ]

    embedder.spoil = spoil
    report = await indexing.tick()
    assert (report.read, report.set_aside) == (7, 1)
    assert {len(row.vector) for row in shelf.rows.values()} == {32}


async def test_a_budget_holds_it_up_until_the_next_day(
    memory: Memory, embedder: Scripted, shelf: Shelf, clock: TestClock
):
    await numbered(memory, 2 * BATCH)
    indexing = Indexing(memory, embedder, shelf, daily_tokens=300)
    report = await indexing.tick()
    assert (report.read, report.waiting) == (BATCH, BATCH)
    assert report.problem == "budget"
    assert indexing.exhausted is not None
    assert (indexing.exhausted.spent, indexing.exhausted.budget) == (320, 300)
    # A restart forgets nothing of it.
    indexing = Indexing(memory, embedder, shelf, daily_tokens=300)
    assert (await indexing.tick()).read == 0
    clock.pass_time(days=1)
    assert (await indexing.tick()).read == BATCH
    assert indexing.exhausted is None
    assert await counts(memory) == (2 * BATCH, 0)


async def test_a_new_model_embeds_everything_again(
    memory: Memory, indexing: Indexing, shelf: Shelf
):
    await numbered(memory, BATCH + 1)
    await indexing.tick()
    other = Scripted("other", dimension=48)
    anew = Indexing(memory, other, Shelf())
    assert (await anew.standing()).waiting == BATCH + 1
    assert (await anew.tick()).read == BATCH + 1
    assert await counts(memory, "other") == (BATCH + 1, 0)
    assert await counts(memory) == (0, BATCH + 1)
    assert [event.payload["model"] for event in await indexed(memory)] == [
        "scripted",
        "scripted",
        "other",
        "other",
    ]


async def test_other_vectors_behind_the_same_name_are_made_for_all_again(
    memory: Memory, indexing: Indexing, embedder: Scripted, shelf: Shelf
):
    await numbered(memory, 5)
    await indexing.tick()
    embedder.dimension = 48
    await say(memory, "I like tea.")
    assert (await indexing.tick()).read == 6
    assert shelf.rebuilt == 1
    assert {len(row.vector) for row in shelf.rows.values()} == {48}
    assert await counts(memory) == (6, 0)
    assert await memory.database.read(semantic.dimension, "scripted") == 48


async def test_words_that_may_not_leave_the_house_stay_and_others_go_on(
    memory: Memory, indexing: Indexing, embedder: Scripted
):
    embedder.allowed = {"claude|haiku"}
    await numbered(memory, BATCH + 5, payload={"heard_by": "builtin|"})
    await say(memory, "I like tea.", payload={"heard_by": "claude|haiku"})
    await say(memory, "I like gin.")
    report = await indexing.tick()
    assert (report.read, report.waiting) == (1, 0)
    assert (await indexing.standing()).withheld == BATCH + 6
    assert embedder.texts == ["2026-11-30: I like tea.\nOkay."]
    # Allowed since, which loads everything anew.
    embedder.allowed = None
    again = Indexing(memory, embedder, Shelf())
    assert (await again.tick()).read == BATCH + 6


async def test_a_crash_in_the_middle_costs_one_batch(
    path: Path, clock: TestClock, embedder: Scripted
):
    memory = Memory(path, clock=clock)
    await memory.open()
    await numbered(memory, BATCH + 4)
    first = Indexing(memory, embedder, Shelf())

    def crash() -> None:
        if first.progress and first.progress.done:
            embedder.hold = asyncio.Event()

    first.on_progress(crash)
    ticking = asyncio.create_task(first.tick())
    while embedder.hold is None:
        embedder.asking.clear()
        await embedder.asking.wait()
    ticking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ticking
    await memory.close()

    embedder.hold = None
    await memory.open()
    try:
        assert await counts(memory) == (BATCH, 4)
        assert (await Indexing(memory, embedder, Shelf()).tick()).read == 4
    finally:
        await memory.close()
    assert len(set(embedder.texts)) == BATCH + 4


async def test_an_index_that_was_away_is_brought_up_again(
    memory: Memory, indexing: Indexing, shelf: Shelf
):
    await say(memory, "I like tea.")
    shelf.away = True
    assert (await indexing.tick()).read == 1
    assert (await indexing.tick()).problem is None
    shelf.away = False
    await indexing.tick()
    await indexing.tick()
    assert shelf.rebuilt == 1
