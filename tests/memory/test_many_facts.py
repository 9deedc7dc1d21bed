"""With many facts learning looks at few of them, and misses nothing."""

import asyncio

import pytest

from custom_components.caesar.memory import ledger
from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Fact, Scope
from custom_components.caesar.memory.ports import ExtractionRequest, Generation
from tests.memory.conftest import spoken
from tests.memory.test_learning import Scripted
from tests.memory.test_suggestions import found, told

ROBIN = Scope(owner="user:robin")


def hears(memory: Memory, answer: str) -> Learning:
    return Learning(memory, Scripted(lambda _: answer))


async def test_learning_does_not_load_all_facts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    for number in range(60):
        await memory.add_fact(ROBIN.owner, "note", f"shelf {number}")
    for said, answer in (
        ("I live in Ghent.", found("me", "city", "Ghent")),
        ("I like jazz.", found("me", "like", "jazz")),
    ):
        await memory.finish(None, spoken(said))
        await hears(memory, answer).tick()

    def load(*_: object) -> tuple[Fact, ...]:
        raise AssertionError("all facts were loaded")

    monkeypatch.setattr(ledger, "load", load)
    for said, answer in (
        ("I moved to Oslo.", found("me", "city", "Oslo")),
        ("I don't like jazz any more.", found("me", "like", "jazz", "ended")),
        ("Shelf 7 holds paint.", found("home", "note", "shelf 7 holds paint")),
        ("My dog is called Beans.", found("dog", "name", "Beans")),
    ):
        await memory.finish(None, spoken(said))
        await hears(memory, answer).tick()

    kept = told(memory)
    assert kept["address.city"] == "Oslo"
    assert kept["dog.name"] == "Beans"
    assert "jazz" not in kept.values()
    assert len(kept) == 60 + 3


async def test_an_edit_that_is_on_its_way_is_heeded(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "address.city", "Ghent")
    edits: list[asyncio.Task[Fact]] = []

    class Hurried(Scripted):
        async def generate(self, request: ExtractionRequest) -> Generation:
            edit = memory.edit_fact(ROBIN, fact.id, Edit(value="Oslo"))
            edits.append(asyncio.create_task(edit))
            await asyncio.sleep(0)
            return await super().generate(request)

    await memory.finish(None, spoken("I live in Oslo."))
    answer = found("me", "city", "Oslo")
    await Learning(memory, Hurried(lambda _: answer)).tick()

    await edits[0]
    assert told(memory) == {"address.city": "Oslo"}
    assert await memory.suggestions(ROBIN) == ()
    kinds = [event.kind for event in await memory.events(ROBIN)]
    assert kinds.count("memory.fact.user_edited") == 1
    assert kinds.count("memory.fact.confirmed") == 1
