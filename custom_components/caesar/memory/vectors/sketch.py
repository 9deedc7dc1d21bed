"""The index that needs nobody else: signs in RAM, and the few best read exactly.

Vectors that are near have the same signs nearly everywhere, and signs are compared 64
at once. What differs least is read from SQLite and ranked by its real cosine, so that
only the choice of these candidates is a guess; ``check`` measures how good a guess it
is with the vectors of this very house.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Final, override

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from ..database import Database
from ..errors import UnusableVectorsError
from ..models import Owner
from . import stored
from .base import VectorRow
from .block import Block, Sketches, moment
from .numbers import sketch
from .ranked import Period, RankedIndex
from .stored import Ranked, Wanted

WIDTH: Final = 200
"""Candidates that are read exactly; 0.99 of the ten best are among them with the 256
numbers that a small model gives, and all of them with more."""
MAX_WIDTH: Final = 3200


class SketchIndex(RankedIndex):
    """Sketches of one model in RAM, read from SQLite when they are needed first."""

    def __init__(self, database: Database, model: str, *, width: int = WIDTH) -> None:
        super().__init__(database, model)
        self.width = width
        self._changing = asyncio.Lock()
        # Values in a dictionary that is only ever replaced: whoever searches has all
        # of it as it was, without waiting for who changes it.
        self._blocks: dict[Owner, Block] | None = None

    @property
    def nbytes(self) -> int:
        """Return how much RAM the sketches take."""
        return sum(block.nbytes for block in (self._blocks or {}).values())

    @override
    async def add(self, rows: Sequence[VectorRow]) -> None:
        """Take rows; where nothing is read yet, they will be read with the others."""
        async with self._changing:
            if rows and self._blocks is not None:
                self._blocks = await asyncio.to_thread(_with, self._blocks, rows)

    @override
    async def remove(self, ids: Collection[int]) -> None:
        """Let go of rows."""
        async with self._changing:
            if ids and self._blocks is not None:
                gone = np.array(tuple(ids), np.int64)
                self._blocks = await asyncio.to_thread(_without, self._blocks, gone)

    @override
    async def _ranked(self, wanted: Wanted, period: Period) -> Ranked:
        blocks = await self._loaded()

        def work(connection: Connection) -> Ranked:
            ids = _candidates(blocks, wanted, period, max(self.width, wanted.count))
            return stored.ranked(connection, wanted, ids)

        return await self._database.read(work)

    @override
    async def count(self) -> int:
        """Return how many sketches are held."""
        return sum(map(len, (await self._loaded()).values()))

    @override
    async def rebuild(self) -> None:
        """Read all sketches anew."""
        async with self._changing:
            self._blocks = await self._read()

    @override
    async def close(self) -> None:
        """Let go of all sketches."""
        async with self._changing:
            self._blocks = None

    async def _loaded(self) -> dict[Owner, Block]:
        if (blocks := self._blocks) is not None:
            return blocks
        async with self._changing:
            if self._blocks is None:
                self._blocks = await self._read()
            return self._blocks

    async def _read(self) -> dict[Owner, Block]:
        blocks: dict[Owner, Block] = {}
        if known := await self._database.read(stored.last_check, self._model):
            self.width = known.width
        after: int | None = 0
        while after is not None:
            page, after = await self._database.read(stored.sketches, self._model, after)
            blocks = await asyncio.to_thread(_joined, blocks, page)
        return blocks


def _candidates(
    blocks: dict[Owner, Block],
    wanted: Wanted,
    period: Period,
    width: int,
) -> Sequence[int]:
    """Return the ids whose signs differ least from the vector's."""
    (query,) = sketch(wanted.vector[np.newaxis])
    searched = [blocks[owner] for owner in wanted.owners if owner in blocks]
    if not searched:
        return ()
    if any(block.width != len(query) for block in searched):
        raise UnusableVectorsError("The vector is not of the model's dimension")
    found = [block.distances(query, period.since, period.until) for block in searched]
    ids = np.concatenate([ids for ids, _ in found])
    distances = np.concatenate([distances for _, distances in found])
    if len(ids) > width:
        ids = ids[np.argpartition(distances, width)[:width]]
    chosen: list[int] = ids.tolist()
    return chosen


def _with(blocks: dict[Owner, Block], rows: Sequence[VectorRow]) -> dict[Owner, Block]:
    left = _without(blocks, np.array([row.id for row in rows], np.int64))
    by_owner: dict[Owner, list[VectorRow]] = {}
    for row in rows:
        by_owner.setdefault(row.owner, []).append(row)
    return _joined(
        left,
        {
            owner: Sketches(
                ids=np.array([row.id for row in own], np.int64),
                moments=np.array([moment(row.at) for row in own]),
                words=sketch(np.stack([row.vector for row in own])).T,
            )
            for owner, own in by_owner.items()
        },
    )


def _without(
    blocks: dict[Owner, Block], ids: npt.NDArray[np.int64]
) -> dict[Owner, Block]:
    left = {owner: block.without(ids) for owner, block in blocks.items()}
    return {owner: block for owner, block in left.items() if len(block)}


def _joined(
    blocks: dict[Owner, Block], more: Mapping[Owner, Sketches]
) -> dict[Owner, Block]:
    joined = dict(blocks)
    for owner, sketches in more.items():
        present = joined.get(owner)
        joined[owner] = (
            Block.of(sketches.in_time_order())
            if present is None
            else present.with_more(sketches)
        )
    return joined
