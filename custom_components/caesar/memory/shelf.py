"""All facts in RAM, so that a turn waits for no disk; they follow each transaction."""

from collections.abc import Iterable, Mapping

from .ledger import Patch
from .models import Fact, Origin, Owner, Scope


class Shelf:
    """The facts of the house by owner and id, and the secrets apart from them.

    Nothing that tells facts can tell a secret: it never sees one.
    """

    def __init__(self) -> None:
        self._facts: dict[Owner, dict[int, Fact]] = {}
        self._secrets: dict[Owner, dict[int, Fact]] = {}

    def put(self, fact: Fact) -> None:
        """Put a fact where it belongs."""
        shelf = self._secrets if fact.origin is Origin.SECRET else self._facts
        shelf.setdefault(fact.owner, {})[fact.id] = fact

    def follow(self, patches: Iterable[Patch]) -> None:
        """Become what the patches say."""
        for patch in patches:
            for shelf in (self._facts, self._secrets):
                shelf.get(patch.owner, {}).pop(patch.fact_id, None)
            if patch.fact is not None:
                self.put(patch.fact)

    @property
    def owners(self) -> frozenset[Owner]:
        """Return everybody of whom there are facts."""
        return frozenset(owner for owner, facts in self._facts.items() if facts)

    def of(self, owner: Owner) -> Mapping[int, Fact]:
        """Return the facts of one owner by id, without secrets; it changes later."""
        return self._facts.get(owner, {})

    def visible(self, scope: Scope) -> tuple[Fact, ...]:
        """Return all facts in the scope but secrets, the last confirmed first."""
        found = (fact for owner in scope.visible for fact in self.of(owner).values())
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
