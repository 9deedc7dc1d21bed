"""One owner's memory joins another's: shown before it is done, and undone after.

The event of the move lists what moved, so that undoing it finds that again among all
that the new owner had before or learned since. Every function runs inside the caller's
transaction.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from sqlalchemy import Connection, bindparam, func, select, update

from . import events, ownership
from .errors import MoveNotFoundError
from .events import EXCHANGE_KINDS
from .ledger import (
    Cause,
    Patch,
    fact_from_state,
    free_key,
    load,
    put_back,
    replace_fact,
)
from .models import Event, EventKind, Fact, Json, NewEvent, Owner
from .schema import audit_log

type _Ranges = Sequence[Sequence[int]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What a move would do."""

    facts: int
    exchanges: int
    merged: tuple[Fact, ...]
    """Facts that both know."""
    renamed: tuple[tuple[Fact, str], ...]
    """Facts whose key is taken, each with the one it would get."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """A move that was done."""

    id: int
    """Of its event."""
    source: Owner
    target: Owner
    details: Mapping[str, Any]


def preview(connection: Connection, source: Owner, target: Owner) -> Preview:
    """Return what a move would do."""
    facts = load(connection, [source])
    steps = ownership.plan(facts, load(connection, [target]))
    exchanges = connection.execute(
        select(func.count()).where(
            audit_log.c.owner == source, audit_log.c.kind.in_(EXCHANGE_KINDS)
        )
    ).scalar_one()
    return Preview(
        facts=len(facts),
        exchanges=exchanges,
        merged=tuple(step.fact for step in steps if step.key is None),
        renamed=tuple(
            (step.fact, step.key)
            for step in steps
            if step.key not in (None, step.fact.key) and step.key is not None
        ),
    )


def move(
    connection: Connection, source: Owner, target: Owner, cause: Cause
) -> tuple[Patch, ...]:
    """Give all that is one owner's to another, so that it can be undone."""
    before = {fact.id: fact for fact in load(connection, [source])}
    owned = _ids(connection, owner=source)
    acted = _ids(connection, actor=source)
    patches = ownership.move(connection, source, target, cause)
    moved = [patch.fact for patch in patches if patch.fact is not None]
    kept = {fact.id for fact in moved}
    payload: dict[str, Json] = {
        "source": source,
        "target": target,
        "facts": [[fact.id, fact.revision, before[fact.id].key] for fact in moved],
        "merged": [fact_id for fact_id in before if fact_id not in kept],
        "owned": _ranges(owned),
        "acted": _ranges(acted),
    }
    told = NewEvent(
        kind=EventKind.OWNER_MOVED, owner=target, actor=cause.actor, payload=payload
    )
    events.append(connection, told, cause.at)
    return patches


def last_move(connection: Connection, target: Owner) -> int:
    """Return the id of the last move to an owner."""
    last: int = connection.execute(
        select(func.max(audit_log.c.id)).where(
            audit_log.c.kind == EventKind.OWNER_MOVED, audit_log.c.owner == target
        )
    ).scalar_one()
    return last


def recent(connection: Connection, limit: int) -> tuple[Event, ...]:
    """Return the last moves that are not undone, whosever they are."""
    undoing = audit_log.alias()
    is_undone = (
        select(undoing.c.id)
        .where(
            undoing.c.kind == EventKind.OWNER_MOVE_UNDONE,
            undoing.c.payload["move_id"].as_integer() == audit_log.c.id,
        )
        .exists()
    )
    found = connection.execute(
        select(audit_log)
        .where(audit_log.c.kind == EventKind.OWNER_MOVED, ~is_undone)
        .order_by(audit_log.c.id.desc())
        .limit(limit)
    )
    return tuple(events.event_from_row(row) for row in found)


def find(connection: Connection, event_id: int) -> Move:
    """Return a move that is not undone yet; raises MoveNotFoundError."""
    event = events.find(connection, event_id)
    if event is None or event.kind != EventKind.OWNER_MOVED:
        raise MoveNotFoundError("No such move")
    if event_id in undone(connection, [event.owner]):
        raise MoveNotFoundError("The move is undone already")
    return Move(
        id=event.id,
        source=str(event.payload["source"]),
        # The target may itself have moved since.
        target=event.owner,
        details=event.payload,
    )


def undone(connection: Connection, owners: Collection[Owner]) -> frozenset[int]:
    """Return the ids of the moves to these owners that were undone."""
    found = connection.execute(
        select(audit_log.c.payload["move_id"].as_integer()).where(
            audit_log.c.kind == EventKind.OWNER_MOVE_UNDONE,
            audit_log.c.owner.in_(tuple(owners)),
        )
    )
    return frozenset(found.scalars())


def undo(connection: Connection, done: Move, cause: Cause) -> tuple[Patch, ...]:
    """Give back what moved and nobody has changed since, with its events."""
    present = {fact.id: fact for fact in load(connection, [done.target])}
    keys: dict[int, str] = {}
    stays: set[int] = set()
    for fact_id, revision, key in done.details["facts"]:
        fact = present.get(fact_id)
        if fact is not None and fact.revision == revision:
            keys[fact_id] = key
        else:
            stays.add(fact_id)
    merged = [one for one in done.details["merged"] if one not in present]
    _give_back_events(connection, done, {*keys, *merged}, stays)
    patches: list[Patch] = []
    for fact_id, key in keys.items():
        patches += _give_back(connection, present[fact_id], key, done, cause)
    for fact_id in merged:
        patches += _put_back(connection, fact_id, done, cause)
    told = NewEvent(
        kind=EventKind.OWNER_MOVE_UNDONE,
        owner=done.target,
        actor=cause.actor,
        payload={
            "move_id": done.id,
            "source": done.source,
            "count": sum(patch.fact is not None for patch in patches),
        },
    )
    events.append(connection, told, cause.at)
    return tuple(patches)


def _give_back(
    connection: Connection, fact: Fact, key: str, done: Move, cause: Cause
) -> tuple[Patch, Patch]:
    taken = {other.key for other in load(connection, [done.source])}
    before = replace(fact, owner=done.source)
    after = replace(before, key=free_key(key, taken), revision=fact.revision + 1)
    return (
        Patch(owner=done.target, fact_id=fact.id, fact=None),
        replace_fact(connection, EventKind.FACT_MOVED, before, after, cause),
    )


def _put_back(
    connection: Connection, fact_id: int, done: Move, cause: Cause
) -> tuple[Patch, ...]:
    told = events.last_of_fact(
        connection, [done.source], fact_id, [EventKind.FACT_REMOVED]
    )
    if told is None:
        return ()
    fact = fact_from_state(told.payload["before"])
    source = fact.source_audit_id
    if source is not None and not events.exists(connection, source):
        fact = replace(fact, source_audit_id=None)
    fact = replace(fact, revision=fact.revision + 1)
    return (put_back(connection, fact, cause),)


def _give_back_events(
    connection: Connection, done: Move, back: Collection[int], stays: Collection[int]
) -> None:
    owned, acted = done.details["owned"], done.details["acted"]
    rows = connection.execute(
        select(audit_log.c.id, audit_log.c.payload).where(
            audit_log.c.owner == done.target
        )
    ).all()
    returned = []
    for event_id, payload in rows:
        fact_id = payload.get("fact_id")
        if fact_id in back or (_is_in(owned, event_id) and fact_id not in stays):
            states = ownership.owned_states(payload, done.source)
            returned.append({"event": event_id, "told": {**payload, **states}})
    if returned:
        connection.execute(
            update(audit_log)
            .where(audit_log.c.id == bindparam("event"))
            .values(owner=done.source, payload=bindparam("told")),
            returned,
        )
    acting = [
        {"event": event_id}
        for event_id in _ids(connection, actor=done.target)
        if _is_in(acted, event_id)
    ]
    if acting:
        connection.execute(
            update(audit_log)
            .where(audit_log.c.id == bindparam("event"))
            .values(actor=done.source),
            acting,
        )


def _ids(connection: Connection, **column: Owner) -> tuple[int, ...]:
    ((name, owner),) = column.items()
    found = connection.execute(
        select(audit_log.c.id)
        .where(audit_log.c[name] == owner)
        .order_by(audit_log.c.id)
    )
    return tuple(found.scalars())


def _ranges(ids: Iterable[int]) -> list[Json]:
    """Return ascending ids as pairs of the first and the last of each run."""
    runs: list[list[Json]] = []
    for one in ids:
        if runs and runs[-1][1] == one - 1:
            runs[-1][1] = one
        else:
            runs.append([one, one])
    return cast("list[Json]", runs)


def _is_in(ranges: _Ranges, one: int) -> bool:
    place = bisect_right(ranges, one, key=lambda run: run[0])
    return place > 0 and one <= ranges[place - 1][1]
