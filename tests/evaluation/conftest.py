"""Fixtures of the tests of evaluation."""

from collections.abc import AsyncIterator

import pytest

from tests.gateway.ollama_server import OllamaServer, running_server


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[OllamaServer]:
    """A running fake of an Ollama server."""
    async with running_server() as running:
        yield running
