"""A tiny server that speaks Voyage AI's HTTP and does as it is told, good or bad."""

import asyncio
import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import struct
from typing import Any

from aiohttp import web

from custom_components.caesar.memory.embedders.stub import StubEmbedder
from custom_components.caesar.memory.ports import EmbeddingKind

from .serving import serving

VOYAGE = "voyage-4"


@dataclass(kw_only=True)
class Reply:
    """An answer that is no vectors."""

    status: int = 200
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def fails(status: int, said: str = "", **headers: str) -> Reply:
    """Answer with an HTTP error as Voyage words it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=f'{{"detail": "{said}"}}', headers=named)


@dataclass
class VoyageServer:
    """The server; without replies it gives each text the vector of its words."""

    url: str = ""
    replies: list[Reply] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    refuses: bool = False
    """Accept no key."""
    poison: str = "\0"
    """A text with these words is refused."""
    dimension: int = 64
    hold: asyncio.Event | None = None
    """Wait for this before any answer."""

    @property
    def texts(self) -> list[str]:
        """Return every text that arrived, in order."""
        return [text for body in self.bodies for text in body["input"]]

    @property
    def documents(self) -> list[str]:
        """Return the texts that arrived to be found, not to find with."""
        return [
            text
            for body in self.bodies
            if body["input_type"] == "document"
            for text in body["input"]
        ]

    async def embeddings(self, request: web.Request) -> web.Response:
        self.bodies.append(body := await request.json())
        self.keys.append(request.headers.get("Authorization", ""))
        if self.hold:
            await self.hold.wait()
        if self.refuses:
            return web.json_response({"detail": "Invalid API key"}, status=401)
        if self.replies:
            reply = self.replies.pop(0)
            return web.Response(
                status=reply.status,
                text=reply.body,
                headers=reply.headers,
                content_type="application/json",
            )
        if any(self.poison in text for text in body["input"]):
            return web.json_response({"detail": "Cannot embed this"}, status=400)
        return web.json_response(await self._answer(body))

    async def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        stub = StubEmbedder(self.dimension)
        made = await stub.embed(body["input"], EmbeddingKind.DOCUMENT)
        data = [
            {"object": "embedding", "embedding": _packed(vector), "index": number}
            for number, vector in enumerate(made.vectors)
        ]
        # In no order, which the number in each makes up for.
        return {"data": data[::-1], "usage": {"total_tokens": made.tokens}}


def _packed(vector: Any) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


@asynccontextmanager
async def running_server() -> AsyncIterator[VoyageServer]:
    """Run the server on a free port of 127.0.0.1."""
    voyage = VoyageServer()
    async with serving(web.post("/v1/embeddings", voyage.embeddings)) as url:
        voyage.url = f"{url}/v1"
        yield voyage
