"""Reading an exported file: all of it is checked before anything is brought in."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from . import lines
from .lines import End, Exchange, Header, History, Line, MalformedLineError, Told

MAX_PROBLEMS: Final = 20
MAX_FACTS: Final = 20_000
MAX_BYTES: Final = 512 * 2**20
# In which order they come in a file.
_ORDER: Final[tuple[type, ...]] = (Header, Exchange, Told, History, End)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """A line that cannot be used, and why, in a word."""

    line: int
    reason: str


@dataclass(kw_only=True, slots=True)
class Checked:
    """What a file holds, as far as it can be read."""

    lines: int = 0
    problems: list[Problem] = field(default_factory=list)
    """The first of them."""
    exchanges: Counter[str] = field(default_factory=Counter)
    """By owner."""
    facts: Counter[str] = field(default_factory=Counter)
    events: int = 0

    def note(self, line: Line) -> None:
        """Count a line."""
        match line:
            case Exchange(event=event):
                self.exchanges[event.owner] += 1
            case Told(fact=fact):
                self.facts[fact.owner] += 1
            case History():
                self.events += 1


def check(path: Path) -> Checked:
    """Read the whole file and say what is wrong with it."""
    checked = Checked()
    if path.stat().st_size > MAX_BYTES:
        checked.problems.append(Problem(line=0, reason="too_large"))
        return checked
    reached, is_ended = 0, False
    for number, text in _numbered(path):
        checked.lines = number
        try:
            line = lines.read(text)
            reached = _in_order(line, number, reached)
        except MalformedLineError as err:
            checked.problems.append(Problem(line=number, reason=err.reason))
            if len(checked.problems) == MAX_PROBLEMS:
                return checked
            continue
        checked.note(line)
        is_ended = isinstance(line, End)
    if checked.facts.total() > MAX_FACTS:
        checked.problems.append(Problem(line=0, reason="too_many_facts"))
    if not is_ended and not checked.problems:
        checked.problems.append(Problem(line=checked.lines, reason="cut_off"))
    return checked


def read(path: Path) -> Iterator[Line]:
    """Yield the lines of a file that was checked."""
    for _, text in _numbered(path):
        yield lines.read(text)


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        number = 0
        # A line that never ends is not read to its end.
        while text := file.readline(lines.MAX_LINE + 2):
            number += 1
            yield number, text.rstrip("\r\n") if text.endswith("\n") else text
            if len(text) > lines.MAX_LINE:
                return


def _in_order(line: Line, number: int, reached: int) -> int:
    place = _ORDER.index(type(line))
    if (number == 1) != (place == 0) or place < reached:
        raise MalformedLineError("order")
    if isinstance(line, End) and line.lines != number - 1:
        raise MalformedLineError("lines")
    return place
