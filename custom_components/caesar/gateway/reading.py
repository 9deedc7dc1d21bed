"""What was read from a text, and how a match becomes it."""

from dataclasses import dataclass, field, replace

from .clauses import Span
from .patterns import Match, Pattern

_NOBODY = ("", "me", "home", "previous", "unsaid")
MAX_VALUE = 120
"""Characters; what is longer is a story, not a value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One fact as it was said; start and end are its value's place in the text."""

    who: str
    what: str
    value: str
    topic: str = ""
    ended: bool = False
    start: int = 0
    end: int = 0


@dataclass(kw_only=True, slots=True)
class Reading:
    """What reading a text gave."""

    statements: list[Statement] = field(default_factory=list)
    complete: bool = True
    """Everything that was said is a statement or an empty phrase around one."""
    secret: bool = False
    asks: bool = False


def with_value(statement: Statement, value: Span) -> Statement:
    """Return the statement with another value."""
    end = value.start + len(value.text)
    return replace(statement, value=value.text, start=value.start, end=end)


def value_of(pattern: Pattern, match: Match, whole: Span) -> Span | None:
    """Return the words of the value, None where the match lacks its slots."""
    if pattern.value == "clause":
        return whole.stripped()
    first, _, last = pattern.value.partition("..")
    if first not in match.slots or (last or first) not in match.slots:
        return None
    start = match.slots[first].start
    return whole.cut(start, match.slots[last or first].end).stripped()


def names_of(match: Match, whole: Span) -> list[Statement]:
    """Return the name in "my sister Anna lives …" as a statement of its own."""
    who = match.slots["who"].value if "who" in match.slots else match.who
    if who in _NOBODY or "named" not in match.slots:
        return []
    if any(pattern.value == "named" for pattern in match.block.patterns):
        # The block states it itself.
        return []
    named = match.slots["named"]
    return [
        Statement(
            who=who,
            what="name",
            value=named.text,
            start=named.start + whole.start,
            end=named.end + whole.start,
        )
    ]
