"""Memory as the rest of CAESAR sees it: one object that is opened, asked and closed.

Facts live in RAM as well, so that a turn waits for no disk: the copy follows each
transaction by its patches.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from . import (
    decisions,
    events,
    facts as typed,
    instructions,
    ledger,
    ownership,
    plans,
    secrets,
    set_aside,
    statistics,
    suggestions,
    told,
    undo,
)
from .composer import Caps, Section
from .database import Database
from .extraction import language
from .facts import Edit, Seen, Typed
from .index import FactIndex
from .ledger import Cause, Patch
from .models import Change, Event, EventKind, Fact, NewEvent, Owner, Scope
from .ports import Clock
from .set_aside import SetAside
from .shelf import Shelf
from .statistics import Statistics
from .suggestions import Suggestion
from .telling import Telling

type Decide = Callable[[FactIndex], tuple[Change, ...]]
"""What words change, given the facts of their owner."""
type Decided = Callable[[Connection], tuple[Change, ...]]
type Listener = Callable[[tuple[Patch, ...]], None]


class Memory:
    """The memory of one house, in one file.

    Facts are read from RAM and may be asked for on the event loop; all else is awaited.
    """

    def __init__(
        self, path: Path, *, clock: Clock, templates_file: Path | None = None
    ) -> None:
        self.database = Database(path)
        self._clock = clock
        self._templates_file = templates_file
        self._shelf = Shelf()
        self._telling = Telling(self._shelf)
        self._listeners: list[Listener] = []
        self._writes: set[asyncio.Task[tuple[Patch, ...]]] = set()

    async def open(self) -> None:
        """Open the file and load what turns need.

        Raises DatabaseError; nothing is left running then.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._load_texts)
        await self.database.open()
        await self.database.write(events.recover_interrupted)
        await self.database.read(lambda c: self._shelf.fill(ledger.load(c)))

    async def close(self) -> None:
        """Finish all writes and close the file; idempotent."""
        while self._writes:
            await asyncio.wait(self._writes)
        await self.database.close()

    def now(self) -> datetime:
        """Return the present moment in the house's time zone."""
        return self._clock.now()

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call the listener after each change of facts; return how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def facts(self, scope: Scope) -> tuple[Fact, ...]:
        """Return all facts in the scope but secrets, the last confirmed first."""
        return self._shelf.visible(scope)

    def stored(self, owners: Iterable[Owner]) -> tuple[Fact, ...]:
        """Return all that is stored of the owners, secrets too, in no order.

        Only for showing it to those very people.
        """
        return self._shelf.with_secrets(owners)

    def facts_of(self, owner: Owner) -> tuple[Fact, ...]:
        """Return the facts of one owner alone, in id order."""
        return tuple(sorted(self._shelf.told(owner).values(), key=lambda fact: fact.id))

    def index(self, owner: Owner) -> FactIndex:
        """Return the index of all that is stored of an owner, secrets too.

        Only for deciding what words change; nothing of it may be told.
        """
        return self._shelf.index(owner)

    def deciding(self, owner: Owner, decide: Decide) -> Decided:
        """Return what gives, in the change that is begun next, a decision on its facts.

        It is made at once, from RAM, so that no other write waits for it; only where
        other changes are on their way it is left to the transaction.
        """
        if self._writes:
            return lambda connection: decide(
                FactIndex(ledger.load(connection, [owner]))
            )
        changes = decide(self.index(owner))
        return lambda _connection: changes

    @property
    def owners(self) -> frozenset[Owner]:
        """Return everybody of whom there are facts."""
        return self._shelf.owners

    def sentence(self, fact: Fact, language: str = "en") -> str:
        """Return a fact in words, in English where the language has no templates."""
        return self._telling.sentence(fact, language)

    def section(
        self, scope: Scope, text: str, caps: Caps, language: str = "en"
    ) -> Section:
        """Return what the next turn of this speaker would be told."""
        return self._telling.section(scope, text, caps, language, self.now())

    @property
    def templates_problem(self) -> str | None:
        """Return what is wrong with the person's templates, None if nothing."""
        return self._telling.problem

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
        return True

    async def sweep(self) -> int:
        """Delete plans that ended long ago; return how many."""
        cause = Cause(at=self.now())
        return len(await self.change(lambda connection: plans.sweep(connection, cause)))

    async def erase_owner(self, owner: Owner) -> None:
        """Delete all that is stored of an owner, without a trace."""
        await self.change(lambda connection: ownership.erase(connection, owner))

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

    async def change(
        self, work: Callable[[Connection], tuple[Patch, ...]]
    ) -> tuple[Patch, ...]:
        """Run work that changes facts in one transaction and let RAM follow.

        The copy in RAM follows even where the caller is cancelled meanwhile.
        """
        task = asyncio.create_task(self._write(work))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        return await asyncio.shield(task)

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

    def _load_texts(self) -> None:
        # Both keep what they read, so that nothing later waits for a file.
        language.load()
        secrets.load()
        instructions.load()
        self._telling.load(self._templates_file)

    async def _write(
        self, work: Callable[[Connection], tuple[Patch, ...]]
    ) -> tuple[Patch, ...]:
        patches = await self.database.write(work)
        self._shelf.follow(patches)
        if patches:
            self._telling.follow(patches)
            for listener in tuple(self._listeners):
                listener(patches)
        return patches
