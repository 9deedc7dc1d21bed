"""Fixtures of the gateway's tests."""

from collections.abc import AsyncIterator

from homeassistant.util.ssl import get_default_context
import ollama
import pytest

from custom_components.caesar.gateway.ollama import OllamaProvider

from .ollama_server import OllamaServer, running_server, settled


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[OllamaServer]:
    """A running fake of an Ollama server."""
    async with running_server() as running:
        yield running


@pytest.fixture
async def provider(server: OllamaServer) -> AsyncIterator[OllamaProvider]:
    """The Ollama provider, connected to the fake."""
    connected = OllamaProvider(ollama, server.url, ssl_context=get_default_context())
    yield connected
    await connected.close()
    await settled()
