"""What is taken back leaves nothing behind, and takes nothing else along."""

from dataclasses import replace
import json

import pytest

from custom_components.caesar.memory import events, learned, ledger
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.ledger import Cause
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Change, EventKind, Exchange, Scope
from custom_components.caesar.memory.ports import ExtractionRequest, Generation
from custom_components.caesar.memory.withdrawal import withdraw_last

from .conftest import TestClock, spoken

ROBIN = "user:robin"


async def taught(memory: Memory, conversation: str, *changes: Change) -> int:
    event = replace(spoken("These are words."), conversation_id=conversation)
    at = memory.now()
    exchange_id = await memory.finish(None, event)
    exchange = Exchange(
        id=exchange_id, at=at, owner=ROBIN, language="en", user_text="These are words."
    )
    await memory.change(
        lambda connection: learned.apply(
            connection, changes, exchange, Cause(at=at, exchange=exchange)
        )
    )
    return exchange_id


async def withdrawn(memory: Memory, conversation: str = "c", owner: str = ROBIN):
    patches = []

    def work(connection):
        found = withdraw_last(connection, owner, conversation)
        patches.append(found)
        return found or ()

    await memory.change(work)
    return patches[-1]


def values(memory: Memory) -> dict[str, str]:
    return {fact.key: fact.value for fact in memory.facts_of(ROBIN)}


async def everything(memory: Memory) -> str:
    return str(await memory.events(Scope(owner=ROBIN)))


def adding(key: str, value: str) -> Change:
    return Change(operation="add", key=key, value=value, quote="These are words.")


async def test_what_it_added_goes_with_all_its_events(memory: Memory):
    await taught(memory, "c", adding("cat.name", "Tom"))
    await withdrawn(memory)
    assert values(memory) == {}
    assert await memory.events(Scope(owner=ROBIN)) == ()


async def test_what_it_replaced_or_removed_is_as_before(memory: Memory):
    await taught(memory, "a", adding("city", "Bonn"), adding("hobby", "chess"))
    city, hobby = memory.facts_of(ROBIN)
    await taught(
        memory,
        "c",
        Change(operation="replace", key="city", value="Ulm", fact_id=city.id),
        Change(operation="remove", key="hobby", value="", fact_id=hobby.id),
    )
    assert values(memory) == {"city": "Ulm"}
    await withdrawn(memory)
    assert memory.facts_of(ROBIN) == (city, hobby)
    assert "Ulm" not in await everything(memory)
    assert await memory.database.read(ledger.load) == (city, hobby)


async def test_suggestions_go_too(memory: Memory):
    await taught(
        memory, "c", Change(operation="suggest", key="city", value="Ulm", reason="x")
    )
    await withdrawn(memory)
    assert "Ulm" not in await everything(memory)


async def test_what_was_confirmed_since_stays(memory: Memory, clock: TestClock):
    await taught(memory, "c", adding("cat.name", "Tom"))
    (cat,) = memory.facts_of(ROBIN)
    clock.pass_time(minutes=1)
    await taught(
        memory,
        "other",
        Change(operation="confirm", key="cat.name", value="Tom", fact_id=cat.id),
    )
    await withdrawn(memory)
    assert values(memory) == {"cat.name": "Tom"}


@pytest.mark.parametrize(("conversation", "owner"), [("d", ROBIN), ("c", "user:sam")])
async def test_nothing_of_another_person_or_conversation_goes(
    memory: Memory, conversation: str, owner: str
):
    await taught(memory, "c", adding("cat.name", "Tom"))
    assert await withdrawn(memory, conversation, owner) is None
    assert values(memory) == {"cat.name": "Tom"}


async def test_words_taken_back_while_they_were_answered_stay_away(memory: Memory):
    event = replace(spoken("Secretly."), conversation_id="c")
    received = await memory.receive(event)
    await withdrawn(memory)
    await memory.finish(received, event)
    assert await memory.events(Scope(owner=ROBIN)) == ()
    assert await memory.database.read(events.count_exchanges_after, 0) == 0
    assert EventKind.CHAT_RECEIVED not in await everything(memory)


class Thinking:
    """A generator during whose thinking the person changes their mind."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def is_costly(self, _heard_by: str | None) -> bool:
        return False

    async def generate(self, _request: ExtractionRequest) -> Generation:
        await withdrawn(self._memory)
        fact = {"who": "cat", "what": "name", "value": "Tom", "holds": "true"}
        answer = {"kind": "lasting", "facts": [fact]}
        return Generation(text=json.dumps(answer), model="m")


async def test_what_is_taken_back_while_it_is_read_is_not_learned(memory: Memory):
    event = replace(spoken("My cat's name is Tom."), conversation_id="c")
    await memory.finish(None, event)
    await Learning(memory, Thinking(memory)).tick()
    assert values(memory) == {}
    assert await memory.events(Scope(owner=ROBIN)) == ()
