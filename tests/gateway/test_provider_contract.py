"""What every provider keeps to, whoever answers behind it.

A provider joins by a line in ``PROVIDERS``.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path
from typing import get_args

import anthropic
from homeassistant.util.ssl import get_default_context
import httpx
import ollama
import pytest

from custom_components.caesar import gateway
from custom_components.caesar.gateway.anthropic import AnthropicProvider
from custom_components.caesar.gateway.base import (
    Delta,
    GenerationResult,
    HandOff,
    Provider,
    TextDelta,
)
from custom_components.caesar.gateway.builtin import BuiltinProvider
from custom_components.caesar.gateway.ollama import OllamaProvider
from custom_components.caesar.gateway.sentences import Sentences

from . import anthropic_server as claude
from .ollama_server import running_server, says, settled
from .requests import chat, generation
from .scripted import ScriptedProvider

SENTENCES = Path(gateway.__file__).parent.parent / "sentences"


@asynccontextmanager
async def _ollama() -> AsyncIterator[Provider]:
    async with running_server() as server:
        server.replies = [says("Good ", "morning."), says("[]")]
        provider = OllamaProvider(ollama, server.url, ssl_context=get_default_context())
        yield provider
        await provider.close()
        await settled()


@asynccontextmanager
async def _anthropic() -> AsyncIterator[Provider]:
    async with claude.running_server() as server, httpx.AsyncClient() as client:
        server.replies = [claude.says("Good ", "morning."), claude.answers("[]")]
        yield AnthropicProvider(anthropic, "key", http_client=client, url=server.url)
        await settled()


@asynccontextmanager
async def _scripted() -> AsyncIterator[Provider]:
    provider = ScriptedProvider([TextDelta(text="Hello")], [TextDelta(text="Hello")])
    provider.generation_may_end.set()
    yield provider


@asynccontextmanager
async def _builtin() -> AsyncIterator[Provider]:
    yield BuiltinProvider(Sentences.load(SENTENCES))


PROVIDERS: dict[str, Callable[[], AbstractAsyncContextManager[Provider]]] = {
    "anthropic": _anthropic,
    "builtin": _builtin,
    "ollama": _ollama,
    "scripted": _scripted,
}


@pytest.fixture(params=PROVIDERS)
async def provider(
    request: pytest.FixtureRequest, socket_enabled: None
) -> AsyncIterator[Provider]:
    async with PROVIDERS[request.param]() as provider:
        yield provider


async def test_answer_has_text_or_is_handed_off(provider: Provider):
    deltas = [delta async for delta in provider.stream(chat())]
    assert all(isinstance(delta, get_args(Delta.__value__)) for delta in deltas)
    text = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    assert text or [type(delta) for delta in deltas] == [HandOff]


async def test_answer_may_be_abandoned(provider: Provider):
    async with aclosing(provider.stream(chat())) as deltas:  # type: ignore[type-var]  # all are generators
        await anext(deltas)


async def test_structured_answer_is_text(provider: Provider):
    result = await provider.generate(generation())
    assert isinstance(result, GenerationResult)
    assert isinstance(result.text, str)
    assert result.model


async def test_close_is_idempotent(provider: Provider):
    await provider.close()
    await provider.close()
