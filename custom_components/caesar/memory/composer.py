"""The section about the speaker that joins the system prompt.

Under the caps every fact goes in; over them those that rank first. What is chosen is
printed in the order of pinned, key and id, so that a confirmation does not reshuffle
the prompt and providers can cache it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
import heapq
from typing import Self

from .models import HOUSEHOLD, Fact, Scope
from .ranking import Ranking, Standing
from .templates import Templates, Voice

# Of so many times the cap, those that are too long for what is left are passed over.
_SPARE = 4


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """A fact as it is told: its line of the section, and what its rank depends on."""

    fact: Fact
    line: str
    standing: Standing

    @classmethod
    def of(cls, fact: Fact, templates: Templates) -> Self:
        """Return the phrase of a fact."""
        sentence = templates.sentence(fact)
        return cls(
            fact=fact, line=f"  - {sentence}", standing=Standing.of(fact, sentence)
        )


def compose(
    phrases: Iterable[Phrase],
    scope: Scope,
    *,
    ranking: Ranking,
    caps: Caps,
    templates: Templates,
    now: datetime,
) -> Section:
    """Compose the section for one turn; facts outside the scope never go in.

    Its text is at most ``caps.characters`` long and holds whole facts only.
    """
    visible = scope.visible
    current = [
        phrase
        for phrase in phrases
        if phrase.fact.owner in visible
        and (phrase.fact.expires_at is None or phrase.fact.expires_at > now)
    ]
    chosen: list[Phrase] = []
    length = 0
    for phrase in heapq.nlargest(
        caps.facts * _SPARE, current, key=lambda phrase: ranking.rank(phrase.standing)
    ):
        if len(chosen) == caps.facts:
            break
        cost = _cost(phrase, chosen, templates)
        if length + cost > caps.characters:
            continue
        chosen.append(phrase)
        length += cost
    if not chosen:
        return Section(total=len(current))
    return Section(
        text=_print(chosen, templates),
        fact_ids=tuple(sorted(phrase.fact.id for phrase in chosen)),
        total=len(current),
    )


def _cost(phrase: Phrase, chosen: Sequence[Phrase], templates: Templates) -> int:
    """Return the characters that this fact adds to the section."""
    voice = _voice(phrase.fact)
    cost = len(phrase.line) + 1
    if voice not in {_voice(other.fact) for other in chosen}:
        cost += len(templates.headings[voice]) + 1
    if not chosen:
        # The section ends without a line break, but with the remark.
        cost += len(templates.remark)
    return cost


def _print(chosen: Sequence[Phrase], templates: Templates) -> str:
    printed = []
    for voice in ("own", "household"):
        those = [phrase for phrase in chosen if _voice(phrase.fact) == voice]
        if those:
            printed.append(templates.headings[voice])
            printed += [phrase.line for phrase in sorted(those, key=_print_order)]
    return "\n".join((*printed, templates.remark))


def _print_order(phrase: Phrase) -> tuple[bool, str, int]:
    return (not phrase.fact.pinned, phrase.fact.key, phrase.fact.id)


def _voice(fact: Fact) -> Voice:
    return "household" if fact.owner == HOUSEHOLD else "own"
