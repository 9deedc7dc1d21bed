"""Taking changes of facts back: the last one, or all since some earlier value.

Every function runs inside the caller's transaction. Taking back is a change too, with
its own event.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from sqlalchemy import Connection, select

from . import fact_events, moving
from .errors import ConflictError, FactNotFoundError
from .facts import Seen, find, is_taken
from .ledger import (
    Cause,
    Patch,
    fact_from_row,
    fact_from_state,
    put_back,
    replace_fact,
)
from .models import Event, EventKind, Fact, Origin, Owner
from .schema import audit_log, personal_facts

_UNDOABLE = (
    EventKind.FACT_UPDATED,
    EventKind.FACT_REMOVED,
    EventKind.FACT_USER_EDITED,
    EventKind.FACT_USER_DELETED,
    EventKind.FACT_HANDED_OVER,
)


def restore(
    connection: Connection, owners: Collection[Owner], seen: Seen, cause: Cause
) -> tuple[Patch, ...]:
    """Undo the last edit, move, update or deletion of a fact.

    Raises FactNotFoundError where there is nothing to undo in the caller's scope, or
    ConflictError where the fact has changed since that.
    """
    last = last_changes(connection, owners, [seen.fact_id]).get(seen.fact_id)
    return take_back(connection, owners, seen, last, cause)


def last_changes(
    connection: Connection, owners: Collection[Owner], fact_ids: Collection[int]
) -> Mapping[int, Event]:
    """Return the last changes of facts that could be undone, or that were."""
    kinds = (*_UNDOABLE, EventKind.FACT_RESTORED)
    return fact_events.last_of_facts(connection, owners, fact_ids, kinds)


def require_gone(
    connection: Connection, owners: Collection[Owner], fact_id: int
) -> None:
    """Raise ConflictError where a fact that was deleted is there again.

    Raises FactNotFoundError where somebody else has it by now, who is not told of.
    """
    present = _present(connection, Seen(fact_id=fact_id))
    if present is None:
        return
    if present.owner not in owners:
        raise FactNotFoundError("There is nothing to restore")
    raise ConflictError("The fact is there again", present.revision)


def take_back(
    connection: Connection,
    owners: Collection[Owner],
    seen: Seen,
    last: Event | None,
    cause: Cause,
) -> tuple[Patch, ...]:
    """Undo the last change of a fact, as ``restore`` does."""
    if last is None or last.kind == EventKind.FACT_RESTORED:
        raise FactNotFoundError("There is nothing to restore")
    present = _present(connection, seen)
    if last.kind == EventKind.FACT_HANDED_OVER:
        return _given_back(connection, owners, last, present, cause)
    earlier = fact_from_state(last.payload["before"])
    earlier = replace(
        earlier,
        source_audit_id=_existing(connection, earlier.source_audit_id),
        last_confirmed_at=cause.at,
    )
    if present is None:
        after = replace(earlier, revision=earlier.revision + 1)
        return (put_back(connection, after, cause),)
    key = earlier.key
    if key != present.key and is_taken(connection, present.owner, key):
        key = present.key
    after = replace(earlier, key=key, revision=present.revision + 1)
    kind = EventKind.FACT_RESTORED
    return (replace_fact(connection, kind, present, after, cause),)


def revert(
    connection: Connection,
    owners: Collection[Owner],
    seen: Seen,
    event_id: int,
    cause: Cause,
) -> Patch:
    """Give a fact the value again that it had after an event of its history.

    Its key, and whether it is pinned, stay. Raises FactNotFoundError where there is no
    such fact or event, or ConflictError.
    """
    present = find(connection, owners, seen)
    earlier = _state_after(connection, owners, seen.fact_id, event_id)
    after = replace(
        present,
        value=earlier.value,
        quote=earlier.quote,
        source_audit_id=_existing(connection, earlier.source_audit_id),
        language=earlier.language,
        expires_at=earlier.expires_at,
        # Whoever brings a value back means it, as if they had typed it.
        origin=Origin.EDITED if earlier.origin is Origin.TOLD else earlier.origin,
        confidence=1.0,
        last_confirmed_at=cause.at,
        revision=present.revision + 1,
    )
    return replace_fact(connection, EventKind.FACT_USER_EDITED, present, after, cause)


def _present(connection: Connection, seen: Seen) -> Fact | None:
    row = connection.execute(
        select(personal_facts).where(personal_facts.c.id == seen.fact_id)
    ).first()
    fact = None if row is None else fact_from_row(row._mapping)
    if seen.revision is None:
        return fact
    if fact is None:
        raise FactNotFoundError("The fact is gone")
    if fact.revision != seen.revision:
        raise ConflictError("The fact has changed meanwhile", fact.revision)
    return fact


def _given_back(
    connection: Connection,
    owners: Collection[Owner],
    last: Event,
    present: Fact | None,
    cause: Cause,
) -> tuple[Patch, ...]:
    came = last.payload.get("from")
    if present is None or not isinstance(came, Mapping) or came["owner"] not in owners:
        # It went to somebody whose facts the caller cannot change.
        raise FactNotFoundError("There is nothing to restore")
    source, key = str(came["owner"]), str(came["key"])
    return moving.give(connection, present, source, key, cause)


def _state_after(
    connection: Connection, owners: Collection[Owner], fact_id: int, event_id: int
) -> Fact:
    for event in fact_events.of_fact(connection, owners, fact_id):
        if event.id == event_id:
            return fact_from_state(event.payload["after"] or event.payload["before"])
    raise FactNotFoundError("The fact has no such event")


def _existing(connection: Connection, audit_id: int | None) -> int | None:
    return connection.execute(
        select(audit_log.c.id).where(audit_log.c.id == audit_id)
    ).scalar()
