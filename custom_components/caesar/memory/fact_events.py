"""The events that tell how facts changed, read from the audit log."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Connection, func, select

from .events import event_from_row, find
from .models import Event, EventKind, Owner
from .schema import audit_log

_OF_CHANGES = tuple(
    kind
    for kind in EventKind
    if kind.startswith("memory.fact.")
    and kind not in (EventKind.FACT_SUGGESTED, EventKind.FACT_REJECTED)
)


def last_of_facts(
    connection: Connection,
    owners: Iterable[Owner],
    fact_ids: Collection[int],
    kinds: Sequence[str],
) -> Mapping[int, Event]:
    """Return the newest event of these kinds of each fact, in one look at the log."""
    named = audit_log.c.payload["fact_id"].as_integer()
    newest = connection.execute(
        select(named, func.max(audit_log.c.id))
        .where(audit_log.c.owner.in_(tuple(owners)), audit_log.c.kind.in_(kinds))
        .group_by(named)
    )
    ids = {audit_id for fact_id, audit_id in newest if fact_id in fact_ids}
    found = (find(connection, audit_id) for audit_id in ids)
    return {int(str(e.payload["fact_id"])): e for e in found if e is not None}


def of_fact(
    connection: Connection, owners: Iterable[Owner], fact_id: int
) -> tuple[Event, ...]:
    """Return the owners' events that tell how a fact changed, the newest first."""
    rows = connection.execute(
        select(audit_log)
        .where(
            audit_log.c.owner.in_(tuple(owners)),
            audit_log.c.kind.in_(_OF_CHANGES),
            audit_log.c.payload["fact_id"].as_integer() == fact_id,
        )
        .order_by(audit_log.c.id.desc())
    )
    return tuple(event_from_row(row) for row in rows)
