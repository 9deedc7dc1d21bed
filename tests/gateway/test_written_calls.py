"""Tool calls that a model writes as text."""

import pytest

from custom_components.caesar.gateway.base import (
    Delta,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from custom_components.caesar.gateway.written_calls import WrittenCalls

TURN_ON = ToolSpec(name="turn_on", description="", parameters={})
CALL = '{"name": "turn_on", "arguments": {"name": "Lamp"}}'
CALLED = ToolCallDelta(call=ToolCall(name="turn_on", arguments={"name": "Lamp"}))
END = Usage(input_tokens=1, output_tokens=1)


def passed(*pieces: str, tools=(TURN_ON,)) -> list[Delta]:
    written = WrittenCalls(tools)
    came: list[Delta] = [*(TextDelta(text=piece) for piece in pieces), END]
    return [delta for piece in came for delta in written.pass_on(piece)]


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        f"\n {CALL}\n",
        f"```json\n{CALL}\n```",
        f"```\n{CALL}\n```",
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"{CALL}\n\nI turned on the lamp.",
        CALL.replace("arguments", "parameters"),
    ],
)
def test_written_call_becomes_one(text):
    assert passed(text) == [CALLED, END]
    assert passed(*text) == [CALLED, END]


@pytest.mark.parametrize(
    "text",
    [
        "{curly} words",
        '{"name": "turn_on"}',
        '{"name": "turn_on", "arguments": "lamp"}',
        '{"name": "unknown", "arguments": {}}',
        '{"name": "turn_on", "arguments": {"na',
        "```\nprint()\n```",
        "`code`",
        "<b>bold</b>",
        "<",
    ],
)
def test_other_text_stays_text(text):
    deltas = passed(*text)
    pieces = [delta.text for delta in deltas if isinstance(delta, TextDelta)]
    assert "".join(pieces) == text
    assert [delta for delta in deltas if not isinstance(delta, TextDelta)] == [END]


def test_ordinary_text_is_not_held_back():
    written = WrittenCalls([TURN_ON])
    for piece in ("Good ", "{morning}", CALL):
        assert list(written.pass_on(TextDelta(text=piece))) == [TextDelta(text=piece)]


def test_without_tools_nothing_is_a_call():
    assert passed(CALL, tools=()) == [TextDelta(text=CALL), END]


def test_other_deltas_pass():
    written = WrittenCalls([TURN_ON])
    for delta in (ThinkingDelta(text="{"), CALLED):
        assert list(written.pass_on(delta)) == [delta]
