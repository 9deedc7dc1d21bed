"""What of the exchanges can be found again, by words and by meaning.

Each exchange that a person may look up has a row, written in the exchange's own
transaction; the database itself takes the row away with the exchange. Commands to
memory have none, since their answers recite facts, and neither has what nobody said.
The row gets its vector later, by which it is found by meaning, and a sketch: the signs
of the vector's numbers, apart, so that reading all sketches reads no vectors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from . import words
from .errors import UnusableVectorsError
from .models import Event, Owner
from .schema import audit_log, semantic_memory, semantic_sketches
from .vectors.base import Vector, VectorRow
from .vectors.numbers import as_units, encode, sketch

# Three questions that the index on the models answers alone. One with "is not", or one
# that goes along the ids, would read every vector there is.
_WAITING: Final = tuple(
    " ".join(
        (
            "SELECT id FROM semantic_memory INDEXED BY ix_semantic_memory_model",
            f"WHERE {is_other} AND id > ? ORDER BY id LIMIT ?",
        )
    )
    for is_other in ("model IS NULL", "model < ?", "model > ?")
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Unembedded:
    """An exchange whose meaning no vector of the present model tells."""

    id: int
    owner: Owner
    at: datetime
    language: str | None
    user_text: str
    assistant_text: str
    heard_by: str | None
    """The route that heard it; who embeds may have to be asked about that."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How many exchanges have a vector of a model, and how many have none."""

    indexed: int
    waiting: int


def let_find(connection: Connection, exchange: Event) -> None:
    """Let an exchange be found from now on, where it is one that may be."""
    if exchange.payload.get("teaches") is False:
        return
    connection.execute(
        insert(semantic_memory).values(
            id=exchange.id, owner=exchange.owner, at=exchange.at
        )
    )
    words.add(connection, exchange.id, exchange.user_text, exchange.assistant_text)


def waiting(
    connection: Connection, model: str, limit: int, after: int = 0
) -> tuple[Unembedded, ...]:
    """Return exchanges without a vector of the model, the oldest first.

    Ids are above ``after``.
    """
    ids = sorted(
        row_id
        for question, values in zip(_WAITING, ((), (model,), (model,)), strict=True)
        for row_id in connection.exec_driver_sql(
            question, (*values, after, limit)
        ).scalars()
    )[:limit]
    rows = connection.execute(
        select(
            audit_log.c.id,
            audit_log.c.owner,
            audit_log.c.at,
            audit_log.c.language,
            audit_log.c.user_text,
            audit_log.c.assistant_text,
            audit_log.c.payload,
        )
        .where(audit_log.c.id.in_(ids))
        .order_by(audit_log.c.id)
    )
    return tuple(_unembedded(row) for row in rows)


def count(connection: Connection, model: str) -> Progress:
    """Return how far a model has come."""
    indexed = connection.execute(
        select(func.count()).where(semantic_memory.c.model == model)
    ).scalar_one()
    total = connection.execute(
        select(func.count()).select_from(semantic_memory)
    ).scalar_one()
    return Progress(indexed=indexed, waiting=total - indexed)


def store(
    connection: Connection, model: str, vectors: Mapping[int, Sequence[float] | Vector]
) -> tuple[VectorRow, ...]:
    """Keep the model's vectors of exchanges; return the rows for its index.

    Exchanges that are gone by now are passed over. Raises UnusableVectorsError where
    the vectors cannot be compared with one another or with the model's other ones.
    """
    if not vectors:
        return ()
    units = as_units(tuple(vectors.values()))
    known = dimension(connection, model)
    if known is not None and known != units.shape[1]:
        raise UnusableVectorsError(f"{units.shape[1]} numbers in the place of {known}")
    rows = _rows(connection, dict(zip(vectors, units, strict=True)))
    if rows:
        _keep(connection, model, rows)
    return rows


def dimension(connection: Connection, model: str) -> int | None:
    """Return how many numbers the model's vectors have, None where it has none yet."""
    found: int | None = connection.execute(
        select(semantic_memory.c.dimension)
        .where(semantic_memory.c.model == model)
        .limit(1)
    ).scalar()
    return found


def forget(connection: Connection, model: str) -> None:
    """Let a model have no vectors; the exchanges wait for theirs again."""
    rows = select(semantic_memory.c.id).where(semantic_memory.c.model == model)
    connection.execute(
        delete(semantic_sketches).where(semantic_sketches.c.id.in_(rows))
    )
    connection.execute(
        update(semantic_memory)
        .where(semantic_memory.c.model == model)
        .values(model=None, dimension=None, vector=None)
    )


def _unembedded(row: Row[tuple[object, ...]]) -> Unembedded:
    told = row._mapping
    heard_by = told["payload"].get("heard_by")
    return Unembedded(
        id=told["id"],
        owner=told["owner"],
        at=told["at"],
        language=told["language"],
        user_text=told["user_text"] or "",
        assistant_text=told["assistant_text"] or "",
        heard_by=heard_by if isinstance(heard_by, str) else None,
    )


def _rows(connection: Connection, units: Mapping[int, Vector]) -> tuple[VectorRow, ...]:
    """Return the exchanges that are still there, with their vectors."""
    columns = (semantic_memory.c.id, semantic_memory.c.owner, semantic_memory.c.at)
    found = connection.execute(
        select(*columns).where(columns[0].in_(tuple(units))).order_by(columns[0])
    )
    return tuple(
        VectorRow(id=row.id, owner=row.owner, at=row.at, vector=units[row.id])
        for row in found
    )


def _keep(connection: Connection, model: str, rows: Sequence[VectorRow]) -> None:
    connection.execute(
        update(semantic_memory)
        .where(semantic_memory.c.id == bindparam("row"))
        .values(
            model=model,
            dimension=bindparam("numbers"),
            vector=bindparam("stored"),
        ),
        [
            {"row": row.id, "numbers": len(row.vector), "stored": encode(row.vector)}
            for row in rows
        ],
    )
    connection.execute(
        insert(semantic_sketches).prefix_with("OR REPLACE"),
        [
            {"id": row.id, "owner": row.owner, "at": row.at, "bits": bits.tobytes()}
            for row, bits in zip(
                rows, sketch(np.stack([row.vector for row in rows])), strict=True
            )
        ],
    )
