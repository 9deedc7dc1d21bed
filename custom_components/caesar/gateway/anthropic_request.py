"""A request in the form in which an Anthropic server takes it."""

from collections.abc import Iterator, Mapping, Sequence
import json
from typing import Any, Final

from .anthropic_answer import ThoughtBlocks
from .base import GenerationRequest, Message, ToolSpec

ANSWER_TOOL: Final = "answer"
"""The tool that a structured answer is given through."""

type _Json = dict[str, Any]

# The server refuses these at the top of a tool's parameters.
_REFUSED = ("oneOf", "anyOf", "allOf")


def system(stable: str, section: str) -> list[_Json]:
    """Return the system prompt: what stays the same is cached, the section is not."""
    blocks: list[_Json] = []
    if stable.strip():
        cached = {"type": "ephemeral"}
        blocks.append({"type": "text", "text": stable, "cache_control": cached})
    if section.strip():
        blocks.append({"type": "text", "text": section})
    return blocks


def conversation(messages: Sequence[Message]) -> list[_Json]:
    """Return the messages, neighbours of one role as one, empty ones left out."""
    current = max(
        (n for n, message in enumerate(messages) if message.role == "user"), default=0
    )
    rendered: list[_Json] = []
    for number, message in enumerate(messages):
        role = "assistant" if message.role == "assistant" else "user"
        # Thinking of earlier turns is of no use to the model any more.
        blocks = list(_blocks(message, with_thinking=number > current))
        if not blocks:
            continue
        if rendered and rendered[-1]["role"] == role:
            rendered[-1]["content"] += blocks
        elif rendered or role == "user":
            rendered.append({"role": role, "content": blocks})
    return rendered


def tools(specs: Sequence[ToolSpec], messages: Sequence[Message]) -> _Json:
    """Return the tools, as parts of a request.

    Tools that were called before have to be named even where none may be called now.
    """
    if specs:
        return {"tools": [_tool(s.name, s.description, s.parameters) for s in specs]}
    called = {call.name: None for message in messages for call in message.tool_calls}
    if not called:
        return {}
    return {
        "tools": [_tool(name, "", {}) for name in called],
        "tool_choice": {"type": "none"},
    }


def structured(request: GenerationRequest) -> _Json:
    """Return the parts of a request whose answer has to follow a schema."""
    choice = {
        "type": "tool",
        "name": ANSWER_TOOL,
        "disable_parallel_tool_use": True,
    }
    return {
        "messages": [*_examples(request)],
        "tools": [_tool(ANSWER_TOOL, "Gives the answer.", request.answer_schema)],
        "tool_choice": choice,
        "max_tokens": request.max_tokens,
    }


def _examples(request: GenerationRequest) -> Iterator[_Json]:
    """Yield the examples as if they had been asked before, and the question."""
    before: list[_Json] = []
    for number, (question, answer) in enumerate(request.examples):
        call = f"example_{number}"
        yield {"role": "user", "content": [*before, _text(question)]}
        yield {
            "role": "assistant",
            "content": [_call(call, ANSWER_TOOL, json.loads(answer))],
        }
        before = [_result(call, "Noted.")]
    yield {"role": "user", "content": [*before, _text(request.text)]}


def _blocks(message: Message, *, with_thinking: bool) -> Iterator[_Json]:
    if message.role == "tool":
        yield _result(message.tool_call_id or "", message.text)
        return
    if with_thinking and isinstance(message.native, ThoughtBlocks):
        yield from message.native
        return
    if message.text.strip():
        yield _text(message.text)
    for call in message.tool_calls:
        yield _call(call.id or "", call.name, call.arguments)


def _text(text: str) -> _Json:
    return {"type": "text", "text": text}


def _call(call_id: str, name: str, arguments: Mapping[str, object]) -> _Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}


def _result(call_id: str, text: str) -> _Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": text}


def _tool(name: str, description: str, parameters: Mapping[str, object]) -> _Json:
    schema = {key: value for key, value in parameters.items() if key not in _REFUSED}
    return {
        "name": name,
        "description": description,
        "input_schema": {"type": "object", **schema},
    }
