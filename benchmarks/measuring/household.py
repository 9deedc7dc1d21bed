"""The family whose words are measured."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).resolve().parents[1] / "household.yaml"
_KINDS = ("commands", "questions", "talk", "facts")


@dataclass(frozen=True, kw_only=True, slots=True)
class Household:
    """What a family says in one language, and what is known of it beforehand."""

    language: str
    ask: str
    """What is asked where a turn is measured."""
    utterances: dict[str, tuple[str, ...]]
    """By kind: commands, questions, talk, facts."""
    known: tuple[tuple[str, str], ...]
    """Keys and values of facts, the most common ones first."""


def languages() -> tuple[str, ...]:
    """Return the languages of which there are words."""
    return tuple(_read())


def household(language: str) -> Household:
    """Return the family as it speaks one of the languages."""
    read = _read()[language]
    return Household(
        language=language,
        ask=read["ask"],
        utterances={kind: tuple(read[kind]) for kind in _KINDS},
        known=tuple((fact["key"], fact["value"]) for fact in read["known"]),
    )


@cache
def _read() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(_FILE.read_text())
    return content
