"""Recall: exchanges found again by words, and by meaning where there is an embedder.

Words and meanings are scored apart, each scaled to 0..1 within the question, and added.
Words that were said right before and after in the same conversation count for half: an
answer often stands beside what one remembers of it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    UnaryExpression,
    bindparam,
    select,
)

from . import words
from .database import Database
from .errors import IndexUnavailableError
from .events import event_from_row
from .models import Event, Owner
from .ports import Embedder, EmbedderUnavailableError, EmbeddingKind, UnusableTextsError
from .schema import audit_log, semantic_memory
from .secrets import mask
from .vectors.base import VectorIndex

_CANDIDATES: Final = 200
"""Exchanges that words, and vectors, bring each before the two are joined."""
_BESIDE: Final = 0.5
"""What the words of a neighbour count for.

By words alone, recall of the ten best rises with it to 0.5 and falls again, on
conversations with questions about them (``scripts/evaluate recall``).
"""
_NEAR: Final = 60
"""Ids of the audit log within which a neighbour is looked for."""
_MEANING: Final = 0.3
"""The part of a score that meaning makes, where there is an embedder.

With a small embedding model, on the same questions: 0.2 to 0.3 are best, at 0.5 meaning
costs more than it brings.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is looked for, and in whose memory."""

    text: str
    owners: tuple[Owner, ...]
    language: str
    since: datetime | None = None
    """The first moment that counts."""
    until: datetime | None = None
    """The first moment that counts no more."""
    area_id: str | None = None
    heard_by: str | None = None
    """The route that heard it; None where nobody knows, or it was typed in the panel.

    What may not leave the house is not embedded elsewhere either.
    """
    count: int = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """An exchange that was found, with those beside it in the same conversation."""

    exchange: Event
    score: float
    """0 to 1, comparable within one question only."""
    coverage: float
    """The share of the sought words that it holds, 0 to 1; 0 without an index."""
    cosine: float | None
    """How near its meaning is, None where that was not asked or did not find it."""
    before: Event | None = None
    after: Event | None = None


@dataclass(frozen=True, slots=True)
class _Beside:
    before: int | None
    after: int | None


class Recall:
    """Finds exchanges of the owners that a question names, and of nobody else."""

    def __init__(
        self,
        database: Database,
        *,
        embedder: Embedder | None = None,
        index: VectorIndex | None = None,
    ) -> None:
        """Take where exchanges are; without the other two, words alone find them."""
        self._database = database
        self._embedder = embedder
        self._index = index

    async def search(
        self, question: Question, *, patience: float | None = None
    ) -> tuple[Found, ...]:
        """Return the exchanges that fit best, the best first.

        Words alone decide where meaning takes longer than ``patience`` in seconds, or
        cannot be had. Raises DatabaseError.
        """
        if not question.owners or not question.text.strip() or question.count < 1:
            return ()
        meaning, by_words = await asyncio.gather(
            self._by_meaning(question, patience),
            self._database.read(_by_words, question),
        )
        return await self._database.read(_join, question, by_words, meaning)

    async def _by_meaning(
        self, question: Question, patience: float | None
    ) -> Mapping[int, float]:
        if self._embedder is None or self._index is None:
            return {}
        if not self._embedder.may_read(question.heard_by):
            return {}
        try:
            async with asyncio.timeout(patience):
                made = await self._embedder.embed(
                    [mask(question.text)], EmbeddingKind.QUERY
                )
                vector = np.asarray(made.vectors[0], dtype=np.float32)
                length = float(np.linalg.norm(vector))
                if not np.isfinite(length) or length == 0:
                    return {}
                hits = await self._index.search(
                    vector / np.float32(length),
                    _CANDIDATES,
                    owners=question.owners,
                    since=question.since,
                    until=question.until,
                )
        except (
            EmbedderUnavailableError,
            UnusableTextsError,
            IndexUnavailableError,
            TimeoutError,
        ):
            return {}
        return {hit.id: hit.score for hit in hits}


def fused(
    by_words: Mapping[int, float],
    by_meaning: Mapping[int, float],
    beside: Mapping[int, Iterable[int]],
) -> dict[int, float]:
    """Return one score for all that either found, and for what stands beside words.

    ``beside`` has the neighbours of each id.
    """
    joined = dict(by_words)
    for one, score in by_words.items():
        for other in beside.get(one, ()):
            joined[other] = joined.get(other, 0.0) + _BESIDE * score
    said, meant = _scaled(joined, floor=0.0), _scaled(by_meaning)
    if not said or not meant:
        return said or meant
    return {
        one: (1 - _MEANING) * said.get(one, 0.0) + _MEANING * meant.get(one, 0.0)
        for one in {*said, *meant}
    }


def _scaled(
    scores: Mapping[int, float], floor: float | None = None
) -> dict[int, float]:
    if not scores:
        return {}
    low = min(scores.values()) if floor is None else floor
    width = max(scores.values()) - low
    if width <= 0:
        return dict.fromkeys(scores, 1.0)
    return {one: (score - low) / width for one, score in scores.items()}


def _by_words(connection: Connection, question: Question) -> dict[int, float]:
    if not words.is_there(connection):
        return _by_scan(connection, question)
    return words.scores(
        connection,
        question.text,
        question.language,
        _conditions(question),
        _CANDIDATES,
    )


def _by_scan(connection: Connection, question: Question) -> dict[int, float]:
    """Return the latest exchanges that hold all that is sought, without an index."""
    found = connection.execute(
        select(semantic_memory.c.id)
        .join_from(semantic_memory, audit_log)
        .where(
            *_conditions(question),
            words.holds_all(connection, question.text, question.language),
        )
        .order_by(semantic_memory.c.id.desc())
        .limit(_CANDIDATES)
    )
    return dict.fromkeys(found.scalars(), 1.0)


def _join(
    connection: Connection,
    question: Question,
    by_words: Mapping[int, float],
    by_meaning: Mapping[int, float],
) -> tuple[Found, ...]:
    ids = {*by_words, *by_meaning}
    beside = _beside(connection, ids)
    scores = fused(
        by_words,
        by_meaning,
        {
            one: [other for other in (near.before, near.after) if other is not None]
            for one, near in beside.items()
        },
    )
    # What an index still holds of the dead, or of another place, ends here.
    allowed = _allowed(connection, question, scores)
    best = sorted(allowed, key=lambda one: (-scores[one], -one))[: question.count]
    near = _beside(connection, best)
    wanted = {
        one
        for found in best
        for one in (found, near[found].before, near[found].after)
        if one is not None
    }
    events = _load(connection, wanted)
    held: Mapping[int, float] = {}
    if words.is_there(connection):
        held = words.coverage(connection, question.text, question.language, best)
    return tuple(
        Found(
            exchange=events[one],
            score=scores[one],
            coverage=held.get(one, 0.0),
            cosine=by_meaning.get(one),
            before=_event(events, near[one].before),
            after=_event(events, near[one].after),
        )
        for one in best
    )


def _conditions(question: Question) -> list[ColumnElement[bool]]:
    row = semantic_memory.c
    conditions: list[ColumnElement[bool]] = [row.owner.in_(question.owners)]
    if question.since is not None:
        conditions.append(row.at >= question.since)
    if question.until is not None:
        conditions.append(row.at < question.until)
    if question.area_id is not None:
        conditions.append(
            row.id.in_(
                select(audit_log.c.id).where(audit_log.c.area_id == question.area_id)
            )
        )
    return conditions


def _allowed(
    connection: Connection, question: Question, ids: Iterable[int]
) -> Sequence[int]:
    return (
        connection.execute(
            select(semantic_memory.c.id).where(
                semantic_memory.c.id.in_(tuple(ids)), *_conditions(question)
            )
        )
        .scalars()
        .all()
    )


def _neighbours() -> Select[tuple[int, int | None, int | None]]:
    """Return the statement that tells what stands beside each of some exchanges.

    It is what the same person said before and after in the same conversation.
    """
    row, other = semantic_memory, semantic_memory.alias("other")
    here, there = audit_log.alias("here"), audit_log.alias("there")

    def nearest(
        within: ColumnElement[bool], order: UnaryExpression[int]
    ) -> ScalarSelect[int]:
        near = (
            select(other.c.id)
            # The empty text keeps SQLite from the owner's index: ids are near, and few.
            .where(within, other.c.owner.concat("") == row.c.owner)
            .order_by(order)
            .limit(1)
            .correlate(row)
            .scalar_subquery()
        )
        return (
            select(there.c.id)
            .where(
                there.c.id == near,
                there.c.conversation_id == here.c.conversation_id,
            )
            .correlate(row, here)
            .scalar_subquery()
        )

    ago = other.c.id.between(row.c.id - _NEAR, row.c.id - 1)
    since = other.c.id.between(row.c.id + 1, row.c.id + _NEAR)
    return (
        select(
            row.c.id, nearest(ago, other.c.id.desc()), nearest(since, other.c.id.asc())
        )
        .join_from(row, here, here.c.id == row.c.id)
        .where(row.c.id.in_(bindparam("ids", expanding=True)))
    )


# Made once: making it takes longer than asking it.
_NEIGHBOURS: Final = _neighbours()


def _beside(connection: Connection, ids: Iterable[int]) -> dict[int, _Beside]:
    found = connection.execute(_NEIGHBOURS, {"ids": tuple(ids)})
    return {one: _Beside(before, after) for one, before, after in found}


def _load(connection: Connection, ids: Iterable[int]) -> dict[int, Event]:
    rows = connection.execute(select(audit_log).where(audit_log.c.id.in_(tuple(ids))))
    return {event.id: event for event in map(event_from_row, rows)}


def _event(events: Mapping[int, Event], one: int | None) -> Event | None:
    return None if one is None else events.get(one)
