"""When a question is about: "last week", "in June", "three days ago", as moments.

The words are data (``past.yaml``), and a language without them knows no time. Only what
has been is understood; a question about a time to come has no period.
"""

from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
import re
from typing import Final

from .extraction.text import fold
from .past import Past, one_of, past_of

_ISO: Final = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)")
_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_SATURDAY: Final = 5
_NIGHT_BEGINS: Final = time(18)
_NIGHT_ENDS: Final = time(6)
_SEASON_BEGINS: Final = (3, 6, 9, 12)
_FEAST_DAYS: Final = timedelta(days=3)
"""How long a feast is talked about by its name, up to its last day."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """A time that a question names."""

    since: datetime | None
    """The first moment of it; None where it has no beginning."""
    until: datetime | None
    """The first moment after it; None where it lasts until now."""
    rest: str
    """The question without the words for the time, folded."""


@dataclass(frozen=True, slots=True)
class _Named:
    """Days from the first to the last, and where they are named."""

    first: date
    last: date
    at: tuple[int, int]


def when(text: str, language: str, now: datetime) -> Period | None:
    """Return the time that a question is about, None where it names none.

    ``now`` is in the house's time zone, in which days begin and end.
    """
    past = past_of(language)
    if past is None:
        return None
    said, today = fold(text), now.date()
    for match in one_of(past.nights).finditer(said):
        return _night(said, match, now)
    for read in _READERS:
        for named in read(said, today, past):
            if not past.next.search(said[: named.at[0]]) and named.first <= today:
                return _period(said, named, past, now)
    return None


def _period(said: str, named: _Named, past: Past, now: datetime) -> Period:
    start, end = named.at
    beside = said[end:] if past.is_behind else said[:start]
    first, last = _midnight(named.first, now), _midnight(named.last + _DAY, now)
    whole = Period(since=first, until=last, rest=_without(said, named.at))
    for words, since, until in (
        (past.since, first, None),
        (past.after, last, None),
        (past.before, None, first),
    ):
        if match := words.search(beside):
            at = (start, end + match.end()) if past.is_behind else (match.start(), end)
            return Period(since=since, until=until, rest=_without(said, at))
    return whole if last <= now else replace(whole, until=None)


def _night(said: str, match: re.Match[str], now: datetime) -> Period:
    today = now.date()
    return Period(
        since=datetime.combine(today - _DAY, _NIGHT_BEGINS, now.tzinfo),
        until=datetime.combine(today, _NIGHT_ENDS, now.tzinfo),
        rest=_without(said, match.span()),
    )


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time(), now.tzinfo)


def _without(said: str, at: tuple[int, int]) -> str:
    return " ".join(f"{said[: at[0]]} {said[at[1] :]}".split())


def _exact(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match in _ISO.finditer(said):
        day = _date(int(match["year"]), int(match["month"]), int(match["day"]))
        if day:
            yield _Named(day, day, match.span())
    for pattern in past.dated:
        for match in pattern.finditer(said):
            number = past.number(match["day"])
            month = past.months[match["month"]]
            day = _dated(match["year"], month, number or 0, today)
            if day:
                yield _Named(day, day, match.span())


def _ago(said: str, today: date, past: Past) -> Iterator[_Named]:
    for pattern in past.ago:
        for match in pattern.finditer(said):
            unit = past.units[match["unit"]]
            days = unit * (_count(match, past) or 1)
            # Nobody counts exactly what is long ago.
            about = timedelta(days=(unit - 1) // 2 + days // 4)
            if (day := _days_before(today, days)) is not None:
                yield _Named(day - about, min(day + about, today), match.span())


def _lately(said: str, today: date, past: Past) -> Iterator[_Named]:
    for pattern in past.lately:
        for match in pattern.finditer(said):
            days = past.units[match["unit"]] * (_count(match, past) or 1)
            if (first := _days_before(today, days)) is not None:
                yield _Named(first, today, match.span())
    for match, days in _found(said, past.back):
        yield _Named(today - timedelta(days=days), today, match.span())


def _days(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match, days in _found(said, past.days):
        day = today - timedelta(days=days)
        yield _Named(day, day, match.span())


def _weeks(said: str, today: date, past: Past) -> Iterator[_Named]:
    monday = today - timedelta(days=today.weekday())
    for match, weeks in _found(said, past.weeks):
        first = monday - weeks * _WEEK
        named = _Named(first, first + _WEEK - _DAY, match.span())
        yield _on_weekday(said, named, past)


def _on_weekday(said: str, week: _Named, past: Past) -> _Named:
    """Return the one day of a week where the question names it right beside."""
    for match, weekday in _found(said, past.weekdays):
        start, end = min(match.start(), week.at[0]), max(match.end(), week.at[1])
        if len(said[start:end].split()) <= len(said[slice(*week.at)].split()) + 2:
            day = week.first + timedelta(days=weekday)
            return _Named(day, day, (start, end))
    return week


def _weekends(said: str, today: date, past: Past) -> Iterator[_Named]:
    saturday = today - timedelta(days=(today.weekday() - _SATURDAY) % 7)
    for match, weekends in _found(said, past.weekends):
        ago = weekends if today.weekday() >= _SATURDAY else max(0, weekends - 1)
        first = saturday - ago * _WEEK
        yield _Named(first, first + _DAY, match.span())


def _months_ago(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match, months in _found(said, past.months_ago):
        year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
        yield _whole_month(year, month + 1, match.span())


def _months(said: str, today: date, past: Past) -> Iterator[_Named]:
    for pattern in past.month:
        for match in pattern.finditer(said):
            month = past.months[match["month"]]
            year = int(match["year"] or today.year - (month > today.month))
            is_last = past.last.search(said[: match.start("month")])
            if month == today.month and not match["year"] and is_last:
                year -= 1
            yield _whole_month(year, month, _place(said, match, "month", past))


def _weekdays(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match, weekday in _found(said, past.weekdays):
        # Nobody says "on Monday" on a Monday and means today.
        day = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
        yield _Named(day, day, match.span())


def _feasts(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match in one_of(past.feasts).finditer(said):
        month, day = past.feasts[match[0]]
        last = _dated(None, month, day, today)
        if last:
            yield _Named(last - _FEAST_DAYS, last, match.span())


def _seasons(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match, season in _found(said, past.seasons):
        begins = _SEASON_BEGINS[season]
        first = date(today.year - (begins > today.month), begins, 1)
        end = first + timedelta(days=92)
        yield _Named(first, end.replace(day=1) - _DAY, match.span())


def _years(said: str, today: date, past: Past) -> Iterator[_Named]:
    for match, ago in _found(said, past.years):
        yield _whole_year(today.year - ago, match.span())
    for pattern in past.year:
        for match in pattern.finditer(said):
            yield _whole_year(int(match["year"]), _place(said, match, "year", past))


type _Reader = Callable[[str, date, Past], Iterator[_Named]]

_READERS: Final[tuple[_Reader, ...]] = (
    _exact,
    _ago,
    _lately,
    _days,
    _weekends,
    _weeks,
    _months_ago,
    _months,
    _weekdays,
    _feasts,
    _seasons,
    _years,
)


def _found(said: str, table: Mapping[str, int]) -> Iterator[tuple[re.Match[str], int]]:
    for match in one_of(table).finditer(said):
        yield match, table[match[0]]


def _place(said: str, match: re.Match[str], group: str, past: Past) -> tuple[int, int]:
    """Return where a time is named, without a word that says since when or until."""
    start = match.start(group)
    bounds = (past.since, past.before, past.after)
    if not past.is_behind and any(bound.search(said[:start]) for bound in bounds):
        return start, match.end()
    return match.span()


def _count(match: re.Match[str], past: Past) -> int | None:
    return past.number(match["count"]) if match["count"] else None


def _days_before(today: date, days: int) -> date | None:
    # Twice as long ago has to be a day as well: nobody counts exactly.
    return today - timedelta(days=days) if 2 * days < today.toordinal() else None


def _dated(year: str | None, month: int, day: int, today: date) -> date | None:
    if year:
        return _date(int(year), month, day)
    found = _date(today.year, month, day)
    if found is None or found > today:
        return _date(today.year - 1, month, day)
    return found


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        # "The 31st of June" is a slip of the tongue or no date at all.
        return None


def _whole_month(year: int, month: int, at: tuple[int, int]) -> _Named:
    last = date(year, month, monthrange(year, month)[1])
    return _Named(last.replace(day=1), last, at)


def _whole_year(year: int, at: tuple[int, int]) -> _Named:
    return _Named(date(year, 1, 1), date(year, 12, 31), at)
