"""Memory as the rest of CAESAR sees it: one object that is opened, asked and closed."""

from collections.abc import Callable, Collection
from dataclasses import replace

from sqlalchemy import Connection

from . import (
    decisions,
    erasing,
    events,
    facts as typed,
    ownership,
    plans,
    set_aside,
    statistics,
    suggestions,
    told,
    undo,
)
from .erasing import Traces
from .facts import Edit, Seen, Typed
from .ledger import Cause, Patch
from .models import Change, Event, EventKind, Fact, NewEvent, Owner, Scope
from .set_aside import SetAside
from .statistics import Statistics
from .store import Store
from .suggestions import Suggestion


class Memory(Store):
    """The memory of one house, in one file."""

    async def receive(self, event: NewEvent) -> int:
        """Keep a person's words before anybody answers them; return the row's id."""
        received = replace(event, kind=EventKind.CHAT_RECEIVED)
        return await self.database.write(events.append, received, self.now())

    async def finish(self, received_id: int | None, event: NewEvent) -> int:
        """Put the finished exchange in the place of the received words."""
        return await self.database.write(
            events.finish_exchange, received_id, event, self.now()
        )

    async def events(
        self,
        scope: Scope,
        *,
        kinds: tuple[str, ...] = (),
        before: int | None = None,
        limit: int = 100,
    ) -> tuple[Event, ...]:
        """Return the events in the scope, the newest first."""
        return await self.database.read(
            events.read, scope.visible, kinds, before, limit
        )

    async def add_fact(
        self, owner: Owner, key: str, value: str, *, actor: Owner | None = None
    ) -> Fact:
        """Add a fact that a person typed; one that is there already is confirmed.

        Raises InvalidFactError or SecretError.
        """
        return await self._change_fact(
            lambda connection, cause: (
                typed.add_typed(connection, owner, Typed(key=key, value=value), cause),
            ),
            actor,
        )

    async def edit_fact(
        self,
        scope: Scope,
        fact_id: int,
        wanted: Edit,
        *,
        revision: int | None = None,
        actor: Owner | None = None,
    ) -> Fact:
        """Change a fact as a person wishes.

        Raises FactNotFoundError, ConflictError, InvalidFactError or SecretError.
        """
        return await self._change_fact(
            lambda connection, cause: (
                typed.edit(
                    connection,
                    scope.visible,
                    Seen(fact_id=fact_id, revision=revision),
                    wanted,
                    cause,
                ),
            ),
            actor,
        )

    async def delete_fact(
        self,
        scope: Scope,
        fact_id: int,
        *,
        revision: int | None = None,
        actor: Owner | None = None,
    ) -> None:
        """Delete a fact as a person wishes.

        Raises FactNotFoundError or ConflictError.
        """
        cause = Cause(at=self.now(), actor=actor)
        seen = Seen(fact_id=fact_id, revision=revision)
        await self.change(
            lambda connection: (typed.delete(connection, scope.visible, seen, cause),)
        )

    async def restore_fact(
        self, scope: Scope, fact_id: int, *, actor: Owner | None = None
    ) -> Fact:
        """Undo the last edit, update or deletion of a fact.

        Raises FactNotFoundError where there is nothing to undo in the scope.
        """
        return await self._change_fact(
            lambda connection, cause: undo.restore(
                connection, scope.visible, Seen(fact_id=fact_id), cause
            ),
            actor,
        )

    async def suggestions(self, scope: Scope) -> tuple[Suggestion, ...]:
        """Return what in the scope waits for a person's word, the newest first."""
        return await self.database.read(suggestions.pending, scope.visible, self.now())

    async def accept_suggestion(
        self,
        scope: Scope,
        suggestion_id: int,
        *,
        owner: Owner | None = None,
        actor: Owner | None = None,
    ) -> Fact | None:
        """Make a suggestion a fact, or remove the fact that it says is over.

        Without an owner, what an unknown voice said of itself is the speaker's of the
        scope; all else stays whose it is. Returns the fact, None where it was removed.
        Raises SuggestionNotFoundError, FactNotFoundError or SecretError.
        """
        cause = Cause(at=self.now(), actor=actor)

        def work(connection: Connection) -> tuple[Patch, ...]:
            suggestion = suggestions.find(
                connection, scope.visible, suggestion_id, cause.at
            )
            target = owner or decisions.owner_of_accepted(suggestion, scope)
            return (decisions.accept(connection, suggestion, target, cause),)

        (patch,) = await self.change(work)
        return patch.fact

    async def reject_suggestion(
        self, scope: Scope, suggestion_id: int, *, actor: Owner | None = None
    ) -> None:
        """Let a suggestion never be made again; raises SuggestionNotFoundError."""
        cause = Cause(at=self.now(), actor=actor)

        def work(connection: Connection) -> None:
            suggestion = suggestions.find(
                connection, scope.visible, suggestion_id, cause.at
            )
            decisions.reject(connection, suggestion, cause)

        await self.database.write(work)

    async def remember(
        self, wish: told.Wish, *, actor: Owner | None = None
    ) -> tuple[Change, ...]:
        """Store what somebody asked to have remembered; return what was decided.

        Raises InvalidFactError, NotSaidError or SecretError.
        """
        wish, cause = told.checked(wish), Cause(at=self.now(), actor=actor)
        decided: list[Change] = []

        deciding = self.deciding(wish.owner, lambda index: told.decide_on(wish, index))

        def work(connection: Connection) -> tuple[Patch, ...]:
            decided[:] = deciding(connection)
            return told.remember(connection, wish, decided, cause)

        await self.change(work)
        return tuple(decided)

    async def move_owner(self, source: Owner, target: Owner) -> bool:
        """Give all that belongs to one owner to another; return whether there was any.

        Facts, events and what waits to be learned move in one transaction.
        """
        if not await self.database.read(ownership.is_known, source):
            return False
        cause = Cause(at=self.now())
        await self.change(
            lambda connection: ownership.move(connection, source, target, cause)
        )
        self.tell_moved()
        return True

    async def sweep(self) -> int:
        """Delete plans that ended long ago; return how many."""
        cause = Cause(at=self.now())
        return len(await self.change(lambda connection: plans.sweep(connection, cause)))

    async def traces(self, owner: Owner) -> Traces:
        """Return how much there is of an owner, with others too."""
        return await self.database.read(erasing.count, owner)

    async def conversations(self, owner: Owner) -> frozenset[str]:
        """Return the conversations in which an owner has spoken."""
        return await self.database.read(erasing.conversations, owner)

    async def erase_owner(self, owner: Owner) -> None:
        """Delete all that is stored of an owner, and what others' rows tell of it.

        The file is free of it after the database's next ``purge``.
        """
        await self.change(lambda connection: erasing.erase(connection, owner))

    async def set_aside(self, scope: Scope | None) -> tuple[SetAside, ...]:
        """Return the exchanges in the scope, or of all, that no model could read."""
        found = await self.database.read(set_aside.unresolved)
        return tuple(
            one for one in found if scope is None or one.owner in scope.visible
        )

    async def statistics(self) -> Statistics:
        """Return how much is stored; raises DatabaseError."""
        return await self.database.read(statistics.count)

    async def dismiss(self, exchange_ids: Collection[int]) -> int:
        """Leave exchanges unread that were set aside; return how many there were."""
        return await self.database.write(
            set_aside.resolve,
            exchange_ids,
            EventKind.EXTRACTION_DISMISSED,
            self.now(),
        )

    async def _change_fact(
        self,
        work: Callable[[Connection, Cause], tuple[Patch, ...]],
        actor: Owner | None,
    ) -> Fact:
        cause = Cause(at=self.now(), actor=actor)
        patches = await self.change(lambda connection: work(connection, cause))
        fact = patches[-1].fact
        assert fact is not None  # noqa: S101  only deleting leaves none
        return fact
