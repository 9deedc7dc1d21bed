"""A turn that Claude answers, and everything that can go wrong with it."""

import asyncio
from datetime import timedelta
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.caesar.gateway import Timeouts
from tests.gateway.anthropic_server import (
    CLAUDE,
    THINKER,
    AnthropicServer,
    answers,
    breaks_off,
    call,
    calls,
    fails,
    says,
    thinks,
)
from tests.gateway.ollama_server import nobody
from tests.ha.house import (
    House,
    add_lamp,
    agent,
    claude as account,
    is_lit,
    move_in,
)
from tests.ha.texts import english

DOG = "Hey CAESAR, the dog that chews my shoes answers to Beans."
LEARNED = (
    '{"kind": "lasting", "facts": [{"who": "dog", "what": "name",'
    ' "value": "Beans", "holds": "true"}]}'
)


async def with_claude(
    hass: HomeAssistant, server: AnthropicServer, model: str = CLAUDE, **data: Any
) -> House:
    return await move_in(hass, account(server.url), agent("claude", model, **data))


def sentence(key: str) -> str:
    """Return a sentence as Home Assistant has it said: without its full stop."""
    return str(english()["exceptions"][key]["message"]).removesuffix(".")


async def test_told_once_it_stays_told(hass: HomeAssistant, claude: AnthropicServer):
    house = await with_claude(hass, claude, prompt="Be brief.")
    robin = house.user("Robin")
    claude.replies = [says("Nice ", "name!"), answers(LEARNED), says("Beans.")]
    assert await house.ask(DOG, robin) == "Nice name!"
    await house.learn()
    assert await house.ask("What's my dog's name?", robin) == "Beans."
    told, asked, recalled = claude.bodies
    assert [body["model"] for body in claude.bodies] == [CLAUDE] * 3
    assert asked["messages"][-1]["content"][-1]["text"].endswith(DOG)
    stable, section = recalled["system"]
    # The present time, to the second, would make every prefix another one.
    assert told["system"][0] == stable
    assert "Current time" in section["text"]
    assert stable["text"] == "Be brief."
    assert stable["cache_control"] == {"type": "ephemeral"}
    assert "Your dog's name is Beans." in section["text"]
    assert "cache_control" not in section


async def test_the_rows_tell_what_turn_and_learning_cost(
    hass: HomeAssistant, claude: AnthropicServer
):
    house = await with_claude(hass, claude)
    robin = house.user("Robin")
    claude.replies = [says("Nice name!"), answers(LEARNED)]
    await house.ask(DOG, robin)
    await house.learn()
    (turn,) = await house.events(robin, "chat.completed")
    (learning,) = await house.events(robin, "memory.extraction.answered")
    for event in (turn, learning):
        assert event.payload["model"] == CLAUDE
        assert event.payload["input_tokens"] == 26
        assert event.payload["cached_input_tokens"] == 15
        assert event.payload["cache_write_tokens"] == 5
        assert event.payload["output_tokens"] == 7


async def test_claude_switches_a_light_and_gets_its_thinking_back(
    hass: HomeAssistant, claude: AnthropicServer
):
    house = await with_claude(
        hass, claude, THINKER, llm_hass_api=["assist"], thinks=True
    )
    await add_lamp(hass)
    turn_on = call(1, "intent__HassTurnOn", {"name": "Kitchen lamp"})
    claude.replies = [thinks("The lamp.", turn_on), says("It is on.")]
    assert await house.ask("Turn on the kitchen lamp", house.user("R")) == "It is on."
    assert is_lit(hass)
    first, second = claude.bodies
    assert first["thinking"] == {"type": "adaptive"}
    asked, called, told = second["messages"]
    assert asked["role"] == told["role"] == "user"
    assert called["content"][0]["signature"] == "signed"
    assert told["content"][0]["tool_use_id"] == called["content"][1]["id"]


TOO_LONG = fails(400, "invalid_request_error", "prompt is too long: 9 tokens > 8")


@pytest.mark.parametrize(
    ("reply", "key"),
    [
        (fails(404, "not_found_error", "model: gone"), "model_not_found"),
        (fails(401, "authentication_error"), "provider_refused"),
        (fails(429, "rate_limit_error", retry_after="5"), "rate_limited"),
        (fails(402, "billing_error"), "no_credit"),
        (fails(529, "overloaded_error"), "provider_overloaded"),
        (fails(500), "provider_unavailable"),
        (fails(400, "invalid_request_error"), "unsupported_request"),
        (TOO_LONG, "context_too_long"),
        (breaks_off("Once upon a"), "answer_broken_off"),
        (breaks_off("Once upon a", reset=True), "answer_broken_off"),
        (says(""), "empty_answer"),
    ],
)
async def test_every_failure_is_said_in_a_sentence_of_its_own(
    hass: HomeAssistant, claude: AnthropicServer, reply: Any, key: str
):
    house = await with_claude(hass, claude)
    robin = house.user("Robin")
    claude.replies = [reply, says("Here again.")]
    assert await house.ask(DOG, robin) == sentence(key)
    (event,) = await house.events(robin, "chat.failed")
    assert (event.payload["error"], event.user_text) == (key, DOG)
    assert await house.ask("Are you there?", robin) == "Here again."


async def test_a_server_that_is_gone(hass: HomeAssistant, socket_enabled: None):
    house = await move_in(hass, account(nobody()), agent("claude", CLAUDE))
    robin = house.user("Robin")
    assert await house.ask(DOG, robin) == sentence("provider_unavailable")


@pytest.mark.parametrize("where", ["silence", "hold"])
async def test_a_server_that_is_too_slow(
    hass: HomeAssistant, claude: AnthropicServer, where: str
):
    house = await with_claude(hass, claude)
    house.runtime.gateway._timeouts = Timeouts(first_delta=0.5, next_delta=0.5)
    never = asyncio.Event()
    claude.replies = [says("Good ", "morning.", **{where: never})]
    assert await house.ask(DOG, house.user("R")) == sentence("provider_timeout")
    await asyncio.wait_for(claude.gone.wait(), 5)


async def test_a_long_conversation_loses_its_oldest_turns_and_no_fact(
    hass: HomeAssistant, claude: AnthropicServer
):
    house = await with_claude(hass, claude)
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    claude.replies = [says("One."), says("Two."), TOO_LONG, says("Three.")]
    first = await house.say("First?", robin)
    talk = first.conversation_id
    await house.ask("Second?", robin, conversation_id=talk)
    assert await house.ask("Third?", robin, conversation_id=talk) == "Three."
    long, short = claude.bodies[2:]
    assert len(long["messages"]) == 5
    assert "First?" not in str(short["messages"])
    assert "Second?" in str(short["messages"])
    assert "Beans" in str(short["system"])


async def test_learning_waits_as_long_as_the_server_asks(
    hass: HomeAssistant, claude: AnthropicServer, freezer: Any
):
    house = await with_claude(hass, claude)
    robin = house.user("Robin")
    claude.replies = [
        says("Nice."),
        fails(429, "rate_limit_error", retry_after="1800"),
        answers(LEARNED),
    ]
    await house.ask(DOG, robin)
    await hass.async_block_till_done()
    learning, owner = house.runtime.learning, f"user:{robin.id}"
    assert (await learning.tick()).problem == "unavailable"
    freezer.tick(timedelta(seconds=1790))
    await learning.tick()
    assert len(claude.bodies) == 2
    freezer.tick(timedelta(seconds=11))
    await learning.tick()
    await hass.async_block_till_done(wait_background_tasks=True)
    assert house.runtime.memory.facts_of(owner)


async def test_words_that_are_too_long_to_learn_from_are_set_aside(
    hass: HomeAssistant, claude: AnthropicServer
):
    house = await with_claude(hass, claude)
    robin = house.user("Robin")
    claude.replies = [says("Nice."), *[TOO_LONG] * 5, says("Nice."), answers(LEARNED)]
    await house.ask(DOG, robin)
    for _ in range(5):
        await house.learn()
    assert await house.events(robin, "memory.extraction.set_aside")
    await house.ask(DOG, robin)
    await house.learn()
    assert house.runtime.memory.facts_of(f"user:{robin.id}")


async def test_a_used_up_budget_is_shown_until_the_next_day(
    hass: HomeAssistant, claude: AnthropicServer, freezer: Any
):
    freezer.move_to("2026-11-30T20:00:00+00:00")
    await hass.config.async_set_time_zone("Europe/Berlin")
    house = await move_in(
        hass,
        account(claude.url),
        agent("claude", CLAUDE),
        options={"daily_tokens": 30},
    )
    robin = house.user("Robin")
    claude.replies = [says("Nice.")] * 2 + [answers(LEARNED)]
    await house.ask(DOG, robin)
    await house.ask("The cat that sleeps on my desk answers to Tom.", robin)
    await hass.async_block_till_done()
    learn = house.runtime.legion._jobs["memory_extract"].run
    await learn()
    issue = ir.async_get(hass).async_get_issue("caesar", "budget_reached")
    assert issue is not None
    assert issue.translation_placeholders == {
        "when": "21:00",
        "spent": "33",
        "budget": "30",
    }
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    assert (await house.act(robin, "learn_now"))["problem"] == "budget"
    freezer.move_to("2026-11-30T23:01:00+00:00")
    claude.replies = [answers(LEARNED)]
    await house.runtime.legion._jobs["memory_extract"].run()
    assert ir.async_get(hass).async_get_issue("caesar", "budget_reached") is None
    assert len(claude.bodies) == 4


async def test_a_tool_that_is_called_without_end_is_named_in_the_last_request(
    hass: HomeAssistant, claude: AnthropicServer
):
    house = await with_claude(hass, claude, llm_hass_api=["assist"])
    await add_lamp(hass)
    turn_on = calls(("intent__HassTurnOn", {"name": "Kitchen lamp"}))
    claude.replies = [turn_on] * 9 + [says("Enough.")]
    assert await house.ask("Light!", house.user("R")) == "Enough."
    assert [tool["name"] for tool in claude.bodies[-1]["tools"]] == [
        "intent__HassTurnOn"
    ]
    assert claude.bodies[-1]["tool_choice"] == {"type": "none"}
