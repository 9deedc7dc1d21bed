"""How people say when something was: one language's words, made into patterns.

All of them are folded, so a text has to be folded before it is compared.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
import re
from typing import Final, cast

import yaml

from .extraction.language import find
from .extraction.text import fold, is_cjk
from .languages import documents

_ORDINAL: Final = r"(?:st|nd|rd|th|er|\.)?"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_CJK_DIGITS: Final = "一二两三四五六七八九十"


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """The words of one language for a time that has been."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    feasts: Mapping[str, tuple[int, int]]
    """Month and day."""
    numbers: Mapping[str, int]
    units: Mapping[str, int]
    """In days."""
    days: Mapping[str, int]
    """Days ago; so the weeks, weekends, months and years."""
    nights: Collection[str]
    weeks: Mapping[str, int]
    weekends: Mapping[str, int]
    months_ago: Mapping[str, int]
    years: Mapping[str, int]
    back: Mapping[str, int]
    """Days up to now."""
    dated: Sequence[re.Pattern[str]]
    """With groups ``month``, ``day`` and ``year``, which may be empty."""
    month: Sequence[re.Pattern[str]]
    year: Sequence[re.Pattern[str]]
    ago: Sequence[re.Pattern[str]]
    """With groups ``count`` and ``unit``."""
    lately: Sequence[re.Pattern[str]]
    since: re.Pattern[str]
    """To be found next to a time, on the side on which the language has it."""
    before: re.Pattern[str]
    after: re.Pattern[str]
    last: re.Pattern[str]
    next: re.Pattern[str]
    is_behind: bool
    """Whether such words follow the time."""

    def number(self, word: str) -> int | None:
        """Return the number that a folded word or some digits mean."""
        if word.isdecimal():
            return int(word)
        tens, ten, ones = word.partition("十")
        if not ten or word in self.numbers:
            return self.numbers.get(word)
        return 10 * self.numbers.get(tens, 1) + self.numbers.get(ones, 0)


def one_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for whole words, where the language parts words."""
    ordered = sorted(words, key=len, reverse=True)
    if not ordered:
        return re.compile(r"(?!)")
    if any(map(is_cjk, ordered)):
        return re.compile("|".join(map(re.escape, ordered)))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)")


def load() -> None:
    """Read the words of all languages, so that no question waits for a file."""
    _all()


def past_of(language: str) -> Past | None:
    """Return a language's words; reads files on the first call."""
    return _all().get(language.lower().replace("_", "-").partition("-")[0])


@cache
def _all() -> Mapping[str, Past]:
    path = Path(__file__).with_name("past.yaml")
    data = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
    return {code: _past(code, lists) for code, lists in data.items()}


def _past(code: str, data: Mapping[str, object]) -> Past:
    lists = cast("Mapping[str, Sequence[str]]", data)
    calendar = cast("Mapping[str, object]", documents()[code]["calendar"])
    months, units = _named(calendar["months"], 1), _counted(data["units"])
    numbers = {**find(code).numbers, **_counted(data["counts"])}
    is_behind = code in {"zh", "ja"}
    holders = {
        "COUNT": rf"(?P<count>\d{{1,3}}|{_any(numbers)})",
        "UNIT": f"(?P<unit>{_any(units)})",
        "MONTH": f"(?P<month>{_any(months)})",
        "YEAR": _YEAR,
    }
    if is_behind:
        holders["COUNT"] = rf"(?P<count>\d{{1,3}}|[{_CJK_DIGITS}几数]{{1,3}})"
    return Past(
        months=months,
        weekdays=_named(calendar["weekdays"], 0),
        seasons=_named(calendar["seasons"], 0),
        feasts=_feasts(calendar["fixed"]),
        numbers=numbers,
        units=units,
        days=_counted(data["days"]),
        nights=tuple(map(fold, lists["nights"])),
        weeks=_counted(data["weeks"]),
        weekends=_counted(data["weekends"]),
        months_ago=_counted(data["months"]),
        years=_counted(data["years"]),
        back=_counted(data["back"]),
        dated=_dated(calendar, holders["MONTH"]),
        month=_month(lists["month_in"], holders["MONTH"]),
        year=_filled(lists["year"], holders, is_behind=is_behind),
        ago=_filled(lists["ago"], holders, is_behind=is_behind),
        lately=_filled(lists["lately"], holders, is_behind=is_behind),
        since=_beside(lists["since"], lists["between"], is_behind=is_behind),
        before=_beside(lists["before"], lists["between"], is_behind=is_behind),
        after=_beside(lists["after"], lists["between"], is_behind=is_behind),
        last=_beside(lists["last"], (), is_behind=False),
        next=_beside(lists["next"], (), is_behind=False),
        is_behind=is_behind,
    )


def _dated(calendar: Mapping[str, object], month: str) -> tuple[re.Pattern[str], ...]:
    written = cast("Mapping[str, str]", calendar.get("written", {}))
    if written:
        return (re.compile(written["day_month"].replace("MONTH", month)),)
    day = rf"(?P<day>\d\d?){_ORDINAL}"
    year = rf"(?:,? (?:de |del )?{_YEAR})?"
    return (
        re.compile(rf"(?<!\w){day} (?:of |de )?{month}(?!\w){year}"),
        re.compile(rf"(?<!\w){month} (?:the )?{day}(?!\w|:){year}"),
    )


def _month(before: Sequence[str], month: str) -> tuple[re.Pattern[str], ...]:
    if not before:
        return (re.compile(rf"(?:{_YEAR}年)?(?<!\d)(?<![{_CJK_DIGITS}]){month}"),)
    year = rf"(?:,? (?:de |del )?{_YEAR})"
    words = _any(map(fold, before))
    return (
        re.compile(rf"(?<!\w){month}{year}"),
        re.compile(rf"(?<!\w)(?:{words})\s?{month}(?!\w)(?P<year>)"),
    )


def _filled(
    patterns: Sequence[str], holders: Mapping[str, str], *, is_behind: bool
) -> tuple[re.Pattern[str], ...]:
    edges = ("", "") if is_behind else (r"(?<!\w)", r"(?!\w)")
    found: list[re.Pattern[str]] = []
    for pattern in patterns:
        for holder, words in holders.items():
            pattern = pattern.replace(holder, words)  # noqa: PLW2901  one after another
        found.append(re.compile(pattern.join(edges)))
    return tuple(found)


def _beside(
    words: Sequence[str], between: Sequence[str], *, is_behind: bool
) -> re.Pattern[str]:
    if not words:
        return re.compile(r"(?!)")
    one = _any(map(fold, words))
    if is_behind:
        return re.compile(rf"^[ 的の]?(?:{one})")
    edge = "" if any(map(is_cjk, words)) else r"(?<!\w)"
    filler = rf"(?:\s?(?:{_any(map(fold, between))}))*" if between else ""
    return re.compile(rf"{edge}(?:{one}){filler}\s?$")


def _named(rows: object, first: int) -> dict[str, int]:
    return {
        fold(word): at
        for at, row in enumerate(cast("Sequence[Sequence[str]]", rows), first)
        for word in row
    }


def _counted(table: object) -> dict[str, int]:
    counted = cast("Mapping[str, str]", table)
    return {fold(word): int(count) for word, count in counted.items()}


def _feasts(table: object) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for word, at in cast("Mapping[str, str]", table).items():
        month, day = at.split("-")
        found[fold(word)] = (int(month), int(day))
    return found


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
