"""Until when a plan holds, read from the words that tell of it.

The words are data (``calendar`` in ``memory/languages``); a language without them knows
no end. What is said with a day ends on that day, what is said with a month or a season
on its last day. What happens again and again, and what is past, has no end.
"""

from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
import re
from typing import Final, cast

from ..languages import documents
from .language import Words, compile_words, find
from .text import fold, normalize

_ISO: Final = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DOTTED: Final = re.compile(r"\b(\d\d?)\.\s?(\d\d?)\.(?:\s?(\d{4}))?")
_LONGEST: Final = timedelta(days=366 * 5)
"""What is said to be later is no plan that could be dropped after its day."""
_WEEK: Final = timedelta(days=7)
_SEASON_ENDS: Final = (5, 8, 11, 2)
_DECEMBER: Final = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Calendar:
    """One language's words for days, weeks and months."""

    code: str
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    days: Mapping[str, int]
    fixed: Mapping[str, tuple[int, int]]
    spans: Mapping[str, int]
    periods: Mapping[str, Words]
    again: Words
    day_month: re.Pattern[str]
    month_day: re.Pattern[str]
    month: re.Pattern[str]
    span: re.Pattern[str]


def end_of(text: str, today: date, language: str) -> date | None:
    """Return the last day of the plan that a text tells of, None where it has none.

    The most exact words count: a day before a month, a month before a weekday.
    """
    calendar = _calendar(language.lower().replace("_", "-").partition("-")[0])
    if calendar is None:
        return None
    said = normalize(text)
    if calendar.again.search(said):
        return None
    for read in _READERS:
        found = list(read(said, today, calendar))
        if found:
            last = max(found)
            return last if today <= last <= today + _LONGEST else None
    return None


def _exact(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    for match in _ISO.finditer(said):
        yield from _day(int(match[1]), int(match[2]), int(match[3]))
    if calendar.code == "de":
        for match in _DOTTED.finditer(said):
            yield from _dated(int(match[1]), int(match[2]), match[3], today)
    for pattern in (calendar.day_month, calendar.month_day):
        for match in pattern.finditer(said):
            month = calendar.months[match["month"]]
            day = _count(match["day"], calendar.code)
            if day is not None:
                yield from _dated(day, month, match["year"], today)
    for words, (month, day) in calendar.fixed.items():
        if _holds(said, words):
            yield from _dated(day, month, None, today)


def _relative(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    for words, days in calendar.days.items():
        if _holds(said, words):
            yield today + timedelta(days=days)
    for match in calendar.span.finditer(said):
        count = _count(match["count"], calendar.code)
        if count is not None:
            days = count * calendar.spans[match["unit"]]
            if days <= _LONGEST.days:
                yield today + timedelta(days=days)


def _months(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    for match in calendar.month.finditer(said):
        month = calendar.months[match["month"]]
        if match["year"]:
            yield _last_day(int(match["year"]), month)
        else:
            yield _last_day(today.year + (month < today.month), month)


def _periods(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    sunday = today + timedelta(days=6 - today.weekday())
    next_month = _last_day(today.year, today.month) + timedelta(days=1)
    ends = {
        "this_week": sunday,
        "next_week": sunday + _WEEK,
        "this_month": _last_day(today.year, today.month),
        "next_month": _last_day(next_month.year, next_month.month),
        "this_year": date(today.year, _DECEMBER, 31),
        "next_year": date(today.year + 1, _DECEMBER, 31),
    }
    for name, end in ends.items():
        if calendar.periods[name].search(said):
            yield end


def _weekdays(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    for word, weekday in calendar.weekdays.items():
        if _holds(said, word):
            # Nobody says "on Monday" on a Monday and means today.
            yield today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _seasons(said: str, today: date, calendar: Calendar) -> Iterator[date]:
    for word, season in calendar.seasons.items():
        if _holds(said, word):
            month = _SEASON_ENDS[season]
            yield _last_day(today.year + (month < today.month), month)


type _Reader = Callable[[str, date, Calendar], Iterator[date]]

_READERS: Final[tuple[_Reader, ...]] = (
    _exact,
    _relative,
    _months,
    _periods,
    _weekdays,
    _seasons,
)


def _dated(day: int, month: int, year: str | None, today: date) -> Iterator[date]:
    if year:
        yield from _day(int(year), month, day)
        return
    for found in _day(today.year, month, day):
        if found >= today:
            yield found
            return
    yield from _day(today.year + 1, month, day)


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        # "The 31st of June" is a slip of the tongue or no date at all.
        return


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])


def _holds(said: str, words: str) -> bool:
    return compile_words((words,)).search(said) is not None


def _count(word: str, code: str) -> int | None:
    if word.isdecimal():
        return int(word)
    numbers = find(code).numbers
    tens, ten, ones = word.partition("十")
    if not ten or word in numbers:
        return numbers.get(fold(word))
    return 10 * numbers.get(tens, 1) + numbers.get(ones, 0)


@cache
def _calendar(code: str) -> Calendar | None:
    data = documents().get(code, {}).get("calendar")
    if data is None:
        return None
    words = cast("dict[str, Sequence[str]]", data)
    names = cast("dict[str, Sequence[Sequence[str]]]", data)
    numbers = cast("dict[str, Mapping[str, str]]", data)
    months = {word: at for at, row in enumerate(names["months"], 1) for word in row}
    spans = {word: int(days) for word, days in numbers["spans"].items()}
    patterns = _patterns(months, spans, words["in"])
    for name, pattern in numbers.get("written", {}).items():
        patterns[name] = pattern.replace("MONTH", patterns["name"]).replace(
            "UNIT", f"(?P<unit>{_any(spans)})"
        )
    return Calendar(
        code=code,
        months=months,
        weekdays={word: at for at, row in enumerate(names["weekdays"]) for word in row},
        seasons={word: at for at, row in enumerate(names["seasons"]) for word in row},
        days={word: int(days) for word, days in numbers["days"].items()},
        fixed={word: _month_and_day(at) for word, at in numbers["fixed"].items()},
        spans=spans,
        periods={name: compile_words(words[name]) for name in _PERIODS},
        again=compile_words(words["again"]),
        day_month=re.compile(patterns["day_month"]),
        month_day=re.compile(patterns["month_day"]),
        month=re.compile(patterns["month"]),
        span=re.compile(patterns["span"]),
    )


def _patterns(
    months: Mapping[str, int], spans: Mapping[str, int], before: Sequence[str]
) -> dict[str, str]:
    """Return how days, months and spans are written, as regular expressions."""
    month, year = f"(?P<month>{_any(months)})", r"(?:,? (?:de )?(?P<year>\d{4}))?"
    day = r"(?P<day>\d\d?)(?:st|nd|rd|th|er|\.)?"
    return {
        "name": month,
        "day_month": rf"\b{day} (?:of |de )?{month}\b{year}",
        "month_day": rf"\b{month} (?:the )?{day}\b(?!\d|:){year}",
        "month": rf"\b{month}\b{year}",
        "span": rf"\b(?:{_any(before)}) (?P<count>\w+) (?P<unit>{_any(spans)})\b",
    }


_PERIODS: Final = (
    "this_week",
    "next_week",
    "this_month",
    "next_month",
    "this_year",
    "next_year",
)


def _any(words: Sequence[str] | Mapping[str, int]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _month_and_day(text: str) -> tuple[int, int]:
    month, day = text.split("-")
    return int(month), int(day)
