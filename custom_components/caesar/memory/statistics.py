"""Counts of what is stored, which tell nothing of anybody."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from . import cursor as cursors, events, set_aside, suggestions
from .schema import audit_log, personal_facts


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistics:
    """How much memory holds."""

    schema_revision: str
    bytes: int
    """Of the main file, without what waits in its log."""
    owners: int
    facts: int
    pinned: int
    dated: int
    """Facts with an end, past or to come."""
    events: Mapping[str, int]
    """By kind."""
    waiting: int
    """Finished exchanges that are still to be read."""
    failed_attempts: int
    """At reading the next of them."""
    set_aside: int
    suggestions: int
    """That wait for a person's word."""


def count(connection: Connection) -> Statistics:
    """Count everything."""
    position = cursors.load(connection)
    kinds = connection.execute(
        select(audit_log.c.kind, func.count()).group_by(audit_log.c.kind)
    )
    facts = connection.execute(
        select(
            func.count(func.distinct(personal_facts.c.owner)).label("owners"),
            func.count().label("facts"),
            func.count().filter(personal_facts.c.pinned).label("pinned"),
            func.count(personal_facts.c.expires_at).label("dated"),
        ).select_from(personal_facts)
    ).one()
    return Statistics(
        schema_revision=_scalar(connection, "SELECT version_num FROM alembic_version"),
        bytes=int(_scalar(connection, "PRAGMA page_count"))
        * int(_scalar(connection, "PRAGMA page_size")),
        **facts._mapping,
        events=dict(kinds.tuples().all()),
        waiting=events.count_exchanges_after(connection, position.last_audit_id),
        failed_attempts=position.attempts,
        set_aside=len(set_aside.unresolved(connection)),
        suggestions=suggestions.count_pending(connection),
    )


def _scalar(connection: Connection, query: str) -> str:
    return str(connection.exec_driver_sql(query).scalar_one())
