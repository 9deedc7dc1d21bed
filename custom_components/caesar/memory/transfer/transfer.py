"""A memory goes into a file, and what a file holds comes into a memory."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
import os
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from .. import events
from ..ledger import Cause, Patch
from ..models import Event, EventKind, Fact, NewEvent, Owner
from ..store import Store
from . import folder as folders, reading
from .export import Exported, export
from .importing import Progress, put_exchanges, put_facts
from .lines import Exchange, Line, Told
from .reading import Checked

BATCH: Final = 200
"""Exchanges that one transaction brings in."""


class _Undone(Exception):  # noqa: N818  no error: the transaction is not wanted
    """What was tried shall not stay."""


@dataclass(kw_only=True, slots=True)
class _Batch:
    exchanges: list[Event] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    is_last: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Transfer:
    """Exports and imports in one folder."""

    memory: Store
    folder: Path

    async def count(self, owners: Collection[Owner]) -> Exported:
        """Return how much an export would hold."""

        def work(connection: Connection) -> Exported:
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
                return export(connection, owners, self.memory.now(), nowhere)

        return await self.memory.database.read(work)

    async def export(
        self, owners: Collection[Owner], name: str, *, actor: Owner | None
    ) -> Exported:
        """Write all of the owners into a new file; each one's history tells of it."""

        def work(connection: Connection) -> Exported:
            with folders.create(self.folder, name) as file:
                return export(connection, owners, self.memory.now(), file)

        exported = await self.memory.database.read(work)
        await self._tell(EventKind.MEMORY_EXPORTED, owners, actor)
        return exported

    async def check(self, path: Path) -> Checked:
        """Read a file and say what is in it, or wrong with it."""
        return await asyncio.to_thread(reading.check, path)

    async def bring_in(
        self,
        path: Path,
        owners: Mapping[Owner, Owner],
        *,
        actor: Owner | None,
        dry_run: bool,
    ) -> Progress:
        """Bring in what a checked file holds of the owners that are mapped.

        A dry run counts the same and leaves everything as it was. One that is cut short
        can be repeated.
        """
        progress, facts = Progress(), dict[Owner, list[Fact]]()
        lines, is_last = reading.read(path), False
        while not is_last:
            batch = await asyncio.to_thread(_next, lines, owners)
            is_last = batch.is_last
            for fact in batch.facts:
                facts.setdefault(fact.owner, []).append(fact)
            if batch.exchanges:
                await self._try(_exchanges(batch.exchanges, progress), dry_run=dry_run)
        if dry_run:
            # What was written a moment ago is gone again and can be no source.
            progress.exchanges.clear()
        cause = Cause(at=self.memory.now(), actor=actor)
        for owner, theirs in facts.items():
            await self._try(_facts(owner, theirs, progress, cause), dry_run=dry_run)
        if progress.has_changed and not dry_run:
            await self._tell(EventKind.MEMORY_IMPORTED, set(owners.values()), actor)
        return progress

    async def _try(
        self, work: Callable[[Connection], tuple[Patch, ...]], *, dry_run: bool
    ) -> None:
        def once(connection: Connection) -> tuple[Patch, ...]:
            patches = work(connection)
            if dry_run:
                raise _Undone
            return patches

        try:
            await self.memory.change(once)
        except _Undone:
            return

    async def _tell(
        self, kind: EventKind, owners: Collection[Owner], actor: Owner | None
    ) -> None:
        now = self.memory.now()

        def work(connection: Connection) -> None:
            for owner in owners:
                event = NewEvent(kind=kind, owner=owner, actor=actor)
                events.append(connection, event, now)

        await self.memory.database.write(work)


def _exchanges(
    batch: list[Event], progress: Progress
) -> Callable[[Connection], tuple[Patch, ...]]:
    def work(connection: Connection) -> tuple[Patch, ...]:
        put_exchanges(connection, batch, progress)
        return ()

    return work


def _facts(
    owner: Owner, facts: list[Fact], progress: Progress, cause: Cause
) -> Callable[[Connection], tuple[Patch, ...]]:
    return lambda connection: put_facts(connection, owner, facts, progress, cause)


def _next(lines: Iterator[Line], owners: Mapping[Owner, Owner]) -> _Batch:
    taken = list(islice(lines, BATCH))
    batch = _Batch(is_last=len(taken) < BATCH)
    for line in taken:
        match line:
            case Exchange(event=event) if event.owner in owners:
                batch.exchanges.append(replace(event, owner=owners[event.owner]))
            case Told(fact=fact) if fact.owner in owners:
                batch.facts.append(replace(fact, owner=owners[fact.owner]))
    return batch
