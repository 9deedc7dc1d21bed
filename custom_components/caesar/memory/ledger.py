"""The rows of facts, which change only together with the events that tell of it.

Every function runs inside the caller's transaction and returns what changed as a
``Patch``, so that the copy in RAM can follow. An event carries the whole row after the
change and, where there was one, before it: replaying an owner's events rebuilds them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    delete,
    insert,
    select,
    update,
)

from . import events, slots, suggestions
from .errors import FactNotFoundError
from .models import EventKind, Exchange, Fact, Json, NewEvent, Origin, Owner
from .schema import personal_facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Patch:
    """One fact as it is now; ``fact`` is None where it is gone."""

    owner: Owner
    fact_id: int
    fact: Fact | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Cause:
    """Why facts change: an exchange that taught something, or a person's own act."""

    at: datetime
    actor: Owner | None = None
    exchange: Exchange | None = None
    correction: bool = False
    """The person said in so many words that the old value was wrong."""
    asked: bool = False
    """Somebody asked in so many words to have it remembered."""


def load(
    connection: Connection, owners: Iterable[Owner] | None = None
) -> tuple[Fact, ...]:
    """Return the facts of the given owners, or of all, in id order."""
    query = select(personal_facts).order_by(personal_facts.c.id)
    if owners is not None:
        query = query.where(personal_facts.c.owner.in_(tuple(owners)))
    return tuple(fact_from_row(row._mapping) for row in connection.execute(query))


def load_ended(connection: Connection, before: datetime) -> tuple[Fact, ...]:
    """Return the facts that ended before a moment, in id order."""
    rows = connection.execute(
        select(personal_facts)
        .where(personal_facts.c.expires_at < before)
        .order_by(personal_facts.c.id)
    )
    return tuple(fact_from_row(row._mapping) for row in rows)


def get(connection: Connection, fact_id: int) -> Fact | None:
    """Return a fact, None where it is gone."""
    row = connection.execute(
        select(personal_facts).where(personal_facts.c.id == fact_id)
    ).first()
    return None if row is None else fact_from_row(row._mapping)


def find_in_slot(connection: Connection, owner: Owner, base: str) -> tuple[Fact, ...]:
    """Return an owner's facts whose keys, without numbers, are the given one."""
    rows = connection.execute(
        select(personal_facts)
        .where(personal_facts.c.owner == owner, _shares_head(base))
        .order_by(personal_facts.c.id)
    )
    found = (fact_from_row(row._mapping) for row in rows)
    return tuple(fact for fact in found if slots.without_number(fact.key) == base)


def add(connection: Connection, fact: Fact, cause: Cause) -> Patch:
    """Add a fact with id 0 under a free key: a sibling is numbered, never replaced."""
    fact = _insert(connection, fact)
    _tell(connection, EventKind.FACT_ADDED, cause, after=fact)
    return Patch(owner=fact.owner, fact_id=fact.id, fact=fact)


def put_back(connection: Connection, fact: Fact, cause: Cause) -> Patch:
    """Add a fact that was deleted, under its old id and, where free, its old key."""
    fact = _insert(connection, fact)
    _tell(connection, EventKind.FACT_RESTORED, cause, after=fact)
    return Patch(owner=fact.owner, fact_id=fact.id, fact=fact)


def replace_fact(
    connection: Connection, kind: EventKind, before: Fact, after: Fact, cause: Cause
) -> Patch:
    """Put a fact's new state in the place of the old one."""
    connection.execute(
        update(personal_facts).where(personal_facts.c.id == before.id), asdict(after)
    )
    _tell(connection, kind, cause, before=before, after=after)
    return Patch(owner=after.owner, fact_id=after.id, fact=after)


def update_fact(
    connection: Connection, before: Fact, told: Fact, cause: Cause
) -> Patch:
    """Let a fact hold what was told instead; its key, age and pin stay."""
    after = replace(
        told,
        id=before.id,
        key=before.key,
        first_seen_at=before.first_seen_at,
        pinned=before.pinned,
        revision=before.revision + 1,
    )
    return replace_fact(connection, EventKind.FACT_UPDATED, before, after, cause)


def hand_over(
    connection: Connection, before: Fact, after: Fact, cause: Cause
) -> tuple[Patch, Patch]:
    """Give a fact to another owner; the histories of both tell of it."""
    connection.execute(
        update(personal_facts).where(personal_facts.c.id == before.id), asdict(after)
    )
    kind = EventKind.FACT_HANDED_OVER
    to: dict[str, Json] = {"owner": after.owner}
    came: dict[str, Json] = {"owner": before.owner, "key": before.key}
    _tell(connection, kind, cause, before=before, more={"to": to})
    _tell(connection, kind, cause, after=after, more={"from": came})
    return (
        Patch(owner=before.owner, fact_id=before.id, fact=None),
        Patch(owner=after.owner, fact_id=after.id, fact=after),
    )


def confirm(connection: Connection, fact: Fact, cause: Cause) -> Patch:
    """Note that a fact was said again."""
    said_at = cause.exchange.at if cause.exchange else cause.at
    after = replace(fact, last_confirmed_at=max(fact.last_confirmed_at, said_at))
    return replace_fact(connection, EventKind.FACT_CONFIRMED, fact, after, cause)


def delete_fact(
    connection: Connection,
    kind: EventKind,
    fact: Fact,
    cause: Cause,
    *,
    reason: str | None = None,
) -> Patch:
    """Delete a fact; its last state lives on in the event."""
    connection.execute(delete(personal_facts).where(personal_facts.c.id == fact.id))
    more: dict[str, Json] = {"reason": reason} if reason else {}
    _tell(connection, kind, cause, before=fact, more=more)
    return Patch(owner=fact.owner, fact_id=fact.id, fact=None)


def take_back(
    connection: Connection, owner: Owner, fact_id: int, before: Fact | None
) -> Patch:
    """Let a fact be again as it was before an event that is withdrawn; tell nobody."""
    connection.execute(delete(personal_facts).where(personal_facts.c.id == fact_id))
    if before is not None:
        before = _insert(connection, before)
    return Patch(owner=owner, fact_id=fact_id, fact=before)


def fact_from_row(row: RowMapping | Mapping[str, Any]) -> Fact:
    """Return the fact that a row holds."""
    return Fact(**{**row, "origin": Origin(row["origin"])})


def fact_from_state(state: Json) -> Fact:
    """Return the fact that an event's payload holds as ``before`` or ``after``.

    Raises FactNotFoundError where it holds none.
    """
    if not isinstance(state, dict):
        raise FactNotFoundError("The event holds no fact")
    moments = {
        name: datetime.fromisoformat(text)
        for name in ("first_seen_at", "last_confirmed_at", "expires_at")
        if isinstance(text := state[name], str)
    }
    return fact_from_row({**state, **moments})


def _insert(connection: Connection, fact: Fact) -> Fact:
    fact = replace(fact, key=find_free_key(connection, fact.owner, fact.key))
    row = asdict(fact)
    if fact.id == 0:
        del row["id"]
    new_id = connection.execute(
        insert(personal_facts).returning(personal_facts.c.id), row
    ).scalar_one()
    return replace(fact, id=new_id)


def find_free_key(connection: Connection, owner: Owner, key: str) -> str:
    """Return the key, or that of the next sibling whose key is free."""
    taken = connection.execute(
        select(personal_facts.c.key).where(
            personal_facts.c.owner == owner, _shares_head(key)
        )
    ).scalars()
    return free_key(key, frozenset(taken))


def _shares_head(key: str) -> ColumnElement[bool]:
    """Return the condition that a row's key begins with the same part."""
    head, column = key.partition(".")[0], personal_facts.c.key
    # Keys below a head lie between its own dot and the next character.
    return (column == head) | column.between(f"{head}.", f"{head}/")


def _tell(
    connection: Connection,
    kind: EventKind,
    cause: Cause,
    *,
    before: Fact | None = None,
    after: Fact | None = None,
    more: Mapping[str, Json] | None = None,
) -> None:
    about = after or before
    assert about is not None  # noqa: S101  for the type checker
    event = NewEvent(
        kind=kind,
        owner=about.owner,
        actor=cause.actor,
        payload={
            "fact_id": about.id,
            "before": _state(before) if before else None,
            "after": _state(after) if after else None,
            "exchange_id": cause.exchange.id if cause.exchange else None,
            **({"correction": True} if cause.correction else {}),
            **(more or {}),
        },
    )
    events.append(connection, event, cause.at)
    exchange_id = cause.exchange.id if cause.exchange else None
    suggestions.settle(connection, before, after, at=cause.at, exchange_id=exchange_id)


def _state(fact: Fact) -> dict[str, Json]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(fact).items()
    }


def free_key(key: str, taken: Collection[str]) -> str:
    """Return the key, or that of the next sibling whose key is free."""
    base, number = slots.without_number(key), slots.sibling_number(key)
    while key in taken:
        number += 1
        key = slots.sibling_key(base, number)
    return key
