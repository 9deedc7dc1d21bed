"""The Anthropic provider with a compatible server, a real and small model behind it.

What a model of this size says is not asserted, only what it is and when it comes.
"""

from dataclasses import replace
from datetime import date
import json
from pathlib import Path

import pytest

from custom_components.caesar.gateway.base import (
    ChatRequest,
    GenerationRequest,
    Message,
    Task,
    TextDelta,
    ToolCallDelta,
    Usage,
)
from scripts.house import database
from scripts.house.folder import LIGHT
from scripts.house.house import House
from tests.live.short_agent import shorten
from tests.live.test_house import ASK, SENTENCE, TEACH
from tests.live.test_provider import SCHEMA, TURN_ON

MODEL = "local"


@pytest.fixture
def chat() -> ChatRequest:
    return ChatRequest(
        model=MODEL,
        system="You are the voice assistant of a house.",
        section="",
        messages=[Message(role="user", text="Count from one to ten in words.")],
        tools=[],
        language="en",
    )


async def test_models_are_listed(claude):
    assert MODEL in await claude.list_models()


async def test_deltas_arrive_one_by_one(claude, claude_proxy, chat):
    deltas = claude.stream(chat)
    first = await anext(deltas)
    assert isinstance(first, TextDelta)
    assert claude_proxy.answered == 0
    rest = [delta async for delta in deltas]
    assert sum(isinstance(delta, TextDelta) for delta in rest) > 5
    usage = rest[-1]
    assert isinstance(usage, Usage)
    assert usage.input_tokens
    assert usage.output_tokens


async def test_a_model_that_tells_nothing_about_thinking_answers(claude, chat):
    deltas = [delta async for delta in claude.stream(replace(chat, thinks=True))]
    assert any(isinstance(delta, TextDelta) for delta in deltas)


async def test_structured_answer_keeps_to_its_schema(claude):
    result = await claude.generate(
        GenerationRequest(
            task=Task.MEMORY_EXTRACT,
            model=MODEL,
            instructions="Write down what the person states as a fact.",
            examples=[
                ("Lights off.", '{"kind":"nothing","who":"","value":""}'),
                ("My cat is Tom.", '{"kind":"fact","who":"cat","value":"Tom"}'),
            ],
            text="My dog's name is Beans.",
            language="en",
            local_date=date(2026, 11, 30),
            answer_schema=SCHEMA,
            max_tokens=100,
        )
    )
    answer = json.loads(result.text)
    assert list(answer) == ["kind", "who", "value"]
    assert answer["kind"] in ("fact", "nothing")
    assert result.usage.output_tokens


async def test_tool_is_called_and_its_result_read(claude, chat):
    asked = Message(role="user", text="Turn on the kitchen lamp.")
    request = replace(chat, messages=[asked], tools=[TURN_ON])
    deltas = [delta async for delta in claude.stream(request)]
    call = next(d.call for d in deltas if isinstance(d, ToolCallDelta))
    assert call.name == "turn_on"
    assert "lamp" in str(call.arguments["name"]).lower()
    called = Message(role="assistant", tool_calls=[call])
    told = Message(role="tool", text='{"data":"done"}', tool_call_id=call.id)
    request = replace(request, messages=[asked, called, told])
    assert [delta async for delta in claude.stream(request)]


async def test_the_story_in_a_real_house(tmp_path: Path, claude_proxy):
    async with House(tmp_path) as house:
        await house.start()
        answers = {"api_key": "no key", "url": claude_proxy.url, "model": MODEL}
        await house.add_caesar("anthropic", answers)
        agent = await shorten(house)
        assert not (await house.client.converse(TEACH, agent)).is_error
        while (await house.client.act("caesar.learn_now"))["waiting"]:
            pass
        before = list(claude_proxy.chats)
        reply = await house.client.converse(ASK, agent)
        assert not reply.is_error
    later = claude_proxy.chats[len(before) :]
    assert SENTENCE in later[0]["system"][-1]["text"]
    assert "Beans" not in str([body["system"] for body in before])
    (fact,) = database.facts(tmp_path)
    assert (fact["key"], fact["value"]) == ("dog.name", "Beans")
    assert house.process.complaints() == []


async def test_the_model_switches_a_light(tmp_path: Path, claude_proxy):
    async with House(tmp_path, configuration_extra=LIGHT) as house:
        await house.start()
        answers = {"api_key": "no key", "url": claude_proxy.url, "model": MODEL}
        agent = await house.add_caesar("anthropic", answers)
        await house.client.converse("Turn on the kitchen lamp.", agent)
        lamp = await house.client.get("/api/states/light.kitchen_lamp")
        assert lamp["state"] == "on"
    assert claude_proxy.chats[0]["tools"]
