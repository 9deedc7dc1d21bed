"""What people read of the past: pages, search, counts; and deleting an exchange."""

import pytest
from sqlalchemy import select

from custom_components.caesar.memory import learned
from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.errors import ExchangeNotFoundError
from custom_components.caesar.memory.exchanges import LearningState
from custom_components.caesar.memory.facts import Seen, Typed
from custom_components.caesar.memory.ledger import Cause, load
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Change,
    EventKind,
    Exchange,
    Scope,
)
from custom_components.caesar.memory.pages import Query
from custom_components.caesar.memory.schema import audit_log, personal_facts
from tests.memory.conftest import spoken
from tests.memory.replay import replay

ANN, BOB = "user:ann", "user:bob"
ANNS = (ANN, HOUSEHOLD)


@pytest.fixture
def archive(memory: Memory) -> Archive:
    return Archive(memory=memory)


@pytest.fixture
def ann(memory: Memory) -> Editor:
    return Editor(memory=memory, owners=ANNS, actor=ANN)


async def teach(memory: Memory, text: str, *values: str, owner: str = ANN) -> int:
    """Let somebody say something that teaches notes, and be learned from."""
    said = await memory.finish(None, spoken(text, owner))
    exchange = Exchange(
        id=said, at=memory.now(), owner=owner, language="en", user_text=text
    )
    changes = [
        Change(operation="add", key="note", value=value, quote=text) for value in values
    ]
    await memory.change(
        lambda connection: learned.apply(
            connection, changes, exchange, Cause(at=memory.now(), exchange=exchange)
        )
    )
    return said


async def test_pages_follow_one_another_without_gap_while_rows_are_added(
    memory: Memory, archive: Archive
):
    said = [await memory.finish(None, spoken(f"word {n}", ANN)) for n in range(7)]
    await memory.finish(None, spoken("not Ann's", BOB))

    first = await archive.exchanges(Query(owners=ANNS, limit=3))
    await memory.finish(None, spoken("meanwhile", ANN))
    second = await archive.exchanges(Query(owners=ANNS, limit=3, before=first.next))
    third = await archive.exchanges(Query(owners=ANNS, limit=3, before=second.next))

    seen = [row.event.id for page in (first, second, third) for row in page.rows]
    assert seen == list(reversed(said))
    assert third.next is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("müllers", ["Call the MÜLLERS about José"]),
        ("muellers", []),
        ("jose call", ["Call the MÜLLERS about José"]),
        ("jose tea", []),
        ("okay", ["I like tea", "Call the MÜLLERS about José"]),
        ("100%", []),
    ],
)
async def test_words_are_found_whatever_their_case_and_accents(
    memory: Memory, archive: Archive, text: str, found: list[str]
):
    for said in ("Call the MÜLLERS about José", "I like tea"):
        await memory.finish(None, spoken(said, ANN))

    page = await archive.exchanges(Query(owners=ANNS, text=text))

    assert [row.event.user_text for row in page.rows] == found


async def test_exchanges_are_found_by_area_and_time(
    memory: Memory, archive: Archive, clock
):
    await memory.finish(None, spoken("early", ANN, area_id="kitchen"))
    clock.pass_time(hours=1)
    noon = clock.now()
    await memory.finish(None, spoken("late", ANN, area_id="attic"))

    async def found(**parts) -> list[str | None]:
        page = await archive.exchanges(Query(owners=ANNS, **parts))
        return [row.event.user_text for row in page.rows]

    assert await found(area_id="kitchen") == ["early"]
    assert await found(since=noon) == ["late"]
    assert await found(until=noon) == ["early"]
    assert set(await archive.areas(ANNS)) == {"kitchen", "attic"}
    assert await archive.areas([BOB]) == ()


async def test_an_exchange_tells_what_it_taught_and_whether_it_was_read(
    memory: Memory, archive: Archive
):
    taught = await teach(memory, "The gate is blue", "blue")
    unheard = await memory.finish(None, spoken("hush", ANN, payload={"teaches": False}))

    waiting, read = await archive.exchange(ANNS, taught), unheard
    assert [fact.value for fact in waiting.facts] == ["blue"]
    assert waiting.learning is LearningState.WAITING
    quiet = await archive.exchange(ANNS, read)
    assert quiet.learning is LearningState.NOT_TAUGHT
    with pytest.raises(ExchangeNotFoundError):
        await archive.exchange([BOB], taught)


async def test_history_has_memorys_events_by_kind_and_words_and_no_chat(
    memory: Memory, archive: Archive, ann: Editor
):
    await teach(memory, "The gate is blue", "blue")
    fact = await ann.add(ANN, Typed(key="dog.name", value="Häns"))
    await ann.delete([Seen(fact_id=fact.id)])

    async def found(**parts) -> list[str]:
        page = await archive.events(Query(owners=ANNS, **parts))
        return [event.kind for event in page.rows]

    assert await found() == [
        "memory.fact.user_deleted",
        "memory.fact.added",
        "memory.fact.added",
    ]
    assert await found(text="hans dog") == [
        "memory.fact.user_deleted",
        "memory.fact.added",
    ]
    assert await found(kinds=("memory.fact.user_deleted",)) == [
        "memory.fact.user_deleted"
    ]


async def words_left(memory: Memory, words: str) -> bool:
    def dump(connection) -> str:
        tables = (audit_log, personal_facts)
        return str([connection.execute(select(table)).all() for table in tables])

    return words in await memory.database.read(dump)


async def rebuilt(memory: Memory) -> bool:
    events = await memory.events(Scope(owner=ANN), limit=1000)
    stored = await memory.database.read(load, ANNS)
    return replay(reversed(events)) == {fact.id: fact for fact in stored}


async def test_a_deleted_exchange_leaves_its_facts_and_none_of_its_words(
    memory: Memory, archive: Archive, ann: Editor
):
    said = await teach(memory, "The gate is blue", "blue", "gate")
    moved = memory.facts_of(ANN)[0]
    await ann.move([Seen(fact_id=moved.id)], HOUSEHOLD)

    assert await archive.delete_exchange(ANNS, said, "keep", actor=ANN) == ()

    assert not await words_left(memory, "The gate is blue")
    assert {fact.value for fact in memory.stored(ANNS)} == {"blue", "gate"}
    for fact in memory.stored(ANNS):
        assert (fact.quote, fact.source_audit_id) == (None, None)
    assert await rebuilt(memory)
    last = (await archive.events(Query(owners=ANNS))).rows[0]
    assert (last.kind, last.actor) == (EventKind.EXCHANGE_DELETED, ANN)
    with pytest.raises(ExchangeNotFoundError):
        await archive.delete_exchange(ANNS, said, "keep", actor=ANN)


async def test_facts_that_go_with_their_exchange_can_be_brought_back(
    memory: Memory, archive: Archive, ann: Editor
):
    said = await teach(memory, "The gate is blue", "blue")
    (fact,) = memory.facts_of(ANN)

    gone = await archive.delete_exchange(ANNS, said, "delete", actor=ANN)

    assert gone == (fact.id,)
    assert memory.stored(ANNS) == ()
    assert not await words_left(memory, "The gate is blue")
    assert await rebuilt(memory)
    (back,) = (await ann.restore([Seen(fact_id=fact.id)])).facts
    assert (back.value, back.quote) == ("blue", None)


async def test_anothers_facts_outlive_the_exchange_without_its_words(
    memory: Memory, archive: Archive, ann: Editor
):
    said = await teach(memory, "The gate is blue", "blue")
    (fact,) = memory.facts_of(ANN)
    await ann.move([Seen(fact_id=fact.id)], HOUSEHOLD)
    bob = Editor(memory=memory, owners=(BOB, HOUSEHOLD), actor=BOB)
    await bob.move([Seen(fact_id=fact.id)], BOB)

    await archive.delete_exchange(ANNS, said, "delete", actor=ANN)

    (bobs,) = memory.facts_of(BOB)
    assert (bobs.value, bobs.quote) == ("blue", None)
    assert not await words_left(memory, "The gate is blue")


async def test_deleting_anothers_exchange_is_as_if_there_were_none(
    memory: Memory, archive: Archive
):
    said = await teach(memory, "My gate is blue", "blue", owner=BOB)
    with pytest.raises(ExchangeNotFoundError):
        await archive.delete_exchange(ANNS, said, "delete", actor=ANN)
    assert len(memory.facts_of(BOB)) == 1


async def test_growth_is_counted_by_local_days_and_ends_with_what_there_is(
    memory: Memory, archive: Archive, ann: Editor, clock
):
    await teach(memory, "one and two", "one", "two")
    clock.pass_time(days=2)
    (first, *_) = memory.facts_of(ANN)
    await ann.delete([Seen(fact_id=first.id)])
    fact = await ann.add(HOUSEHOLD, Typed(key="gate", value="blue"))
    await ann.move([Seen(fact_id=fact.id)], ANN)
    await memory.finish(None, spoken("not Ann's", BOB))

    days = await archive.over_time(ANNS, 4)

    assert [(day.facts, day.exchanges) for day in days] == [
        (0, 0),
        (2, 1),
        (2, 0),
        (2, 0),
    ]
    assert days[-1].day == clock.now().date()
    counts = await archive.counts()
    assert (counts[ANN].facts, counts[ANN].exchanges) == (2, 1)
    assert (counts[BOB].facts, counts[BOB].exchanges) == (0, 1)


async def test_the_mark_tells_of_news_in_the_scope_alone(
    memory: Memory, archive: Archive
):
    said = await memory.finish(None, spoken("hello", ANN))
    before = await archive.mark(ANNS)
    await memory.finish(None, spoken("hello", BOB))
    assert await archive.mark(ANNS) == before
    await archive.delete_exchange(ANNS, said, "keep", actor=ANN)
    assert await archive.mark(ANNS) != before
