"""An embedder that does as it is told, good or bad, and an index that may be away."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from typing import Any, override

from custom_components.caesar.memory.embedders.stub import StubEmbedder
from custom_components.caesar.memory.errors import IndexUnavailableError
from custom_components.caesar.memory.ports import (
    Embedder,
    EmbedderUnavailableError,
    EmbeddingKind,
    Embeddings,
    UnusableTextsError,
)
from custom_components.caesar.memory.vectors.base import Hit, VectorIndex, VectorRow


class Scripted(Embedder):
    """Embeds by words like the stub, and keeps what it was asked."""

    def __init__(self, model: str = "scripted", dimension: int = 32) -> None:
        self.name = model
        self.dimension = dimension
        self.asked: list[list[str]] = []
        self.poison: tuple[str, ...] = ()
        """Texts with these words are refused."""
        self.spoil: Callable[[list[Any]], Any] = lambda vectors: vectors
        """What becomes of an answer's vectors."""
        self.error: EmbedderUnavailableError | None = None
        self.allowed: Collection[str | None] | None = None
        """The routes whose words it may be given; None for all."""
        self.asking = asyncio.Event()
        self.hold: asyncio.Event | None = None

    @property
    @override
    def model(self) -> str:
        return self.name

    @property
    def texts(self) -> list[str]:
        return [text for texts in self.asked for text in texts]

    @override
    def may_read(self, heard_by: str | None) -> bool:
        return self.allowed is None or heard_by in self.allowed

    @override
    async def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Embeddings:
        assert kind is EmbeddingKind.DOCUMENT
        self.asked.append(list(texts))
        self.asking.set()
        if self.hold is not None:
            await self.hold.wait()
        if self.error is not None:
            raise self.error
        if any(word in text for word in self.poison for text in texts):
            raise UnusableTextsError
        made = await StubEmbedder(self.dimension).embed(texts, kind)
        return Embeddings(
            vectors=self.spoil(list(made.vectors)),
            model=self.name,
            tokens=10 * len(texts),
        )


class Shelf(VectorIndex):
    """An index that keeps rows in a dictionary, and may be away."""

    def __init__(self) -> None:
        self.rows: dict[int, VectorRow] = {}
        self.away = False
        self.rebuilt = 0

    @override
    async def add(self, rows: Sequence[VectorRow]) -> None:
        if self.away:
            raise IndexUnavailableError
        self.rows |= {row.id: row for row in rows}

    @override
    async def remove(self, ids: Collection[int]) -> None:
        for one in ids:
            self.rows.pop(one, None)

    @override
    async def search(self, *_: Any, **__: Any) -> Sequence[Hit]:
        return ()

    @override
    async def count(self) -> int:
        return len(self.rows)

    @override
    async def rebuild(self) -> None:
        if self.away:
            raise IndexUnavailableError
        self.rebuilt += 1

    @override
    async def close(self) -> None:
        pass
