"""Tool calls that a small model writes out as text instead of making them.

Servers pass on as text what does not look exactly as the model's template says, and a
person would have JSON read out to them.
"""

from collections.abc import Iterator, Sequence
import json
from typing import Any

from .base import Delta, TextDelta, ToolCall, ToolCallDelta, ToolSpec, Usage

_OPENINGS = ("{", "```json", "```\n", "<tool_call>")


class WrittenCalls:
    """Turns one answer's text into a tool call where it is one.

    Text that begins like a call is held back until the answer is complete; all other
    text passes at once.
    """

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._names = {spec.name for spec in tools}
        self._held = ""
        self._holds = bool(tools)

    def pass_on(self, delta: Delta) -> Iterator[Delta]:
        """Yield what may go on now; a Usage ends the answer."""
        match delta:
            case TextDelta() if self._holds:
                self._held += delta.text
                if not _may_be_call(self._held):
                    self._holds = False
                    yield from self._release()
            case Usage():
                yield from self._release()
                yield delta
            case _:
                yield delta

    def _release(self) -> Iterator[Delta]:
        text, self._held = self._held, ""
        if call := self._call(text):
            yield ToolCallDelta(call=call)
        elif text:
            yield TextDelta(text=text)

    def _call(self, text: str) -> ToolCall | None:
        if not self._holds:
            return None
        match _first_object(text):
            case {"name": str(name), "arguments": dict(arguments)}:
                pass
            case {"name": str(name), "parameters": dict(arguments)}:
                pass
            case _:
                return None
        if name not in self._names:
            return None
        return ToolCall(name=name, arguments=arguments)


def _may_be_call(text: str) -> bool:
    beginning = text.lstrip()
    return any(
        beginning.startswith(opening) or opening.startswith(beginning)
        for opening in _OPENINGS
    )


def _first_object(text: str) -> Any:
    """Return the JSON object that the text begins with, behind a fence or a tag."""
    _, brace, rest = text.partition("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(brace + rest)
    except ValueError:
        return None
    return found
