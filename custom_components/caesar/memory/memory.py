"""Memory as the rest of CAESAR sees it: one object that is opened, asked and closed.

Facts live in RAM as well, so that a turn waits for no disk: the copy follows each
transaction by its patches.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from . import (
    events,
    facts as typed,
    ledger,
    ownership,
    plans,
    secrets,
    set_aside,
    statistics,
    told,
    undo,
)
from .composer import Caps, Phrase, Section, compose
from .database import Database
from .errors import TemplateError
from .extraction import language
from .facts import Edit, Seen, Typed
from .ledger import Cause, Patch
from .models import Change, Event, EventKind, Fact, NewEvent, Origin, Owner, Scope
from .ports import Clock
from .set_aside import SetAside
from .statistics import Statistics
from .templates import Templates

_DEFAULT_LANGUAGE: Final = "en"

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
        self._templates: Mapping[str, Templates] = {}
        self._facts: dict[Owner, dict[int, Fact]] = {}
        # Apart, so that nothing which tells facts can tell these.
        self._secrets: dict[Owner, dict[int, Fact]] = {}
        self._sections: dict[
            tuple[Owner, Caps, str], tuple[Section, datetime | None]
        ] = {}
        self._phrases: dict[tuple[Owner, str], dict[int, Phrase]] = {}
        self._listeners: list[Listener] = []
        self._writes: set[asyncio.Task[tuple[Patch, ...]]] = set()
        self.templates_problem: str | None = None
        """What is wrong with the person's templates; the shipped ones serve then."""

    async def open(self) -> None:
        """Open the file and load what turns need.

        Raises DatabaseError; nothing is left running then.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._load_texts)
        await self.database.open()
        await self.database.write(events.recover_interrupted)
        for fact in await self.database.read(ledger.load):
            self._keep(fact)

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
        visible = (
            fact
            for owner in scope.visible
            for fact in self._facts.get(owner, {}).values()
        )
        return tuple(
            sorted(visible, key=lambda f: (f.last_confirmed_at, f.id), reverse=True)
        )

    def stored(self, owners: Iterable[Owner]) -> tuple[Fact, ...]:
        """Return all that is stored of the owners, secrets too, in no order.

        Only for showing it to those very people.
        """
        return tuple(
            fact
            for owner in owners
            for shelf in (self._facts, self._secrets)
            for fact in shelf.get(owner, {}).values()
        )

    def facts_of(self, owner: Owner) -> tuple[Fact, ...]:
        """Return the facts of one owner alone, in id order."""
        return tuple(
            sorted(self._facts.get(owner, {}).values(), key=lambda fact: fact.id)
        )

    @property
    def owners(self) -> frozenset[Owner]:
        """Return everybody of whom there are facts."""
        return frozenset(owner for owner, facts in self._facts.items() if facts)

    def sentence(self, fact: Fact, language: str = _DEFAULT_LANGUAGE) -> str:
        """Return a fact in words, in English where the language has no templates."""
        return self._texts(self._worded_in(language)).sentence(fact)

    def section(
        self,
        scope: Scope,
        text: str,
        caps: Caps,
        language: str = _DEFAULT_LANGUAGE,
    ) -> Section:
        """Return what the next turn of this speaker would be told."""
        language = self._worded_in(language)
        cached = self._sections.get((scope.owner, caps, language))
        if cached and (cached[1] is None or self.now() < cached[1]):
            return cached[0]
        section = compose(
            chain.from_iterable(
                self._phrases_of(owner, language) for owner in scope.visible
            ),
            scope,
            text=text,
            caps=caps,
            templates=self._texts(language),
            now=self.now(),
        )
        if len(section.fact_ids) == section.total:
            # All went in, so the words of the turn made no difference.
            visible = self.facts(scope)
            ends = [fact.expires_at for fact in visible if fact.expires_at is not None]
            ends = [end for end in ends if end > self.now()]
            until = min(ends, default=None)
            self._sections[(scope.owner, caps, language)] = (section, until)
        return section

    def _phrases_of(self, owner: Owner, language: str) -> Iterable[Phrase]:
        phrases = self._phrases.setdefault((owner, language), {})
        facts = self._facts.get(owner, {})
        if len(phrases) != len(facts):
            texts = self._texts(language)
            for fact_id in facts.keys() - phrases.keys():
                phrases[fact_id] = Phrase.of(facts[fact_id], texts)
        return phrases.values()

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

    async def remember(
        self, wish: told.Wish, *, actor: Owner | None = None
    ) -> tuple[Change, ...]:
        """Store what somebody asked to have remembered; return what was decided.

        Raises InvalidFactError, NotSaidError or SecretError.
        """
        wish, cause = told.checked(wish), Cause(at=self.now(), actor=actor)
        decided: list[Change] = []

        def work(connection: Connection) -> tuple[Patch, ...]:
            changes, patches = told.remember(connection, wish, cause)
            decided[:] = changes
            return patches

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

    def _keep(self, fact: Fact) -> None:
        shelf = self._secrets if fact.origin is Origin.SECRET else self._facts
        shelf.setdefault(fact.owner, {})[fact.id] = fact

    def _worded_in(self, language: str) -> str:
        base = language.lower().replace("_", "-").partition("-")[0]
        return base if base in self._templates else _DEFAULT_LANGUAGE

    def _texts(self, language: str) -> Templates:
        assert self._templates, "not open"  # noqa: S101
        return self._templates[language]

    def _load_texts(self) -> None:
        # Both keep what they read, so that nothing later waits for a file.
        language.load()
        secrets.load()
        try:
            self._templates = Templates.load_all(self._templates_file)
        except TemplateError as err:
            self.templates_problem = str(err)
            self._templates = Templates.load_all()

    async def _write(
        self, work: Callable[[Connection], tuple[Patch, ...]]
    ) -> tuple[Patch, ...]:
        patches = await self.database.write(work)
        for patch in patches:
            self._facts.get(patch.owner, {}).pop(patch.fact_id, None)
            self._secrets.get(patch.owner, {}).pop(patch.fact_id, None)
            if patch.fact is not None:
                self._keep(patch.fact)
            for (owner, _), phrases in self._phrases.items():
                if owner == patch.owner:
                    phrases.pop(patch.fact_id, None)
        if patches:
            self._sections.clear()
            for listener in tuple(self._listeners):
                listener(patches)
        return patches
