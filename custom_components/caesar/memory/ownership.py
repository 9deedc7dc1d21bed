"""All that is an owner's becomes another's: facts, events, what waits.

A person without a login gets one: what was theirs as a person is theirs as a user. Each
function runs inside the caller's transaction.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select, update

from . import slots
from .extraction.siblings import next_value_key, sibling_of
from .ledger import Cause, Patch, delete_fact, free_key, load, replace_fact
from .models import EventKind, Fact, Owner
from .schema import audit_log, personal_facts
from .values import same_value

_STATES = ("before", "after")


@dataclass(frozen=True, slots=True)
class _Place:
    """A key taken apart: the second dog's likes are ``("dog", 2, "like")``."""

    who: str
    number: int
    rest: str

    @property
    def key(self) -> str:
        base = f"{self.who}.{self.rest}" if self.rest else self.who
        return slots.sibling_key(base, self.number)


def is_known(connection: Connection, owner: Owner) -> bool:
    """Return whether anything is stored of an owner."""
    return any(
        connection.execute(select(func.count()).where(table.c.owner == owner)).scalar()
        for table in (personal_facts, audit_log)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What becomes of one fact that moves."""

    fact: Fact
    key: str | None
    """Its key with the new owner; None where that one knows it already."""


def plan(facts: Iterable[Fact], present: Sequence[Fact]) -> tuple[Step, ...]:
    """Return what becomes of an owner's facts that move to one who has those present.

    What both knew stays once. The facts of one of several people or pets stay
    together, under a number that is free.
    """
    taken = {fact.key for fact in present}
    steps = []
    for group in _groups(facts):
        place = _new_place(group, present)
        for fact in group:
            key = None
            if not _is_there(fact, place, present):
                key = _free_key(fact.key, place, frozenset(taken))
                taken.add(key)
            steps.append(Step(fact=fact, key=key))
    return tuple(steps)


def move(
    connection: Connection, source: Owner, target: Owner, cause: Cause
) -> tuple[Patch, ...]:
    """Give all that belongs to the source to the target, and tell of each fact."""
    _move_events(connection, source, target)
    patches: list[Patch] = []
    for step in plan(load(connection, [source]), load(connection, [target])):
        fact = step.fact
        patches.append(Patch(owner=source, fact_id=fact.id, fact=None))
        moved = replace(fact, owner=target)
        if step.key is None:
            patches.append(
                delete_fact(connection, EventKind.FACT_REMOVED, moved, cause)
            )
            continue
        after = replace(moved, key=step.key, revision=fact.revision + 1)
        patches.append(
            replace_fact(connection, EventKind.FACT_MOVED, moved, after, cause)
        )
    return tuple(patches)


def _move_events(connection: Connection, source: Owner, target: Owner) -> None:
    told = connection.execute(
        select(audit_log.c.id, audit_log.c.payload).where(audit_log.c.owner == source)
    )
    for event_id, payload in told.all():
        # Undoing a change takes the owner from here.
        if states := owned_states(payload, target):
            connection.execute(
                update(audit_log)
                .where(audit_log.c.id == event_id)
                .values(payload={**payload, **states})
            )
    for column in (audit_log.c.owner, audit_log.c.actor):
        connection.execute(
            update(audit_log).where(column == source).values({column.name: target})
        )


def owned_states(
    payload: Mapping[str, object], target: Owner
) -> Mapping[str, dict[str, object]]:
    """Return the states of a fact in an event, as they are with another owner."""
    return {
        name: {**state, "owner": target}
        for name in _STATES
        if isinstance(state := payload.get(name), dict)
    }


def _groups(facts: Iterable[Fact]) -> Iterable[Sequence[Fact]]:
    """Return the facts, those about the same person or pet together."""
    groups: dict[object, list[Fact]] = {}
    for fact in facts:
        place = _place(fact.key)
        about = fact.id if place is None else (place.who, place.number)
        groups.setdefault(about, []).append(fact)
    return groups.values()


def _place(key: str) -> _Place | None:
    """Return the place of a fact about one of several, None for any other."""
    head, dot, rest = key.partition(".")
    if not dot or not slots.may_be_several(head):
        return None
    number = sibling_of(key)
    return _Place(head, number, rest.removeprefix(f"{number}."))


def _new_place(group: Sequence[Fact], present: Sequence[Fact]) -> _Place | None:
    """Return where the group's person or pet stands among those of the target."""
    own = _place(group[0].key)
    if own is None:
        return None
    others = [
        (place, fact)
        for fact in present
        if (place := _place(fact.key)) is not None and place.who == own.who
    ]
    names = [
        fact.value for fact in group if slots.without_number(fact.key).endswith(".name")
    ]
    for place, fact in others:
        if place.rest == "name" and any(same_value(fact.value, name) for name in names):
            return place
    taken = {place.number for place, _ in others}
    number = own.number
    while number in taken:
        number += 1
    return replace(own, number=number)


def _is_there(fact: Fact, place: _Place | None, present: Sequence[Fact]) -> bool:
    base = slots.without_number(fact.key)
    return any(
        slots.without_number(other.key) == base
        and (place is None or sibling_of(other.key) == place.number)
        and same_value(fact.value, other.value)
        for other in present
    )


def _free_key(key: str, place: _Place | None, taken: frozenset[str]) -> str:
    own = _place(key)
    if own is None or place is None:
        return free_key(key, taken)
    return next_value_key(replace(own, number=place.number).key, taken)


def _keys(connection: Connection, owner: Owner) -> frozenset[str]:
    return frozenset(
        connection.execute(
            select(personal_facts.c.key).where(personal_facts.c.owner == owner)
        ).scalars()
    )
