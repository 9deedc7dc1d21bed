"""All facts in RAM, so that a turn waits for no disk; they follow each transaction."""

from collections.abc import Iterable, Mapping

from .index import FactIndex
from .ledger import Patch
from .models import Fact, Origin, Owner, Scope


class Shelf:
    """The facts of the house by owner and id, and the secrets apart from them.

    Nothing that tells facts can tell a secret: it never sees one.
    """

    def __init__(self) -> None:
        self._facts: dict[Owner, dict[int, Fact]] = {}
        self._secrets: dict[Owner, dict[int, Fact]] = {}
        self._indexes: dict[Owner, FactIndex] = {}

    def fill(self, facts: Iterable[Fact]) -> None:
        """Hold these facts and no others; with many that takes its time."""
        for shelf in (self._facts, self._secrets, self._indexes):
            shelf.clear()
        for fact in facts:
            self.put(fact)

    def put(self, fact: Fact) -> None:
        """Put a fact where it belongs."""
        shelf = self._secrets if fact.origin is Origin.SECRET else self._facts
        shelf.setdefault(fact.owner, {})[fact.id] = fact
        self._indexes.setdefault(fact.owner, FactIndex()).put(fact)

    def follow(self, patches: Iterable[Patch]) -> None:
        """Become what the patches say."""
        for patch in patches:
            for shelf in (self._facts, self._secrets):
                shelf.get(patch.owner, {}).pop(patch.fact_id, None)
            self.index(patch.owner).drop(patch.fact_id)
            if patch.fact is not None:
                self.put(patch.fact)

    @property
    def owners(self) -> frozenset[Owner]:
        """Return everybody of whom there are facts."""
        return frozenset(owner for owner, facts in self._facts.items() if facts)

    def index(self, owner: Owner) -> FactIndex:
        """Return the index of all that is stored of an owner, secrets too.

        Only for deciding what words change; nothing of it is told.
        """
        return self._indexes.setdefault(owner, FactIndex())

    def told(self, owner: Owner) -> Mapping[int, Fact]:
        """Return the facts of one owner by id, without secrets; it changes later."""
        return self._facts.get(owner, {})

    def visible(self, scope: Scope) -> tuple[Fact, ...]:
        """Return all facts in the scope but secrets, the last confirmed first."""
        found = (fact for owner in scope.visible for fact in self.told(owner).values())
        return tuple(
            sorted(found, key=lambda f: (f.last_confirmed_at, f.id), reverse=True)
        )

    def with_secrets(self, owners: Iterable[Owner]) -> tuple[Fact, ...]:
        """Return all that is stored of the owners, in no order."""
        return tuple(
            fact
            for owner in owners
            for shelf in (self._facts, self._secrets)
            for fact in shelf.get(owner, {}).values()
        )
