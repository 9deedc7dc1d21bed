"""A tiny server that speaks as much of Ollama's HTTP as the forms ask for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.gateway.serving import serving


@dataclass
class OllamaServer:
    """What the server answers with; change it while it runs."""

    url: str = ""
    models: list[str] = field(default_factory=lambda: ["qwen3:4b", "llama3.2:latest"])
    status: int = 200
    body: str | None = None
    """Answer with this text in place of the list of models."""
    requests: int = 0

    async def tags(self, _request: web.Request) -> web.Response:
        self.requests += 1
        if self.body is not None:
            return web.Response(
                text=self.body, status=self.status, content_type="text/html"
            )
        if self.status != 200:
            return web.json_response({"error": "no"}, status=self.status)
        return web.json_response({"models": [{"model": name} for name in self.models]})


@asynccontextmanager
async def running_server() -> AsyncIterator[OllamaServer]:
    """Run the server on a free port of 127.0.0.1."""
    ollama = OllamaServer()
    async with serving(web.get("/api/tags", ollama.tags)) as ollama.url:
        yield ollama
