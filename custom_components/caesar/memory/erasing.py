"""A person is erased: all that is stored of them goes, and every trace with others.

The rows go in one transaction, which leaves a mark in the file. What SQLite still holds
of their bytes goes after it, and the mark with them: a process that dies in between
finds the mark when it opens the file again. Backups are not ours to change.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    and_,
    delete,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from . import events
from .events import EXCHANGE_KINDS
from .ledger import Patch, fact_from_row, load
from .models import EventKind, Json, Owner
from .purging import Purge
from .schema import audit_log, personal_facts

_STATES: Final = ("before", "after")
_OWNERS: Final = ("from", "to")
_MOVES: Final = (EventKind.OWNER_MOVED, EventKind.OWNER_MOVE_UNDONE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Traces:
    """How much there is of a person."""

    facts: int
    exchanges: int
    events: int
    """Of memory, about this person."""
    with_others: int
    """Facts and events of others that quote or name this person."""


def count(connection: Connection, owner: Owner) -> Traces:
    """Return how much there is of an owner."""
    exchanges = _count(connection, _is_of(owner), audit_log.c.kind.in_(EXCHANGE_KINDS))
    facts = select(func.count()).where(personal_facts.c.owner == owner)
    quoting = select(func.count()).where(_is_taught_by(owner))
    return Traces(
        facts=connection.execute(facts).scalar_one(),
        exchanges=exchanges,
        events=_count(connection, _is_of(owner)) - exchanges,
        with_others=connection.execute(quoting).scalar_one()
        + _count(connection, _tells_of(owner)),
    )


def conversations(connection: Connection, owner: Owner) -> frozenset[str]:
    """Return the conversations in which an owner has spoken."""
    found = connection.execute(
        select(audit_log.c.conversation_id)
        .where(_is_of(owner), audit_log.c.conversation_id.is_not(None))
        .distinct()
    )
    return frozenset(one for one in found.scalars() if one is not None)


def erase(connection: Connection, owner: Owner) -> tuple[Patch, ...]:
    """Delete all that is stored of an owner, and what others' rows tell of it.

    What this person gave to the household stays the household's, without the words
    that taught it.
    """
    gone = load(connection, [owner])
    patches = [Patch(owner=owner, fact_id=fact.id, fact=None) for fact in gone]
    patches += _without_quotes(connection, owner)
    _clean_others(connection, owner)
    connection.execute(
        update(audit_log).where(audit_log.c.actor == owner).values(actor=None)
    )
    for table in (personal_facts, audit_log):
        connection.execute(delete(table).where(table.c.owner == owner))
    connection.exec_driver_sql(f"PRAGMA user_version = {Purge.ERASED.value}")
    return tuple(patches)


def _is_of(owner: Owner) -> ColumnElement[bool]:
    return audit_log.c.owner == owner


def _count(connection: Connection, *conditions: ColumnElement[bool]) -> int:
    return connection.execute(select(func.count()).where(*conditions)).scalar_one()


def _is_taught_by(owner: Owner) -> ColumnElement[bool]:
    source = personal_facts.c.source_audit_id
    return and_(
        personal_facts.c.owner != owner,
        source.in_(select(audit_log.c.id).where(_is_of(owner))),
    )


def _tells_of(owner: Owner) -> ColumnElement[bool]:
    """Return the condition that an event of somebody else quotes or names an owner."""
    payload = audit_log.c.payload
    said = audit_log.alias("said")
    theirs = select(said.c.id).where(said.c.owner == owner)
    sources = (("exchange_id",), *((state, "source_audit_id") for state in _STATES))
    return and_(
        audit_log.c.owner != owner,
        audit_log.c.kind.like("memory.%"),
        or_(
            audit_log.c.actor == owner,
            func.instr(type_coerce(payload, Text), f'"{owner}"') > 0,
            *(payload[path].as_integer().in_(theirs) for path in sources),
        ),
    )


def _without_quotes(connection: Connection, owner: Owner) -> list[Patch]:
    is_taught = _is_taught_by(owner)
    rows = connection.execute(select(personal_facts).where(is_taught)).all()
    ids = [row.id for row in rows]
    connection.execute(
        update(personal_facts)
        .where(personal_facts.c.id.in_(ids))
        .values(source_audit_id=None, quote=None)
    )
    facts = (fact_from_row(row._mapping) for row in rows)
    return [
        Patch(
            owner=fact.owner,
            fact_id=fact.id,
            fact=replace(fact, source_audit_id=None, quote=None),
        )
        for fact in facts
    ]


def _clean_others(connection: Connection, owner: Owner) -> None:
    theirs = frozenset(
        connection.execute(select(audit_log.c.id).where(_is_of(owner))).scalars()
    )
    rows = connection.execute(
        select(audit_log.c.id, audit_log.c.kind, audit_log.c.payload).where(
            _tells_of(owner)
        )
    )
    for event_id, kind, payload in rows.all():
        if kind in _MOVES and payload.get("source") == owner:
            events.remove(connection, event_id)
            continue
        connection.execute(
            update(audit_log)
            .where(audit_log.c.id == event_id)
            .values(payload=_cleaned(payload, owner, theirs))
        )


def _cleaned(
    payload: Mapping[str, Json], owner: Owner, theirs: Collection[int]
) -> dict[str, Any]:
    cleaned: dict[str, Any] = dict(payload)
    if payload.get("exchange_id") in theirs:
        cleaned["exchange_id"] = None
        if "quote" in payload:
            cleaned["quote"] = ""
    for name in _STATES:
        state = payload.get(name)
        if isinstance(state, dict) and state.get("source_audit_id") in theirs:
            cleaned[name] = {**state, "source_audit_id": None, "quote": None}
    for name in _OWNERS:
        other = payload.get(name)
        if isinstance(other, dict) and other.get("owner") == owner:
            del cleaned[name]
    return cleaned
