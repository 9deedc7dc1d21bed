"""A proxy before a model server that answers again what it was asked before.

The whole request is the key, so whatever changes in it, the server is asked anew. Only
what succeeded is kept, and no header, so that no key of an account ends on the disk.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
import json
from pathlib import Path
from time import perf_counter

from aiohttp import ClientError, ClientSession, ClientTimeout, web
from aiohttp.test_utils import TestServer

# Headers that belong to one connection alone, or to a body in another form.
_NOT_PASSED_ON = {
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "host",
    "transfer-encoding",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """An answer and how long it took."""

    content_type: str
    text: str
    seconds: float


class Answers:
    """The answers that are kept in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.saved_seconds = 0.0
        """How long the answers took that were given again."""

    def find(self, key: str) -> Kept | None:
        """Return the answer to a request, None where it is new."""
        try:
            kept = Kept(**json.loads(self._file(key).read_text("utf-8")))
        except FileNotFoundError:
            return None
        self.saved_seconds += kept.seconds
        return kept

    def keep(self, key: str, kept: Kept) -> None:
        """Keep an answer."""
        self._folder.mkdir(parents=True, exist_ok=True)
        row = {
            "content_type": kept.content_type,
            "text": kept.text,
            "seconds": kept.seconds,
        }
        # Others may read the folder meanwhile.
        unfinished = self._file(key).with_suffix(".new")
        unfinished.write_text(json.dumps(row, ensure_ascii=False), "utf-8")
        unfinished.replace(self._file(key))

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"


@asynccontextmanager
async def answering(answers: Answers, target: str) -> AsyncIterator[str]:
    """Run the proxy before the server at an address; yield the proxy's own."""
    async with ClientSession(timeout=ClientTimeout(total=None)) as session:
        proxy = _Proxy(answers, target.rstrip("/"), session)
        application = web.Application(client_max_size=0)
        application.router.add_route("*", "/{path:.*}", proxy.handle)
        server = TestServer(application, host="127.0.0.1")
        await server.start_server()
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            await server.close()


class _Proxy:
    def __init__(self, answers: Answers, target: str, session: ClientSession) -> None:
        self._answers = answers
        self._target = target
        self._session = session

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        key = sha256(f"{request.method} {request.path_qs}\n".encode() + body)
        kept = self._answers.find(key.hexdigest())
        if kept is not None:
            return _response(kept.text, kept.content_type)
        began = perf_counter()
        try:
            status, kept = await self._ask(request, body, began)
        except ClientError as error:
            raise web.HTTPBadGateway(text=type(error).__name__) from error
        if status == HTTPStatus.OK:
            self._answers.keep(key.hexdigest(), kept)
        return _response(kept.text, kept.content_type, status)

    async def _ask(
        self, request: web.Request, body: bytes, began: float
    ) -> tuple[int, Kept]:
        async with self._session.request(
            request.method,
            self._target + request.path_qs,
            data=body,
            headers=_passed_on(request.headers),
        ) as answer:
            text = await answer.text("utf-8")
            return answer.status, Kept(
                content_type=answer.headers.get("Content-Type", "application/json"),
                text=text,
                seconds=perf_counter() - began,
            )


def _response(
    text: str, content_type: str, status: int = HTTPStatus.OK
) -> web.Response:
    return web.Response(
        body=text.encode(), status=status, headers={"Content-Type": content_type}
    )


def _passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in headers.items() if k.lower() not in _NOT_PASSED_ON}
