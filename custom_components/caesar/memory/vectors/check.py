"""Whether the sketches find what an exact search finds, with this house's own vectors.

How well signs alone choose depends on the model and on what people talk about, and a
number that was right elsewhere proves nothing here. So some of the stored exchanges are
looked up both ways, and more candidates are read exactly until nearly all that should
be found is.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import numpy as np

from .. import events
from ..database import Database
from ..models import HOUSEHOLD, EventKind, NewEvent, Owner
from ..ports import Clock
from . import stored
from .base import VectorIndex, VectorRow
from .numbers import nearest
from .sketch import MAX_WIDTH, SketchIndex

SAMPLE: Final = 50
"""Exchanges that are looked up."""
NEIGHBOURS: Final = 10
TARGET: Final = 0.98
"""The part of the nearest neighbours that is to be found."""

_GROWN: Final = 1.25
_EQUAL: Final = 1e-6
"""Cosines that differ by less are of sentences that were said alike."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """What a check has found."""

    sampled: int
    recall: float
    """The part of the nearest neighbours that was found at last."""
    width: int
    """The candidates that are read exactly from now on."""


@dataclass(kw_only=True, slots=True)
class _Question:
    """One exchange that is looked up, with its nearest neighbours as far as known."""

    row: VectorRow
    best: list[float] = field(default_factory=list)

    def see(self, rows: Sequence[VectorRow]) -> None:
        others = [row.vector for row in rows if row.id != self.row.id]
        if not others:
            return
        _, cosines = nearest(np.stack(others), self.row.vector, NEIGHBOURS)
        self.best = sorted((*self.best, *cosines.tolist()), reverse=True)[:NEIGHBOURS]


class SelfCheck:
    """Checks an index of sketches once it has grown; others are exact by themselves."""

    def __init__(
        self, index: VectorIndex, database: Database, model: str, clock: Clock
    ) -> None:
        self._index = index
        self._database = database
        self._model = model
        self._clock = clock
        self._checked: int | None = None
        self.last: Check | None = None
        """What the last check since the start has found."""

    async def run_if_grown(self) -> None:
        """Check where there is a quarter more than at the last check of the model.

        Raises DatabaseError.
        """
        if not isinstance(self._index, SketchIndex):
            return
        if self._checked is None:
            known = await self._database.read(stored.last_check, self._model)
            self._checked = 0 if known is None else known.exchanges
        held = await self._index.count()
        # What fits into the width is all looked at.
        if held <= max(self._index.width, _GROWN * self._checked):
            return
        self._checked = held
        self.last = await check(
            self._index, self._database, self._model, self._clock.now()
        )


async def check(
    index: SketchIndex, database: Database, model: str, at: datetime
) -> Check:
    """Measure what an index finds, widen it where that is too little, and keep that."""
    held = await index.count()
    questions = [
        _Question(row=row) for row in await database.read(stored.sample, model, SAMPLE)
    ]
    await _look_up_exactly(database, model, questions)
    recall = await _recall(index, questions)
    while recall < TARGET and index.width < MAX_WIDTH:
        index.width = min(2 * index.width, MAX_WIDTH)
        recall = await _recall(index, questions)
    told = NewEvent(
        kind=EventKind.SEMANTIC_CHECKED,
        owner=HOUSEHOLD,
        payload={
            "model": model,
            "width": index.width,
            "exchanges": held,
            "recall": recall,
        },
    )
    await database.write(events.append, told, at)
    return Check(sampled=len(questions), recall=recall, width=index.width)


async def _look_up_exactly(
    database: Database, model: str, questions: Sequence[_Question]
) -> None:
    after: int | None = 0
    while after is not None:
        page, after = await database.read(stored.rows, model, after)
        await asyncio.to_thread(_see, questions, page)


def _see(questions: Sequence[_Question], page: Sequence[VectorRow]) -> None:
    by_owner: dict[Owner, list[VectorRow]] = {}
    for row in page:
        by_owner.setdefault(row.owner, []).append(row)
    for question in questions:
        question.see(by_owner.get(question.row.owner, ()))


async def _recall(index: SketchIndex, questions: Sequence[_Question]) -> float:
    """Return which part of the nearest neighbours the index finds."""
    wanted = found = 0
    for question in questions:
        if not question.best:
            continue
        row = question.row
        hits = await index.search(row.vector, NEIGHBOURS + 1, owners=[row.owner])
        # By what they score: of sentences that were said alike any will do.
        least = question.best[-1] - _EQUAL
        near = sum(hit.id != row.id and hit.score >= least for hit in hits)
        wanted += len(question.best)
        found += min(near, len(question.best))
    return found / wanted if wanted else 1.0
