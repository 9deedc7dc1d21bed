"""What people do in the panel: with one fact or with several, each by itself.

What can be done of several is one transaction; what cannot is told with its reason and
holds nothing else up. A person's ``owners`` are those whose facts they may change.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sqlalchemy import Connection

from . import facts as typed, moving, undo
from .errors import ConflictError, FactNotFoundError
from .facts import Edit, Seen, Typed
from .ledger import Cause, Patch
from .memory import Memory
from .models import Event, Fact, Owner


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """A fact that stayed as it was, and why."""

    fact_id: int
    error: ConflictError | FactNotFoundError


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What came of a wish that meant several facts."""

    ids: tuple[int, ...]
    """Of all that was done."""
    facts: tuple[Fact, ...]
    """All that changed and is still there."""
    failed: tuple[Failed, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Editor:
    """One person, as far as they change facts."""

    memory: Memory
    owners: Collection[Owner]
    actor: Owner

    async def add(self, owner: Owner, wanted: Typed) -> Fact:
        """Add a fact, or confirm what is there already.

        Raises InvalidFactError or SecretError.
        """
        return await self._one(
            lambda connection, cause: typed.add_typed(connection, owner, wanted, cause)
        )

    async def edit(self, seen: Seen, wanted: Edit) -> Fact:
        """Change key or value of a fact.

        Raises FactNotFoundError, ConflictError, KeyTakenError, InvalidFactError or
        SecretError.
        """
        return await self._one(
            lambda connection, cause: typed.edit(
                connection, self.owners, seen, wanted, cause
            )
        )

    async def revert(self, seen: Seen, event_id: int) -> Fact:
        """Give a fact the value again that it had after an event.

        Raises FactNotFoundError or ConflictError.
        """
        return await self._one(
            lambda connection, cause: undo.revert(
                connection, self.owners, seen, event_id, cause
            )
        )

    async def pin(self, several: Collection[Seen], wanted: Edit) -> Done:
        """Pin facts, or unpin them."""
        return await self._several(
            several,
            lambda connection, seen, cause: (
                typed.edit(connection, self.owners, seen, wanted, cause),
            ),
        )

    async def move(self, several: Collection[Seen], target: Owner) -> Done:
        """Give facts to another owner."""
        return await self._several(
            several,
            lambda connection, seen, cause: moving.move(
                connection, self.owners, seen, target, cause
            ),
        )

    async def delete(self, several: Collection[Seen]) -> Done:
        """Delete facts."""
        return await self._several(
            several,
            lambda connection, seen, cause: (
                typed.delete(connection, self.owners, seen, cause),
            ),
        )

    async def restore(self, several: Collection[Seen]) -> Done:
        """Undo the last change of each fact; without a revision, its deletion."""
        fact_ids = [seen.fact_id for seen in several]
        last: dict[int, Event] = {}

        def take_back(
            connection: Connection, seen: Seen, cause: Cause
        ) -> tuple[Patch, ...]:
            if not last:
                last.update(undo.last_changes(connection, self.owners, fact_ids))
            change = last.get(seen.fact_id)
            if seen.revision is None:
                undo.require_gone(connection, self.owners, seen.fact_id)
            return undo.take_back(connection, self.owners, seen, change, cause)

        return await self._several(several, take_back)

    async def _one(self, work: Callable[[Connection, Cause], Patch]) -> Fact:
        (patch,) = await self.memory.change(
            lambda connection: (work(connection, self._cause()),)
        )
        assert patch.fact is not None  # noqa: S101  only deleting leaves none
        return patch.fact

    async def _several(
        self,
        several: Collection[Seen],
        work: Callable[[Connection, Seen, Cause], tuple[Patch, ...]],
    ) -> Done:
        meant = {seen.fact_id: seen for seen in several}
        done: list[int] = []
        failed: list[Failed] = []

        def work_through(connection: Connection) -> tuple[Patch, ...]:
            patches: list[Patch] = []
            for seen in meant.values():
                try:
                    patches += work(connection, seen, self._cause())
                except (ConflictError, FactNotFoundError) as err:
                    failed.append(Failed(fact_id=seen.fact_id, error=err))
                else:
                    done.append(seen.fact_id)
            return tuple(patches)

        patches = await self.memory.change(work_through)
        return Done(
            ids=tuple(done),
            facts=tuple(patch.fact for patch in patches if patch.fact is not None),
            failed=tuple(failed),
        )

    def _cause(self) -> Cause:
        return Cause(at=self.memory.now(), actor=self.actor)
