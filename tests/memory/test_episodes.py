"""What happened when and where, page by page, and whether a turn asks for the past."""

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from sqlalchemy import event

from custom_components.caesar.memory import episodes as module, words
from custom_components.caesar.memory.asking import is_plain_order
from custom_components.caesar.memory.episodes import Place, Wanted, episodes
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    EventKind,
    NewEvent,
    Owner,
)

from .conftest import TestClock
from .made import ANN, BOB, say


async def page(memory: Memory, **parts) -> module.Episodes:
    wanted = Wanted(**{"owners": (ANN, HOUSEHOLD), "language": "en", **parts})
    return await memory.database.read(episodes, wanted)


async def ids(memory: Memory, **parts) -> list[int]:
    return [row.id for row in (await page(memory, **parts)).rows]


async def test_they_are_found_by_time_place_conversation_and_words(
    memory: Memory, clock: TestClock
):
    begin = clock.now()
    boiler = await say(memory, "The boiler leaks", area="kitchen", device="tablet")
    clock.pass_time(days=1)
    noon = clock.now()
    opening = await say(memory, "Das Café öffnet", conversation="two")
    clock.pass_time(days=1)
    cat = await say(memory, "猫の名前はタマです", conversation="two")

    assert await ids(memory) == [cat, opening, boiler]
    assert await ids(memory, since=noon) == [cat, opening]
    assert await ids(memory, until=noon) == [boiler]
    assert await ids(memory, since=begin, until=begin) == []
    assert await ids(memory, area_id="kitchen") == [boiler]
    assert await ids(memory, device_id="tablet") == [boiler]
    assert await ids(memory, conversation_id="two") == [cat, opening]
    assert await ids(memory, words="leaking boiler") == [boiler]
    assert await ids(memory, words="boiler cafe") == []
    assert await ids(memory, words="cafe", language="de") == [opening]
    assert await ids(memory, words="名前", language="ja") == [cat]
    assert await ids(memory, words="boiler", area_id="attic") == []


async def test_commands_to_memory_are_not_told_again(memory: Memory):
    await memory.finish(
        None,
        NewEvent(
            kind=EventKind.CHAT_COMPLETED,
            owner=ANN,
            user_text="What do you know?",
            assistant_text="Your dog is Beans",
            payload={"teaches": False},
        ),
    )
    assert await ids(memory) == []


async def test_without_the_index_all_words_are_looked_for(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    boiler = await say(memory, "The boiler leaks")
    await say(memory, "The boiler hums")
    monkeypatch.setattr(words, "is_there", lambda _: False)
    assert await ids(memory, words="boiler leaks") == [boiler]


async def test_what_is_rare_is_found_on_a_later_page(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "EXAMINED", 4)
    rare = await say(memory, "The boiler leaks", area="attic")
    for _ in range(9):
        await say(memory, "Good morning", area="kitchen")
    found: list[int] = []
    before, pages = None, 0
    while True:
        result = await page(memory, area_id="attic", before=before)
        found += [row.id for row in result.rows]
        before, pages = result.next, pages + 1
        if before is None:
            break
    assert (found, pages) == ([rare], 3)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    said=st.lists(
        st.tuples(st.sampled_from([ANN, BOB, HOUSEHOLD]), st.integers(0, 2)),
        max_size=12,
    ),
    limit=st.integers(1, 5),
    owners=st.sets(st.sampled_from([ANN, BOB, HOUSEHOLD])),
    gone=st.integers(0, 12),
)
async def test_pages_hold_each_exchange_of_the_owners_once(
    memory: Memory,
    clock: TestClock,
    said: list[tuple[Owner, int]],
    limit: int,
    owners: set[Owner],
    gone: int,
):
    await memory.database.write(
        lambda connection: connection.exec_driver_sql("DELETE FROM audit_log")
    )
    # Several at one moment, in more than one order.
    moment = clock.moment
    told = []
    for number, (owner, minutes) in enumerate(said):
        clock.moment = moment + timedelta(minutes=minutes)
        told.append((clock.moment, await say(memory, f"Number {number}", owner=owner)))
    clock.moment = moment
    expected = [
        one
        for (_, one), (owner, _) in sorted(
            zip(told, said, strict=True), key=lambda pair: pair[0], reverse=True
        )
        if owner in owners
    ]
    found: list[int] = []
    before: Place | None = None
    while True:
        result = await page(memory, owners=tuple(owners), limit=limit, before=before)
        assert len(result.rows) <= limit
        found += [row.id for row in result.rows]
        before = result.next
        if before is None:
            break
        if gone < len(found):
            # What a page was found by may be deleted before the next one.
            await memory.database.write(
                lambda connection, one: connection.exec_driver_sql(
                    "DELETE FROM audit_log WHERE id = ?", (one,)
                ),
                found[-1],
            )
    assert found == expected


async def test_a_page_costs_a_look_into_the_index_however_many_there_are(
    memory: Memory,
):
    def plan(connection) -> list[str]:
        asked = []

        def note(_, cursor, statement, parameters, *__):
            asked.append((statement, parameters))

        event.listen(connection, "before_cursor_execute", note)
        episodes(
            connection,
            Wanted(
                owners=(ANN, HOUSEHOLD),
                since=datetime(2026, 1, 1, tzinfo=UTC),
                until=datetime(2027, 1, 1, tzinfo=UTC),
                before=Place(at=datetime(2026, 6, 1, tzinfo=UTC), id=7),
            ),
        )
        event.remove(connection, "before_cursor_execute", note)
        return [
            row[3]
            for statement, parameters in asked
            for row in connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", parameters
            )
        ]

    steps = await memory.database.read(plan)
    tables = [step for step in steps if "semantic_memory" in step]
    assert tables
    assert all(
        "USING COVERING INDEX ix_semantic_memory_owner_at (owner=? AND at" in step
        for step in tables
    ), steps
    assert not any("SCAN audit_log" in step for step in steps), steps


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Turn on the kitchen light", "en"),
        ("Hey, please dim the lights", "en"),
        ("Schalte das Licht ein", "de"),
        ("Allume la lampe", "fr"),
    ],
)
def test_a_plain_order_asks_nothing(text: str, language: str):
    assert is_plain_order(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did I say about the boiler?", "en"),
        ("Remind me what we decided about the shed", "en"),
        ("Which plumber did we call", "en"),
        ("Was habe ich gesagt?", "de"),
        ("bIqagh vISop", "tlh"),
    ],
)
def test_what_asks_is_no_plain_order(text: str, language: str):
    assert not is_plain_order(text, language)
