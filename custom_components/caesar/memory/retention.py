"""Exchanges that are older than the house wants to keep go, a few at a time.

Only what was said goes, with what it is found by; facts keep their quote, and events of
memory stay. What learning has not read yet, and what was set aside, is kept. Between
two batches everybody else writes, so that no turn waits for a sweep.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, Select, delete, func, select, update

from . import cursor as cursors, events, set_aside
from .events import EXCHANGE_KINDS
from .ledger import Patch, fact_from_row
from .models import HOUSEHOLD, EventKind, Json, NewEvent
from .schema import audit_log, personal_facts
from .store import Store

BATCH: Final = 500
"""Exchanges that one transaction looks at, and deletes at most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """How much is older than a moment, and what of it stays all the same."""

    cutoff: datetime
    exchanges: int
    """What a sweep deletes."""
    unread: int
    set_aside: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    """What was seen of some exchanges in a row."""

    old: tuple[int, ...]
    last: int | None
    """The id of the last one; None where there was none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Retention:
    """Deletes exchanges after so many days; 0 keeps them for good."""

    memory: Store
    days: int

    async def preview(self, days: int | None = None) -> Due | None:
        """Return what a sweep would delete; None where everything is kept."""
        cutoff = self._cutoff(days)
        if cutoff is None:
            return None
        return await self.memory.database.read(_due, cutoff)

    async def sweep(self, days: int | None = None) -> int:
        """Delete what is too old; return how many exchanges."""
        cutoff = self._cutoff(days)
        if cutoff is None:
            return 0
        count = 0
        for kind in EXCHANGE_KINDS:
            count += await self._sweep(kind, cutoff)
        if count:
            await self.memory.database.write(_tell, count, cutoff, self.memory.now())
        return count

    def _cutoff(self, days: int | None) -> datetime | None:
        kept = self.days if days is None else days
        return self.memory.now() - timedelta(days=kept) if kept else None

    async def _sweep(self, kind: EventKind, cutoff: datetime) -> int:
        count, last = 0, 0
        while True:
            look = await self.memory.database.read(_look, kind, cutoff, last)
            if look.last is None:
                return count
            if look.old:
                deleted = _Deleted(look.old)
                await self.memory.change(deleted.work)
                count += deleted.count
            last = look.last


class _Deleted:
    """One batch, which counts what was there to delete."""

    def __init__(self, ids: Collection[int]) -> None:
        self._ids = ids
        self.count = 0

    def work(self, connection: Connection) -> tuple[Patch, ...]:
        """Delete the batch; return what that changes in facts."""
        aside = {one.exchange_id for one in set_aside.unresolved(connection)}
        ids = tuple(set(self._ids) - aside)
        patches = _without_source(connection, ids)
        gone = connection.execute(delete(audit_log).where(audit_log.c.id.in_(ids)))
        self.count = gone.rowcount
        return patches


def _look(
    connection: Connection, kind: EventKind, cutoff: datetime, after: int
) -> _Look:
    rows = connection.execute(
        select(audit_log.c.id, audit_log.c.at < cutoff)
        .where(
            audit_log.c.kind == kind,
            audit_log.c.id > after,
            audit_log.c.id <= cursors.load(connection).last_audit_id,
        )
        .order_by(audit_log.c.id)
        .limit(BATCH)
    ).all()
    return _Look(
        old=tuple(exchange_id for exchange_id, is_old in rows if is_old),
        last=rows[-1][0] if rows else None,
    )


def _due(connection: Connection, cutoff: datetime) -> Due:
    read_up_to = cursors.load(connection).last_audit_id
    read = _count(cutoff).where(audit_log.c.id <= read_up_to)
    unread = _count(cutoff).where(audit_log.c.id > read_up_to)
    aside = [one.exchange_id for one in set_aside.unresolved(connection)]
    kept = connection.execute(read.where(audit_log.c.id.in_(aside))).scalar_one()
    return Due(
        cutoff=cutoff,
        exchanges=connection.execute(read).scalar_one() - kept,
        unread=connection.execute(unread).scalar_one(),
        set_aside=kept,
    )


def _count(cutoff: datetime) -> Select[tuple[int]]:
    return select(func.count()).where(
        audit_log.c.kind.in_(EXCHANGE_KINDS), audit_log.c.at < cutoff
    )


def _without_source(connection: Connection, ids: Collection[int]) -> tuple[Patch, ...]:
    """Let facts outlive the exchanges that taught them, with their quotes."""
    is_taught = personal_facts.c.source_audit_id.in_(ids)
    rows = connection.execute(select(personal_facts).where(is_taught)).all()
    connection.execute(
        update(personal_facts).where(is_taught).values(source_audit_id=None)
    )
    facts = (fact_from_row(row._mapping) for row in rows)
    return tuple(
        Patch(
            owner=fact.owner,
            fact_id=fact.id,
            fact=replace(fact, source_audit_id=None),
        )
        for fact in facts
    )


def _tell(connection: Connection, count: int, cutoff: datetime, at: datetime) -> None:
    payload: dict[str, Json] = {"count": count, "cutoff": cutoff.isoformat()}
    swept = NewEvent(kind=EventKind.RETENTION_SWEEP, owner=HOUSEHOLD, payload=payload)
    events.append(connection, swept, at)
