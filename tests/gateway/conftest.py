"""Fixtures of the gateway's tests."""

from collections.abc import AsyncIterator

import anthropic
from homeassistant.util.ssl import get_default_context
import httpx
import ollama
import pytest
import voyageai  # noqa: F401  not while time stands still, which breaks its parts

from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.ollama import OllamaProvider

from . import anthropic_server, voyage_server
from .anthropic_server import AnthropicServer
from .ollama_server import OllamaServer, running_server, settled
from .voyage_server import VoyageServer


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


@pytest.fixture
async def claude(socket_enabled: None) -> AsyncIterator[AnthropicServer]:
    """A running fake of Anthropic's server."""
    async with anthropic_server.running_server() as running:
        yield running


@pytest.fixture
async def http_client() -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client as Home Assistant shares one."""
    async with httpx.AsyncClient() as client:
        yield client
        await settled()


@pytest.fixture
def claude_provider(
    claude: AnthropicServer, http_client: httpx.AsyncClient
) -> AnthropicProvider:
    """The Anthropic provider, connected to the fake."""
    return AnthropicProvider(anthropic, "key", http_client=http_client, url=claude.url)


@pytest.fixture
async def voyage(socket_enabled: None) -> AsyncIterator[VoyageServer]:
    """A running fake of Voyage AI's server."""
    async with voyage_server.running_server() as running:
        yield running
