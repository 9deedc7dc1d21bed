"""What happened when and where: exchanges by time, place, conversation and words.

Only exchanges that may be found again are here, the newest first. A page is found by
the place of the last row before it, so nothing is shown twice and nothing is left out,
whatever is written or deleted meanwhile.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Subquery,
    and_,
    or_,
    select,
    union_all,
)

from . import words
from .events import event_from_row
from .models import Event, Owner
from .schema import audit_log, semantic_memory

EXAMINED: Final = 20_000
"""Exchanges that one page looks at; rare ones may need more than one page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where an exchange stands in the order of all."""

    at: datetime
    id: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """Which exchanges are wanted, and in whose memory."""

    owners: tuple[Owner, ...]
    language: str = ""
    """The language of the words."""
    words: str = ""
    """All of them that say anything have to stand in an exchange."""
    since: datetime | None = None
    """The first moment that counts."""
    until: datetime | None = None
    """The first moment that counts no more."""
    area_id: str | None = None
    device_id: str | None = None
    conversation_id: str | None = None
    before: Place | None = None
    """Only what stands before this."""
    limit: int = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Episodes:
    """Some exchanges, the newest first."""

    rows: tuple[Event, ...]
    next: Place | None
    """Where the next page begins; None where there is no more.

    A page may be short, and even empty, and still have one after it.
    """


def episodes(connection: Connection, wanted: Wanted) -> Episodes:
    """Return a page of exchanges of the owners, and of nobody else."""
    if not wanted.owners or wanted.limit < 1:
        return Episodes(rows=(), next=None)
    filters = _filters(connection, wanted)
    # One more than wanted tells whether there is a next page.
    examined = EXAMINED if filters else wanted.limit + 1
    candidates = _candidates(wanted, examined)
    newest_first = (candidates.c.at.desc(), candidates.c.id.desc())
    found = connection.execute(
        select(audit_log)
        .join_from(candidates, audit_log, audit_log.c.id == candidates.c.id)
        .where(*filters)
        .order_by(*newest_first)
        .limit(wanted.limit + 1)
    )
    rows = tuple(event_from_row(row) for row in found)
    if len(rows) > wanted.limit:
        return Episodes(rows=rows[: wanted.limit], next=_place(rows[wanted.limit - 1]))
    last = connection.execute(
        select(candidates.c.at, candidates.c.id)
        .order_by(*newest_first)
        .offset(examined - 1)
        .limit(1)
    ).first()
    return Episodes(rows=rows, next=Place(at=last.at, id=last.id) if last else None)


def _candidates(wanted: Wanted, examined: int) -> Subquery:
    """Return the latest exchanges of each owner, by the index on owner and time."""
    row = semantic_memory.c
    each = []
    for owner in dict.fromkeys(wanted.owners):
        one = (
            select(row.id, row.at)
            .where(row.owner == owner, *_bounds(wanted))
            .order_by(row.at.desc(), row.id.desc())
            .limit(examined)
        )
        each.append(select(one.subquery()))
    together = union_all(*each).subquery()
    return (
        select(together)
        .order_by(together.c.at.desc(), together.c.id.desc())
        .limit(examined)
        .subquery()
    )


def _bounds(wanted: Wanted) -> list[ColumnElement[bool]]:
    row = semantic_memory.c
    bounds: list[ColumnElement[bool]] = []
    if wanted.since is not None:
        bounds.append(row.at >= wanted.since)
    if wanted.until is not None:
        bounds.append(row.at < wanted.until)
    if (before := wanted.before) is not None:
        bounds += (
            row.at <= before.at,
            or_(row.at < before.at, and_(row.at == before.at, row.id < before.id)),
        )
    return bounds


def _filters(connection: Connection, wanted: Wanted) -> list[ColumnElement[bool]]:
    filters = [
        column == value
        for column, value in (
            (audit_log.c.area_id, wanted.area_id),
            (audit_log.c.device_id, wanted.device_id),
            (audit_log.c.conversation_id, wanted.conversation_id),
        )
        if value is not None
    ]
    if wanted.words.strip():
        filters.append(words.holds_all(connection, wanted.words, wanted.language))
    return filters


def _place(event: Event) -> Place:
    return Place(at=event.at, id=event.id)
