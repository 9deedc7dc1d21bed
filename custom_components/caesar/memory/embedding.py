"""Embedding exchanges in batches, whatever an embedder makes of them.

Texts that an embedder cannot take are found by halving their batch. A plain word then
tells whether the text is at fault or the model.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from .documents import document
from .errors import UnusableVectorsError
from .ports import Embedder, EmbeddingKind, UnusableTextsError
from .semantic import Unembedded
from .vectors.base import Vector
from .vectors.numbers import as_units

BATCH: Final = 32
"""Texts that are embedded at once, at most."""
BATCH_TOKENS: Final = 8_000
"""As many as they may have together: below the limits of a minute that accounts begin
with, and no long wait for whoever speaks to the same server meanwhile."""
BYTES_PER_TOKEN: Final = 3
"""Rather too few: English has four, Chinese three."""
PROBE: Final = "CAESAR"
"""A text that every model can embed."""


class DimensionChangedError(Exception):
    """The model of that name makes other vectors than it did: all have to be anew."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Embedded:
    """What came of a batch of exchanges, by their ids."""

    vectors: Mapping[int, Vector]
    """Of unit length and of one dimension."""
    refused: tuple[int, ...] = ()
    """What the embedder cannot embed, though it works."""
    tokens: int = 0


class BatchEmbedding:
    """Asks an embedder about exchanges."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.dimension: int | None = None
        """What the model's vectors have to have; None while it has none."""

    async def embed(self, exchanges: Sequence[Unembedded], zone: tzinfo) -> Embedded:
        """Embed exchanges, as they were said in the house's time zone.

        Raises EmbedderUnavailableError; UnusableVectorsError where the model does not
        work; DimensionChangedError where it works in another way than before.
        """
        texts = [
            document(one.at.astimezone(zone), one.user_text, one.assistant_text)
            for one in exchanges
        ]
        return await self._embed([one.id for one in exchanges], texts)

    async def _embed(self, ids: Sequence[int], texts: Sequence[str]) -> Embedded:
        try:
            units, tokens = await self._units(texts)
        except UnusableTextsError, UnusableVectorsError:
            if len(texts) > 1:
                return await self._embed_halves(ids, texts)
            await self._require_working()
            return Embedded(vectors={}, refused=tuple(ids))
        return Embedded(vectors=dict(zip(ids, units, strict=True)), tokens=tokens)

    async def _embed_halves(self, ids: Sequence[int], texts: Sequence[str]) -> Embedded:
        middle = len(texts) // 2
        first = await self._embed(ids[:middle], texts[:middle])
        second = await self._embed(ids[middle:], texts[middle:])
        return Embedded(
            vectors={**first.vectors, **second.vectors},
            refused=first.refused + second.refused,
            tokens=first.tokens + second.tokens,
        )

    async def _require_working(self) -> None:
        wanted, self.dimension = self.dimension, None
        try:
            (unit,), _ = await self._units([PROBE])
        except UnusableTextsError as err:
            raise UnusableVectorsError("Not even a plain word is embedded") from err
        finally:
            self.dimension = wanted
        if wanted not in (None, len(unit)):
            raise DimensionChangedError

    async def _units(self, texts: Sequence[str]) -> tuple[Sequence[Vector], int]:
        made = await self._embedder.embed(texts, EmbeddingKind.DOCUMENT)
        # Thousands of numbers, which are lists still.
        units = await asyncio.to_thread(as_units, made.vectors)
        count, dimension = units.shape
        if count != len(texts) or self.dimension not in (None, dimension):
            raise UnusableVectorsError(
                f"{count} vectors of {dimension} numbers for {len(texts)} texts"
            )
        return list(units), made.tokens or 0


def batch_of(exchanges: Sequence[Unembedded]) -> Sequence[Unembedded]:
    """Return the first exchanges that have few enough tokens together, at least one."""
    tokens = 0
    for number, one in enumerate(exchanges):
        text = f"{one.user_text}{one.assistant_text}"
        tokens += len(text.encode()) // BYTES_PER_TOKEN
        if tokens > BATCH_TOKENS and number:
            return exchanges[:number]
    return exchanges
