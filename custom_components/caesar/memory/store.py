"""The file of a memory and its copy in RAM, kept as one.

Facts live in RAM as well, so that a turn waits for no disk: the copy follows each
transaction by its patches.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection

from . import events, instructions, ledger, past, secrets, words
from .composer import Caps, Section
from .database import Database
from .extraction import language as languages
from .index import FactIndex
from .ledger import Patch
from .models import Change, Fact, Owner, Scope
from .ports import Clock
from .shelf import Shelf
from .telling import Telling

type Decide = Callable[[FactIndex], tuple[Change, ...]]
"""What words change, given the facts of their owner."""
type Decided = Callable[[Connection], tuple[Change, ...]]
type Listener = Callable[[tuple[Patch, ...]], None]


class Store:
    """What is stored of one house: opened, read and changed.

    Facts are read from RAM and may be asked for on the event loop; all else is awaited.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        templates_file: Path | None = None,
        language: str = "en",
    ) -> None:
        """Take where the file is; ``language`` is the one that the house speaks."""
        self.database = Database(path)
        self._clock = clock
        self._templates_file = templates_file
        self._language = language
        self._shelf = Shelf()
        self._telling = Telling(self._shelf)
        self._listeners: list[Listener] = []
        self._move_listeners: list[Callable[[], None]] = []
        self._writes: set[asyncio.Task[tuple[Patch, ...]]] = set()

    async def open(self) -> None:
        """Open the file and load what turns need.

        Raises DatabaseError; nothing is left running then.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._load_texts)
        await self.database.open()
        await self.database.write(events.recover_interrupted)
        await self.database.read(self._load_facts)

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

    def on_move(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener after all of one owner went to another; return how to stop.

        Whatever was read of the file by owner has to be read anew then.
        """
        self._move_listeners.append(listener)
        return lambda: self._move_listeners.remove(listener)

    def tell_moved(self) -> None:
        """Let it be known that all of one owner went to another."""
        for listener in tuple(self._move_listeners):
            listener()

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

    def _load_texts(self) -> None:
        # Both keep what they read, so that nothing later waits for a file.
        languages.load()
        secrets.load()
        instructions.load()
        words.load()
        past.load()
        self._telling.load(self._templates_file)

    def _load_facts(self, connection: Connection) -> None:
        self._shelf.fill(ledger.load(connection))
        self._telling.prepare(self._language)

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
