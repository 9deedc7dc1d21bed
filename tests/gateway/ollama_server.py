"""A tiny server that speaks Ollama's HTTP and does as it is told, good or bad."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import web
from aiohttp.test_utils import unused_port

from custom_components.caesar.memory.embedders.stub import StubEmbedder
from custom_components.caesar.memory.ports import EmbeddingKind

from .serving import serving, stream

MODEL = "qwen3:4b"
EMBEDDING_MODEL = "nomic-embed-text:latest"


@dataclass(kw_only=True)
class Reply:
    """One answer to ``/api/chat``: lines of JSON, and what happens around them."""

    lines: Sequence[str] = ()
    status: int = 200
    hold: asyncio.Event | None = None
    """Wait for this after the first line."""
    reset: bool = False
    """Drop the connection instead of ending the answer."""


def says(*pieces: str, **reply: Any) -> Reply:
    """Say a text in pieces."""
    return Reply(lines=[*(_part(content=piece) for piece in pieces), _end()], **reply)


def thinks(thinking: str, text: str) -> Reply:
    """Think before the text."""
    return Reply(lines=[_part(thinking=thinking), _part(content=text), _end()])


def calls(*tools: tuple[str, dict[str, Any]]) -> Reply:
    """Call tools."""
    wanted = [{"function": {"name": n, "arguments": a}} for n, a in tools]
    return Reply(lines=[_part(content="", tool_calls=wanted), _end()])


def breaks_off(*pieces: str, reset: bool = False) -> Reply:
    """Stop in the middle of an answer."""
    return Reply(lines=[_part(content=piece) for piece in pieces], reset=reset)


def fails(status: int, error: str) -> Reply:
    """Answer with an HTTP error."""
    return Reply(status=status, lines=[json.dumps({"error": error})])


def fails_amid(piece: str, error: str) -> Reply:
    """Report an error after the answer has begun."""
    return Reply(lines=[_part(content=piece), json.dumps({"error": error})])


def writes(text: str) -> Reply:
    """Answer with any text."""
    return Reply(lines=[text])


@dataclass
class OllamaServer:
    """The server; its replies are given out in order."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    """What arrived at ``/api/chat``, with the order of its properties kept."""
    names: list[str] = field(default_factory=lambda: ["zephyr:7b", MODEL])
    models: web.Response | None = None
    """What ``/api/tags`` answers instead of the list of models."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has hung up while it was being answered."""
    embedded: list[dict[str, Any]] = field(default_factory=list)
    """What arrived at ``/api/embed``."""
    embeddings: list[Reply] = field(default_factory=list)
    """What ``/api/embed`` answers in place of the vectors of the texts' words."""
    dimension: int = 64

    async def tags(self, _request: web.Request) -> web.Response:
        if self.models is not None:
            return self.models
        return web.json_response({"models": [{"model": name} for name in self.names]})

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        reply = self.replies.pop(0)
        response = web.StreamResponse(status=reply.status)
        await response.prepare(request)
        writing = self._write(response, reply)
        return await stream(
            request, response, writing, gone=self.gone, reset=reply.reset
        )

    async def embed(self, request: web.Request) -> web.Response:
        self.embedded.append(body := await request.json())
        if self.embeddings:
            reply = self.embeddings.pop(0)
            return web.Response(
                status=reply.status,
                text="".join(reply.lines),
                content_type="application/json",
            )
        if body["model"] == MODEL:
            error = {"error": "this model does not support embeddings"}
            return web.json_response(error, status=400)
        stub = StubEmbedder(self.dimension)
        made = await stub.embed(body["input"], EmbeddingKind.DOCUMENT)
        return web.json_response(
            {
                "model": body["model"],
                "embeddings": made.vectors,
                "prompt_eval_count": made.tokens,
            }
        )

    async def _write(self, response: web.StreamResponse, reply: Reply) -> None:
        for number, line in enumerate(reply.lines):
            await response.write(f"{line}\n".encode())
            if number == 0 and reply.hold:
                await reply.hold.wait()


@asynccontextmanager
async def running_server(
    ollama: OllamaServer | None = None,
) -> AsyncIterator[OllamaServer]:
    """Run a server on a free port of 127.0.0.1."""
    ollama = ollama or OllamaServer()
    routes = (
        web.get("/api/tags", ollama.tags),
        web.post("/api/chat", ollama.chat),
        web.post("/api/embed", ollama.embed),
    )
    async with serving(*routes) as ollama.url:
        yield ollama


def nobody() -> str:
    """Return an address at which nothing listens."""
    return f"http://127.0.0.1:{unused_port()}"


async def settled() -> None:
    """Let httpx close its nested generators after an answer that was not read to its
    end: it does so on the next turns of the loop, one after the other."""
    for _ in range(10):
        await asyncio.sleep(0)


def _part(**message: Any) -> str:
    return json.dumps(
        {"model": MODEL, "message": {"role": "assistant", **message}, "done": False}
    )


def _end() -> str:
    return json.dumps(
        {
            "model": MODEL,
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 26,
            "eval_count": 7,
        }
    )
