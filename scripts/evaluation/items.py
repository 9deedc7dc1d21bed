"""The labelled exchanges: what is said, what is known before, and what is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
import json
from pathlib import Path
from typing import Any

EMPTY = "nothing_"
"""How the categories begin whose exchanges must teach nothing."""


class ItemError(Exception):
    """A file of exchanges cannot be read; the message names the line."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One key with its value, as it is stored."""

    key: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """What a text must say to count as a certain fact.

    One alternative of every group has to be there, none of ``never``, and nothing of
    ``unless``, which are the words that tell of a fact as over.
    """

    value: str = ""
    """An example of a right value."""
    groups: tuple[tuple[str, ...], ...] = ()
    never: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Labels:
    """What an exchange should teach."""

    category: str
    expected: tuple[Pattern, ...] = ()
    """Facts that must be stored."""
    allowed: tuple[Pattern, ...] = ()
    """Facts that may be stored or not."""
    gone: tuple[Pattern, ...] = ()
    """Facts that must no longer be asserted."""
    kept: tuple[Pattern, ...] = ()
    """Known facts that must still be stored."""
    forbidden: tuple[str, ...] = ()
    """Words that may stand in nothing that is stored."""

    @property
    def is_empty(self) -> bool:
        """Return whether nothing may be learned."""
        return self.category.startswith(EMPTY)

    @property
    def good(self) -> tuple[Pattern, ...]:
        """Return all facts that do no harm."""
        return (*self.expected, *self.allowed)


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One finished exchange; ``labels`` are None where nobody wrote any."""

    id: str
    language: str
    user: str
    assistant: str
    known: tuple[Entry, ...] = ()
    labels: Labels | None = None


def read_items(path: Path) -> tuple[Item, ...]:
    """Return the exchanges of a file with one JSON object a line; raises ItemError."""
    items: list[Item] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            items.append(_item(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise ItemError(f"{path}, line {number}: {error!r}") from error
    return tuple(items)


def _item(row: Mapping[str, Any]) -> Item:
    return Item(
        id=row["id"],
        language=row["lang"],
        user=row["user"],
        assistant=row["assistant"],
        known=tuple(
            Entry(key=known["key"], value=known["value"])
            for known in row.get("known", ())
        ),
        labels=_labels(row) if "expect" in row else None,
    )


def _labels(row: Mapping[str, Any]) -> Labels:
    return Labels(
        category=row["category"],
        expected=_patterns(row["expect"]),
        allowed=_patterns(row.get("optional", ())),
        gone=_patterns(row.get("gone", ())),
        kept=_patterns(row.get("keep", ())),
        forbidden=tuple(row.get("forbid", ())),
    )


def _patterns(rows: Sequence[Mapping[str, Any]]) -> tuple[Pattern, ...]:
    return tuple(
        Pattern(
            value=row.get("value", ""),
            groups=tuple(tuple(group) for group in row["must"]),
            never=tuple(row.get("not", ())),
            unless=tuple(row.get("unless", ())),
        )
        for row in rows
    )
