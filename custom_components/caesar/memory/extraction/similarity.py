"""When two values say the same, and when they set the same thing differently."""

from .grounding import numbers_in
from .language import Language
from .mentions import content, shared
from .text import same_value, words


def is_restated(value: str, stored: str, language: Language) -> bool:
    """Return whether a value says nothing that the stored one does not say."""
    if same_value(value, stored):
        return True
    if numbers_in(value, language) != numbers_in(stored, language):
        return False
    wanted = content(value, language)
    return bool(wanted) and len(shared(wanted, content(stored, language))) == len(
        wanted
    )


def is_same_name(value: str, stored: str) -> bool:
    """Return whether a name is the stored one or a part of it.

    Every letter counts: Christina and Christine are two people.
    """
    return bool(words(value)) and set(words(value)) <= set(words(stored))


def is_same_setting(value: str, stored: str, language: Language) -> bool:
    """Return whether both give a number to one thing: "bedtime 22:30", "bedtime 23:00".

    What differs in more than the number ("on weekends", "on weekdays") are two things.
    """
    ours, theirs = numbers_in(value, language), numbers_in(stored, language)
    if not ours or not theirs or ours == theirs:
        return False
    here, there = _unnumbered(value, language), _unnumbered(stored, language)
    if not here or not there:
        return False
    return len(shared(here, there)) == len(here) or len(shared(there, here)) == len(
        there
    )


def _unnumbered(value: str, language: Language) -> tuple[str, ...]:
    return tuple(
        word
        for word in content(value, language)
        if not word[0].isdigit() and word not in language.numbers
    )
