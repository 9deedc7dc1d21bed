"""The gateway as memory's generator: where the two meet."""

from dataclasses import replace
from typing import Final, Protocol

from .const import BUILTIN_PROVIDER
from .gateway import Gateway, Route
from .gateway.base import GenerationRequest, GenerationResult, Task
from .gateway.errors import ContextTooLongError, GatewayError, RateLimitedError
from .memory.ports import ExtractionRequest, Generation, GeneratorUnavailableError

_READER: Final = Route(BUILTIN_PROVIDER)


class Outcomes(Protocol):
    """Whoever wants to hear how providers fare."""

    def failed(self, err: GatewayError) -> None:
        """Take note of an error."""

    def succeeded(self, provider: str) -> None:
        """Take note of an answer."""


class GatewayGenerator:
    """Asks the provider that a route names for facts.

    Sentence files read first: what they understand as a whole no model is asked about,
    and what they read in part stands beside the model's answer.
    """

    def __init__(self, gateway: Gateway, outcomes: Outcomes) -> None:
        self._gateway = gateway
        self._outcomes = outcomes

    def is_costly(self, heard_by: str | None) -> bool:
        """Return whether a model would be asked."""
        route = self._gateway.resolve(Task.MEMORY_EXTRACT, heard_by)
        return route.provider != BUILTIN_PROVIDER

    async def generate(self, request: ExtractionRequest) -> Generation:
        """Answer the request; raises GeneratorUnavailableError."""
        asked = _asked(request)
        route = self._gateway.resolve(asked.task, request.heard_by)
        if route.provider == BUILTIN_PROVIDER:
            return await self._answer(asked, route)
        read = await self._read(asked)
        if read.complete:
            return Generation(text=read.text, model=read.model)
        answer = await self._answer(asked, route)
        return replace(answer, reading=read.text)

    async def _read(self, asked: GenerationRequest) -> GenerationResult:
        """Return what sentence files read; nothing where they are of no use."""
        try:
            return await self._gateway.generate(asked, _READER)
        except GatewayError:
            # The model reads all of it then.
            return GenerationResult(text="", model=BUILTIN_PROVIDER)

    async def _answer(self, asked: GenerationRequest, route: Route) -> Generation:
        try:
            result = await self._gateway.generate(asked, route)
        except ContextTooLongError:
            # Waiting would not make it shorter: an answer of no use, so that learning
            # goes on behind it.
            return Generation(text="", model=route.model)
        except RateLimitedError as err:
            raise GeneratorUnavailableError(
                type(err).__name__, retry_after=err.retry_after
            ) from err
        except GatewayError as err:
            self._outcomes.failed(err)
            raise GeneratorUnavailableError(type(err).__name__) from err
        self._outcomes.succeeded(route.provider)
        return Generation(
            text=result.text,
            model=result.model,
            input_tokens=result.usage.input_tokens,
            output_tokens=result.usage.output_tokens,
            cached_input_tokens=result.usage.cached_input_tokens,
            cache_write_tokens=result.usage.cache_write_tokens,
        )


def _asked(request: ExtractionRequest) -> GenerationRequest:
    return GenerationRequest(
        task=Task.MEMORY_EXTRACT,
        model="",
        instructions=request.instructions,
        examples=request.examples,
        text=request.text,
        language=request.language,
        local_date=request.local_date,
        answer_schema=request.answer_schema,
        max_tokens=request.max_tokens,
    )
