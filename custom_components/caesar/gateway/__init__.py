"""The way from a task to a model: task, route, provider.

The gateway knows which providers there are and how long they may take; what they are
asked and how they answer is in ``base``, what can go wrong in ``errors``.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, replace

from .base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
    Provider,
    Task,
)
from .embedding import EmbeddingProvider, EmbeddingRequest, EmbeddingResult
from .errors import (
    AnswerBrokenOffError,
    ContextTooLongError,
    GatewayError,
    ProviderMissingError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    UnsupportedRequestError,
)
from .routes import Background, Route
from .shortening import MAX_TRIES, shortened

__all__ = ["Background", "Gateway", "Route", "Timeouts"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Timeouts:
    """How long a provider may take, in seconds."""

    generation: float = 300
    first_delta: float = 300
    """Time enough to load a model of some GB: left alone meanwhile, a server gives up
    and begins anew on the next request. Ollama also holds a tool call back until it is
    complete. A server that is not there at all is noticed much earlier."""
    next_delta: float = 60
    answer: float = 600
    """The longest that one streamed answer may take as a whole."""
    documents: float = 300
    """For vectors of what is stored: a model may have to be loaded first."""
    query: float = 10
    """For the vector of a question: somebody waits, and words are found without it."""


class Gateway:
    """Sends each request to the provider that its route names."""

    def __init__(
        self,
        providers: Mapping[str, Provider],
        default: Route,
        timeouts: Timeouts = Timeouts(),
        *,
        background: Background | None = None,
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Take the providers; ``on_refused`` hears the id of one that wants a login."""
        self.default = default
        self._providers = dict(providers)
        self._timeouts = timeouts
        self._background = background or Background()
        self._on_refused = on_refused
        # A small local model takes one background request at a time; more would only
        # wait in its own queue, where a person's turn would wait behind them.
        self._turns = {name: asyncio.Lock() for name in self._providers}

    def provider(self, route: Route) -> Provider:
        """Return the provider of a route; raises ProviderMissingError."""
        try:
            return self._providers[route.provider]
        except KeyError:
            raise ProviderMissingError(
                "The provider does not exist any more",
                provider=route.provider,
                model=route.model,
            ) from None

    def resolve(self, task: Task, heard_by: str | None = None) -> Route:
        """Return the route of a task.

        ``heard_by`` is the tag of the route that heard the exchange in question.
        """
        if task is Task.CHAT:
            return self.default
        heard = Route.parse(heard_by) if heard_by else None
        return self._background.route(heard, self.default, self._providers)

    async def stream(self, request: ChatRequest, route: Route) -> AsyncGenerator[Delta]:
        """Answer in a conversation, piece by piece; the route names the model.

        Raises only GatewayError. A conversation that is too long for the model is
        asked again without its oldest turns.
        """
        provider = self.provider(route)
        asked = replace(request, model=route.model)
        with self._attributed(route):
            for _ in range(MAX_TRIES):
                try:
                    async with aclosing(self._answer(provider, asked)) as deltas:
                        async for delta in deltas:
                            yield delta
                except ContextTooLongError:
                    shorter = shortened(asked.messages)
                    if shorter is None:
                        raise
                    asked = replace(asked, messages=shorter)
                else:
                    return
            raise ContextTooLongError("Even the end of the conversation is too long")

    async def generate(
        self, request: GenerationRequest, route: Route
    ) -> GenerationResult:
        """Answer a structured request; the route names the model.

        Raises only GatewayError. Waits for its turn, which does not count as time
        that the provider takes.
        """
        provider = self.provider(route)
        with self._attributed(route):
            async with self._turns[route.provider]:
                try:
                    async with asyncio.timeout(self._timeouts.generation):
                        return await provider.generate(
                            replace(request, model=route.model)
                        )
                except TimeoutError:
                    raise ProviderTimeoutError("No answer in time") from None

    async def embed(self, request: EmbeddingRequest, route: Route) -> EmbeddingResult:
        """Return the vectors of some texts; the route names the model.

        Raises only GatewayError. Waits for nobody else's turn: what is asked for may
        be withdrawn meanwhile.
        """
        provider = self.provider(route)
        limit = self._timeouts.query
        if request.purpose == "document":
            limit = self._timeouts.documents
        with self._attributed(route):
            if not isinstance(provider, EmbeddingProvider):
                raise UnsupportedRequestError("The provider cannot embed")
            try:
                async with asyncio.timeout(limit):
                    return await provider.embed(replace(request, model=route.model))
            except TimeoutError:
                raise ProviderTimeoutError("No answer in time") from None

    async def close(self) -> None:
        """Release the connections of all providers; idempotent."""
        for provider in self._providers.values():
            with suppress(GatewayError):
                await provider.close()

    async def _answer(
        self, provider: Provider, request: ChatRequest
    ) -> AsyncGenerator[Delta]:
        """Pass on one answer; one that has begun can only break off."""
        deltas = provider.stream(request)
        begun = False
        try:
            async for delta in self._in_time(deltas):
                begun = True
                yield delta
        except ProviderTimeoutError, AnswerBrokenOffError:
            raise
        except (ProviderUnavailableError, ContextTooLongError) as error:
            if not begun:
                raise
            raise AnswerBrokenOffError(str(error)) from None
        finally:
            if isinstance(deltas, AsyncGenerator):
                await deltas.aclose()

    async def _in_time(self, deltas: AsyncIterator[Delta]) -> AsyncIterator[Delta]:
        now = asyncio.get_running_loop().time
        end = now() + self._timeouts.answer
        patience = self._timeouts.first_delta
        while True:
            try:
                async with asyncio.timeout_at(min(end, now() + patience)):
                    delta = await anext(deltas)
            except StopAsyncIteration:
                return
            except TimeoutError:
                raise ProviderTimeoutError("No answer in time") from None
            yield delta
            patience = self._timeouts.next_delta

    @contextmanager
    def _attributed(self, route: Route) -> Iterator[None]:
        """Name the route in the errors that pass, and tell of a refused login."""
        try:
            yield
        except GatewayError as error:
            error.provider = error.provider or route.provider
            error.model = error.model or route.model
            if isinstance(error, ProviderRefusedError):
                self._on_refused(route.provider)
            raise
