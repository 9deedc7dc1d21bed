"""What every provider with a model of its own keeps to, over its server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web
import anthropic
from homeassistant.util.ssl import get_default_context
import httpx
import ollama
import pytest

from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.base import Provider, TextDelta
from custom_components.caesar.gateway.errors import (
    GatewayError,
    ModelNotFoundError,
    ProviderRefusedError,
    ProviderUnavailableError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.ollama import OllamaProvider

from . import anthropic_server, ollama_server
from .faults import answer, generate
from .ollama_server import nobody, settled
from .requests import chat


@dataclass(kw_only=True)
class Setup:
    """A provider with its server, and how to make another one for any address."""

    at: Callable[[str], Any]
    provider: Any
    server: Any
    says: Callable[..., Any]
    model: str


@asynccontextmanager
async def _ollama() -> AsyncIterator[Setup]:
    def at(url: str) -> Provider:
        return OllamaProvider(ollama, url, ssl_context=get_default_context())

    async with ollama_server.running_server() as server:
        yield Setup(
            at=at,
            provider=at(server.url),
            server=server,
            says=ollama_server.says,
            model=ollama_server.MODEL,
        )


@asynccontextmanager
async def _anthropic() -> AsyncIterator[Setup]:
    async with (
        anthropic_server.running_server() as server,
        httpx.AsyncClient() as client,
    ):

        def at(url: str) -> Provider:
            return AnthropicProvider(anthropic, "key", http_client=client, url=url)

        yield Setup(
            at=at,
            provider=at(server.url),
            server=server,
            says=anthropic_server.says,
            model=anthropic_server.CLAUDE,
        )


SETUPS: dict[str, Callable[[], AbstractAsyncContextManager[Setup]]] = {
    "anthropic": _anthropic,
    "ollama": _ollama,
}


@pytest.fixture(params=SETUPS)
async def setup(
    request: pytest.FixtureRequest, socket_enabled: None
) -> AsyncIterator[Setup]:
    async with SETUPS[request.param]() as setup:
        yield setup
        await setup.provider.close()
        await settled()


async def test_first_piece_is_there_before_the_second_is_sent(setup: Setup):
    may_go_on = asyncio.Event()
    setup.server.replies = [setup.says("Good ", "morning.", hold=may_go_on)]
    deltas = setup.provider.stream(chat(model=setup.model))
    assert await anext(deltas) == TextDelta(text="Good ")
    assert not may_go_on.is_set()
    may_go_on.set()
    rest = [delta async for delta in deltas]
    assert rest[0] == TextDelta(text="morning.")


async def test_an_abandoned_answer_hangs_up_so_that_it_costs_no_more(setup: Setup):
    setup.server.replies = [setup.says("Good ", "morning.", hold=asyncio.Event())]
    async with aclosing(setup.provider.stream(chat(model=setup.model))) as deltas:
        await anext(deltas)
    await asyncio.wait_for(setup.server.gone.wait(), 5)


async def test_nobody_listens(setup: Setup):
    provider = setup.at(nobody())
    for attempt in (
        answer(provider, setup.model),
        answer(provider, setup.model, thinks=True),
        generate(provider, setup.model),
        provider.list_models(),
    ):
        with pytest.raises(ProviderUnavailableError):
            await attempt
    await provider.close()


async def test_request_without_a_model_is_not_sent(setup: Setup):
    with pytest.raises(ModelNotFoundError):
        await answer(setup.provider, "")
    assert setup.server.bodies == []


@pytest.mark.parametrize(
    ("models", "error"),
    [
        (web.Response(text="<html>"), UnsupportedRequestError),
        (web.json_response([1]), UnsupportedRequestError),
        (web.json_response({"models": 1}), UnsupportedRequestError),
        (web.json_response({"detail": "no"}, status=404), UnsupportedRequestError),
        (web.json_response({"error": "no"}, status=401), ProviderRefusedError),
        (web.json_response({"error": "no"}, status=502), ProviderUnavailableError),
    ],
)
async def test_what_answers_is_checked(
    setup: Setup, models: web.Response, error: type[GatewayError]
):
    # Each server answers once only with the same response.
    setup.server.models = web.Response(
        body=models.body, status=models.status, content_type=models.content_type
    )
    with pytest.raises(GatewayError) as caught:
        await setup.provider.list_models()
    assert type(caught.value) is error


@pytest.mark.parametrize("url", ["http://[broken", "http://host:port", "ftp://host"])
async def test_address_that_is_none(setup: Setup, url: str):
    with pytest.raises(ProviderUnavailableError):
        await setup.at(url).list_models()
