"""What learning costs is written down, and a budget holds it up until the next day."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import EventKind, Json, Scope
from custom_components.caesar.memory.ports import (
    ExtractionRequest,
    Generation,
    GeneratorUnavailableError,
)
from tests.memory.conftest import TestClock, spoken

ROBIN = Scope(owner="user:robin")
BEANS = "My dog's name is Beans."
NOTHING = '{"kind": "noise", "facts": []}'


class Costly:
    """A generator that costs 100 tokens a time, unless the house heard the words."""

    def __init__(self, answer: str = NOTHING, tokens: int | None = 90) -> None:
        self.answer = answer
        self.tokens = tokens
        self.asked = 0
        self.error: Exception | None = None

    def is_costly(self, heard_by: str | None) -> bool:
        return heard_by != "builtin|"

    async def generate(self, request: ExtractionRequest) -> Generation:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return Generation(
            text=self.answer,
            model="claude",
            input_tokens=self.tokens,
            output_tokens=self.tokens and 10,
            cached_input_tokens=self.tokens and 50,
        )


async def say(memory: Memory, times: int = 1, **parts) -> None:
    for _ in range(times):
        await memory.finish(None, spoken(BEANS, **parts))


async def answered(memory: Memory) -> list[dict[str, Json]]:
    events = await memory.events(ROBIN, kinds=(EventKind.EXTRACTION_ANSWERED,))
    return [dict(event.payload) for event in reversed(events)]


async def test_every_answer_tells_what_it_cost(memory: Memory):
    await say(memory, 2)
    generator = Costly()
    await Learning(memory, generator).tick()
    first, second = await answered(memory)
    assert first == {
        "exchange_id": 1,
        "usable": True,
        "model": "claude",
        "input_tokens": 90,
        "output_tokens": 10,
        "cached_input_tokens": 50,
        "cache_write_tokens": None,
    }
    assert second["exchange_id"] == 2


async def test_an_answer_of_no_use_costs_as_well(memory: Memory, clock: TestClock):
    await say(memory)
    learning = Learning(memory, Costly("rubbish"))
    for _ in range(5):
        await learning.tick(impatient=True)
    assert [event["usable"] for event in await answered(memory)] == [False] * 5


async def test_where_nothing_is_counted_nothing_is_written(memory: Memory):
    await say(memory)
    await Learning(memory, Costly(tokens=None)).tick()
    assert await answered(memory) == []


async def test_a_used_up_budget_holds_learning_up_until_midnight(
    memory: Memory, clock: TestClock
):
    clock.moment = datetime(2026, 11, 30, 22, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    generator = Costly()
    learning = Learning(memory, generator, daily_tokens=150)
    await say(memory, 3)
    report = await learning.tick()
    assert (report.read, report.waiting, report.problem) == (2, 1, "budget")
    assert learning.exhausted is not None
    assert (learning.exhausted.spent, learning.exhausted.budget) == (200, 150)
    assert learning.exhausted.at == clock.moment
    assert (await learning.tick(impatient=True)).problem == "budget"
    assert generator.asked == 2
    # In UTC this is still the same day.
    clock.pass_time(hours=2, minutes=1)
    assert (await learning.tick()).waiting == 0
    assert learning.exhausted is None


async def test_a_restart_gives_no_new_budget(path: Path, clock: TestClock):
    memory = Memory(path, clock=clock)
    await memory.open()
    await say(memory, 3)
    await Learning(memory, Costly(), daily_tokens=200).tick()
    await memory.close()
    clock.pass_time(hours=1)
    memory = Memory(path, clock=clock)
    await memory.open()
    generator = Costly()
    learning = Learning(memory, generator, daily_tokens=200)
    assert (await learning.tick()).problem == "budget"
    assert generator.asked == 0
    assert learning.exhausted is not None
    assert (clock.moment - learning.exhausted.at).total_seconds() == 3600
    await memory.close()


async def test_what_costs_nothing_is_learned_beyond_the_budget(memory: Memory):
    await say(memory)
    await say(memory, payload={"heard_by": "builtin|"})
    report = await Learning(memory, Costly(), daily_tokens=1).tick()
    assert (report.read, report.problem) == (2, None)


async def test_without_a_budget_nothing_ends(memory: Memory):
    await say(memory, 5)
    assert (await Learning(memory, Costly(tokens=10**9)).tick()).read == 5


async def test_a_model_that_names_the_time_is_left_alone_that_long(
    memory: Memory, clock: TestClock
):
    await say(memory)
    generator = Costly()
    generator.error = GeneratorUnavailableError("limited", retry_after=1800)
    learning = Learning(memory, generator)
    await learning.tick()
    generator.error = None
    clock.pass_time(seconds=1799)
    assert (await learning.tick()).read == 0
    clock.pass_time(seconds=2)
    assert (await learning.tick()).read == 1
    assert generator.asked == 2
