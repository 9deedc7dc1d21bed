"""The Anthropic provider against a fake server that misbehaves in every known way."""

import pytest

from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.base import (
    Delta,
    Message,
    NativeDelta,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)

from .anthropic_server import (
    CLAUDE,
    THINKER,
    answers,
    bare_call,
    call,
    calls,
    says,
    text,
    thinks,
)
from .requests import chat, generation

SECRET = "my dog is called Beans"
COST = Usage(
    input_tokens=26, output_tokens=7, cached_input_tokens=15, cache_write_tokens=5
)
TURN_ON = ToolSpec(
    name="turn_on",
    description="Turns on.",
    parameters={
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "anyOf": [{"required": ["name"]}],
    },
)


@pytest.fixture
def provider(claude_provider: AnthropicProvider) -> AnthropicProvider:
    return claude_provider


async def answer(provider: AnthropicProvider, **changes) -> list[Delta]:
    request = chat(**{"model": CLAUDE, **changes})
    return [delta async for delta in provider.stream(request)]


async def test_answer_comes_in_pieces_with_its_cost(provider, claude):
    claude.replies = [says("Good ", "morning.")]
    assert await answer(provider) == [
        TextDelta(text="Good "),
        TextDelta(text="morning."),
        COST,
    ]
    assert claude.keys == ["key"]


async def test_the_stable_part_is_cached_and_the_section_is_not(provider, claude):
    claude.replies = [says("Yes."), says("Yes."), says("Yes.")]
    await answer(provider, section="- The dog is Beans.")
    await answer(provider, section="")
    await answer(provider, system="", section="")
    stable = {
        "type": "text",
        "text": "You are a voice assistant.",
        "cache_control": {"type": "ephemeral"},
    }
    section = {"type": "text", "text": "- The dog is Beans."}
    assert [body["system"] for body in claude.bodies] == [
        [stable, section],
        [stable],
        [],
    ]


async def test_neighbours_of_one_role_become_one_message(provider, claude):
    claude.replies = [says("Yes.")]
    await answer(
        provider,
        messages=[
            Message(role="assistant", text="Not sent: nobody had asked."),
            Message(role="user", text="Hello?"),
            Message(role="assistant", text=" "),
            Message(role="user", text="Anybody?"),
        ],
    )
    assert claude.bodies[0]["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Hello?"},
                {"type": "text", "text": "Anybody?"},
            ],
        }
    ]


CALL = ToolCall(name="turn_on", arguments={"name": "lamp"}, id="toolu_0")
ROUND = [
    Message(role="user", text="Light!"),
    Message(role="assistant", text="One moment.", tool_calls=[CALL]),
    Message(role="tool", text='{"ok":true}', tool_call_id="toolu_0"),
]


async def test_tool_rounds_are_sent_as_they_happened(provider, claude):
    claude.replies = [says("Done.")]
    await answer(provider, messages=ROUND, tools=[TURN_ON])
    body = claude.bodies[0]
    assert body["messages"][1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "One moment."},
                {
                    "type": "tool_use",
                    "id": "toolu_0",
                    "name": "turn_on",
                    "input": {"name": "lamp"},
                },
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_0",
                    "content": '{"ok":true}',
                }
            ],
        },
    ]
    assert body["tools"] == [
        {
            "name": "turn_on",
            "description": "Turns on.",
            "input_schema": {
                "type": "object",
                "properties": {"name": {"type": "string"}},
            },
        }
    ]
    assert "tool_choice" not in body


async def test_a_tool_that_was_called_is_named_where_none_may_be(provider, claude):
    claude.replies = [says("Done.")]
    await answer(provider, messages=ROUND)
    body = claude.bodies[0]
    assert [tool["name"] for tool in body["tools"]] == ["turn_on"]
    assert body["tool_choice"] == {"type": "none"}


async def test_tools_are_called_with_their_ids(provider, claude):
    claude.replies = [calls(("turn_on", {"name": "lamp"}), ("turn_on", {"name": "tv"}))]
    other = ToolCall(name="turn_on", arguments={"name": "tv"}, id="toolu_1")
    assert await answer(provider, tools=[TURN_ON]) == [
        ToolCallDelta(call=CALL),
        ToolCallDelta(call=other),
        COST,
    ]


async def test_compatible_servers_may_leave_out_input_costs_and_ends(provider, claude):
    claude.replies = [bare_call("turn_on", {"name": ["lamp"], "area": ""})]
    assert await answer(provider, tools=[TURN_ON]) == [
        ToolCallDelta(
            call=ToolCall(name="turn_on", arguments={"name": "lamp"}, id="1")
        ),
        Usage(),
    ]


async def test_thinking_goes_back_with_its_signature_within_the_round(provider, claude):
    claude.replies = [
        thinks("Lamp?", text(1, "One moment."), call(2, "turn_on", {"name": "lamp"})),
        says("Done."),
        says("Yes."),
    ]
    deltas = await answer(provider, tools=[TURN_ON])
    assert deltas[:2] == [ThinkingDelta(text="Lamp?"), TextDelta(text="One moment.")]
    (native,) = (d.native for d in deltas if isinstance(d, NativeDelta))
    asked, called, told = ROUND
    thought = Message(
        role="assistant", text=called.text, tool_calls=called.tool_calls, native=native
    )
    await answer(provider, messages=[asked, thought, told], tools=[TURN_ON])
    later = [asked, thought, told, Message(role="user", text="And now?")]
    await answer(provider, messages=later, tools=[TURN_ON])
    within, after = (body["messages"][1]["content"] for body in claude.bodies[1:])
    assert within[0] == {
        "type": "thinking",
        "thinking": "Lamp?",
        "signature": "signed",
    }
    assert [block["type"] for block in within] == ["thinking", "text", "tool_use"]
    assert within[2]["input"] == {"name": "lamp"}
    assert [block["type"] for block in after] == ["text", "tool_use"]


async def test_another_providers_notes_are_left_alone(provider, claude):
    claude.replies = [says("Yes.")]
    foreign = Message(role="assistant", text="Hello.", native={"signature": "other"})
    await answer(provider, messages=[ROUND[0], foreign, ROUND[0]])
    assert claude.bodies[0]["messages"][1]["content"] == [
        {"type": "text", "text": "Hello."}
    ]


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        (
            THINKER,
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
        ),
        (CLAUDE, {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
        ("unknown", {}),
    ],
)
async def test_a_model_thinks_as_it_can_where_it_should(
    provider, claude, model, thinking
):
    claude.replies = [says("Yes."), says("Yes."), says("Yes.")]
    for _ in range(2):
        await answer(provider, model=model, thinks=True)
    await answer(provider, model=model)
    told = [
        {k: v for k, v in body.items() if k in ("thinking", "output_config")}
        for body in claude.bodies
    ]
    assert told == [thinking, thinking, {}]
    assert claude.asked_models == [model]


async def test_structured_answer_is_forced_through_a_tool(provider, claude):
    claude.replies = [answers('{"kind":"name","answer":"ä"}')]
    result = await provider.generate(generation(model=CLAUDE))
    assert result.text == '{"kind":"name","answer":"ä"}'
    assert result.model == CLAUDE
    assert result.usage == COST
    body = claude.bodies[0]
    assert body["system"] == [{"type": "text", "text": "List the facts."}]
    assert body["tool_choice"]["name"] == body["tools"][0]["name"] == "answer"
    assert body["tool_choice"]["type"] == "tool"
    assert list(body["tools"][0]["input_schema"]["properties"]) == ["kind", "answer"]
    assert body["max_tokens"] == 120
    question, example, asked = body["messages"]
    assert question["content"] == [{"type": "text", "text": "I like tea."}]
    assert example["content"][0]["input"] == {"kind": "like"}
    assert asked["content"][0]["tool_use_id"] == example["content"][0]["id"]
    assert asked["content"][1]["text"] == "My dog's name is Beans."


@pytest.mark.parametrize(
    ("reply", "written"),
    [
        (says('{"kind":', '"x"}'), '{"kind":"x"}'),
        (answers('{"kind":"na'), '{"kind":"na'),
        (bare_call("answer", {"kind": "x"}), '{"kind": "x"}'),
        (says(""), ""),
    ],
)
async def test_whatever_comes_of_a_structured_request_is_its_answer(
    provider, claude, reply, written
):
    claude.replies = [reply]
    assert (await provider.generate(generation(model=CLAUDE))).text == written
