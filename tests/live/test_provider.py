"""The Ollama provider with a real server and a small model.

What a model of this size says is not asserted, only what it is and when it comes.
"""

from dataclasses import replace
from datetime import date
import json

import pytest

from custom_components.caesar.gateway.base import (
    ChatRequest,
    GenerationRequest,
    Message,
    Task,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from custom_components.caesar.gateway.errors import ModelNotFoundError

SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": ["fact", "nothing"]},
        "who": {"type": "string", "maxLength": 20},
        "value": {"type": "string", "maxLength": 40},
    },
    "required": ["kind", "who", "value"],
}

TURN_ON = ToolSpec(
    name="turn_on",
    description="Turns on a device in the house.",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "The name of the device."}
        },
        "required": ["name"],
    },
)


@pytest.fixture
def chat(ollama_model) -> ChatRequest:
    return ChatRequest(
        model=ollama_model,
        system="You are the voice assistant of a house.",
        section="",
        messages=[Message(role="user", text="Count from one to ten in words.")],
        tools=[],
        language="en",
    )


async def test_models_are_listed(provider, ollama_model):
    assert ollama_model in await provider.list_models()


async def test_deltas_arrive_one_by_one(provider, proxy, chat):
    deltas = provider.stream(chat)
    first = await anext(deltas)
    assert isinstance(first, TextDelta)
    assert proxy.answered == 0
    rest = [delta async for delta in deltas]
    assert sum(isinstance(delta, TextDelta) for delta in rest) > 5
    usage = rest[-1]
    assert isinstance(usage, Usage)
    assert usage.input_tokens
    assert usage.output_tokens


async def test_abandoned_answer_lets_the_next_one_through(provider, chat):
    story = Message(role="user", text="Tell me a very long story.")
    deltas = provider.stream(replace(chat, messages=[story]))
    await anext(deltas)
    await deltas.aclose()
    assert [delta async for delta in provider.stream(chat)]


async def test_structured_answer_keeps_to_its_schema(provider, ollama_model):
    result = await provider.generate(
        GenerationRequest(
            task=Task.MEMORY_EXTRACT,
            model=ollama_model,
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


async def test_structured_answer_is_cut_at_its_limit(provider, ollama_model):
    result = await provider.generate(
        GenerationRequest(
            task=Task.MEMORY_EXTRACT,
            model=ollama_model,
            instructions="Copy the text.",
            examples=[],
            text="A long text about a dog whose name is Beans and who likes to run.",
            language="en",
            local_date=date(2026, 11, 30),
            answer_schema={"type": "object", "properties": {"t": {"type": "string"}}},
            max_tokens=3,
        )
    )
    assert result.usage.output_tokens == 3


async def test_unknown_model_is_named_as_such(provider, chat):
    with pytest.raises(ModelNotFoundError):
        _ = [delta async for delta in provider.stream(replace(chat, model="no:1b"))]


async def test_tool_is_called(provider, chat):
    request = replace(
        chat,
        messages=[Message(role="user", text="Turn on the kitchen lamp.")],
        tools=[TURN_ON],
    )
    deltas = [delta async for delta in provider.stream(request)]
    call = next(d.call for d in deltas if isinstance(d, ToolCallDelta))
    assert call.name == "turn_on"
    assert "lamp" in str(call.arguments["name"]).lower()


async def test_what_is_remembered_reaches_the_server(provider, proxy, chat):
    section = "What you've told me:\n- Your dog's name is Beans."
    _ = [delta async for delta in provider.stream(chat)]
    _ = [delta async for delta in provider.stream(replace(chat, section=section))]
    before, after = (body["messages"][0]["content"] for body in proxy.chats)
    assert "Beans" not in before
    assert after == f"{before}\n\n{section}"
