"""What one exchange taught, made into facts inside the caller's transaction."""

from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import Connection

from . import events, slots, suggestions
from .ledger import (
    Cause,
    Patch,
    add,
    confirm,
    delete_fact,
    fact_from_state,
    get,
    update_fact,
)
from .models import Change, EventKind, Exchange, Fact, Json, NewEvent, Origin
from .values import same_value

_BARRING = (
    EventKind.FACT_USER_EDITED,
    EventKind.FACT_USER_DELETED,
    EventKind.FACT_HANDED_OVER,
)


def apply(
    connection: Connection, changes: Iterable[Change], exchange: Exchange, cause: Cause
) -> tuple[Patch, ...]:
    """Make the changes, each with its event.

    A change that a person's later edit or deletion forbids, or whose fact is gone, is
    told as rejected.
    """
    patches = []
    for change in changes:
        target = _target(connection, change, exchange)
        change = _still_allowed(connection, change, exchange, target)  # noqa: PLW2901
        if change.operation == "suggest":
            change = _suggested(connection, change, exchange, cause)  # noqa: PLW2901
        if change.operation == "reject":
            _tell_rejected(connection, change, exchange, cause)
        if change.operation in ("suggest", "reject"):
            continue
        patches.append(_apply_one(connection, change, exchange, target, cause))
    return tuple(patches)


def _target(connection: Connection, change: Change, exchange: Exchange) -> Fact | None:
    """Return the fact that a change is about, as it is stored now."""
    if change.fact_id is None:
        return None
    fact = get(connection, change.fact_id)
    return fact if fact is not None and fact.owner == exchange.owner else None


def _still_allowed(
    connection: Connection,
    change: Change,
    exchange: Exchange,
    target: Fact | None,
) -> Change:
    if change.operation == "reject":
        return change
    if _is_barred(connection, change, exchange):
        return replace(change, operation="reject", reason="edited_since")
    if change.operation == "suggest":
        return change
    if change.operation != "add" and target is None:
        return replace(change, operation="reject", reason="fact_gone")
    return change


def _suggested(
    connection: Connection, change: Change, exchange: Exchange, cause: Cause
) -> Change:
    reason = suggestions.put(connection, change, exchange, cause.at, again=cause.asked)
    return (
        change if reason is None else replace(change, operation="reject", reason=reason)
    )


def _apply_one(
    connection: Connection,
    change: Change,
    exchange: Exchange,
    target: Fact | None,
    cause: Cause,
) -> Patch:
    if change.operation == "add" or target is None:
        return add(connection, new_fact(change, exchange), cause)
    if change.operation == "remove":
        return delete_fact(connection, EventKind.FACT_REMOVED, target, cause)
    if change.operation == "confirm":
        return confirm(connection, target, cause)
    return update_fact(connection, target, new_fact(change, exchange), cause)


def new_fact(change: Change, exchange: Exchange) -> Fact:
    """Return the fact that a change adds."""
    return Fact(
        id=0,
        owner=exchange.owner,
        key=change.key,
        value=change.value,
        confidence=change.confidence,
        first_seen_at=exchange.at,
        last_confirmed_at=exchange.at,
        source_audit_id=exchange.id,
        quote=change.quote,
        origin=Origin.TOLD,
        pinned=False,
        language=exchange.language,
        expires_at=change.expires_at,
        revision=1,
    )


def _is_barred(connection: Connection, change: Change, exchange: Exchange) -> bool:
    """Return whether a person has decided otherwise since the words were said."""
    if change.operation == "confirm":
        return False
    if suggestions.is_rejected(connection, change, exchange.owner, exchange.id):
        return True
    base = slots.without_number(change.key)
    for event in events.after(connection, exchange.owner, exchange.id, _BARRING):
        if event.payload["before"] is None:
            # Handed over to this owner, and so neither edited nor deleted.
            continue
        before = fact_from_state(event.payload["before"])
        if change.fact_id == before.id:
            return True
        if slots.without_number(before.key) == base and same_value(
            before.value, change.value
        ):
            return True
    return False


def _tell_rejected(
    connection: Connection, change: Change, exchange: Exchange, cause: Cause
) -> None:
    payload: dict[str, Json] = {"exchange_id": exchange.id, "reason": change.reason}
    event = NewEvent(
        kind=EventKind.FACT_REJECTED, owner=exchange.owner, payload=payload
    )
    events.append(connection, event, cause.at)
