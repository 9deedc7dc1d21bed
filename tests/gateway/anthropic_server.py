"""A tiny server that speaks Anthropic's HTTP and does as it is told, good or bad."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import web

from .serving import serving, stream

CLAUDE = "claude-haiku-4-5-20251001"
THINKER = "claude-opus-5"

type Event = dict[str, Any]

USAGE: Event = {
    "input_tokens": 6,
    "cache_read_input_tokens": 15,
    "cache_creation_input_tokens": 5,
    "output_tokens": 1,
}


@dataclass(kw_only=True)
class Reply:
    """One answer to ``/v1/messages``: events, and what happens around them."""

    events: Sequence[Event | str] = ()
    """A text is written as it is, in place of an event."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hold: asyncio.Event | None = None
    """Wait for this after the first piece."""
    silence: asyncio.Event | None = None
    """Wait for this before anything."""
    reset: bool = False
    """Drop the connection instead of ending the answer."""


def says(*pieces: str, **reply: Any) -> Reply:
    """Say a text in pieces."""
    return Reply(events=[*_begin(), *text(0, *pieces), *_end()], **reply)


def thinks(thinking: str, *blocks: Sequence[Event]) -> Reply:
    """Think before the blocks; the signature comes in two pieces."""
    thought = [
        _start(0, type="thinking", thinking="", signature=""),
        _delta(0, type="thinking_delta", thinking=thinking),
        _delta(0, type="signature_delta", signature="sig"),
        _delta(0, type="signature_delta", signature="ned"),
        _stop(0),
    ]
    rest = [event for block in blocks for event in block]
    return Reply(events=[*_begin(), *thought, *rest, *_end("tool_use")])


def calls(*tools: tuple[str, Event]) -> Reply:
    """Call tools."""
    rest = [e for n, (name, given) in enumerate(tools) for e in call(n, name, given)]
    return Reply(events=[*_begin(), *rest, *_end("tool_use")])


def answers(written: str) -> Reply:
    """Give a structured answer through the tool that was forced."""
    return Reply(events=[*_begin(), *call(0, "answer", written), *_end("tool_use")])


def text(index: int, *pieces: str) -> list[Event]:
    """Return the events of a text block."""
    return [
        _start(index, type="text", text=""),
        *(_delta(index, type="text_delta", text=piece) for piece in pieces),
        _stop(index),
    ]


def call(index: int, name: str, given: Event | str) -> list[Event]:
    """Return the events of a tool call, whose input comes in two pieces."""
    written = given if isinstance(given, str) else json.dumps(given)
    half = len(written) // 2
    return [
        _start(index, type="tool_use", id=f"toolu_{index}", name=name, input={}),
        *(
            _delta(index, type="input_json_delta", partial_json=piece)
            for piece in (written[:half], written[half:])
        ),
        _stop(index),
    ]


def breaks_off(*pieces: str, reset: bool = False) -> Reply:
    """Stop in the middle of an answer."""
    return Reply(events=[*_begin(), *text(0, *pieces)[:-1]], reset=reset)


def fails(
    status: int, kind: str = "api_error", said: str = "", **headers: str
) -> Reply:
    """Answer with an HTTP error."""
    error = {"type": "error", "error": {"type": kind, "message": said}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, events=[json.dumps(error)], headers=named)


def fails_amid(piece: str, kind: str, said: str = "") -> Reply:
    """Report an error after the answer has begun."""
    error = {"type": "error", "error": {"type": kind, "message": said}}
    return Reply(events=[*_begin(), *text(0, piece)[:-1], error])


def plain(*events: Event | str) -> Reply:
    """Answer with any events."""
    return Reply(events=events)


def bare_call(name: str, given: Event) -> Reply:
    """Call a tool as compatible servers do: no input at first, no costs."""
    started = {"type": "tool_use", "id": "1", "name": name}
    return plain(
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": started},
        _delta(0, type="input_json_delta", partial_json=json.dumps(given)),
        {"type": "message_stop"},
    )


@dataclass
class AnthropicServer:
    """The server; its replies are given out in order."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    bodies: list[Event] = field(default_factory=list)
    """What arrived at ``/v1/messages``, with the order of its properties kept."""
    keys: list[str] = field(default_factory=list)
    """The keys that came with all requests."""
    refuses: bool = False
    """Accept no key."""
    models: web.Response | None = None
    """What the list of models is answered with instead."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has hung up while it was being answered."""
    asked_models: list[str] = field(default_factory=list)

    async def list_models(self, request: web.Request) -> web.Response:
        if self._refused(request):
            return _refusal()
        if self.models is not None:
            return self.models
        listed = [_model(THINKER), _model(CLAUDE)]
        return web.json_response({"data": listed, "has_more": False})

    async def model(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        self.asked_models.append(name)
        if name not in (CLAUDE, THINKER):
            error = {"type": "not_found_error", "message": f"model: {name}"}
            return web.json_response({"type": "error", "error": error}, status=404)
        return web.json_response(_model(name))

    async def messages(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        if self._refused(request):
            return _refusal()
        reply = self.replies.pop(0)
        response = web.StreamResponse(status=reply.status, headers=dict(reply.headers))
        response.content_type = (
            "text/event-stream" if reply.status == 200 else "application/json"
        )
        await response.prepare(request)
        writing = self._write(response, reply)
        return await stream(
            request, response, writing, gone=self.gone, reset=reply.reset
        )

    async def _write(self, response: web.StreamResponse, reply: Reply) -> None:
        if reply.silence:
            await reply.silence.wait()
        held = reply.hold
        for event in reply.events:
            await response.write(sse(event).encode())
            piece = isinstance(event, dict) and event["type"] == "content_block_delta"
            if held and piece:
                await held.wait()

    def _refused(self, request: web.Request) -> bool:
        self.keys.append(request.headers.get("x-api-key", ""))
        return self.refuses


@asynccontextmanager
async def running_server() -> AsyncIterator[AnthropicServer]:
    """Run the server on a free port of 127.0.0.1."""
    claude = AnthropicServer()
    routes = (
        web.get("/v1/models", claude.list_models),
        web.get("/v1/models/{name}", claude.model),
        web.post("/v1/messages", claude.messages),
    )
    async with serving(*routes) as claude.url:
        yield claude


def sse(event: Event | str) -> str:
    """Return an event as it goes over the wire."""
    if isinstance(event, str):
        return event
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _refusal() -> web.Response:
    error = {"type": "authentication_error", "message": "invalid x-api-key"}
    return web.json_response({"type": "error", "error": error}, status=401)


def _model(name: str) -> Event:
    yes, no = {"supported": True}, {"supported": False}
    thinks = {"adaptive": yes if name == THINKER else no, "enabled": yes}
    return {
        "type": "model",
        "id": name,
        "display_name": name,
        "created_at": "2025-10-01T00:00:00Z",
        "capabilities": {
            "thinking": {"supported": True, "types": thinks},
            "effort": yes if name == THINKER else no,
        },
    }


def _begin() -> list[Event]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    return [{"type": "message_start", "message": {**message, "usage": USAGE}}]


def _end(reason: str = "end_turn") -> list[Event]:
    return [
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 7},
        },
        {"type": "message_stop"},
    ]


def _start(index: int, **block: Any) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": block}


def _delta(index: int, **delta: Any) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": delta}


def _stop(index: int) -> Event:
    return {"type": "content_block_stop", "index": index}
