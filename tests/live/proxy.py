"""A proxy that stands before a model server and writes down what is asked of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web
from aiohttp.test_utils import TestServer

_OLLAMA_CHAT = "/api/chat"
_CHATS = (_OLLAMA_CHAT, "/v1/messages")
# Headers that belong to one connection alone, and the length, which streaming drops.
_NOT_PASSED_ON = {"connection", "content-length", "host", "transfer-encoding"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Recorded:
    """One request that went through."""

    method: str
    path: str
    text: str
    """The body as it came."""

    @property
    def body(self) -> Any:
        """Return the body, which is JSON; None where there is none."""
        return json.loads(self.text) if self.text else None


@dataclass
class RecordingProxy:
    """Passes everything on, chunk by chunk."""

    target: str
    session: ClientSession
    url: str = ""
    requests: list[Recorded] = field(default_factory=list)
    answered: int = 0
    """How many answers have been passed on to their end."""
    most_tokens: int | None = None
    """Longer answers are cut here. That, and always taking the likeliest word, is all
    that the server is told differently from what was asked."""

    @property
    def chats(self) -> list[Any]:
        """Return the bodies of the requests for chat, in order."""
        return [r.body for r in self.requests if r.path in _CHATS]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.requests.append(
            Recorded(method=request.method, path=request.path, text=text)
        )
        async with self.session.request(
            request.method,
            self.target + request.path_qs,
            data=self._curbed(request.path, text).encode(),
            headers=_passed_on(request.headers),
        ) as answer:
            response = web.StreamResponse(
                status=answer.status, headers=_passed_on(answer.headers)
            )
            await response.prepare(request)
            async for chunk in answer.content.iter_any():
                await response.write(chunk)
            await response.write_eof()
        self.answered += 1
        return response

    def _curbed(self, path: str, text: str) -> str:
        if self.most_tokens is None or path not in _CHATS:
            return text
        body = json.loads(text)
        if path == _OLLAMA_CHAT:
            options = body.setdefault("options", {})
            limits, name = options, "num_predict"
        else:
            limits, name = body, "max_tokens"
        limits["temperature"] = 0
        limits[name] = min(self.most_tokens, limits.get(name, self.most_tokens))
        return json.dumps(body, ensure_ascii=False)


@asynccontextmanager
async def recording_proxy(target: str) -> AsyncIterator[RecordingProxy]:
    """Run a proxy before the server at an address, on a free port of 127.0.0.1."""
    async with ClientSession(
        timeout=ClientTimeout(total=None), auto_decompress=False
    ) as session:
        proxy = RecordingProxy(target.rstrip("/"), session)
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", proxy.handle)
        server = TestServer(application, host="127.0.0.1")
        await server.start_server()
        proxy.url = f"http://127.0.0.1:{server.port}"
        try:
            yield proxy
        finally:
            await server.close()


def _passed_on(headers: Any) -> dict[str, str]:
    return {k: v for k, v in headers.items() if k.lower() not in _NOT_PASSED_ON}
