"""One answer in the chat log of a real Home Assistant, from a scripted provider."""

import asyncio

from homeassistant.components.conversation import AssistantContent, ToolResultContent
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent
import pytest

from custom_components.caesar.const import MAX_TOOL_ROUNDS
from custom_components.caesar.gateway import Timeouts
from custom_components.caesar.gateway.base import (
    HandOff,
    NativeDelta,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)
from custom_components.caesar.gateway.errors import (
    EmptyAnswerError,
    ProviderTimeoutError,
    ProviderUnavailableError,
)

from .house import AGENT, LIGHT, Agent, furnish, reply, say
from .requests import chat

HELLO = TextDelta(text="Hello.")
SECTION = "What you've told me:\n- {{ 1 / 0 }} is {% not %} your dog's name."


def turns_on(name: str = "Kitchen lamp") -> ToolCallDelta:
    call = ToolCall(name="intent__HassTurnOn", arguments={"name": name})
    return ToolCallDelta(call=call)


@pytest.fixture
async def agent(hass: HomeAssistant) -> Agent:
    return await furnish(hass)


async def test_deltas_reach_the_listener_one_by_one(hass, agent):
    go_on = asyncio.Event()
    agent.script([TextDelta(text="Good "), go_on, TextDelta(text="morning.")])
    turn = hass.async_create_task(say(hass, "Hi"))
    await agent.heard_text.wait()
    assert agent.heard == [{"role": "assistant"}, {"content": "Good "}]
    go_on.set()
    assert reply(await turn) == "Good morning."
    assert agent.heard[2:] == [{"content": "morning."}]


async def test_thinking_is_heard_but_not_said(hass, agent):
    agent.script([ThinkingDelta(text="A greeting."), HELLO])
    assert reply(await say(hass, "Hi")) == "Hello."
    assert {"thinking_content": "A greeting."} in agent.heard


async def test_outcome_tells_what_came_of_the_turn(hass, agent):
    agent.api = "assist"
    agent.script(
        [
            turns_on(),
            Usage(input_tokens=100, output_tokens=5, cache_write_tokens=90),
        ],
        [
            HELLO,
            Usage(input_tokens=120, output_tokens=2, cached_input_tokens=90),
        ],
    )
    result = await say(hass, "Light on")
    outcome = agent.outcomes[-1]
    assert outcome.result.response is result.response
    assert outcome.reply == "Hello."
    assert outcome.usage == Usage(
        input_tokens=220,
        output_tokens=7,
        cached_input_tokens=90,
        cache_write_tokens=90,
    )
    assert outcome.tools == ["intent__HassTurnOn"]
    assert not outcome.handed_off


async def test_conversation_goes_on_after_a_question(hass, agent):
    agent.script([TextDelta(text="Which one?")], [HELLO])
    first = await say(hass, "Light on")
    assert first.continue_conversation
    second = await say(hass, "The lamp", first.conversation_id)
    assert not second.continue_conversation
    assert [m.text for m in agent.provider.requests[1].messages] == [
        "Light on",
        "Which one?",
        "The lamp",
    ]


async def test_section_is_kept_apart_and_never_rendered(hass, agent):
    agent.request = chat(system="", section=SECTION)
    agent.script([HELLO], [HELLO])
    first = await say(hass, "Hi")
    await say(hass, "Hi again", first.conversation_id)
    for request in agent.provider.requests:
        assert request.system == "You are a butler."
        assert "told me" not in request.system
        assert request.section.startswith("Current time is ")
        assert request.section.endswith("\n\n" + SECTION)
    assert agent.log.content[0].content.count(SECTION) == 1
    assert agent.log.content[0].content.endswith("\n\n" + SECTION)
    assert agent.log.extra_system_prompt is None


async def test_fields_for_other_providers_pass_through(hass, agent):
    agent.request = chat(system="", language="de", remembers=False, withheld=True)
    provider = agent.script([HELLO])
    await say(hass, "Hi")
    assert provider.requests[0].language == "de"
    assert not provider.requests[0].remembers
    assert provider.requests[0].withheld


async def test_since_hides_what_was_said_before(hass, agent):
    agent.script([TextDelta(text="Beans.")], [TextDelta(text="I do not know.")])
    first = await say(hass, "My dog's name is Beans")
    agent.since = 3
    await say(hass, "What's my dog's name?", first.conversation_id)
    assert [m.text for m in agent.provider.requests[1].messages] == [
        "What's my dog's name?"
    ]


async def test_tool_call_switches_a_light(hass, agent):
    agent.api = "assist"
    provider = agent.script([turns_on()], [TextDelta(text="It is on.")])
    result = await say(hass, "Turn on the kitchen lamp")
    assert hass.states.get(LIGHT).state == "on"
    assert reply(result) == "It is on."
    assert [target.id for target in result.response.success_results] == [LIGHT]
    asked, called, answered = provider.requests[1].messages
    assert asked.text == "Turn on the kitchen lamp"
    assert called.tool_calls[0].name == "intent__HassTurnOn"
    assert answered.role == "tool"
    assert answered.tool_call_id == called.tool_calls[0].id
    assert '"error":false' in answered.text
    spec = next(t for t in provider.requests[0].tools if t.name == "intent__HassTurnOn")
    assert "name" in spec.parameters["properties"]


async def test_what_a_provider_wants_back_comes_with_the_call(hass, agent):
    agent.api = "assist"
    signed = object()
    thought = [ThinkingDelta(text="The lamp."), NativeDelta(native=signed)]
    provider = agent.script([*thought, turns_on()], [HELLO], [HELLO])
    first = await say(hass, "Light on")
    assert provider.requests[1].messages[1].native is signed
    await say(hass, "Thanks", first.conversation_id)
    assert provider.requests[2].messages[1].native is signed
    assert provider.requests[2].messages[3].native is None


async def test_failed_tool_is_told_to_the_model(hass, agent):
    agent.api = "assist"
    call = ToolCall(name="caesar__Nothing", arguments={})
    provider = agent.script([ToolCallDelta(call=call)], [HELLO])
    await say(hass, "Hi")
    assert "caesar__Nothing" in provider.requests[1].messages[-1].text
    assert '"error":true' in provider.requests[1].messages[-1].text


async def test_model_that_only_calls_tools_is_made_to_answer(hass, agent):
    agent.api = "assist"
    scripts = [[turns_on()]] * (MAX_TOOL_ROUNDS - 1)
    provider = agent.script(*scripts, [turns_on(), HELLO])
    assert reply(await say(hass, "Hi")) == "Hello."
    offered = [bool(request.tools) for request in provider.requests]
    assert offered == [True] * (MAX_TOOL_ROUNDS - 1) + [False]
    assert len(agent.outcomes[0].tools) == MAX_TOOL_ROUNDS - 1


async def test_tool_call_without_tools_is_not_followed(hass, agent):
    agent.script([turns_on(), HELLO])
    assert reply(await say(hass, "Hi")) == "Hello."
    assert hass.states.get(LIGHT).state == "off"


@pytest.mark.parametrize(
    "script",
    [
        [],
        [Usage(output_tokens=0)],
        [TextDelta(text=" \n")],
        [ThinkingDelta(text="Hm.")],
        [turns_on()],
    ],
)
async def test_silence_is_an_error(hass, agent, script):
    agent.script(script)
    with pytest.raises(EmptyAnswerError):
        await say(hass, "Hi")


@pytest.mark.parametrize(
    "scripts",
    [
        [[ProviderUnavailableError("down")]],
        [[TextDelta(text="Hel"), ProviderUnavailableError("cut")]],
        [[turns_on()], [TextDelta(text="It"), ProviderUnavailableError("cut")]],
        [[turns_on()], []],
    ],
)
async def test_failed_turn_leaves_the_log_as_it_was(hass, agent, scripts):
    agent.api = "assist"
    agent.script([HELLO])
    first = await say(hass, "Hi")
    agent.script(*scripts)
    with pytest.raises((ProviderUnavailableError, EmptyAnswerError)):
        await say(hass, "Are you there?", first.conversation_id)
    assert agent.log.content[-1].content == "Are you there?"
    provider = agent.script([HELLO])
    await say(hass, "Now?", first.conversation_id)
    said = [m.text for m in provider.requests[0].messages]
    assert said == ["Hi", "Hello.", "Now?"]


async def test_broken_answer_runs_no_tool(hass, agent):
    agent.api = "assist"
    agent.script([turns_on(), ProviderUnavailableError("cut")])
    with pytest.raises(ProviderUnavailableError):
        await say(hass, "Light on")
    await hass.async_block_till_done()
    assert hass.states.get(LIGHT).state == "off"


async def test_slow_provider_is_given_up(hass, agent):
    agent.timeouts = Timeouts(first_delta=0.01)
    agent.script([asyncio.Event()])
    with pytest.raises(ProviderTimeoutError):
        await say(hass, "Hi")


async def test_house_obeys_without_a_model(hass, agent):
    agent.script([HandOff()], [HandOff()])
    first = await say(hass, "turn on the kitchen lamp")
    assert hass.states.get(LIGHT).state == "on"
    assert [target.id for target in first.response.success_results] == [LIGHT]
    assert agent.outcomes[0].handed_off
    assert agent.outcomes[0].reply == reply(first)
    assert agent.outcomes[0].tools == ["HassTurnOn"]
    second = await say(hass, "turn it off", first.conversation_id)
    assert hass.states.get(LIGHT).state == "off"
    assert second.conversation_id == first.conversation_id
    assert [c.content for c in agent.log.content if c.role == "user"] == [
        "turn on the kitchen lamp",
        "turn it off",
    ]


async def test_answer_after_a_delegated_turn_has_no_old_targets(hass, agent):
    agent.provides_prompt = False
    agent.script([HandOff()], [TextDelta(text="Noted.")])
    first = await say(hass, "turn on the kitchen lamp")
    spoken = reply(first)
    second = await say(hass, "My dog's name is Beans", first.conversation_id)
    assert second.response.success_results == []
    assert reply(second) == "Noted."
    assert reply(first) == spoken


async def test_fallback_where_the_house_does_not_understand(hass, agent):
    agent.script([HandOff(fallback="I did not get that.")], [HELLO])
    first = await say(hass, "Beans is a good dog")
    assert reply(first) == "I did not get that."
    assert first.response.response_type is intent.IntentResponseType.ACTION_DONE
    assert not agent.outcomes[0].handed_off
    assert [c.content for c in agent.log.content[1:]] == [
        "Beans is a good dog",
        "I did not get that.",
    ]
    assert agent.log.content[-1].agent_id == AGENT
    await say(hass, "Hi", first.conversation_id)
    assert len(agent.log.content) == 5


async def test_house_has_the_last_word_without_a_fallback(hass, agent):
    agent.script([HandOff()])
    result = await say(hass, "Beans is a good dog")
    assert result.response.error_code is intent.IntentResponseErrorCode.NO_INTENT_MATCH
    assert agent.outcomes[0].handed_off
    assert isinstance(agent.log.content[-1], AssistantContent)


async def test_failing_house_leaves_a_whole_log(hass, agent, monkeypatch):
    async def fail(*_args):
        raise HomeAssistantError("broken")

    monkeypatch.setattr(DefaultAgent, "_async_handle_message", fail)
    agent.script([HandOff(fallback="I did not get that.")])
    result = await say(hass, "turn on the kitchen lamp")
    assert reply(result) == "broken"
    assert agent.log.content[-1].content == "broken"
    monkeypatch.undo()
    agent.script([HandOff()])
    await say(hass, "turn on the kitchen lamp", result.conversation_id)
    assert hass.states.get(LIGHT).state == "on"


async def test_earlier_tool_rounds_are_told_in_full(hass, agent):
    agent.api = "assist"
    agent.script([turns_on()], [HELLO], [HELLO])
    first = await say(hass, "Light on")
    await say(hass, "And now?", first.conversation_id)
    roles = [m.role for m in agent.provider.requests[2].messages]
    assert roles == ["user", "assistant", "tool", "assistant", "user"]
    assert any(isinstance(c, ToolResultContent) for c in agent.log.content)
