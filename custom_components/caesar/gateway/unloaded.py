"""A provider that stands in for one whose package could not be loaded."""

from collections.abc import AsyncIterator
from typing import override

from .base import ChatRequest, Delta, GenerationRequest, GenerationResult, Provider
from .embedding import EmbeddingProvider, EmbeddingRequest, EmbeddingResult
from .errors import ProviderNotLoadedError


class UnloadedProvider(Provider, EmbeddingProvider):
    """Says of every request that it cannot be answered, and why."""

    @override
    def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Raise ProviderNotLoadedError."""
        raise _not_loaded()

    @override
    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Raise ProviderNotLoadedError."""
        raise _not_loaded()

    @override
    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Raise ProviderNotLoadedError."""
        raise _not_loaded()

    @override
    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


def _not_loaded() -> ProviderNotLoadedError:
    return ProviderNotLoadedError("The provider's package could not be loaded")
