"""The gateway as memory's generator: where the two meet."""

from typing import Protocol

from .const import BUILTIN_PROVIDER
from .gateway import Gateway
from .gateway.base import GenerationRequest, Task
from .gateway.errors import ContextTooLongError, GatewayError, RateLimitedError
from .memory.ports import ExtractionRequest, Generation, GeneratorUnavailableError


class Outcomes(Protocol):
    """Whoever wants to hear how providers fare."""

    def failed(self, err: GatewayError) -> None:
        """Take note of an error."""

    def succeeded(self, provider: str) -> None:
        """Take note of an answer."""


class GatewayGenerator:
    """Asks the provider that a route names for facts."""

    def __init__(self, gateway: Gateway, outcomes: Outcomes) -> None:
        self._gateway = gateway
        self._outcomes = outcomes

    def is_costly(self, heard_by: str | None) -> bool:
        """Return whether a model would be asked."""
        route = self._gateway.resolve(Task.MEMORY_EXTRACT, heard_by)
        return route.provider != BUILTIN_PROVIDER

    async def generate(self, request: ExtractionRequest) -> Generation:
        """Answer the request; raises GeneratorUnavailableError."""
        task = Task.MEMORY_EXTRACT
        route = self._gateway.resolve(task, request.heard_by)
        try:
            result = await self._gateway.generate(
                GenerationRequest(
                    task=task,
                    model=route.model,
                    instructions=request.instructions,
                    examples=request.examples,
                    text=request.text,
                    language=request.language,
                    local_date=request.local_date,
                    answer_schema=request.answer_schema,
                    max_tokens=request.max_tokens,
                ),
                route,
            )
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
