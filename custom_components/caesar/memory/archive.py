"""What the panel reads of memory, and the few things that it does there beside facts.

A person's ``owners`` are those whose memory they may see or, for what changes it,
change; whoever calls has checked that.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from . import events, exchanges, fact_events, growth, merging, pages
from .exchanges import Fate, Record
from .growth import Counts, Day
from .ledger import Cause
from .memory import Memory
from .merging import Move, Preview
from .models import Event, EventKind, NewEvent, Owner
from .pages import Mark, Page, Query


@dataclass(frozen=True, kw_only=True, slots=True)
class Archive:
    """All that has happened."""

    memory: Memory

    async def events(self, query: Query) -> Page[Event]:
        """Return a page of memory's events."""
        return await self.memory.database.read(pages.memory_events, query)

    async def history(
        self, owners: Collection[Owner], fact_id: int
    ) -> tuple[Event, ...]:
        """Return how a fact changed, the newest first; empty where nothing is known."""
        return await self.memory.database.read(fact_events.of_fact, owners, fact_id)

    async def exchanges(self, query: Query) -> Page[Record]:
        """Return a page of exchanges."""
        return await self.memory.database.read(exchanges.records, query)

    async def exchange(self, owners: Collection[Owner], exchange_id: int) -> Record:
        """Return one exchange; raises ExchangeNotFoundError."""
        return await self.memory.database.read(exchanges.record, owners, exchange_id)

    async def areas(self, owners: Collection[Owner]) -> tuple[str, ...]:
        """Return the areas in which anything was said."""
        return await self.memory.database.read(exchanges.areas, owners)

    async def delete_exchange(
        self,
        owners: Collection[Owner],
        exchange_id: int,
        fate: Fate,
        *,
        actor: Owner,
    ) -> tuple[int, ...]:
        """Delete an exchange for good; return the ids of the facts that went with it.

        Raises ExchangeNotFoundError.
        """
        cause = Cause(at=self.memory.now(), actor=actor)
        patches = await self.memory.change(
            lambda connection: exchanges.delete(
                connection, owners, exchange_id, fate, cause
            )
        )
        return tuple(patch.fact_id for patch in patches if patch.fact is None)

    async def mark(self, owners: Collection[Owner]) -> Mark:
        """Return how far the log has come."""
        return await self.memory.database.read(pages.mark, owners)

    async def counts(self) -> Mapping[Owner, Counts]:
        """Return how much is stored of everybody."""
        return await self.memory.database.read(growth.by_owner)

    async def over_time(self, owners: Collection[Owner], days: int) -> tuple[Day, ...]:
        """Return how much there was in the last so many days."""
        now = self.memory.now()
        return await self.memory.database.read(growth.over_time, owners, days, now)

    async def preview_move(self, source: Owner, target: Owner) -> Preview:
        """Return what moving all of one owner to another would do."""
        return await self.memory.database.read(merging.preview, source, target)

    async def move(self, source: Owner, target: Owner, *, actor: Owner) -> int:
        """Give all that is one owner's to another; return the id of the move."""
        cause = Cause(at=self.memory.now(), actor=actor)
        await self.memory.change(
            lambda connection: merging.move(connection, source, target, cause)
        )
        self.memory.tell_moved()
        return await self.memory.database.read(merging.last_move, target)

    async def find_move(self, event_id: int) -> Move:
        """Return a move that can be undone; raises MoveNotFoundError."""
        return await self.memory.database.read(merging.find, event_id)

    async def undone_moves(self, owners: Collection[Owner]) -> frozenset[int]:
        """Return the ids of the moves to these owners that were undone."""
        return await self.memory.database.read(merging.undone, owners)

    async def moves(self, limit: int) -> tuple[Event, ...]:
        """Return the last moves of anybody that are not undone, the newest first."""
        return await self.memory.database.read(merging.recent, limit)

    async def undo_move(self, event_id: int, *, actor: Owner) -> int:
        """Undo a move; return how many facts went back. Raises MoveNotFoundError."""
        cause = Cause(at=self.memory.now(), actor=actor)
        patches = await self.memory.change(
            lambda connection: merging.undo(
                connection, merging.find(connection, event_id), cause
            )
        )
        self.memory.tell_moved()
        return sum(patch.fact is not None for patch in patches)

    async def note(self, event: NewEvent) -> int:
        """Append an event of memory that changes no fact; return its id."""
        return await self.memory.database.write(events.append, event, self.memory.now())

    async def openings(self, owner: Owner, limit: int) -> tuple[Event, ...]:
        """Return when administrators opened an owner's facts, the newest first."""
        return await self.memory.database.read(
            events.read, [owner], [EventKind.FACTS_OPENED], None, limit
        )
