"""Facts and candidates as the tests of learning need them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from custom_components.caesar.memory.models import Candidate, Change, Fact, Origin

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ALICE = "user:alice"


def fact(
    key: str,
    value: str,
    *,
    number: int = 1,
    owner: str = ALICE,
    origin: Origin = Origin.TOLD,
) -> Fact:
    return Fact(
        id=number,
        owner=owner,
        key=key,
        value=value,
        confidence=0.9,
        first_seen_at=NOW,
        last_confirmed_at=NOW,
        source_audit_id=1,
        quote=None,
        origin=origin,
        pinned=False,
        language="en",
        expires_at=None,
        revision=1,
    )


def candidate(who: str, what: str, value: str, **more: object) -> Candidate:
    return replace(Candidate(who=who, what=what, value=value), **more)  # type: ignore[arg-type]


def applied(stored: Iterable[Fact], changes: Iterable[Change]) -> list[Fact]:
    """Return the facts after the changes, as the store would have them."""
    facts = {one.key: one for one in stored}
    for change in changes:
        if change.operation == "remove":
            del facts[change.key]
        elif change.operation == "replace":
            facts[change.key] = replace(facts[change.key], value=change.value)
        elif change.operation == "add":
            assert change.key not in facts
            facts[change.key] = fact(change.key, change.value, number=len(facts) + 100)
    return list(facts.values())


def brief(changes: Iterable[Change]) -> list[tuple[str, str, str]]:
    return [(change.operation, change.key, change.value) for change in changes]
