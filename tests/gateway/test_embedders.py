"""What every embedder keeps to, and what each server is sent.

An embedder joins the contract by a line in ``EMBEDDERS``.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
import logging
import math

import aiohttp
from homeassistant.util.ssl import get_default_context
import ollama
import pytest
import voyageai

from custom_components.caesar.embedder import GatewayEmbedder
from custom_components.caesar.gateway import Background, Gateway, Route, Timeouts
from custom_components.caesar.gateway.base import Provider
from custom_components.caesar.gateway.embedding import EmbeddingRequest
from custom_components.caesar.gateway.errors import (
    ContextTooLongError,
    GatewayError,
    InputRefusedError,
    ModelNotFoundError,
    NoCreditError,
    ProviderRefusedError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.ollama import OllamaProvider
from custom_components.caesar.gateway.unloaded import UnloadedProvider
from custom_components.caesar.gateway.voyageai import VoyageProvider
from custom_components.caesar.memory.embedders.stub import StubEmbedder
from custom_components.caesar.memory.ports import (
    Embedder,
    EmbedderUnavailableError,
    EmbeddingKind,
    UnusableTextsError,
)

from . import ollama_server, voyage_server
from .faults import SECRET, assert_fault
from .ollama_server import EMBEDDING_MODEL, OllamaServer, nobody, settled
from .requests import chat, generation
from .scripted import ScriptedProvider
from .voyage_server import VOYAGE, Reply, VoyageServer, fails

TEXTS = ("The boiler leaks.", "Does the boiler leak?", "Grüße, 你好!")


@dataclass
class Outcomes:
    """Keeps how the providers fared."""

    told: list[str] = field(default_factory=list)

    def failed(self, err: GatewayError) -> None:
        self.told.append(type(err).__name__)

    def succeeded(self, provider: str) -> None:
        self.told.append(provider)


def embedder(
    provider: Provider,
    model: str,
    outcomes: Outcomes | None = None,
    privacy: Background | None = None,
    timeouts: Timeouts | None = None,
) -> GatewayEmbedder:
    route = Route("one", model)
    return GatewayEmbedder(
        Gateway({"one": provider}, route, timeouts or Timeouts()),
        route,
        outcomes or Outcomes(),
        kind="some",
        privacy=privacy or Background(),
    )


@asynccontextmanager
async def _stub() -> AsyncIterator[Embedder]:
    yield StubEmbedder()


@asynccontextmanager
async def _ollama() -> AsyncIterator[Embedder]:
    async with ollama_server.running_server() as server:
        provider = OllamaProvider(ollama, server.url, ssl_context=get_default_context())
        yield embedder(provider, EMBEDDING_MODEL)
        await provider.close()
        await settled()


@asynccontextmanager
async def _voyage() -> AsyncIterator[Embedder]:
    async with voyage_server.running_server() as server, aiohttp.ClientSession() as one:
        yield embedder(account(server, one), VOYAGE)


def account(server: VoyageServer, session: aiohttp.ClientSession) -> VoyageProvider:
    return VoyageProvider(voyageai, "key", session=session, url=server.url)


EMBEDDERS: dict[str, Callable[[], AbstractAsyncContextManager[Embedder]]] = {
    "ollama": _ollama,
    "stub": _stub,
    "voyageai": _voyage,
}


@pytest.fixture(params=EMBEDDERS)
async def any_embedder(
    request: pytest.FixtureRequest, socket_enabled: None
) -> AsyncIterator[Embedder]:
    async with EMBEDDERS[request.param]() as found:
        yield found


async def test_each_text_has_its_vector_in_order(any_embedder: Embedder):
    made = await any_embedder.embed(TEXTS, EmbeddingKind.DOCUMENT)
    alone = await any_embedder.embed(TEXTS[1:2], EmbeddingKind.DOCUMENT)
    assert len(made.vectors) == len(TEXTS)
    assert len({len(vector) for vector in made.vectors}) == 1
    assert made.vectors[1] == pytest.approx(alone.vectors[0])
    assert len({tuple(vector) for vector in made.vectors}) == len(TEXTS)
    assert made.model == any_embedder.model
    assert made.tokens


async def test_a_question_is_near_what_it_is_about(any_embedder: Embedder):
    made = await any_embedder.embed(TEXTS, EmbeddingKind.DOCUMENT)
    asked = await any_embedder.embed(["the boiler"], EmbeddingKind.QUERY)
    boiler, _, other = (math.sumprod(asked.vectors[0], v) for v in made.vectors)
    assert boiler > other + 0.1


async def test_its_name_is_one_word(any_embedder: Embedder):
    assert any_embedder.model.split() == [any_embedder.model]
    assert "|" in any_embedder.model


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as shared:
        yield shared


async def test_voyage_is_told_the_key_the_model_and_the_kind_of_text(
    voyage: VoyageServer, session: aiohttp.ClientSession
):
    provider = account(voyage, session)
    outcomes = Outcomes()
    asked = embedder(provider, VOYAGE, outcomes)
    await asked.embed(TEXTS, EmbeddingKind.DOCUMENT)
    await asked.embed(["boiler"], EmbeddingKind.QUERY)
    document, query = voyage.bodies
    assert (document["model"], document["input"]) == (VOYAGE, list(TEXTS))
    assert (document["input_type"], query["input_type"]) == ("document", "query")
    assert document["truncation"] is True
    assert voyage.keys == ["Bearer key"] * 2
    assert outcomes.told == ["one", "one"]
    await provider.close()
    assert not session.closed


@pytest.mark.parametrize(
    ("model", "document", "query"),
    [
        ("nomic-embed-text:latest", "search_document: a", "search_query: a"),
        ("maker/multilingual-e5-large", "passage: a", "query: a"),
        ("embeddinggemma:300m", "title: none | text: a", "task: search result | query"),
        ("qwen3-embedding:0.6b", "a", "Instruct: "),
        ("snowflake-arctic-embed2", "a", "query: a"),
        ("mxbai-embed-large", "a", "Represent this sentence for searching"),
        ("bge-large", "a", "Represent this sentence for searching"),
        ("bge-m3", "a", "a"),
        ("all-minilm", "a", "a"),
    ],
)
async def test_ollamas_models_get_the_words_they_were_trained_with(
    server: OllamaServer,
    provider: OllamaProvider,
    model: str,
    document: str,
    query: str,
):
    asked = embedder(provider, model)
    await asked.embed(["a"], EmbeddingKind.DOCUMENT)
    await asked.embed(["a"], EmbeddingKind.QUERY)
    first, second = server.embedded
    assert first["input"] == [document]
    assert second["input"][0].startswith(query)
    assert second["input"][0].endswith("a")
    assert first["model"] == model


NAN = "failed to encode response: json: unsupported value: NaN"


@pytest.mark.parametrize(
    ("status", "said", "error"),
    [
        (404, f'model "{SECRET}" not found', ModelNotFoundError),
        (
            400,
            f"this model does not support embeddings {SECRET}",
            UnsupportedRequestError,
        ),
        (
            400,
            f"the input length exceeds the context length {SECRET}",
            ContextTooLongError,
        ),
        (500, NAN, InputRefusedError),
        (500, SECRET, ProviderUnavailableError),
        (429, SECRET, RateLimitedError),
    ],
)
async def test_what_ollama_does_wrong(
    server: OllamaServer,
    provider: OllamaProvider,
    caplog: pytest.LogCaptureFixture,
    status: int,
    said: str,
    error: type[GatewayError],
):
    server.embeddings = [ollama_server.fails(status, said)]
    await assert_fault(provider.embed(request()), error, caplog)


NO_MODEL = f"Model {SECRET} is not supported."


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (fails(400, SECRET), InputRefusedError),
        (fails(422, SECRET), InputRefusedError),
        (fails(400, NO_MODEL), ModelNotFoundError),
        (fails(401, SECRET), ProviderRefusedError),
        (fails(402, SECRET), NoCreditError),
        (fails(403, SECRET), ProviderRefusedError),
        (fails(404, SECRET), UnsupportedRequestError),
        (fails(413, SECRET), ContextTooLongError),
        (fails(429, SECRET), RateLimitedError),
        (fails(500, SECRET), ProviderUnavailableError),
        (fails(503, SECRET), ProviderUnavailableError),
        (
            Reply(status=418, body=f'{{"error": {{"message": "{SECRET}"}}}}'),
            ProviderUnavailableError,
        ),
        (Reply(body=f"<html>{SECRET}"), ProviderUnavailableError),
        (Reply(body=f'["{SECRET}"]'), ProviderUnavailableError),
        (
            Reply(body=f'{{"data": [{{"embedding": "{SECRET}"}}]}}'),
            ProviderUnavailableError,
        ),
        (Reply(status=204), ProviderUnavailableError),
    ],
)
async def test_what_voyage_does_wrong(
    voyage: VoyageServer,
    session: aiohttp.ClientSession,
    caplog: pytest.LogCaptureFixture,
    reply: Reply,
    error: type[GatewayError],
):
    voyage.replies = [reply]
    await assert_fault(account(voyage, session).embed(request()), error, caplog)


def request(model: str = "some") -> EmbeddingRequest:
    return EmbeddingRequest(model=model, texts=[SECRET], purpose="document")


async def test_a_server_that_is_gone(
    session: aiohttp.ClientSession,
    caplog: pytest.LogCaptureFixture,
    socket_enabled: None,
):
    gone = VoyageProvider(voyageai, "key", session=session, url=nobody())
    await assert_fault(gone.embed(request()), ProviderUnavailableError, caplog)


async def test_what_is_sent_is_in_no_log(
    voyage: VoyageServer,
    session: aiohttp.ClientSession,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
):
    caplog.set_level(logging.DEBUG)
    await account(voyage, session).embed(request())
    assert voyage.texts == [SECRET]
    assert SECRET not in caplog.text
    assert SECRET not in str(capfd.readouterr())


async def test_memory_hears_what_waiting_can_help(
    voyage: VoyageServer, session: aiohttp.ClientSession
):
    outcomes = Outcomes()
    asked = embedder(account(voyage, session), VOYAGE, outcomes)
    voyage.replies = [fails(429, "slow", retry_after="42"), fails(401), fails(400)]
    with pytest.raises(EmbedderUnavailableError) as limited:
        await asked.embed(TEXTS, EmbeddingKind.DOCUMENT)
    assert limited.value.retry_after == 42
    with pytest.raises(EmbedderUnavailableError) as refused:
        await asked.embed(TEXTS, EmbeddingKind.DOCUMENT)
    assert refused.value.retry_after is None
    with pytest.raises(UnusableTextsError):
        await asked.embed(TEXTS, EmbeddingKind.DOCUMENT)
    # Who is asked too often has done nothing that a person could put right.
    assert outcomes.told == ["ProviderRefusedError"]


async def test_a_question_waits_less_long_than_what_is_stored(
    voyage: VoyageServer, session: aiohttp.ClientSession
):
    asked = embedder(
        account(voyage, session), VOYAGE, timeouts=Timeouts(query=0.05, documents=60)
    )
    voyage.hold = asyncio.Event()
    with pytest.raises(EmbedderUnavailableError):
        await asked.embed(["boiler"], EmbeddingKind.QUERY)
    voyage.hold.set()
    assert (await asked.embed(["boiler"], EmbeddingKind.DOCUMENT)).vectors


async def test_words_said_in_the_house_go_elsewhere_only_where_that_was_allowed():
    hosted = Background(hosted={"one", "claude"})
    closed = embedder(UnloadedProvider(), VOYAGE, privacy=hosted)
    assert [closed.may_read(tag) for tag in (None, "local|qwen3:4b", "?")] == [
        False
    ] * 3
    assert closed.may_read("claude|haiku")
    shared = Background(hosted={"one"}, shares_local=True)
    assert embedder(UnloadedProvider(), VOYAGE, privacy=shared).may_read("local|qwen3")
    assert embedder(UnloadedProvider(), "minilm").may_read("local|qwen3:4b")


async def test_only_who_can_embed_is_asked():
    outcomes = Outcomes()
    with pytest.raises(EmbedderUnavailableError):
        await embedder(UnloadedProvider(), "m", outcomes).embed(
            TEXTS, EmbeddingKind.QUERY
        )
    assert outcomes.told == ["ProviderNotLoadedError"]
    gateway = Gateway({"one": ScriptedProvider()}, Route("one"))
    with pytest.raises(UnsupportedRequestError):
        await gateway.embed(request(), Route("one"))


async def test_voyage_only_embeds(voyage: VoyageServer, session: aiohttp.ClientSession):
    provider = account(voyage, session)
    with pytest.raises(UnsupportedRequestError):
        await anext(aiter(provider.stream(chat())))
    with pytest.raises(UnsupportedRequestError):
        await provider.generate(generation())
