"""Which stored facts an utterance speaks of, by the words of their values and keys."""

from collections.abc import Iterable

from ..models import Fact
from .language import Language
from .text import is_cjk, same_word, words

_MIN_LETTERS = 3
_KEY_NOISE = frozenset(
    {"name", "preference", "like", "dislike", "have", "note", "me", "user", "home"}
)


def content(text: str, language: Language) -> tuple[str, ...]:
    """Return the folded words that carry content."""
    return tuple(word for word in words(text) if word not in language.not_content)


def shared(value_words: Iterable[str], text_words: Iterable[str]) -> tuple[str, ...]:
    """Return the value's words that stand in the text, endings aside."""
    present = tuple(text_words)
    return tuple(
        word for word in value_words if any(same_word(word, other) for other in present)
    )


def mentions_value(text: str, fact: Fact, language: Language) -> bool:
    """Return whether at least half of a fact's telling words stand in the text."""
    telling = _telling(fact.value, language)
    found = shared(telling, words(text))
    return bool(found) and (2 * len(found) >= len(telling) or _names(fact.value, found))


def touches(text: str, fact: Fact, language: Language) -> bool:
    """Return whether any telling word of a fact's value or key stands in the text."""
    telling = (*_telling(fact.value, language), *key_words(fact.key))
    return bool(shared(telling, words(text)))


def key_words(key: str) -> tuple[str, ...]:
    """Return the folded words of a key that say what its fact is about."""
    return tuple(
        word
        for word in words(key.replace(".", " ").replace("_", " "))
        if word not in _KEY_NOISE and not word.isdigit()
    )


def _telling(value: str, language: Language) -> tuple[str, ...]:
    found = content(value, language)
    long = tuple(word for word in found if len(word) >= _MIN_LETTERS or is_cjk(word))
    return long or found


def _names(value: str, found: tuple[str, ...]) -> bool:
    # A single proper noun is enough: "trip to Madeira in May" is meant by "Madeira".
    proper = {
        word for part in value.split() if part[0].isupper() for word in words(part)
    }
    return any(word in proper for word in found)
