"""What indexes read of SQLite, in the reader's transaction."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
import json
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection

from ..models import EventKind, Owner
from .base import Hit, Vector, VectorRow
from .block import Sketches
from .numbers import decode, nearest

PAGE: Final = 4096
"""Rows that are read in one transaction, so that no other reader waits for long."""

type OwnedSketches = dict[Owner, Sketches]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What a search is for."""

    model: str
    vector: Vector
    count: int
    owners: frozenset[Owner]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranked:
    """What was found among some candidates."""

    hits: tuple[Hit, ...]
    """The best first."""
    missing: frozenset[int]
    """Candidates that are gone."""


def count(connection: Connection, model: str) -> int:
    """Return how many exchanges have a vector of the model."""
    found: int = connection.exec_driver_sql(
        "SELECT count(*) FROM semantic_memory WHERE model = ?", (model,)
    ).scalar_one()
    return found


def sketches(
    connection: Connection, model: str, after: int
) -> tuple[OwnedSketches, int | None]:
    """Return the sketches of a page of rows, and the id after which to read on.

    The vectors themselves are not read.
    """
    found = connection.exec_driver_sql(
        "SELECT s.id, s.owner, s.at, s.bits FROM semantic_memory m"
        " JOIN semantic_sketches s USING (id)"
        " WHERE m.model = ? AND m.id > ? ORDER BY m.id LIMIT ?",
        (model, after, PAGE),
    ).all()
    by_owner: dict[Owner, list[tuple[int, str, bytes]]] = {}
    for row_id, owner, at, bits in found:
        by_owner.setdefault(owner, []).append((row_id, at, bits))
    page = {owner: _sketches(rows) for owner, rows in by_owner.items()}
    return page, found[-1][0] if len(found) == PAGE else None


def rows(
    connection: Connection, model: str, after: int
) -> tuple[Sequence[VectorRow], int | None]:
    """Return a page of rows with their vectors, and the id after which to read on."""
    found = connection.exec_driver_sql(
        "SELECT id, owner, at, vector, dimension FROM semantic_memory"
        " WHERE model = ? AND id > ? ORDER BY id LIMIT ?",
        (model, after, PAGE),
    ).all()
    return _rows(found), found[-1].id if len(found) == PAGE else None


def sample(connection: Connection, model: str, count: int) -> Sequence[VectorRow]:
    """Return some rows from everywhere, as evenly spread as their ids are."""
    first, last = connection.exec_driver_sql(
        "SELECT min(id), max(id) FROM semantic_memory WHERE model = ?", (model,)
    ).one()
    if first is None:
        return ()
    starts = np.linspace(first, last, count).astype(int).tolist()
    found = connection.exec_driver_sql(
        "SELECT id, owner, at, vector, dimension FROM semantic_memory WHERE id IN"
        " (SELECT (SELECT min(id) FROM semantic_memory WHERE model = ? AND id >= value)"
        " FROM json_each(?))",
        (model, json.dumps(starts)),
    ).all()
    return _rows(found)


@dataclass(frozen=True, kw_only=True, slots=True)
class LastCheck:
    """What the last check of a model has left for later."""

    exchanges: int
    """How many there were."""
    width: int
    """How many candidates were found to be enough."""


def last_check(connection: Connection, model: str) -> LastCheck | None:
    """Return what the last check of a model has left, None where there was none."""
    found = connection.exec_driver_sql(
        "SELECT json_extract(payload, '$.exchanges'), json_extract(payload, '$.width')"
        " FROM audit_log WHERE kind = ? AND json_extract(payload, '$.model') = ?"
        " ORDER BY id DESC LIMIT 1",
        (EventKind.SEMANTIC_CHECKED.value, model),
    ).first()
    return None if found is None else LastCheck(exchanges=found[0], width=found[1])


def ranked(connection: Connection, wanted: Wanted, ids: Collection[int]) -> Ranked:
    """Rank some rows by their exact cosines, and say which are gone.

    Gone is what somebody deleted, and for these owners what is another's by now.
    """
    found = connection.exec_driver_sql(
        "SELECT m.id, m.vector FROM json_each(?) ids"
        # Cross: the ids lead, and each row is read by its key.
        " CROSS JOIN semantic_memory m ON m.id = ids.value"
        " WHERE m.model = ? AND m.owner IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)), wanted.model, json.dumps(tuple(wanted.owners))),
    ).all()
    if not found:
        return Ranked(hits=(), missing=frozenset(ids))
    vectors = decode([row.vector for row in found], len(wanted.vector))
    places, cosines = nearest(vectors, wanted.vector, wanted.count)
    return Ranked(
        hits=tuple(
            Hit(id=found[place].id, score=score)
            for place, score in zip(places.tolist(), cosines.tolist(), strict=True)
        ),
        missing=frozenset(ids).difference(row.id for row in found),
    )


def _sketches(found: Sequence[tuple[int, str, bytes]]) -> Sketches:
    ids, moments, bits = zip(*found, strict=True)
    return Sketches(
        ids=np.array(ids, np.int64),
        moments=np.array(moments, "datetime64[us]"),
        words=np.frombuffer(b"".join(bits), np.uint64).reshape(len(ids), -1).T,
    )


def _rows(found: Sequence[Any]) -> Sequence[VectorRow]:
    if not found:
        return ()
    vectors = decode([row.vector for row in found], found[0].dimension)
    return [
        VectorRow(id=row.id, owner=row.owner, at=_moment(row.at), vector=vector)
        for row, vector in zip(found, vectors, strict=True)
    ]


def _moment(stored: str) -> datetime:
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)
