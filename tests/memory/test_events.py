"""What was said is kept once, masked, clamped and in order."""

from pathlib import Path
from typing import cast

from custom_components.caesar.memory import events
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import EventKind, Scope
from tests.memory.conftest import TestClock, spoken

ROBIN = Scope(owner="user:robin")


async def test_the_finished_exchange_takes_the_place_of_the_words(memory: Memory):
    received = await memory.receive(spoken("Hello"))
    await memory.finish(received, spoken("Hello"))
    (event,) = await memory.events(ROBIN)
    assert (event.kind, event.user_text, event.assistant_text) == (
        EventKind.CHAT_COMPLETED,
        "Hello",
        "Okay.",
    )


async def test_words_without_an_end_become_a_failed_exchange(
    memory: Memory, path: Path, clock: TestClock
):
    await memory.receive(spoken("My dog's name is Beans."))
    said_at = clock.now()
    await memory.close()
    clock.pass_time(hours=1)
    await memory.open()
    (event,) = await memory.events(ROBIN)
    assert event.kind == EventKind.CHAT_FAILED
    assert event.user_text == "My dog's name is Beans."
    assert event.payload["error"] == "interrupted"
    assert event.at == said_at


async def test_secrets_in_what_was_said_are_not_written(memory: Memory, path: Path):
    await memory.finish(None, spoken("The garage code is 4711, remember it."))
    (event,) = await memory.events(ROBIN)
    assert "4711" not in (event.user_text or "")
    assert "garage" in (event.user_text or "")
    for file in path.parent.glob("caesar.db*"):
        assert b"4711" not in file.read_bytes(), file.name


async def test_long_strings_are_cut_visibly(memory: Memory):
    await memory.finish(None, spoken("word " * 2000, payload={"note": ["x" * 9000]}))
    (event,) = await memory.events(ROBIN)
    assert len(event.user_text or "") == events.MAX_TEXT
    assert (event.user_text or "").endswith(events.CLAMP_MARK)
    (note,) = cast("list[str]", event.payload["note"])
    assert note.endswith(events.CLAMP_MARK)


async def test_half_a_surrogate_pair_does_not_lose_a_turn(memory: Memory):
    await memory.finish(None, spoken("My dog \ud83d is Beans", payload={"x": "\udfff"}))
    (event,) = await memory.events(ROBIN)
    assert event.user_text == "My dog ? is Beans"


async def test_ids_are_not_given_out_again(memory: Memory):
    first = await memory.receive(spoken("one"))
    await memory.finish(first, spoken("one"))
    newest = await memory.receive(spoken("two"))
    later = await memory.finish(newest, spoken("two"))
    assert later > newest


async def test_events_are_paged_and_kept_apart(memory: Memory):
    for number in range(5):
        await memory.finish(None, spoken(f"{number}"))
    await memory.finish(None, spoken("secretly", owner="user:sam"))
    page = await memory.events(ROBIN, limit=2)
    assert [e.user_text for e in page] == ["4", "3"]
    rest = await memory.events(ROBIN, before=page[-1].id)
    assert [e.user_text for e in rest] == ["2", "1", "0"]
