"""What was heard but is not sure enough to be stored, until a person decides.

A suggestion is an event in the audit log; a later event that names it settles it: a
person accepted or rejected it, or the facts have changed so that it says nothing more.
The same suggestion is made once, and not again after somebody rejected it, unless
somebody asks for it. Every function runs inside the caller's transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    bindparam,
    func,
    select,
)

from . import events, slots
from .errors import SuggestionNotFoundError
from .models import Change, EventKind, Exchange, Fact, Json, NewEvent, Owner
from .schema import audit_log
from .values import same_value

REJECTED_BEFORE: Final = "rejected_before"

_SETTLING: Final = (
    EventKind.SUGGESTION_ACCEPTED,
    EventKind.SUGGESTION_REJECTED,
    EventKind.SUGGESTION_SETTLED,
)
_PAYLOAD = audit_log.c.payload


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """A change of an owner's facts that waits for a person's word."""

    id: int
    """The id of the event that suggested it."""
    owner: Owner
    at: datetime
    """When it was suggested."""
    operation: Literal["add", "replace", "remove"]
    key: str
    value: str
    """Empty where a fact would be removed."""
    quote: str
    reason: str
    """Why it is not sure; a word, never the text itself."""
    fact_id: int | None
    """The stored fact that would be replaced or removed."""
    exchange_id: int | None
    """In which it was said; its words may be gone by now."""
    language: str | None
    expires_at: datetime | None


def put(
    connection: Connection,
    change: Change,
    exchange: Exchange,
    at: datetime,
    *,
    again: bool,
) -> str | None:
    """Suggest a change, once; return why it is turned down, None where it is not.

    ``again`` suggests even what was rejected before.
    """
    if not change.value and change.fact_id is None:
        # There is nothing stored that could end.
        return change.reason
    if _is_among(change, _known(connection, exchange.owner, _is_open())):
        return None
    if not again and is_rejected(connection, change, exchange.owner):
        return REJECTED_BEFORE
    payload: dict[str, Json] = {
        "exchange_id": exchange.id,
        "reason": change.reason,
        "fact_id": change.fact_id,
        "key": change.key,
        "value": change.value,
        "quote": change.quote,
        "confidence": change.confidence,
        "expires_at": change.expires_at.isoformat() if change.expires_at else None,
    }
    suggested = NewEvent(
        kind=EventKind.FACT_SUGGESTED,
        owner=exchange.owner,
        language=exchange.language or None,
        payload=payload,
    )
    events.append(connection, suggested, at)
    return None


def is_rejected(
    connection: Connection, change: Change, owner: Owner, since: int = 0
) -> bool:
    """Return whether somebody has rejected this after the event ``since``."""
    rejected = audit_log.c.id.in_(_closed(since, EventKind.SUGGESTION_REJECTED))
    return _is_among(change, _known(connection, owner, rejected))


def pending(
    connection: Connection, owners: Iterable[Owner], now: datetime
) -> tuple[Suggestion, ...]:
    """Return what still waits for a person's word, the newest first."""
    rows = connection.execute(
        select(audit_log)
        .where(
            audit_log.c.kind == EventKind.FACT_SUGGESTED,
            audit_log.c.owner.in_(tuple(owners)),
            _is_open(),
        )
        .order_by(audit_log.c.id.desc())
    )
    found = (_suggestion(row._mapping) for row in rows)
    return tuple(
        one
        for one in found
        if (one.value or one.fact_id is not None)
        and (one.expires_at is None or one.expires_at > now)
    )


def count_pending(connection: Connection) -> int:
    """Return how many wait in the whole house."""
    return connection.execute(
        select(func.count()).where(
            audit_log.c.kind == EventKind.FACT_SUGGESTED, _is_open()
        )
    ).scalar_one()


def find(
    connection: Connection, owners: Iterable[Owner], suggestion_id: int, now: datetime
) -> Suggestion:
    """Return one that still waits; raises SuggestionNotFoundError."""
    for suggestion in pending(connection, owners, now):
        if suggestion.id == suggestion_id:
            return suggestion
    raise SuggestionNotFoundError("No such suggestion")


def close(
    connection: Connection,
    kind: EventKind,
    suggestion_id: int,
    owner: Owner,
    *,
    at: datetime,
    actor: Owner | None = None,
    exchange_id: int | None = None,
) -> None:
    """Note that a suggestion is accepted, rejected or settled."""
    payload: dict[str, Json] = {
        "suggestion_id": suggestion_id,
        "exchange_id": exchange_id,
    }
    event = NewEvent(kind=kind, owner=owner, actor=actor, payload=payload)
    events.append(connection, event, at)


def settle(
    connection: Connection,
    before: Fact | None,
    after: Fact | None,
    *,
    at: datetime,
    exchange_id: int | None,
) -> None:
    """Close what a change of a fact has made true or pointless."""
    about = after or before
    if about is None:
        return
    for one in _open(connection, about.owner):
        if one.is_settled_by(before, after):
            close(
                connection,
                EventKind.SUGGESTION_SETTLED,
                one.id,
                about.owner,
                at=at,
                exchange_id=exchange_id,
            )


@dataclass(frozen=True, slots=True)
class _Known:
    """As much of a suggestion as tells whether another says the same."""

    id: int
    fact_id: int | None
    key: str
    value: str

    def says(self, key: str, value: str) -> bool:
        return slots.without_number(self.key) == slots.without_number(
            key
        ) and same_value(self.value, value)

    def is_settled_by(self, before: Fact | None, after: Fact | None) -> bool:
        if after is not None and self.says(after.key, after.value):
            return True
        if before is None or before.id != self.fact_id:
            return False
        return after is None or not same_value(before.value, after.value)


def _known(
    connection: Connection, owner: Owner, condition: ColumnElement[bool]
) -> Iterable[_Known]:
    rows = connection.execute(_suggested(condition), {"of": owner})
    return [_Known(*row) for row in rows]


def _open(connection: Connection, owner: Owner) -> Iterable[_Known]:
    return [_Known(*row) for row in connection.execute(_all_open(), {"of": owner})]


@cache
def _all_open() -> Select[tuple[int, int, str, str]]:
    # Asked at each change of a fact, and slower to build than to run.
    return _suggested(_is_open())


def _suggested(condition: ColumnElement[bool]) -> Select[tuple[int, int, str, str]]:
    return select(
        audit_log.c.id,
        _PAYLOAD["fact_id"].as_integer(),
        _PAYLOAD["key"].as_string(),
        _PAYLOAD["value"].as_string(),
    ).where(
        audit_log.c.kind == EventKind.FACT_SUGGESTED,
        audit_log.c.owner == bindparam("of"),
        condition,
    )


def _is_among(change: Change, known: Iterable[_Known]) -> bool:
    for one in known:
        if change.value and one.says(change.key, change.value):
            return True
        if not change.value and not one.value and one.fact_id == change.fact_id:
            return True
    return False


def _is_open() -> ColumnElement[bool]:
    return audit_log.c.id.not_in(_closed(0, *_SETTLING))


def _closed(since: int, *kinds: EventKind) -> Select[tuple[int]]:
    closing = audit_log.alias("closing")
    named = closing.c.payload["suggestion_id"].as_integer()
    return select(named).where(
        closing.c.kind.in_(kinds), closing.c.id > since, named.is_not(None)
    )


def _suggestion(row: RowMapping) -> Suggestion:
    payload = row["payload"]
    value, fact_id = payload["value"], payload["fact_id"]
    expires_at = payload.get("expires_at")
    operation: Literal["add", "replace", "remove"] = "add"
    if not value:
        operation = "remove"
    elif fact_id is not None:
        operation = "replace"
    return Suggestion(
        id=row["id"],
        owner=row["owner"],
        at=row["at"],
        operation=operation,
        key=payload["key"],
        value=value,
        quote=payload["quote"],
        reason=payload["reason"],
        fact_id=fact_id,
        exchange_id=payload["exchange_id"],
        language=row["language"],
        expires_at=datetime.fromisoformat(expires_at) if expires_at else None,
    )
