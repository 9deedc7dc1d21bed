"""Plans have an end: then nobody is told of them, and later they are gone."""

from datetime import UTC, datetime, timedelta
import json

from custom_components.caesar.memory.composer import Caps
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Fact, Scope
from tests.memory.conftest import TestClock, spoken
from tests.memory.replay import replay
from tests.memory.test_learning import Scripted

ROBIN = Scope(owner="user:robin")


async def plan(memory: Memory, said: str, what: str = "plan") -> Fact:
    found = {"who": "me", "what": what, "value": said.rstrip("."), "holds": "true"}
    answer = json.dumps({"kind": "lasting", "facts": [found]})
    await memory.finish(None, spoken(said))
    await Learning(memory, Scripted(lambda _: answer)).tick(impatient=True)
    return memory.facts(ROBIN)[0]


def told(memory: Memory) -> str:
    return memory.section(ROBIN, "", Caps()).text


async def test_a_plan_is_told_until_its_day_is_over(memory: Memory, clock: TestClock):
    fact = await plan(memory, "We're going to Madeira in May.")
    assert fact.expires_at == datetime(2027, 6, 1, tzinfo=UTC)
    clock.moment = datetime(2027, 5, 31, 23, 59, tzinfo=UTC)
    assert "Madeira" in told(memory)
    clock.pass_time(minutes=1)
    assert "Madeira" not in told(memory)
    # It is still there for whoever looks.
    assert memory.facts(ROBIN) == (fact,)


async def test_a_changed_plan_has_a_new_end(memory: Memory):
    await plan(memory, "We're going to Madeira in May.")
    fact = await plan(memory, "We're going to Madeira in June instead of May.")
    assert fact.expires_at == datetime(2027, 7, 1, tzinfo=UTC)


async def test_only_plans_end(memory: Memory):
    fact = await plan(memory, "We got married in May.", what="note")
    assert fact.expires_at is None


async def test_what_ended_long_ago_is_swept(memory: Memory, clock: TestClock):
    fact = await plan(memory, "We're going to Madeira in May.")
    stays = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    assert fact.expires_at is not None
    clock.moment = fact.expires_at + timedelta(days=90)
    assert await memory.sweep() == 0
    clock.pass_time(seconds=1)
    assert await memory.sweep() == 1

    assert memory.facts(ROBIN) == (stays,)
    (event, *_) = await memory.events(ROBIN)
    assert event.kind == "memory.fact.removed"
    assert event.payload["reason"] == "expired"
    assert replay(reversed(await memory.events(ROBIN))) == {stays.id: stays}

    # Whoever brings it back has it for as long again.
    await memory.restore_fact(ROBIN, fact.id)
    assert await memory.sweep() == 0
    clock.pass_time(days=91)
    assert await memory.sweep() == 1
