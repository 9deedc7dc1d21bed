"""Exchanges to which no model gave a usable answer, until they are read or dismissed.

Each is an event in the audit log; a later event of the other two kinds resolves it.
Every function runs inside the caller's transaction.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from . import events
from .models import EventKind, Exchange, Json, NewEvent, Owner
from .schema import audit_log

_RESOLVING = (EventKind.EXTRACTION_RETRIED, EventKind.EXTRACTION_DISMISSED)


@dataclass(frozen=True, kw_only=True, slots=True)
class SetAside:
    """One exchange that taught nothing because no answer could be used."""

    exchange_id: int
    owner: Owner
    at: datetime
    """When it was given up, not when it was said."""


def put(connection: Connection, exchange: Exchange, at: datetime) -> None:
    """Set an exchange aside."""
    _tell(connection, EventKind.EXTRACTION_SET_ASIDE, exchange.owner, exchange.id, at)


def unresolved(connection: Connection) -> tuple[SetAside, ...]:
    """Return what is set aside, the oldest first."""
    rows = connection.execute(
        select(audit_log.c.kind, audit_log.c.owner, audit_log.c.at, audit_log.c.payload)
        .where(audit_log.c.kind.in_((EventKind.EXTRACTION_SET_ASIDE, *_RESOLVING)))
        .order_by(audit_log.c.id)
    )
    found: dict[int, SetAside] = {}
    for kind, owner, at, payload in rows:
        exchange_id: int = payload["exchange_id"]
        if kind == EventKind.EXTRACTION_SET_ASIDE:
            found[exchange_id] = SetAside(exchange_id=exchange_id, owner=owner, at=at)
        else:
            found.pop(exchange_id, None)
    return tuple(found.values())


def exchange(connection: Connection, exchange_id: int) -> Exchange | None:
    """Return a finished exchange, None where its words are gone."""
    found = events.exchanges_after(connection, exchange_id - 1, 1)
    meant = next((one for one in found if one.id == exchange_id), None)
    return None if meant is None else events.with_replies(connection, meant)


def resolve(
    connection: Connection,
    exchange_ids: Collection[int],
    kind: EventKind,
    at: datetime,
) -> int:
    """Note that exchanges are read or dismissed; return how many were set aside."""
    meant = [one for one in unresolved(connection) if one.exchange_id in exchange_ids]
    for one in meant:
        _tell(connection, kind, one.owner, one.exchange_id, at)
    return len(meant)


def _tell(
    connection: Connection,
    kind: EventKind,
    owner: Owner,
    exchange_id: int,
    at: datetime,
) -> None:
    payload: dict[str, Json] = {"exchange_id": exchange_id}
    if kind is EventKind.EXTRACTION_SET_ASIDE:
        payload["reason"] = "unusable_answer"
    events.append(connection, NewEvent(kind=kind, owner=owner, payload=payload), at)
