"""The section about the speaker that joins the system prompt.

Under the caps every fact goes in; over them the choice is by pinned, relevance to the
present words, last confirmed and confidence. What is chosen is printed in the order of
pinned, key and id, so that a confirmation does not reshuffle the prompt and providers
can cache it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
import re
import unicodedata

from .models import HOUSEHOLD, Fact, Scope
from .templates import Templates, Voice

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Caps:
    """How much of the prompt facts may take."""

    facts: int = 30
    characters: int = 2048


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """What memory adds to the prompt of one turn."""

    text: str = ""
    fact_ids: tuple[int, ...] = ()
    total: int = 0
    """Facts that could have gone in."""


def compose(
    facts: Sequence[Fact],
    scope: Scope,
    *,
    text: str,
    caps: Caps,
    templates: Templates,
    now: datetime,
) -> Section:
    """Compose the section for one turn; facts outside the scope never go in.

    Its text is at most ``caps.characters`` long and holds whole facts only.
    """
    current = [
        fact
        for fact in facts
        if fact.owner in scope.visible
        and (fact.expires_at is None or fact.expires_at > now)
    ]
    lines = {fact.id: f"  - {templates.sentence(fact)}" for fact in current}
    chosen: list[Fact] = []
    length = 0
    for fact in _by_merit(current, lines, text):
        if len(chosen) == caps.facts:
            break
        cost = _cost(fact, chosen, lines, templates)
        if length + cost > caps.characters:
            continue
        chosen.append(fact)
        length += cost
    if not chosen:
        return Section(total=len(current))
    return Section(
        text=_print(chosen, lines, templates),
        fact_ids=tuple(sorted(fact.id for fact in chosen)),
        total=len(current),
    )


def _by_merit(
    facts: Sequence[Fact], lines: dict[int, str], text: str
) -> Sequence[Fact]:
    words = _words(text)
    return sorted(
        facts,
        key=lambda fact: (
            fact.pinned,
            len(words & _words(f"{lines[fact.id]} {fact.key}")),
            fact.last_confirmed_at,
            fact.confidence,
            -fact.id,
        ),
        reverse=True,
    )


def _cost(
    fact: Fact, chosen: Sequence[Fact], lines: dict[int, str], templates: Templates
) -> int:
    """Return the characters that this fact adds to the section."""
    cost = len(lines[fact.id]) + 1
    if _voice(fact) not in {_voice(other) for other in chosen}:
        cost += len(templates.headings[_voice(fact)]) + 1
    if not chosen:
        # The section ends without a line break, but with the remark.
        cost += len(templates.remark)
    return cost


def _print(chosen: Sequence[Fact], lines: dict[int, str], templates: Templates) -> str:
    printed = []
    for voice in ("own", "household"):
        those = [fact for fact in chosen if _voice(fact) == voice]
        if those:
            printed.append(templates.headings[voice])
            printed += [lines[fact.id] for fact in sorted(those, key=_print_order)]
    return "\n".join((*printed, templates.remark))


def _print_order(fact: Fact) -> tuple[bool, str, int]:
    return (not fact.pinned, fact.key, fact.id)


def _voice(fact: Fact) -> Voice:
    return "household" if fact.owner == HOUSEHOLD else "own"


def _words(text: str) -> frozenset[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset(_WORD.findall(folded.replace("_", " ")))
