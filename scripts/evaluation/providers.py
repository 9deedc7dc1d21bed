"""The providers as a house has them, without the house."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
import os
from pathlib import Path
from typing import Final

import anthropic
from homeassistant.util.ssl import get_default_context
import httpx
import ollama

from custom_components.caesar.embedder import GatewayEmbedder
from custom_components.caesar.gateway import Background, Gateway, Route
from custom_components.caesar.gateway.anthropic import DEFAULT_URL, AnthropicProvider
from custom_components.caesar.gateway.base import Provider
from custom_components.caesar.gateway.builtin import NAME, BuiltinProvider
from custom_components.caesar.gateway.errors import GatewayError
from custom_components.caesar.gateway.ollama import OllamaProvider
from custom_components.caesar.gateway.sentences import shipped_sentences
from custom_components.caesar.memory.ports import Embedder

from .answers import Answers, answering

BUILTIN: Final = NAME
OLLAMA: Final = "ollama"
ANTHROPIC: Final = "anthropic"
PROVIDERS: Final = (BUILTIN, OLLAMA, ANTHROPIC)

KEY_VARIABLE: Final = "ANTHROPIC_API_KEY"
"""Where a key for Anthropic is looked for; compatible servers mostly need none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A provider and one of its models.

    Raises ValueError where something is missing.
    """

    provider: str = BUILTIN
    url: str = ""
    model: str = ""
    sets: tuple[str, ...] = ()
    """The names of the sets to run with it in a report; empty for all."""

    def __post_init__(self) -> None:
        if self.provider == OLLAMA and not self.url:
            raise ValueError("Ollama needs an address")
        if self.provider != BUILTIN and not self.model:
            raise ValueError(f"{self.provider} needs a model")

    @property
    def route(self) -> Route:
        """Return the route that leads there."""
        return Route(self.provider, self.model)

    def __str__(self) -> str:
        return f"{self.provider} {self.model}".strip()


@dataclass(frozen=True, kw_only=True, slots=True)
class Connected:
    """A gateway with the chosen provider alone."""

    gateway: Gateway
    route: Route
    saved_seconds: Callable[[], float]
    """How long the answers took, so far, that were only given again."""


@asynccontextmanager
async def connected(choice: Choice, cache: Path | None) -> AsyncIterator[Connected]:
    """Connect a provider; with a folder, answers are kept in it and given again."""
    answers = Answers(cache) if cache is not None else None
    async with AsyncExitStack() as stack:
        url = choice.url or (DEFAULT_URL if choice.provider == ANTHROPIC else "")
        if answers is not None and url:
            url = await stack.enter_async_context(answering(answers, url))
        provider = await _provider(choice.provider, url, stack)
        providers = {BUILTIN: BuiltinProvider(shipped_sentences())}
        gateway = Gateway({**providers, choice.provider: provider}, choice.route)
        stack.push_async_callback(gateway.close)
        yield Connected(
            gateway=gateway,
            route=choice.route,
            saved_seconds=lambda: answers.saved_seconds if answers else 0.0,
        )


@asynccontextmanager
async def embedding(choice: Choice, cache: Path | None) -> AsyncIterator[Embedder]:
    """Connect a model that embeds; with a folder, vectors are kept in it."""
    async with connected(choice, cache) as there:
        yield GatewayEmbedder(
            there.gateway,
            there.route,
            _Unheard(),
            kind=choice.provider,
            privacy=Background(),
        )


class _Unheard:
    """Nobody to tell how the provider fares: an error ends the run anyway."""

    def failed(self, err: GatewayError) -> None:
        pass

    def succeeded(self, provider: str) -> None:
        pass


async def _provider(name: str, url: str, stack: AsyncExitStack) -> Provider:
    if name == OLLAMA:
        return OllamaProvider(ollama, url, ssl_context=get_default_context())
    if name == ANTHROPIC:
        client = await stack.enter_async_context(httpx.AsyncClient())
        key = os.environ.get(KEY_VARIABLE, "no key")
        return AnthropicProvider(anthropic, key, http_client=client, url=url)
    return BuiltinProvider(shipped_sentences())
