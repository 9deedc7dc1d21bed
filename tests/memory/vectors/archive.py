"""Exchanges with vectors in a real file, and the exact search all are held to."""

from collections.abc import Collection, Sequence
from datetime import datetime

import numpy as np
from sqlalchemy import Connection, func, insert, select

from custom_components.caesar.memory import semantic
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.events import remove
from custom_components.caesar.memory.models import EventKind, Owner
from custom_components.caesar.memory.schema import audit_log, semantic_memory
from custom_components.caesar.memory.vectors.base import Vector, VectorIndex, VectorRow
from custom_components.caesar.memory.vectors.numbers import as_units

MODEL = "stub|test"


class Archive:
    """What a house has said, each with a vector, beside the index that is tested."""

    def __init__(self, database: Database, index: VectorIndex) -> None:
        self.database = database
        self.index = index
        self.rows: dict[int, VectorRow] = {}

    async def say(self, *said: tuple[Owner, datetime]) -> list[int]:
        """Store exchanges that have no vector yet."""

        def work(connection: Connection) -> list[int]:
            last = connection.execute(select(func.max(audit_log.c.id))).scalar() or 0
            rows = [
                {"id": last + number, "owner": owner, "at": at}
                for number, (owner, at) in enumerate(said, 1)
            ]
            same = {"kind": EventKind.CHAT_COMPLETED.value, "payload": {}}
            connection.execute(insert(audit_log), [row | same for row in rows])
            connection.execute(insert(semantic_memory), rows)
            return [last + number for number in range(1, len(said) + 1)]

        return await self.database.write(work)

    async def embed(self, vectors: dict[int, Vector]) -> Sequence[VectorRow]:
        """Store vectors and do not tell the index."""
        rows = await self.database.write(semantic.store, MODEL, vectors)
        self.rows |= {row.id: row for row in rows}
        return rows

    async def learn(self, said: Sequence[tuple[Owner, datetime, Vector]]) -> list[int]:
        """Store exchanges with their vectors, and let the index know."""
        ids = await self.say(*((owner, at) for owner, at, _ in said))
        vectors = [vector for _, _, vector in said]
        await self.index.add(await self.embed(dict(zip(ids, vectors, strict=True))))
        return ids

    async def forget(self, ids: Collection[int]) -> None:
        """Delete exchanges for good and do not tell the index."""

        def work(connection: Connection) -> None:
            for exchange_id in ids:
                remove(connection, exchange_id)

        await self.database.write(work)
        for exchange_id in ids:
            self.rows.pop(exchange_id, None)

    def exactly(
        self,
        vector: Vector,
        count: int,
        owners: Collection[Owner],
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[float]:
        """Return the cosines of what is nearest, by looking at everything."""
        (query,) = as_units([vector])
        cosines = [
            float(np.dot(query, row.vector.astype(np.float16).astype(np.float32)))
            for row in self.rows.values()
            if row.owner in owners
            and (since is None or row.at >= since)
            and (until is None or row.at < until)
        ]
        return sorted(cosines, reverse=True)[:count]


def random_vectors(count: int, dimension: int, seed: int = 0) -> np.ndarray:
    numbers = np.random.default_rng(seed).standard_normal((count, dimension))
    return as_units(numbers.tolist())
