"""One request's deltas in the shape in which Home Assistant's chat log takes them."""

from collections.abc import AsyncIterator

from homeassistant.components.conversation import AssistantContentDeltaDict
from homeassistant.helpers import llm

from .base import (
    Delta,
    HandOff,
    NativeDelta,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)


class Round:
    """One request's deltas on their way to the log, and what the log does not keep."""

    def __init__(self, deltas: AsyncIterator[Delta], *, may_call: bool) -> None:
        self.usage = Usage()
        self.hand_off: HandOff | None = None
        self.called = False
        self._deltas = deltas
        self._may_call = may_call

    async def contents(self) -> AsyncIterator[AssistantContentDeltaDict]:
        """Yield the deltas as the log takes them; a role begins the message.

        Tools are called only once the answer is complete: had it broken off, they
        would run on without a turn that they belong to.
        """
        begun = False
        calls: list[llm.ToolInput] = []
        async for delta in self._deltas:
            match delta:
                case HandOff():
                    self.hand_off = delta
                    return
                case Usage():
                    self.usage = total(self.usage, delta)
                    continue
                case ToolCallDelta():
                    calls.append(_tool_input(delta.call))
                    continue
            if not begun:
                begun = True
                yield {"role": "assistant"}
            yield _piece(delta)
        if calls and self._may_call:
            self.called = True
            if not begun:
                yield {"role": "assistant"}
            yield {"tool_calls": calls}


async def said(text: str) -> AsyncIterator[AssistantContentDeltaDict]:
    """Yield a text that is already whole."""
    yield {"role": "assistant"}
    yield {"content": text}


def _piece(delta: TextDelta | ThinkingDelta | NativeDelta) -> AssistantContentDeltaDict:
    match delta:
        case ThinkingDelta():
            return {"thinking_content": delta.text}
        case NativeDelta():
            return {"native": delta.native}
        case TextDelta():
            return {"content": delta.text}


def _tool_input(call: ToolCall) -> llm.ToolInput:
    if call.id is None:
        return llm.ToolInput(tool_name=call.name, tool_args=dict(call.arguments))
    return llm.ToolInput(
        tool_name=call.name, tool_args=dict(call.arguments), id=call.id
    )


def total(one: Usage, other: Usage) -> Usage:
    """Return what two requests cost together; what neither says stays unknown."""
    return Usage(
        input_tokens=_add(one.input_tokens, other.input_tokens),
        output_tokens=_add(one.output_tokens, other.output_tokens),
        cached_input_tokens=_add(one.cached_input_tokens, other.cached_input_tokens),
        cache_write_tokens=_add(one.cache_write_tokens, other.cache_write_tokens),
    )


def _add(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other
