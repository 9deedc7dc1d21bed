"""Exchanges as people look at them, and how one of them goes.

Every function runs inside the caller's transaction.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from sqlalchemy import Connection, or_, select, update

from . import cursor as cursors, events, set_aside
from .errors import ExchangeNotFoundError
from .events import EXCHANGE_KINDS
from .ledger import Cause, Patch, delete_fact, fact_from_row
from .models import Event, EventKind, Fact, Json, NewEvent, Owner
from .pages import Page, Query, exchange_events
from .schema import audit_log, personal_facts

# What somebody asked another agent to remember is a fact's source as well.
_SOURCES = (*EXCHANGE_KINDS, EventKind.REMEMBER_ASKED)
_STATES = ("before", "after")

type Fate = Literal["keep", "delete"]
"""What becomes of the facts of an exchange that is deleted."""


class LearningState(StrEnum):
    """Whether an exchange has been learned from."""

    READ = "read"
    WAITING = "waiting"
    SET_ASIDE = "set_aside"
    NOT_TAUGHT = "not_taught"


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """One exchange with what came of it."""

    event: Event
    learning: LearningState
    facts: tuple[Fact, ...]
    """The facts of its reader whose source it is."""


def records(connection: Connection, query: Query) -> Page[Record]:
    """Return a page of exchanges."""
    page = exchange_events(connection, query, EXCHANGE_KINDS)
    rows = _records(connection, query.owners, page.rows)
    return Page(rows=rows, next=page.next)


def record(
    connection: Connection, owners: Collection[Owner], exchange_id: int
) -> Record:
    """Return one exchange, or what somebody asked to have remembered.

    Raises ExchangeNotFoundError where it is gone or is not one of these owners'.
    """
    event = events.find(connection, exchange_id)
    if event is None or event.owner not in owners or event.kind not in _SOURCES:
        raise ExchangeNotFoundError("No such exchange")
    (found,) = _records(connection, owners, [event])
    return found


def areas(connection: Connection, owners: Collection[Owner]) -> tuple[str, ...]:
    """Return the areas in which anything was said."""
    found = connection.execute(
        select(audit_log.c.area_id)
        .where(
            audit_log.c.owner.in_(tuple(owners)),
            audit_log.c.kind.in_(EXCHANGE_KINDS),
            audit_log.c.area_id.is_not(None),
        )
        .distinct()
    )
    return tuple(area for area in found.scalars() if area is not None)


def delete(
    connection: Connection,
    owners: Collection[Owner],
    exchange_id: int,
    fate: Fate,
    cause: Cause,
) -> tuple[Patch, ...]:
    """Delete an exchange for good, and its words wherever they were quoted.

    Facts of these owners that it taught are deleted too, or kept without their proof.
    Raises ExchangeNotFoundError.
    """
    event = record(connection, owners, exchange_id).event
    patches: list[Patch] = []
    if fate == "delete":
        patches += (
            delete_fact(connection, EventKind.FACT_USER_DELETED, fact, cause)
            for fact in _taught(connection, [exchange_id])
            if fact.owner in owners
        )
    patches += _unquoted(connection, exchange_id)
    _unquote_events(connection, exchange_id, fate)
    set_aside.resolve(
        connection, [exchange_id], EventKind.EXTRACTION_DISMISSED, cause.at
    )
    events.remove(connection, exchange_id)
    told = NewEvent(
        kind=EventKind.EXCHANGE_DELETED,
        owner=event.owner,
        actor=cause.actor,
        payload={"exchange_id": exchange_id, "facts": fate},
    )
    events.append(connection, told, cause.at)
    return tuple(patches)


def _records(
    connection: Connection, owners: Collection[Owner], rows: Iterable[Event]
) -> tuple[Record, ...]:
    rows = tuple(rows)
    read_up_to = cursors.load(connection).last_audit_id
    aside = {one.exchange_id for one in set_aside.unresolved(connection)}
    taught: dict[int | None, list[Fact]] = {}
    for fact in _taught(connection, [row.id for row in rows]):
        if fact.owner in owners:
            taught.setdefault(fact.source_audit_id, []).append(fact)
    return tuple(
        Record(
            event=row,
            learning=_state(row, read_up_to, aside),
            facts=tuple(taught.get(row.id, ())),
        )
        for row in rows
    )


def _state(event: Event, read_up_to: int, aside: Collection[int]) -> LearningState:
    if event.payload.get("teaches") is False:
        return LearningState.NOT_TAUGHT
    if event.id in aside:
        return LearningState.SET_ASIDE
    if event.id > read_up_to and event.kind in EXCHANGE_KINDS:
        return LearningState.WAITING
    return LearningState.READ


def _taught(connection: Connection, exchange_ids: Collection[int]) -> tuple[Fact, ...]:
    rows = connection.execute(
        select(personal_facts)
        .where(personal_facts.c.source_audit_id.in_(tuple(exchange_ids)))
        .order_by(personal_facts.c.id)
    )
    return tuple(fact_from_row(row._mapping) for row in rows)


def _unquoted(connection: Connection, exchange_id: int) -> list[Patch]:
    """Take the proof from what is left of the facts, whoever has them by now."""
    left = _taught(connection, [exchange_id])
    connection.execute(
        update(personal_facts)
        .where(personal_facts.c.source_audit_id == exchange_id)
        .values(source_audit_id=None, quote=None)
    )
    return [
        Patch(
            owner=fact.owner,
            fact_id=fact.id,
            fact=replace(fact, source_audit_id=None, quote=None),
        )
        for fact in left
    ]


def _unquote_events(connection: Connection, exchange_id: int, fate: Fate) -> None:
    payload = audit_log.c.payload
    told = connection.execute(
        select(audit_log.c.id, audit_log.c.kind, payload).where(
            audit_log.c.kind.like("memory.%"),
            or_(
                payload["exchange_id"].as_integer() == exchange_id,
                *(
                    payload[(state, "source_audit_id")].as_integer() == exchange_id
                    for state in _STATES
                ),
            ),
        )
    )
    for event_id, kind, told_payload in told.all():
        if kind == EventKind.FACT_SUGGESTED and fate == "delete":
            events.remove(connection, event_id)
            continue
        connection.execute(
            update(audit_log)
            .where(audit_log.c.id == event_id)
            .values(payload=_without_quotes(told_payload, exchange_id))
        )


def _without_quotes(payload: Mapping[str, Json], exchange_id: int) -> dict[str, Json]:
    cleaned = dict(payload)
    if "quote" in cleaned:
        cleaned["quote"] = ""
    for name in _STATES:
        state = cleaned.get(name)
        if isinstance(state, dict) and state["source_audit_id"] == exchange_id:
            cleaned[name] = {**state, "source_audit_id": None, "quote": None}
    return cleaned
