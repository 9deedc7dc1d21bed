"""An embedder without a model: texts that share words are near each other.

It stands in for a real one in tests and measurements. Each word has a direction that
its letters decide, and a text points where its words do.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, override

import numpy as np

from ..extraction.text import words
from ..ports import Embedder, EmbeddingKind, Embeddings

DIMENSION: Final = 256


class StubEmbedder(Embedder):
    """Embeds the same text always in the same way."""

    def __init__(self, dimension: int = DIMENSION) -> None:
        self._dimension = dimension

    @property
    @override
    def model(self) -> str:
        """Return its name and dimension."""
        return f"stub|words|{self._dimension}"

    @override
    def may_read(self, heard_by: str | None) -> bool:
        """Return True: it is in this very process."""
        return True

    @override
    async def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Embeddings:
        """Return a vector of unit length for each text, of either kind alike."""
        return Embeddings(
            vectors=[self._vector(text) for text in texts],
            model=self.model,
            tokens=sum(len(words(text)) for text in texts),
        )

    def _vector(self, text: str) -> Sequence[float]:
        # A text without words has a direction too.
        directions = [self._direction(word) for word in words(text) or ("",)]
        summed = np.sum(directions, axis=0)
        unit: list[float] = (summed / np.linalg.norm(summed)).tolist()
        return unit

    def _direction(self, word: str) -> np.ndarray:
        seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
        return np.random.default_rng(seed).standard_normal(self._dimension)
