"""Indexing: what was said gets the vectors by which its meaning is found.

The embedder is asked in batches, while no transaction is open. The vectors of a batch
and the event that tells of them are then one transaction, so that a crash costs one
batch at most. An embedder that is down is asked again after growing pauses; what it
cannot embed is passed over until the next start. Meanwhile, and without any embedder,
everything is found by its words.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from . import events, semantic
from .embedding import (
    BATCH,
    BatchEmbedding,
    DimensionChangedError,
    Embedded,
    batch_of,
)
from .errors import IndexUnavailableError, UnusableVectorsError
from .learning import Progress
from .memory import Memory
from .models import HOUSEHOLD, EventKind, NewEvent
from .pauses import pause_after
from .ports import Embedder, EmbedderUnavailableError
from .semantic import Unembedded
from .spending import Exhausted, Spending
from .vectors import heal
from .vectors.base import VectorIndex, VectorRow


@dataclass(frozen=True, kw_only=True, slots=True)
class IndexingReport:
    """What one tick did, in exchanges."""

    read: int = 0
    """That are found by their meaning now."""
    set_aside: int = 0
    """That the embedder cannot embed."""
    waiting: int = 0
    """That are still to be embedded."""
    problem: str | None = None
    """Why the tick ended early: ``unavailable``, ``unusable`` or ``budget``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How many exchanges are found by their meaning, and why others are not."""

    indexed: int
    waiting: int
    withheld: int
    """That may not be given to the embedder."""
    set_aside: int
    """That it could not embed, since the start."""


class Indexing:
    """Gives every exchange its vector, the oldest first."""

    def __init__(
        self,
        memory: Memory,
        embedder: Embedder,
        index: VectorIndex,
        *,
        daily_tokens: int = 0,
    ) -> None:
        """Take the parts; ``daily_tokens`` is the budget of a local day, 0 for none."""
        self._memory = memory
        self._database = memory.database
        self._embedder = embedder
        self._embedding = BatchEmbedding(embedder)
        self._index = index
        self._spending = Spending(memory, daily_tokens, EventKind.SEMANTIC_INDEXED)
        self._lock = asyncio.Lock()
        self._listeners: list[Callable[[], None]] = []
        # Ids only grow, so what lies before is embedded, withheld or set aside.
        self._done_to = 0
        self._withheld: set[int] = set()
        self._set_aside: set[int] = set()
        self._failures = 0
        self._next_try_at: datetime | None = None
        # A crash may have left it so.
        self._index_is_behind = True
        self._has_begun_anew = False
        self.failing_since: datetime | None = None
        """Since when the embedder has not answered as it should; None while it does."""
        self.progress: Progress | None = None
        """How far the present tick is; None while there is none."""
        self.exhausted: Exhausted | None = None
        """The budget that the last tick found used up while something waited."""

    @property
    def model(self) -> str:
        """Return which vectors are made."""
        return self._embedder.model

    async def tick(self, *, impatient: bool = False) -> IndexingReport:
        """Embed what waits until nothing is left or something fails.

        ``impatient`` tries at once what would otherwise wait out a pause. Raises
        DatabaseError.
        """
        async with self._lock:
            self.exhausted = None
            try:
                report = await self._embed_waiting(impatient=impatient)
            finally:
                self._note_progress(None)
            return replace(report, waiting=(await self.standing()).waiting)

    async def standing(self) -> Standing:
        """Return how far the present model has come; raises DatabaseError."""
        counted = await self._database.read(semantic.count, self.model)
        passed = len(self._withheld) + len(self._set_aside)
        return Standing(
            indexed=counted.indexed,
            waiting=max(0, counted.waiting - passed),
            withheld=len(self._withheld),
            set_aside=len(self._set_aside),
        )

    def on_progress(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when ``progress`` changes; return how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def _embed_waiting(self, *, impatient: bool) -> IndexingReport:
        if self._pauses() and not impatient:
            return IndexingReport()
        self._has_begun_anew = False
        await self._catch_up()
        self._embedding.dimension = await self._database.read(
            semantic.dimension, self.model
        )
        total, waiting = IndexingReport(), (await self.standing()).waiting
        while batch := await self._next_batch():
            done = total.read + total.set_aside
            self._note_progress(Progress(done=done, total=max(waiting, done + 1)))
            self.exhausted = await self._spending.exhausted()
            if self.exhausted is not None:
                return replace(total, problem="budget")
            total = _sum(total, await self._embed(batch))
            if total.problem is not None:
                break
        return total

    async def _next_batch(self) -> Sequence[Unembedded]:
        """Return the next exchanges that may be embedded, as many as go at once."""
        while True:
            found = await self._database.read(
                semantic.waiting, self.model, BATCH, self._done_to
            )
            allowed = [one for one in found if self._embedder.may_read(one.heard_by)]
            self._withheld.update(
                {one.id for one in found} - {one.id for one in allowed}
            )
            if allowed or not found:
                return batch_of(allowed)
            self._done_to = found[-1].id

    async def _embed(self, batch: Sequence[Unembedded]) -> IndexingReport:
        now = self._memory.now()
        try:
            embedded = await self._embedding.embed(batch, now.tzinfo or UTC)
            self._spending.add(embedded.tokens)
            rows = await self._database.write(self._store, embedded)
        except EmbedderUnavailableError as err:
            return self._failed("unavailable", err.retry_after)
        except UnusableVectorsError:
            return self._failed("unusable")
        except DimensionChangedError:
            return await self._begin_anew()
        self._failures, self._next_try_at, self.failing_since = 0, None, None
        self._done_to = batch[-1].id
        self._set_aside.update(embedded.refused)
        if rows:
            self._embedding.dimension = len(rows[0].vector)
        await self._add(rows)
        return IndexingReport(read=len(rows), set_aside=len(embedded.refused))

    def _store(
        self, connection: Connection, embedded: Embedded
    ) -> tuple[VectorRow, ...]:
        rows = semantic.store(connection, self.model, embedded.vectors)
        if rows or embedded.tokens:
            event = NewEvent(
                kind=EventKind.SEMANTIC_INDEXED,
                owner=HOUSEHOLD,
                payload={
                    "count": len(rows),
                    "model": self.model,
                    "input_tokens": embedded.tokens,
                },
            )
            events.append(connection, event, self._memory.now())
        return rows

    async def _begin_anew(self) -> IndexingReport:
        """Forget the vectors that the present ones cannot be compared with."""
        if self._has_begun_anew:
            # A model that changes all the time would never come to an end.
            return self._failed("unusable")
        self._has_begun_anew = True
        await self._database.write(semantic.forget, self.model)
        self._embedding.dimension, self._done_to = None, 0
        self._index_is_behind = True
        await self._catch_up()
        return IndexingReport()

    async def _add(self, rows: Sequence[VectorRow]) -> None:
        try:
            await self._index.add(rows)
        except IndexUnavailableError:
            self._index_is_behind = True

    async def _catch_up(self) -> None:
        """Give the index what it missed while it could not be reached."""
        if not self._index_is_behind:
            return
        try:
            await heal(self._index, self._database, self.model)
        except IndexUnavailableError:
            return
        self._index_is_behind = False

    def _failed(self, problem: str, retry_after: float | None = None) -> IndexingReport:
        now = self._memory.now()
        self.failing_since = self.failing_since or now
        self._failures += 1
        self._next_try_at = now + pause_after(self._failures, retry_after)
        return IndexingReport(problem=problem)

    def _pauses(self) -> bool:
        return self._next_try_at is not None and self._memory.now() < self._next_try_at

    def _note_progress(self, progress: Progress | None) -> None:
        self.progress = progress
        for listener in tuple(self._listeners):
            listener()


def _sum(one: IndexingReport, other: IndexingReport) -> IndexingReport:
    return IndexingReport(
        read=one.read + other.read,
        set_aside=one.set_aside + other.set_aside,
        problem=other.problem,
    )
