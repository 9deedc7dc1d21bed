"""From a task to a provider: routes, time limits, turns and errors."""

import asyncio
from contextlib import aclosing

import pytest

from custom_components.caesar.gateway import Gateway, Route, Timeouts
from custom_components.caesar.gateway.base import Delta, Task, TextDelta
from custom_components.caesar.gateway.errors import (
    ModelNotFoundError,
    ProviderMissingError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
)

from .requests import chat, generation
from .scripted import ScriptedProvider

HELLO = TextDelta(text="Hello")
LOCAL = Route("local", "qwen3:4b")


def gateway(provider: ScriptedProvider, **timeouts: float) -> Gateway:
    return Gateway({"local": provider}, LOCAL, Timeouts(**timeouts))


async def collect(gate: Gateway, route: Route = LOCAL) -> list[Delta]:
    return [delta async for delta in gate.stream(chat(), route)]


@pytest.mark.parametrize(
    "route", [LOCAL, Route("builtin"), Route("01K", "hf.co/x|y:Q4_K_M")]
)
def test_tag_leads_back_to_its_route(route):
    assert Route.parse(route.tag) == route


@pytest.mark.parametrize("text", ["", "local", "|qwen3:4b"])
def test_other_text_is_no_tag(text):
    assert Route.parse(text) is None


def test_what_one_heard_the_same_one_learns():
    gate = Gateway({"a": ScriptedProvider(), "b": ScriptedProvider()}, Route("a", "x"))
    assert gate.resolve(Task.MEMORY_EXTRACT, "b|y") == Route("b", "y")


@pytest.mark.parametrize("heard_by", [None, "gone|y", "nonsense", ""])
def test_without_the_one_who_heard_it_the_default_learns(heard_by):
    gate = gateway(ScriptedProvider())
    assert gate.resolve(Task.MEMORY_EXTRACT, heard_by) == LOCAL


async def test_route_names_the_model():
    provider = ScriptedProvider([HELLO])
    gate = gateway(provider)
    provider.generation_may_end.set()
    await collect(gate, Route("local", "other"))
    result = await gate.generate(generation(), Route("local", "other"))
    assert provider.requests[0].model == "other"
    assert result.model == "other"


async def test_route_to_a_provider_that_is_gone():
    gate = gateway(ScriptedProvider())
    gone = Route("gone", "m")
    with pytest.raises(ProviderMissingError) as streamed:
        await collect(gate, gone)
    with pytest.raises(ProviderMissingError):
        await gate.generate(generation(), gone)
    assert (streamed.value.provider, streamed.value.model) == ("gone", "m")


async def test_error_names_its_route():
    with pytest.raises(ProviderRefusedError) as caught:
        await collect(gateway(ScriptedProvider([ProviderRefusedError("no")])))
    assert (caught.value.provider, caught.value.model) == ("local", "qwen3:4b")


async def test_error_that_names_its_model_keeps_it():
    error = ModelNotFoundError("no", model="asked:1b")
    with pytest.raises(ModelNotFoundError) as caught:
        await collect(gateway(ScriptedProvider([error])))
    assert caught.value.model == "asked:1b"


@pytest.mark.parametrize(
    ("script", "timeouts"),
    [
        ([], {"first_delta": 0.01}),
        ([HELLO], {"next_delta": 0.01}),
        ([HELLO], {"answer": 0.01}),
    ],
)
async def test_silence_ends_an_answer(script, timeouts):
    provider = ScriptedProvider([*script, asyncio.Event()])
    async with asyncio.timeout(5):
        with pytest.raises(ProviderTimeoutError):
            await collect(gateway(provider, **timeouts))


async def test_time_between_two_deltas_may_exceed_that_to_the_first():
    second = asyncio.Event()
    provider = ScriptedProvider([HELLO, second, HELLO])
    deltas = gateway(provider, first_delta=0.05).stream(chat(), LOCAL)
    await anext(deltas)
    asyncio.get_running_loop().call_later(0.1, second.set)
    assert [delta async for delta in deltas] == [HELLO]


async def test_abandoned_answer_is_closed_at_its_source():
    provider = ScriptedProvider([HELLO, HELLO])
    async with aclosing(gateway(provider).stream(chat(), LOCAL)) as deltas:
        await anext(deltas)
    assert provider.abandoned == 1


async def test_background_requests_take_turns():
    provider = ScriptedProvider()
    gate = gateway(provider)
    asked = [
        asyncio.create_task(gate.generate(generation(text=text), LOCAL))
        for text in ("first", "second")
    ]
    await provider.answering.acquire()
    await asyncio.sleep(0)
    assert [request.text for request in provider.generations] == ["first"]
    provider.generation_may_end.set()
    await asyncio.gather(*asked)
    assert [request.text for request in provider.generations] == ["first", "second"]


async def test_person_is_answered_while_a_background_request_runs():
    provider = ScriptedProvider([HELLO])
    gate = gateway(provider)
    background = asyncio.create_task(gate.generate(generation(), LOCAL))
    await provider.answering.acquire()
    assert await collect(gate) == [HELLO]
    provider.generation_may_end.set()
    await background


async def test_slow_structured_answer_frees_the_way_for_the_next():
    provider = ScriptedProvider()
    gate = gateway(provider, generation=0.01)
    for _ in range(2):
        with pytest.raises(ProviderTimeoutError):
            await gate.generate(generation(), LOCAL)


async def test_close_closes_all_even_after_a_failure():
    class Stubborn(ScriptedProvider):
        async def close(self) -> None:
            raise ProviderUnavailableError("no")

    provider = ScriptedProvider()
    await Gateway({"stubborn": Stubborn(), "local": provider}, LOCAL).close()
    assert provider.closed == 1
