"""Embedders with real servers and a small model: what is meant is found.

Ollama, and the Voyage client against a server that speaks the same language.
"""

from collections.abc import AsyncIterator
import math
import os

import aiohttp
from homeassistant.util.ssl import get_default_context
import numpy as np
import ollama
import pytest
import voyageai

from custom_components.caesar.gateway.embedding import (
    EmbeddingProvider,
    EmbeddingRequest,
    EmbeddingResult,
    Purpose,
)
from custom_components.caesar.gateway.errors import (
    ModelNotFoundError,
    ProviderUnavailableError,
)
from custom_components.caesar.gateway.ollama import OllamaProvider
from custom_components.caesar.gateway.voyageai import VoyageProvider

SAID = (
    "2026-11-03: The heating in the kitchen is broken.\nI am sorry to hear that.",
    "2026-11-04: Put milk on the shopping list.\nDone.",
    "2026-11-05: My sister comes to visit on Sunday.\nHow nice.",
)
QUESTIONS = ("no warm radiator", "what should I buy", "who is our guest")


def _given(name: str) -> str:
    if value := os.environ.get(name):
        return value
    pytest.fail(f"{name} is not set: run scripts/test-live", pytrace=False)


@pytest.fixture(params=["ollama", "voyageai"])
async def embeds(
    request: pytest.FixtureRequest, socket_enabled: None
) -> AsyncIterator[EmbeddingProvider]:
    async with aiohttp.ClientSession() as session:
        if request.param == "voyageai":
            url = _given("CAESAR_EMBED_URL")
            yield VoyageProvider(voyageai, "no key", session=session, url=url)
            return
        provider = OllamaProvider(
            ollama, _given("CAESAR_OLLAMA_URL"), ssl_context=get_default_context()
        )
        yield provider
        await provider.close()


async def _embed(
    embeds: EmbeddingProvider, *texts: str, purpose: Purpose = "document"
) -> EmbeddingResult:
    model = os.environ.get("CAESAR_EMBED_MODEL", "all-minilm")
    return await embeds.embed(
        EmbeddingRequest(model=model, texts=texts, purpose=purpose)
    )


async def test_what_is_meant_is_found_in_other_words(embeds: EmbeddingProvider):
    stored = await _embed(embeds, *SAID)
    asked = await _embed(embeds, *QUESTIONS, purpose="query")
    assert {len(vector) for vector in (*stored.vectors, *asked.vectors)} == {384}
    nearest = [
        int(np.argmax(np.vecdot(stored.vectors, question)))
        for question in asked.vectors
    ]
    assert nearest == [0, 1, 2]
    assert stored.tokens
    assert 10 < stored.tokens / len(SAID) < 100


async def test_a_text_has_the_same_vector_alone_and_among_others(
    embeds: EmbeddingProvider,
):
    among = (await _embed(embeds, *SAID)).vectors[1]
    alone = (await _embed(embeds, SAID[1])).vectors[0]
    assert math.sumprod(among, alone) > 0.999 * math.hypot(*among) * math.hypot(*alone)


async def test_a_text_that_is_too_long_does_not_stop_the_others(
    embeds: EmbeddingProvider,
):
    long = "The heating is broken. " * 20
    made = await _embed(embeds, SAID[1], long)
    assert len(made.vectors) == 2


async def test_an_unknown_model_is_named_as_such(ollama_url: str, socket_enabled: None):
    provider = OllamaProvider(ollama, ollama_url, ssl_context=get_default_context())
    request = EmbeddingRequest(model="no:1b", texts=["a"], purpose="query")
    with pytest.raises(ModelNotFoundError):
        await provider.embed(request)
    await provider.close()


async def test_a_server_that_is_gone(socket_enabled: None):
    async with aiohttp.ClientSession() as session:
        gone = VoyageProvider(voyageai, "k", session=session, url="http://127.0.0.1:9")
        with pytest.raises(ProviderUnavailableError):
            await _embed(gone, "a")
