"""Which facts are told first where not all of them fit.

In this order: what is pinned; what shares words with the present turn; what is fresh;
what was confirmed last. Freshness halves with time, by the kind of fact: plans are soon
over, a name stays. Only the person saying it again renews it; being told to a model or
read by anybody does not. It ranks and never deletes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final, Self

from .extraction.keys import slot_of
from .extraction.language import find
from .extraction.mentions import content
from .extraction.text import words
from .models import Fact
from .slots import without_number

_YEAR: Final = 365.0
_TASTE: Final = _YEAR
"""Tastes drift over a year or so; a proposal of our own, nobody has measured it."""

HALF_LIFE: Final[dict[str, float | None]] = {
    # Identity and safety do not become less true because nobody repeats them.
    "name": None,
    "birthday": None,
    "anniversary": None,
    "origin": None,
    "language": None,
    "breed": None,
    "allergy": None,
    "health": None,
    "diet": None,
    # Workers have been with their employer for 3.9 years at the median (U.S. Bureau of
    # Labor Statistics, January 2024).
    "job": 4 * _YEAR,
    "workplace": 4 * _YEAR,
    # 11.5 percent of people move within a year (U.S. Census Bureau, 2014), so half of
    # them within six.
    "city": 6 * _YEAR,
    # Schools and sizes last for a stage of childhood.
    "school": 3 * _YEAR,
    "size": 3 * _YEAR,
    # Things are kept for some years and then replaced.
    "car": 4 * _YEAR,
    "phone": 4 * _YEAR,
    "have": 2 * _YEAR,
    # A year later it is another one.
    "age": _YEAR,
    "like": _TASTE,
    "dislike": _TASTE,
    "favourite": _TASTE,
    "hobby": _TASTE,
    # Habits change with the season.
    "routine": _YEAR / 2,
    "wish": _YEAR / 2,
    # Most plans that people tell are for the coming weeks. One with a date ends by it.
    "plan": 30.0,
    "note": _YEAR,
}
"""Days after which a fact of a kind is half as fresh; None where it stays fresh."""

_UNKNOWN: Final = _YEAR
_SURE: Final = 0.2
"""How much of freshness hangs on confidence: a nudge, since checks set it coarsely."""
_STEPS: Final = 10
"""Steps of freshness. Within one, the last confirmed goes first, so that news of today
is not held back by all that never fades."""
_DAY: Final = 86400.0
_STEM: Final = 4
_CACHED: Final = 4096

type Rank = tuple[bool, int, int, tuple[float, float, int]]
"""Pinned, words in common, steps of freshness, and what decides among equals."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """What a fact's rank depends on, computed once for as long as the fact stays."""

    pinned: bool
    stems: frozenset[str]
    """The beginnings of its words."""
    sure: float
    """What its freshness is when nothing has faded, 1 or somewhat less."""
    fading: float
    """Half-lives in a second."""
    confirmed: float
    """When it was last confirmed, in seconds."""
    rest: tuple[float, float, int]
    """What decides among equals: last confirmed, confidence, age."""

    @classmethod
    def of(cls, fact: Fact, sentence: str) -> Self:
        """Return the standing of a fact that is told in these words."""
        key = fact.key.replace(".", " ").replace("_", " ")
        confirmed = fact.last_confirmed_at.timestamp()
        days = half_life(fact.key)
        return cls(
            pinned=fact.pinned,
            stems=_stems(words(f"{sentence} {key}")),
            sure=1 - _SURE + _SURE * fact.confidence,
            fading=0.0 if days is None else 1 / (days * _DAY),
            confirmed=confirmed,
            rest=(confirmed, fact.confidence, -fact.id),
        )

    def freshness(self, now: float) -> float:
        """Return how fresh the fact is, from 1 down to 0, lowered by doubt."""
        age = now - self.confirmed
        faded: float = 0.5 ** (age * self.fading) if age > 0 and self.fading else 1.0
        return self.sure * faded


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranking:
    """The order of facts for one turn: the higher comes first."""

    said: frozenset[str]
    """The beginnings of the words that are said."""
    now: float

    @classmethod
    def of(cls, text: str, language: str, now: datetime) -> Self:
        """Return the ranking for a turn in which the text is said."""
        said = _stems(content(text, find(language)))
        return cls(said=said, now=now.timestamp())

    def rank(self, standing: Standing) -> Rank:
        """Return the rank of a fact.

        A newer confirmation, a higher confidence or more words in common never lower
        it.
        """
        return (
            standing.pinned,
            len(self.said & standing.stems),
            round(_STEPS * standing.freshness(self.now)),
            standing.rest,
        )


def half_life(key: str) -> float | None:
    """Return the half-life of a fact with this key, in days."""
    return _half_life_of_base(without_number(key))


@lru_cache(maxsize=_CACHED)
def _half_life_of_base(base: str) -> float | None:
    slot = slot_of(base)
    return _UNKNOWN if slot is None else HALF_LIFE.get(slot.what, _UNKNOWN)


def _stems(found: Sequence[str]) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in found)
