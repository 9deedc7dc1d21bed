"""What has happened, for people to read: page by page, the newest first.

A page is found by the id of the last row before it, so that it costs the same however
far back it lies, and nothing is shown twice while rows are added. Every function runs
inside the caller's transaction and shows rows of the given owners alone.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from .events import event_from_row
from .extraction.text import fold
from .models import Event, Owner
from .schema import audit_log

_FACT_TEXTS = (
    ("before", "key"),
    ("before", "value"),
    ("after", "key"),
    ("after", "value"),
    ("key",),
    ("value",),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """Which rows are wanted."""

    owners: tuple[Owner, ...]
    kinds: tuple[str, ...] = ()
    area_id: str | None = None
    text: str = ""
    """Words that must all stand in a row; case and accents do not matter."""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    """Only rows with ids below this."""
    limit: int = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Page[T]:
    """Some rows, and where the next page begins."""

    rows: tuple[T, ...]
    next: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """How far the log has come for some owners; where it differs, something is new."""

    last_id: int
    rows: int


def memory_events(connection: Connection, query: Query) -> Page[Event]:
    """Return events of memory, without what was said."""
    found = _rows(query).where(audit_log.c.kind.like("memory.%"))
    payload = audit_log.c.payload
    texts = [payload[path].as_string() for path in _FACT_TEXTS]
    return page_of(connection, query, found.where(*_holds(query.text, texts)))


def exchange_events(
    connection: Connection, query: Query, kinds: Collection[str]
) -> Page[Event]:
    """Return finished exchanges."""
    found = _rows(query).where(audit_log.c.kind.in_(tuple(kinds)))
    if query.area_id is not None:
        found = found.where(audit_log.c.area_id == query.area_id)
    texts = [audit_log.c.user_text, audit_log.c.assistant_text]
    return page_of(connection, query, found.where(*_holds(query.text, texts)))


def mark(connection: Connection, owners: Collection[Owner]) -> Mark:
    """Return how far the log has come for these owners."""
    last_id, rows = connection.execute(
        select(func.max(audit_log.c.id), func.count()).where(
            audit_log.c.owner.in_(tuple(owners))
        )
    ).one()
    return Mark(last_id=last_id or 0, rows=rows)


def page_of(
    connection: Connection, query: Query, found: Select[tuple[object, ...]]
) -> Page[Event]:
    """Return the page that a query asks for of what was found."""
    # One more than wanted tells whether there is a next page.
    limited = found.order_by(audit_log.c.id.desc()).limit(query.limit + 1)
    rows = tuple(event_from_row(row) for row in connection.execute(limited))
    more = len(rows) > query.limit
    return Page(
        rows=rows[: query.limit], next=rows[query.limit - 1].id if more else None
    )


def _rows(query: Query) -> Select[tuple[object, ...]]:
    found = select(audit_log).where(audit_log.c.owner.in_(query.owners))
    if query.kinds:
        found = found.where(audit_log.c.kind.in_(query.kinds))
    if query.since is not None:
        found = found.where(audit_log.c.at >= query.since)
    if query.until is not None:
        found = found.where(audit_log.c.at < query.until)
    if query.before is not None:
        found = found.where(audit_log.c.id < query.before)
    return found


def _holds(
    text: str, columns: Collection[ColumnElement[str]]
) -> list[ColumnElement[bool]]:
    return [
        or_(*(func.instr(func.folded(column), word) > 0 for column in columns))
        for word in fold(text).split()
    ]
