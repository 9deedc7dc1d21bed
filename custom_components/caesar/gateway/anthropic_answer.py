"""One answer of an Anthropic server, put together from its stream of events.

Read as plain data and not through the SDK's types, because compatible servers leave
parts out: a tool call's ``input`` before its pieces, the costs, the end of a block.
"""

from collections.abc import Iterator, Mapping, Sequence
import json
from typing import Any

from .base import (
    Delta,
    NativeDelta,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    Usage,
)

type _Json = dict[str, Any]

_THINKING = ("thinking", "redacted_thinking")


class ThoughtBlocks(tuple[Any, ...]):
    """An answer's blocks in order, kept because the model signed its thinking."""

    __slots__ = ()


class Answer:
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self.complete = False
        self._blocks: dict[int, _Json] = {}
        self._arguments: dict[int, str] = {}
        self._costs: _Json = {}

    def add(self, event: Mapping[str, Any]) -> Iterator[Delta]:
        """Take in an event; yield what can be passed on at once."""
        match event:
            case {"type": "message_start", "message": dict() as message}:
                self._note(message.get("usage"))
            case {"type": "content_block_start", "content_block": dict() as block}:
                yield from self._begin(event.get("index", 0), block)
            case {"type": "content_block_delta", "delta": dict() as delta}:
                yield from self._extend(event.get("index", 0), delta)
            case {"type": "message_delta"}:
                self._note(event.get("usage"))
            case {"type": "message_stop"}:
                self.complete = True

    def rest(self) -> Iterator[Delta]:
        """Yield what can be passed on only at the end.

        Raises ValueError where a tool call cannot be read.
        """
        blocks = [self._whole(index) for index in sorted(self._blocks)]
        if any(block["type"] in _THINKING for block in blocks):
            yield NativeDelta(native=ThoughtBlocks(blocks))
        for block in blocks:
            if block["type"] == "tool_use":
                yield ToolCallDelta(
                    call=ToolCall(
                        name=block["name"],
                        arguments=block["input"],
                        id=block.get("id") or None,
                    )
                )
        yield self.usage

    @property
    def usage(self) -> Usage:
        """Return what the answer cost, as far as the server says."""
        read = self._costs.get("cache_read_input_tokens")
        written = self._costs.get("cache_creation_input_tokens")
        fresh = self._costs.get("input_tokens")
        return Usage(
            # The server's own number leaves out what went through its cache.
            input_tokens=None
            if fresh is None
            else fresh + (read or 0) + (written or 0),
            output_tokens=self._costs.get("output_tokens"),
            cached_input_tokens=read,
            cache_write_tokens=written,
        )

    @property
    def written(self) -> str:
        """Return the tool call's arguments as they were written, else the text."""
        for index, block in self._blocks.items():
            if block["type"] == "tool_use":
                return self._arguments.get(index) or json.dumps(
                    block.get("input") or {}, ensure_ascii=False
                )
        return "".join(self._texts())

    def _texts(self) -> Sequence[str]:
        return [b["text"] for b in self._blocks.values() if b["type"] == "text"]

    def _note(self, costs: object) -> None:
        """Keep the newest of each number; they are totals, never shares."""
        if isinstance(costs, Mapping):
            self._costs |= {
                name: number for name, number in costs.items() if number is not None
            }

    def _begin(self, index: int, block: _Json) -> Iterator[Delta]:
        match block["type"]:
            case "text":
                block = {"type": "text", "text": block.get("text") or ""}
                if block["text"]:
                    yield TextDelta(text=block["text"])
            case "thinking":
                block.setdefault("thinking", "")
                block.setdefault("signature", "")
        self._blocks[index] = block

    def _extend(self, index: int, delta: Mapping[str, Any]) -> Iterator[Delta]:
        match delta:
            case {"type": "text_delta", "text": str(text)} if text:
                block = self._blocks.setdefault(index, {"type": "text", "text": ""})
                block["text"] += text
                yield TextDelta(text=text)
            case {"type": "thinking_delta", "thinking": str(text)} if text:
                self._blocks[index]["thinking"] += text
                yield ThinkingDelta(text=text)
            case {"type": "signature_delta", "signature": str(text)}:
                self._blocks[index]["signature"] += text
            case {"type": "input_json_delta", "partial_json": str(text)}:
                self._arguments[index] = self._arguments.get(index, "") + text

    def _whole(self, index: int) -> _Json:
        block = self._blocks[index]
        if block["type"] != "tool_use":
            return block
        written = self._arguments.get(index)
        arguments = json.loads(written) if written else block.get("input") or {}
        if not isinstance(arguments, dict):
            raise TypeError("The arguments of a tool call are no object")
        return {**block, "input": arguments}
