"""Learning: finished exchanges become facts, one at a time and in order.

The model is asked while no transaction is open. What it taught, the events of that and
the cursor's step are then one transaction: a crash before it repeats the exchange, and
repeating changes nothing. A model that is down holds the cursor; an answer that cannot
be used is tried again a few times, then its exchange is set aside and learning goes on.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from . import cursor as cursors, events, learned, ledger, plans, set_aside
from .cursor import Cursor
from .errors import UnusableAnswerError
from .extraction.extract import Extraction, changes_of, extract
from .index import FactIndex
from .ledger import Cause, Patch
from .memory import Memory
from .models import Change, EventKind, Exchange
from .pauses import pause_after
from .ports import Generator, GeneratorUnavailableError
from .spending import Exhausted, Metered, Spending
from .store import Decided

MAX_ATTEMPTS = 5
"""Unusable answers to one exchange before it is set aside."""
BATCH = 50
"""Exchanges that one tick reads at most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """What one tick did."""

    read: int = 0
    """Exchanges that were finished with, whatever came of them."""
    skipped: int = 0
    """Of these, exchanges that needed no model."""
    changed: int = 0
    """Facts that were added, confirmed, replaced or removed."""
    set_aside: int = 0
    """Of the read ones, exchanges to which the model gave no usable answer."""
    waiting: int = 0
    """Finished exchanges that are still to be read."""
    problem: str | None = None
    """Why the tick ended early: ``unavailable``, ``unusable`` or ``budget``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a tick has come, in exchanges."""

    done: int
    total: int


class Learning:
    """Reads what was said and learns from it."""

    def __init__(
        self, memory: Memory, generator: Generator, *, daily_tokens: int = 0
    ) -> None:
        """Take the parts; ``daily_tokens`` is the budget of a local day, 0 for none."""
        self._memory = memory
        self._database = memory.database
        self._generator = generator
        self._spending = Spending(memory, daily_tokens)
        self._lock = asyncio.Lock()
        self._outages = 0
        self.failing_since: datetime | None = None
        """Since when the model has not answered; None while it does."""
        self.progress: Progress | None = None
        """How far the present tick is; None while there is none."""
        self._listeners: list[Callable[[], None]] = []
        self.exhausted: Exhausted | None = None
        """The budget that the last tick found used up while something waited."""

    async def tick(self, *, impatient: bool = False) -> Report:
        """Read the exchanges that wait, in order, until none is left or one fails.

        ``impatient`` tries at once what would otherwise wait out a pause. Raises
        DatabaseError.
        """
        async with self._lock:
            self.exhausted = None
            try:
                total = await self._read_waiting(impatient=impatient)
            finally:
                self._note_progress(None)
            waiting = await self.waiting()
        return replace(total, waiting=waiting)

    async def _read_waiting(self, *, impatient: bool) -> Report:
        total, waiting = Report(), min(BATCH, await self.waiting())
        for done in range(BATCH):
            position, exchange = await self._database.read(_next)
            if exchange is None or (not impatient and self._pauses(position)):
                break
            self._note_progress(Progress(done=done, total=max(waiting, done + 1)))
            step = await self._read(position, exchange)
            total = _sum(total, step)
            if step.problem is not None:
                break
        return total

    def on_progress(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener when ``progress`` changes; return how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _note_progress(self, progress: Progress | None) -> None:
        self.progress = progress
        for listener in tuple(self._listeners):
            listener()

    async def waiting(self) -> int:
        """Return how many finished exchanges are still to be read."""
        return await self._database.read(_count_waiting)

    async def learn(self, exchange: Exchange) -> tuple[Patch, ...]:
        """Learn from one exchange out of turn; the cursor stays where it is.

        What has become known since it was said stays as it is. Raises
        GeneratorUnavailableError, UnusableAnswerError or DatabaseError.
        """
        extraction = await self._extract(exchange)
        decided = self._decided(exchange, extraction)
        return await self._memory.change(
            lambda connection: self._learn_late(
                connection, exchange, decided(connection)
            )
        )

    async def retry(self, exchange_ids: Collection[int]) -> Report:
        """Read exchanges again that were set aside; those without an answer stay so.

        Raises DatabaseError.
        """
        async with self._lock:
            try:
                return await self._read_all_again(sorted(exchange_ids))
            finally:
                self._note_progress(None)

    async def _read_all_again(self, exchange_ids: Sequence[int]) -> Report:
        total = Report()
        for done, exchange_id in enumerate(exchange_ids):
            self._note_progress(Progress(done=done, total=len(exchange_ids)))
            step = await self._read_again(exchange_id)
            total = _sum(total, step)
            if step.problem == "unavailable":
                break
        return total

    async def _read_again(self, exchange_id: int) -> Report:
        exchange = await self._database.read(set_aside.exchange, exchange_id)
        try:
            patches = await self.learn(exchange) if exchange is not None else ()
        except GeneratorUnavailableError:
            return Report(problem="unavailable")
        except UnusableAnswerError:
            return Report(read=1, set_aside=1)
        await self._database.write(
            set_aside.resolve,
            (exchange_id,),
            EventKind.EXTRACTION_RETRIED,
            self._memory.now(),
        )
        return Report(read=1, changed=len(patches))

    async def _extract(
        self, exchange: Exchange, generator: Generator | None = None
    ) -> Extraction:
        said_at = exchange.at.astimezone(self._memory.now().tzinfo)
        extraction = await extract(
            exchange,
            self._memory.index(exchange.owner).sharing(
                exchange.user_text, exchange.language
            ),
            generator or self._generator,
            said_at.date(),
        )
        dated = (
            plans.with_end(candidate, said_at, exchange.language)
            for candidate in extraction.accepted
        )
        return replace(extraction, accepted=tuple(dated))

    def _decided(self, exchange: Exchange, extraction: Extraction) -> Decided:
        return self._memory.deciding(
            exchange.owner, lambda index: _changes(extraction, exchange, index)
        )

    def _learn_late(
        self, connection: Connection, exchange: Exchange, changes: Iterable[Change]
    ) -> tuple[Patch, ...]:
        cause = Cause(at=self._memory.now(), exchange=exchange)
        checked = (
            _unless_known_since(connection, change, exchange) for change in changes
        )
        return learned.apply(connection, checked, exchange, cause)

    async def _read(self, position: Cursor, exchange: Exchange) -> Report:
        if not exchange.teaches:
            await self._database.write(cursors.advance, exchange.id)
            return Report(read=1, skipped=1)
        if self._generator.is_costly(exchange.heard_by):
            self.exhausted = await self._spending.exhausted()
            if self.exhausted is not None:
                return Report(problem="budget")
        metered = Metered(self._generator)
        try:
            extraction = await self._extract(exchange, metered)
        except GeneratorUnavailableError as err:
            return await self._wait_for_model(position, err.retry_after)
        except UnusableAnswerError:
            return await self._retry(position, exchange, metered)
        finally:
            if metered.generation is not None:
                self._spending.note(metered.generation)
        self._outages, self.failing_since = 0, None
        decided = self._decided(exchange, extraction)
        patches = await self._memory.change(
            lambda connection: self._learn(connection, exchange, decided, metered)
        )
        return Report(
            read=1,
            skipped=int(extraction.generation is None),
            changed=len(patches),
        )

    def _learn(
        self,
        connection: Connection,
        exchange: Exchange,
        decided: Decided,
        metered: Metered,
    ) -> tuple[Patch, ...]:
        if not events.exists(connection, exchange.id):
            # The person has withdrawn it while the model was thinking.
            return ()
        cause = Cause(at=self._memory.now(), exchange=exchange)
        patches = learned.apply(connection, decided(connection), exchange, cause)
        metered.tell(connection, exchange, cause.at, usable=True)
        cursors.advance(connection, exchange.id)
        return patches

    async def _wait_for_model(
        self, position: Cursor, retry_after: float | None
    ) -> Report:
        now = self._memory.now()
        self.failing_since = self.failing_since or now
        self._outages += 1
        pause = pause_after(self._outages, retry_after)
        again = replace(position, next_try_at=now + pause)
        await self._database.write(cursors.save, again)
        return Report(problem="unavailable")

    async def _retry(
        self, position: Cursor, exchange: Exchange, metered: Metered
    ) -> Report:
        now = self._memory.now()
        attempts = position.attempts + 1
        gives_up = attempts >= MAX_ATTEMPTS
        again = replace(
            position, attempts=attempts, next_try_at=now + pause_after(attempts)
        )

        def note(connection: Connection) -> None:
            metered.tell(connection, exchange, now, usable=False)
            if gives_up:
                _set_aside(connection, exchange, now)
            else:
                cursors.save(connection, again)

        await self._database.write(note)
        if gives_up:
            return Report(read=1, set_aside=1)
        return Report(problem="unusable")

    def _pauses(self, position: Cursor) -> bool:
        return (
            position.next_try_at is not None
            and self._memory.now() < position.next_try_at
        )


def _changes(
    extraction: Extraction, exchange: Exchange, index: FactIndex
) -> tuple[Change, ...]:
    """Return what an extraction changes in the facts of an index."""
    stored = index.concerned(extraction.accepted, extraction.text, exchange.language)
    return changes_of(extraction, exchange, stored, index.keys)


def _unless_known_since(
    connection: Connection, change: Change, exchange: Exchange
) -> Change:
    """Return the change, rejected where its fact was said again after the exchange."""
    if change.fact_id is None or change.operation not in ("replace", "remove"):
        return change
    fact = ledger.get(connection, change.fact_id)
    if fact is None or fact.last_confirmed_at <= exchange.at:
        return change
    return replace(change, operation="reject", reason="known_since")


def _next(connection: Connection) -> tuple[Cursor, Exchange | None]:
    position = cursors.load(connection)
    exchanges = events.exchanges_after(connection, position.last_audit_id, 1)
    found = next(iter(exchanges), None)
    if found is None:
        return position, None
    return position, events.with_replies(connection, found)


def _count_waiting(connection: Connection) -> int:
    position = cursors.load(connection)
    return events.count_exchanges_after(connection, position.last_audit_id)


def _set_aside(connection: Connection, exchange: Exchange, at: datetime) -> None:
    set_aside.put(connection, exchange, at)
    cursors.advance(connection, exchange.id)


def _sum(one: Report, other: Report) -> Report:
    return Report(
        read=one.read + other.read,
        skipped=one.skipped + other.skipped,
        changed=one.changed + other.changed,
        set_aside=one.set_aside + other.set_aside,
        problem=other.problem,
    )
