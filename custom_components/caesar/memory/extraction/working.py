"""The facts of an owner as they become while one exchange is decided."""

from collections.abc import Collection, Sequence
import dataclasses
from datetime import UTC, datetime
from typing import Literal

from ..models import Candidate, Change, Fact, Origin, Owner
from .speech import Speech

_NOT_YET = datetime(1970, 1, 1, tzinfo=UTC)


class Working:
    """Facts, and the changes decided so far; one exchange writes no key twice."""

    def __init__(
        self,
        speech: Speech,
        owner: Owner,
        facts: Sequence[Fact],
        taken: Collection[str] = (),
    ) -> None:
        """Take the facts that count here; ``taken`` are the keys of all others too."""
        self.speech = speech
        self.owner = owner
        self.facts = list(facts)
        self.keys = {*taken, *(fact.key for fact in facts)}
        """The keys that are taken."""
        self.changes: list[Change] = []
        self.touched: set[str] = set()

    @property
    def untouched(self) -> tuple[Fact, ...]:
        """Return the facts that this exchange has not written or confirmed."""
        return tuple(fact for fact in self.facts if fact.key not in self.touched)

    def add(self, key: str, candidate: Candidate) -> None:
        """Add a fact."""
        self.touched.add(key)
        self.changes.append(
            Change(
                operation="add",
                key=key,
                value=candidate.value,
                quote=candidate.quote,
                confidence=candidate.confidence,
                expires_at=candidate.expires_at,
            )
        )
        self._keep(key, candidate.value)

    def confirm(self, fact: Fact, candidate: Candidate) -> None:
        """Confirm a fact; once is enough."""
        if fact.key in self.touched:
            return
        self.touched.add(fact.key)
        self.changes.append(
            Change(
                operation="confirm",
                key=fact.key,
                value=fact.value,
                fact_id=fact.id,
                quote=candidate.quote,
                confidence=candidate.confidence,
            )
        )

    def replace(self, fact: Fact, candidate: Candidate) -> None:
        """Put a candidate in a fact's place, or suggest it where that was edited."""
        if fact.key in self.touched:
            return
        change = dataclasses.replace(
            self._change("replace", fact, candidate.value, candidate.quote),
            expires_at=candidate.expires_at,
        )
        self._apply(fact, change)
        if change.operation == "replace":
            self._keep(fact.key, candidate.value)

    def remove(self, fact: Fact, quote: str) -> None:
        """Remove a fact, or suggest it where the person edited it."""
        if fact.key in self.touched:
            return
        self._apply(fact, self._change("remove", fact, "", quote))

    def suggest(self, key: str, candidate: Candidate, reason: str) -> None:
        """Suggest a fact; an empty value suggests its removal."""
        self.changes.append(
            Change(
                operation="suggest",
                key=key,
                value="" if candidate.ended else candidate.value,
                quote=candidate.quote,
                confidence=candidate.confidence,
                expires_at=candidate.expires_at,
                reason=reason,
            )
        )

    def _change(
        self,
        operation: Literal["replace", "remove"],
        fact: Fact,
        value: str,
        quote: str,
    ) -> Change:
        edited = fact.origin is not Origin.TOLD
        corrects = self.speech.corrects(quote)
        contradicts = edited and not corrects
        return Change(
            operation="suggest" if contradicts else operation,
            key=fact.key,
            value=value,
            fact_id=fact.id,
            quote=quote,
            correction=edited and corrects,
            reason="contradicts_edit" if contradicts else "",
        )

    def _apply(self, fact: Fact, change: Change) -> None:
        self.touched.add(fact.key)
        self.changes.append(change)
        if change.operation != "suggest":
            self.facts.remove(fact)
            self.keys.discard(fact.key)

    def _keep(self, key: str, value: str) -> None:
        self.facts.append(_provisional(self.owner, key, value))
        self.keys.add(key)


def _provisional(owner: Owner, key: str, value: str) -> Fact:
    return Fact(
        id=0,
        owner=owner,
        key=key,
        value=value,
        confidence=1.0,
        first_seen_at=_NOT_YET,
        last_confirmed_at=_NOT_YET,
        source_audit_id=None,
        quote=None,
        origin=Origin.TOLD,
        pinned=False,
        language=None,
        expires_at=None,
        revision=0,
    )
