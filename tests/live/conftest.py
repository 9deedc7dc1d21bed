"""A real model server, which scripts/test-live starts; without one, tests fail."""

from collections.abc import AsyncIterator
import os

import anthropic
from homeassistant.util.ssl import get_default_context
import httpx
import ollama
import pytest

from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.ollama import OllamaProvider

from .proxy import RecordingProxy, recording_proxy

MOST_TOKENS = 100
"""Enough for what is asserted; a small machine writes a few tokens a second."""


def _given(name: str) -> str:
    if value := os.environ.get(name):
        return value
    pytest.fail(f"{name} is not set: run scripts/test-live", pytrace=False)


@pytest.fixture(scope="session")
def ollama_url() -> str:
    """The address of the running Ollama server."""
    return _given("CAESAR_OLLAMA_URL")


@pytest.fixture(scope="session")
def ollama_model() -> str:
    """A model of it that can call tools."""
    return _given("CAESAR_OLLAMA_MODEL")


@pytest.fixture
async def proxy(ollama_url: str, socket_enabled: None) -> AsyncIterator[RecordingProxy]:
    """A recording proxy before the server."""
    async with recording_proxy(ollama_url) as running:
        running.most_tokens = MOST_TOKENS
        yield running


@pytest.fixture
async def provider(proxy: RecordingProxy) -> AsyncIterator[OllamaProvider]:
    """The Ollama provider, connected through the proxy."""
    connected = OllamaProvider(ollama, proxy.url, ssl_context=get_default_context())
    yield connected
    await connected.close()


@pytest.fixture
async def claude_proxy(socket_enabled: None) -> AsyncIterator[RecordingProxy]:
    """A recording proxy before the server that speaks Anthropic's language."""
    async with recording_proxy(_given("CAESAR_CLAUDE_URL")) as running:
        running.most_tokens = MOST_TOKENS
        yield running


@pytest.fixture
async def claude(claude_proxy: RecordingProxy) -> AsyncIterator[AnthropicProvider]:
    """The Anthropic provider, connected through the proxy."""
    async with httpx.AsyncClient() as client:
        yield AnthropicProvider(
            anthropic, "no key", http_client=client, url=claude_proxy.url
        )
