"""What the gateway makes of providers that fail, whoever they are."""

from collections.abc import Sequence

import pytest

from custom_components.caesar.gateway import Background, Gateway, Route
from custom_components.caesar.gateway.base import Delta, Message, Task, TextDelta
from custom_components.caesar.gateway.errors import (
    AnswerBrokenOffError,
    ContextTooLongError,
    GatewayError,
    ModelNotFoundError,
    ProviderNotLoadedError,
    ProviderOverloadedError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
)
from custom_components.caesar.gateway.shortening import MAX_TRIES
from custom_components.caesar.gateway.unloaded import UnloadedProvider

from .requests import chat, generation
from .scripted import ScriptedProvider

HELLO = TextDelta(text="Hello")
HERE, AWAY, OTHER = Route("here", "small"), Route("away", "large"), Route("other", "x")
TOO_LONG = ContextTooLongError("too long")
SECTION = "- The dog is Beans."


def gateway(provider: ScriptedProvider, **changes) -> Gateway:
    return Gateway({"here": provider, "away": provider}, HERE, **changes)


async def collect(gate: Gateway, messages: Sequence[Message] = ()) -> list[Delta]:
    request = chat(section=SECTION, messages=messages)
    return [delta async for delta in gate.stream(request, HERE)]


def turns(number: int) -> list[Message]:
    said = []
    for turn in range(number):
        said += [
            Message(role="user", text=f"{turn}?"),
            Message(role="assistant", text=f"{turn}!"),
        ]
    return [*said, Message(role="user", text="now?")]


async def test_the_oldest_turns_go_where_a_conversation_is_too_long():
    provider = ScriptedProvider([TOO_LONG], [TOO_LONG], [HELLO])
    assert await collect(gateway(provider), turns(4)) == [HELLO]
    assert [[m.text for m in r.messages] for r in provider.requests] == [
        ["0?", "0!", "1?", "1!", "2?", "2!", "3?", "3!", "now?"],
        ["2?", "2!", "3?", "3!", "now?"],
        ["3?", "3!", "now?"],
    ]
    assert {request.section for request in provider.requests} == {SECTION}


async def test_what_the_tools_of_this_turn_said_stays():
    provider = ScriptedProvider([TOO_LONG], [HELLO])
    loop = [
        Message(role="assistant", text="one moment"),
        Message(role="tool", text="done", tool_call_id="1"),
    ]
    await collect(gateway(provider), [*turns(1), *loop])
    assert [m.text for m in provider.requests[1].messages] == [
        "now?",
        "one moment",
        "done",
    ]


async def test_shortening_comes_to_an_end():
    provider = ScriptedProvider(*([[TOO_LONG]] * 9))
    with pytest.raises(ContextTooLongError):
        await collect(gateway(provider), turns(100))
    assert len(provider.requests) == MAX_TRIES


async def test_a_single_turn_that_is_too_long_is_asked_once():
    provider = ScriptedProvider([TOO_LONG])
    with pytest.raises(ContextTooLongError) as caught:
        await collect(gateway(provider), turns(0))
    assert caught.value.model == "small"


@pytest.mark.parametrize("error", [ProviderUnavailableError, ProviderOverloadedError])
async def test_an_answer_that_had_begun_broke_off(error):
    provider = ScriptedProvider([HELLO, error("gone")], [error("gone")])
    with pytest.raises(AnswerBrokenOffError) as caught:
        await collect(gateway(provider))
    assert caught.value.provider == "here"
    with pytest.raises(GatewayError) as before:
        await collect(gateway(provider))
    assert type(before.value) is error


@pytest.mark.parametrize("error", [ProviderTimeoutError, RateLimitedError])
async def test_a_late_or_limited_answer_is_called_so_even_amid(error):
    provider = ScriptedProvider([HELLO, error("late")])
    with pytest.raises(error):
        await collect(gateway(provider))


async def test_only_a_refused_login_is_reported():
    refused: list[str] = []
    provider = ScriptedProvider(
        [ModelNotFoundError("no")], [ProviderRefusedError("no")]
    )
    gate = gateway(provider, on_refused=refused.append)
    with pytest.raises(ModelNotFoundError):
        await collect(gate)
    assert refused == []
    with pytest.raises(ProviderRefusedError):
        await collect(gate)
    assert refused == ["here"]


async def test_a_provider_without_its_package_says_so():
    gate = Gateway({"here": UnloadedProvider()}, HERE)
    with pytest.raises(ProviderNotLoadedError):
        await collect(gate)
    with pytest.raises(ProviderNotLoadedError):
        await gate.generate(generation(), HERE)
    await gate.close()


HOSTED = frozenset({"away"})
FALLBACK = Route("builtin")


@pytest.mark.parametrize(
    ("default", "background", "heard_by", "goes_to"),
    [
        # Whoever heard the words learns from them.
        (HERE, Background(hosted=HOSTED), AWAY, AWAY),
        (AWAY, Background(hosted=HOSTED), HERE, HERE),
        # Somebody chose: but what the house heard does not leave it by that.
        (HERE, Background(chosen=HERE, hosted=HOSTED), AWAY, HERE),
        (HERE, Background(chosen=AWAY, hosted=HOSTED), AWAY, AWAY),
        (HERE, Background(chosen=AWAY, hosted=HOSTED), HERE, HERE),
        (HERE, Background(chosen=AWAY, hosted=HOSTED, shares_local=True), HERE, AWAY),
        # The chosen one is gone, or the one that heard.
        (HERE, Background(chosen=OTHER, hosted=HOSTED), AWAY, AWAY),
        (HERE, Background(hosted=HOSTED), OTHER, HERE),
        # Nobody knows who heard: it counts as said in the house.
        (AWAY, Background(hosted=HOSTED, fallback=FALLBACK), None, FALLBACK),
        (AWAY, Background(hosted=HOSTED, fallback=FALLBACK), OTHER, FALLBACK),
        (AWAY, Background(hosted=HOSTED, shares_local=True), OTHER, AWAY),
    ],
)
def test_where_what_was_heard_is_learned(default, background, heard_by, goes_to):
    provider = ScriptedProvider()
    gate = Gateway({"here": provider, "away": provider}, default, background=background)
    tag = heard_by.tag if heard_by else None
    assert gate.resolve(Task.MEMORY_EXTRACT, tag) == goes_to
    assert gate.resolve(Task.CHAT, tag) == default
