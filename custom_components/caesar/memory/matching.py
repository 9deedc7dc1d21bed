"""Which facts are meant by a few words about them."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from .extraction.language import Language, find
from .extraction.mentions import content
from .extraction.text import same_word, words
from .models import Fact

type Wording = Callable[[Fact], str]
"""How a fact is put into words."""


def current(facts: Iterable[Fact], now: datetime) -> tuple[Fact, ...]:
    """Return the facts that still hold, in their order."""
    return tuple(
        fact for fact in facts if fact.expires_at is None or fact.expires_at > now
    )


def meant(
    text: str, facts: Sequence[Fact], wording: Wording, language: str
) -> tuple[Fact, ...]:
    """Return the facts that hold every telling word of the text, in their order.

    Words without content tell nothing; a text of such words alone means no fact.
    """
    telling = _telling(text, find(language))
    if not telling:
        return ()
    return tuple(
        fact for fact in facts if _share(telling, fact, wording) == len(telling)
    )


def akin(
    text: str, facts: Sequence[Fact], wording: Wording, language: str
) -> tuple[Fact, ...]:
    """Return the facts that hold any telling word of the text, the most first."""
    telling = _telling(text, find(language))
    shares = {fact.id: _share(telling, fact, wording) for fact in facts}
    found = [fact for fact in facts if shares[fact.id]]
    return tuple(sorted(found, key=lambda fact: -shares[fact.id]))


def _telling(text: str, language: Language) -> frozenset[str]:
    return frozenset(content(text, language))


def _share(telling: frozenset[str], fact: Fact, wording: Wording) -> int:
    key = fact.key.replace(".", " ").replace("_", " ")
    present = words(f"{key} {fact.value} {wording(fact)}")
    return sum(any(same_word(word, other) for other in present) for word in telling)
