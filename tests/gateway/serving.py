"""What the small servers of the tests have in common."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer


@asynccontextmanager
async def serving(*routes: web.RouteDef) -> AsyncIterator[str]:
    """Answer on a free port of 127.0.0.1; yield the address."""
    application = web.Application()
    application.router.add_routes(routes)
    server = TestServer(application, host="127.0.0.1")
    await server.start_server()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        await server.close()


async def stream(
    request: web.Request,
    response: web.StreamResponse,
    writing: Coroutine[Any, Any, None],
    *,
    gone: asyncio.Event,
    reset: bool,
) -> web.StreamResponse:
    """Answer in pieces; ``gone`` is set where the client hangs up meanwhile.

    With ``reset`` the connection is dropped in place of an end.
    """
    try:
        await writing
    except ConnectionError, asyncio.CancelledError:
        gone.set()
        raise
    if reset and request.transport:
        request.transport.abort()
    return response
