"""A provider that answers from a script."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from custom_components.caesar.gateway.base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
)
from custom_components.caesar.gateway.errors import GatewayError

type Step = Delta | GatewayError | asyncio.Event


class ScriptedProvider:
    """Plays one script per request: yields deltas, raises errors, awaits events."""

    def __init__(self, *scripts: Sequence[Step]) -> None:
        self.requests: list[ChatRequest] = []
        self.generations: list[GenerationRequest] = []
        self.abandoned = 0
        """How many answers were closed before they had ended."""
        self.closed = 0
        self.answering = asyncio.Semaphore(0)
        """Released at the beginning of each structured answer."""
        self.generation_may_end = asyncio.Event()
        self._scripts = list(scripts)

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Play the next script."""
        self.requests.append(request)
        script = self._scripts.pop(0)
        try:
            for step in script:
                match step:
                    case GatewayError():
                        raise step
                    case asyncio.Event():
                        await step.wait()
                    case _:
                        yield step
        except GeneratorExit:
            self.abandoned += 1
            raise

    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Answer with nothing once that is allowed."""
        self.generations.append(request)
        self.answering.release()
        await self.generation_may_end.wait()
        return GenerationResult(text="[]", model=request.model)

    async def close(self) -> None:
        """Count."""
        self.closed += 1
