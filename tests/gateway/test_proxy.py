"""The recording proxy of the live tests, before a fake server."""

import asyncio

from homeassistant.util.ssl import get_default_context
import ollama
import pytest

from custom_components.caesar.gateway.base import TextDelta
from custom_components.caesar.gateway.errors import ModelNotFoundError
from custom_components.caesar.gateway.ollama import OllamaProvider
from tests.live.proxy import recording_proxy

from .ollama_server import fails, says, settled
from .requests import chat


@pytest.fixture
async def proxy(server):
    async with recording_proxy(server.url) as running:
        yield running


@pytest.fixture
async def provider(proxy):
    connected = OllamaProvider(ollama, proxy.url, ssl_context=get_default_context())
    yield connected
    await connected.close()
    await settled()


async def test_bodies_are_recorded_and_passed_on_as_they_came(server, proxy, provider):
    server.replies = [says("Hello.")]
    assert await provider.list_models()
    _ = [delta async for delta in provider.stream(chat(section="Your dog is Beans."))]
    assert [(r.method, r.path) for r in proxy.requests] == [
        ("GET", "/api/tags"),
        ("POST", "/api/chat"),
    ]
    assert proxy.chats == server.bodies
    assert "Beans" in proxy.chats[0]["messages"][0]["content"]


async def test_pieces_pass_one_by_one(server, proxy, provider):
    go_on = asyncio.Event()
    server.replies = [says("Good ", "morning.", hold=go_on)]
    deltas = provider.stream(chat())
    assert await anext(deltas) == TextDelta(text="Good ")
    assert proxy.answered == 0
    go_on.set()
    assert TextDelta(text="morning.") in [delta async for delta in deltas]
    assert proxy.answered == 1


async def test_errors_pass_too(server, proxy, provider):
    server.replies = [fails(404, "model 'x' not found")]
    with pytest.raises(ModelNotFoundError):
        _ = [delta async for delta in provider.stream(chat())]
