"""Plans have an end: from then on nobody is told, and some time later they are gone."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Final

from sqlalchemy import Connection

from .extraction.dates import end_of
from .ledger import Cause, Patch, delete_fact, load_ended
from .models import Candidate, EventKind

KEPT_AFTER: Final = timedelta(days=90)
"""How long after its end a fact is kept, for whoever looks for it."""
EXPIRED: Final = "expired"

_PLAN: Final = "plan"


def with_end(candidate: Candidate, said_at: datetime, language: str) -> Candidate:
    """Return a plan with the moment from which it is over; all else as it is.

    ``said_at`` is in the house's time zone, in which days end.
    """
    if candidate.what != _PLAN or candidate.ended:
        return candidate
    today = said_at.date()
    last = end_of(candidate.value, today, language)
    last = last or end_of(candidate.quote, today, language)
    if last is None:
        return candidate
    midnight = datetime.combine(last + timedelta(days=1), time(), said_at.tzinfo)
    return replace(candidate, expires_at=midnight)


def sweep(connection: Connection, cause: Cause) -> tuple[Patch, ...]:
    """Delete what ended long ago and that nobody has restored or edited since."""
    long_ago = cause.at - KEPT_AFTER
    over = [
        fact
        for fact in load_ended(connection, long_ago)
        if fact.last_confirmed_at < long_ago
    ]
    return tuple(
        delete_fact(connection, EventKind.FACT_REMOVED, fact, cause, reason=EXPIRED)
        for fact in over
    )
