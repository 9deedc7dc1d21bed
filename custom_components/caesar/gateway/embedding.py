"""Embedding: texts to vectors, and the shape of a provider that can do it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

type Purpose = Literal["document", "query"]
"""What a text is embedded for; some models treat the two differently."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingRequest:
    """One request for the vectors of some texts."""

    model: str
    texts: Sequence[str]
    purpose: Purpose


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingResult:
    """The vectors as they came, in the order of the texts, and what they cost."""

    vectors: Sequence[Sequence[float]]
    tokens: int | None = None
    """None where the provider does not say."""


@runtime_checkable
class EmbeddingProvider(Protocol):
    """Someone who can embed; not every provider can."""

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Return a vector for each text.

        Raises only GatewayError, InputRefusedError where these texts are the fault.
        """
