"""How much there is of whom, and how that grew; numbers only, never a text."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Connection, func, select

from .events import EXCHANGE_KINDS
from .models import EventKind, Owner
from .schema import audit_log, personal_facts

_GAIN_OR_LOSS = (
    EventKind.FACT_ADDED,
    EventKind.FACT_REMOVED,
    EventKind.FACT_USER_DELETED,
    EventKind.FACT_RESTORED,
    EventKind.FACT_HANDED_OVER,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """How much is stored of one owner."""

    facts: int
    exchanges: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Day:
    """How much there was at the end of a local day."""

    day: date
    facts: int
    exchanges: int
    """Of that day alone."""


def by_owner(connection: Connection) -> Mapping[Owner, Counts]:
    """Return how much is stored of everybody."""
    facts = dict(
        connection.execute(
            select(personal_facts.c.owner, func.count()).group_by(
                personal_facts.c.owner
            )
        )
        .tuples()
        .all()
    )
    exchanges = dict(
        connection.execute(
            select(audit_log.c.owner, func.count())
            .where(audit_log.c.kind.in_(EXCHANGE_KINDS))
            .group_by(audit_log.c.owner)
        )
        .tuples()
        .all()
    )
    return {
        owner: Counts(facts=facts.get(owner, 0), exchanges=exchanges.get(owner, 0))
        for owner in facts.keys() | exchanges.keys()
    }


def over_time(
    connection: Connection, owners: Collection[Owner], days: int, now: datetime
) -> tuple[Day, ...]:
    """Return the last so many days in the zone of ``now``, the oldest first.

    Counted back from today's facts, so that the end is right whatever was erased.
    """
    first = now.date() - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), now.tzinfo)
    gains = _gains(connection, owners, since)
    exchanges = _exchanges(connection, owners, since)
    facts = connection.execute(
        select(func.count())
        .select_from(personal_facts)
        .where(personal_facts.c.owner.in_(tuple(owners)))
    ).scalar_one()
    found = []
    for back in range(days):
        day = now.date() - timedelta(days=back)
        found.append(Day(day=day, facts=facts, exchanges=exchanges[day]))
        facts -= gains[day]
    return tuple(reversed(found))


def _gains(
    connection: Connection, owners: Collection[Owner], since: datetime
) -> Counter[date]:
    payload = audit_log.c.payload
    rows = connection.execute(
        select(
            audit_log.c.at,
            payload[("before", "owner")].as_string(),
            payload[("after", "owner")].as_string(),
        ).where(
            audit_log.c.owner.in_(tuple(owners)),
            audit_log.c.kind.in_(_GAIN_OR_LOSS),
            audit_log.c.at >= since,
        )
    )
    gains: Counter[date] = Counter()
    for at, before, after in rows:
        gains[_day(at, since)] += (after is not None) - (before is not None)
    return gains


def _exchanges(
    connection: Connection, owners: Collection[Owner], since: datetime
) -> Counter[date]:
    rows = connection.execute(
        select(audit_log.c.at).where(
            audit_log.c.owner.in_(tuple(owners)),
            audit_log.c.kind.in_(EXCHANGE_KINDS),
            audit_log.c.at >= since,
        )
    )
    return Counter(_day(at, since) for at in rows.scalars())


def _day(moment: datetime, house: datetime) -> date:
    return moment.astimezone(house.tzinfo).date()
