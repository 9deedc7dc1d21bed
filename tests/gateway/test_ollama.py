"""The Ollama provider against a fake server that misbehaves in every known way."""

import json

from homeassistant.util.ssl import get_default_context
import ollama
import pytest

from custom_components.caesar.gateway.base import (
    Delta,
    Message,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from custom_components.caesar.gateway.errors import (
    ContextTooLongError,
    ModelNotFoundError,
    ProviderRefusedError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.ollama import OllamaProvider

from . import faults
from .faults import SECRET, assert_fault, generate
from .ollama_server import (
    MODEL,
    OllamaServer,
    Reply,
    breaks_off,
    calls,
    fails,
    fails_amid,
    says,
    thinks,
    writes,
)
from .requests import chat, generation


async def answer(provider: OllamaProvider, **changes) -> list[Delta]:
    return [delta async for delta in provider.stream(chat(**changes))]


async def test_answer_comes_in_pieces_with_its_cost(provider, server):
    server.replies = [says("Good ", "morning.")]
    assert await answer(provider) == [
        TextDelta(text="Good "),
        TextDelta(text="morning."),
        Usage(input_tokens=26, output_tokens=7),
    ]


async def test_thinking_is_kept_apart(provider, server):
    server.replies = [thinks("A greeting.", "Hello.")]
    assert (await answer(provider))[:2] == [
        ThinkingDelta(text="A greeting."),
        TextDelta(text="Hello."),
    ]


async def test_system_message_begins_with_its_stable_part(provider, server):
    server.replies = [says("Yes."), says("Yes.")]
    await answer(provider, section="What you've told me:\n- The dog is Beans.")
    await answer(provider, section="")
    with_section, without = (body["messages"][0] for body in server.bodies)
    assert with_section == {
        "role": "system",
        "content": "You are a voice assistant.\n\n"
        "What you've told me:\n- The dog is Beans.",
    }
    assert without == {"role": "system", "content": "You are a voice assistant."}


async def test_no_system_message_without_text(provider, server):
    server.replies = [says("Yes.")]
    await answer(provider, system="", section="")
    assert [m["role"] for m in server.bodies[0]["messages"]] == ["user"]


async def test_tool_rounds_are_sent_as_they_happened(provider, server):
    server.replies = [says("Done.")]
    call = ToolCall(name="turn_on", arguments={"name": "lamp"}, id="1")
    await answer(
        provider,
        messages=[
            Message(role="user", text="Light!"),
            Message(role="assistant", tool_calls=[call]),
            Message(
                role="tool", text='{"ok":true}', tool_call_id="1", tool_name="turn_on"
            ),
        ],
        tools=[
            ToolSpec(
                name="turn_on",
                description="Turns on.",
                parameters={
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                },
            )
        ],
    )
    body = server.bodies[0]
    assert body["messages"][1:] == [
        {"role": "user", "content": "Light!"},
        {
            "role": "assistant",
            "tool_calls": [
                {"function": {"name": "turn_on", "arguments": {"name": "lamp"}}}
            ],
        },
        {"role": "tool", "content": '{"ok":true}', "tool_name": "turn_on"},
    ]
    assert body["tools"][0]["function"]["name"] == "turn_on"
    assert body["tools"][0]["function"]["parameters"]["properties"] == {
        "name": {"type": "string"}
    }


async def test_small_models_arguments_are_repaired(provider, server):
    server.replies = [calls(("turn_on", {"name": ["lamp"], "area": ""}))]
    spec = ToolSpec(
        name="turn_on",
        description="",
        parameters={"type": "object", "properties": {"name": {"type": "string"}}},
    )
    assert (await answer(provider, tools=[spec]))[0] == ToolCallDelta(
        call=ToolCall(name="turn_on", arguments={"name": "lamp"})
    )


async def test_call_written_as_text_is_made(provider, server):
    call = '{"name": "turn_on", "arguments": {"name": "lamp", "area": ""}}'
    server.replies = [says(call[:9], call[9:])]
    spec = ToolSpec(name="turn_on", description="", parameters={"type": "object"})
    assert (await answer(provider, tools=[spec]))[0] == ToolCallDelta(
        call=ToolCall(name="turn_on", arguments={"name": "lamp"})
    )


async def test_structured_answer_is_asked_for_as_the_form_demands(provider, server):
    server.replies = [says('{"kind":', '"name"}')]
    result = await provider.generate(generation())
    assert result.text == '{"kind":"name"}'
    assert result.model == MODEL
    assert result.usage == Usage(input_tokens=26, output_tokens=7)
    body = server.bodies[0]
    assert body["messages"] == [
        {"role": "system", "content": "List the facts."},
        {"role": "user", "content": "I like tea."},
        {"role": "assistant", "content": '{"kind":"like"}'},
        {"role": "user", "content": "My dog's name is Beans."},
    ]
    assert list(body["format"]["properties"]) == ["kind", "answer"]
    assert body["options"]["temperature"] == 0
    assert body["options"]["num_predict"] == 120
    assert body["think"] is False


async def test_empty_structured_answer_is_an_answer(provider, server):
    server.replies = [says("")]
    assert (await provider.generate(generation())).text == ""


async def test_both_tasks_use_the_model_as_it_is_loaded(provider, server):
    server.replies = [says("Yes."), says("{}")]
    await answer(provider)
    await provider.generate(generation())
    assert len({body["options"]["num_ctx"] for body in server.bodies}) == 1
    assert len({body["keep_alive"] for body in server.bodies}) == 1


async def test_model_that_cannot_be_told_not_to_think_is_asked_without(
    provider, server
):
    server.replies = [
        fails(400, "this model does not support turning off thinking"),
        says("Hello."),
    ]
    assert (await answer(provider))[0] == TextDelta(text="Hello.")
    assert [body.get("think") for body in server.bodies] == [False, None]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (fails(404, f"model '{SECRET}' not found"), ModelNotFoundError),
        (fails(404, SECRET), UnsupportedRequestError),
        (fails(401, SECRET), ProviderRefusedError),
        (fails(403, SECRET), ProviderRefusedError),
        (fails(400, f"{SECRET} does not support tools"), UnsupportedRequestError),
        (fails(400, f"{SECRET} does not support thinking"), UnsupportedRequestError),
        (fails(429, SECRET), RateLimitedError),
        (fails(400, f"{SECRET} exceeds the context length"), ContextTooLongError),
        (fails(500, f"exceeds context size: {SECRET}"), ContextTooLongError),
        (fails(500, SECRET), ProviderUnavailableError),
        (fails(503, SECRET), ProviderUnavailableError),
        (fails_amid("Hello", SECRET), ProviderUnavailableError),
        (breaks_off("Hello"), ProviderUnavailableError),
        (breaks_off("Hello", reset=True), ProviderUnavailableError),
        (breaks_off(), ProviderUnavailableError),
        (writes(f"<html>{SECRET}"), ProviderUnavailableError),
        (writes(json.dumps([SECRET])), ProviderUnavailableError),
        (writes(json.dumps({"message": SECRET})), ProviderUnavailableError),
        (writes(json.dumps({"done": True, "x": SECRET})), ProviderUnavailableError),
        (Reply(status=500, lines=[json.dumps([SECRET])]), ProviderUnavailableError),
        (Reply(status=200, lines=["\x00\xff"]), ProviderUnavailableError),
    ],
)
@pytest.mark.parametrize("ask", [faults.answer, generate])
async def test_fault_is_one_of_ours_and_repeats_nothing(
    provider, server, caplog, reply, error, ask
):
    server.replies = [reply, reply]
    await assert_fault(ask(provider, MODEL), error, caplog)


async def test_models_are_listed(provider):
    assert await provider.list_models() == ["qwen3:4b", "zephyr:7b"]


async def test_close_twice(server: OllamaServer):
    provider = OllamaProvider(ollama, server.url, ssl_context=get_default_context())
    await provider.close()
    await provider.close()
