"""Which stored facts a person means: "my shoe size", "Beans", "the boiler".

A fact is meant where every telling word stands in its key, its value or the words that
taught it. Words are the same with a plural or genitive ending at most; a looser
likeness only ever leads to a question back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .extraction.keys import Slot, slot_of, what_of, who_of
from .extraction.language import Language, find
from .extraction.text import normalize, same_value, same_word, words
from .models import Fact
from .slots import sibling_number, without_number

_ENDINGS = frozenset({"s", "es", "e", "n", "en", "er", "ns"})
_MIN_LETTERS = 3
_MAX_NEAR = 5
# Words for these kinds name one and the same; "parrot" is but one kind of pet.
_ONE_KIND = frozenset(
    {
        "partner",
        "daughter",
        "son",
        "child",
        "mother",
        "father",
        "sister",
        "brother",
        "dog",
        "cat",
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """The facts that some words mean."""

    meant: tuple[Fact, ...] = ()
    near: tuple[Fact, ...] = ()
    """Where none is meant: those that share most with the words, to ask about."""


def select(
    facts: Sequence[Fact], said: str, language: str, stop_words: Collection[str]
) -> Selection:
    """Return which of the facts a person means, in the order given."""
    known = find(language)
    telling = [word for word in words(said) if word not in stop_words]
    if not telling:
        return Selection()
    meant = [fact for fact in facts if _is_meant(fact, telling)]
    meant = _with_all_of_the_named(meant, telling, facts)
    if meant:
        return Selection(meant=tuple(_own_before_others(meant, said, telling, known)))
    scored = [(_shared(fact, telling), fact) for fact in facts]
    most = max((score for score, _ in scored), default=0)
    if 2 * most < len(telling):
        return Selection()
    near = [fact for score, fact in scored if score and score == most]
    return Selection(near=tuple(near[:_MAX_NEAR]))


def told_in(facts: Sequence[Fact], reply: str) -> tuple[Fact, ...]:
    """Return the facts whose values an answer repeats in full."""
    spoken = f" {' '.join(words(reply))} "
    return tuple(
        fact
        for fact in facts
        if (value := " ".join(words(fact.value))) and f" {value} " in spoken
    )


def _is_meant(fact: Fact, telling: Sequence[str]) -> bool:
    slot = slot_of(fact.key)
    strong = (*_key_words(fact), *words(fact.value))
    quoted = words(fact.quote or "")
    found = [_names(word, slot) or _any_alike(word, strong) for word in telling]
    return any(found) and all(
        hit or _any_alike(word, quoted)
        for hit, word in zip(found, telling, strict=True)
    )


def _key_words(fact: Fact) -> tuple[str, ...]:
    key = without_number(fact.key).replace(".", " ").replace("_", " ")
    return words(key)


def _names(word: str, slot: Slot | None) -> bool:
    """Return whether a word of any language names whose or what the fact is."""
    if slot is None:
        return False
    who = who_of(word)
    if who == slot.who and who in _ONE_KIND:
        return True
    return what_of(word) == slot.what


def _any_alike(word: str, others: Sequence[str]) -> bool:
    return any(_alike(word, other) for other in others)


def _alike(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _MIN_LETTERS
        and long.startswith(short)
        and long[len(short) :] in _ENDINGS
    )


def _with_all_of_the_named(
    meant: list[Fact], telling: Sequence[str], facts: Sequence[Fact]
) -> list[Fact]:
    """Add all about those who are called by their name: "Beans" means the dog."""
    called = " ".join(telling)
    beings = {
        _being(fact)
        for fact in meant
        if fact.key.endswith(".name") and same_value(fact.value, called)
    }
    return [fact for fact in facts if fact in meant or _being(fact) in beings]


def _being(fact: Fact) -> tuple[str, str, int] | None:
    if "." not in fact.key:
        return None
    return fact.owner, fact.key.partition(".")[0], sibling_number(fact.key)


def _own_before_others(
    meant: list[Fact], said: str, telling: Sequence[str], language: Language
) -> list[Fact]:
    """Leave out the sister's birthday where somebody says "my birthday"."""
    if not language.first_person.search(normalize(said)) or any(
        who_of(word) in _ONE_KIND for word in telling
    ):
        return meant
    own = [
        fact
        for fact in meant
        if (slot := slot_of(fact.key)) is not None and slot.who == "me"
    ]
    return own or meant


def _shared(fact: Fact, telling: Sequence[str]) -> int:
    slot = slot_of(fact.key)
    strong = (*_key_words(fact), *words(fact.value))
    return sum(
        _names(word, slot) or any(same_word(word, other) for other in strong)
        for word in telling
    )
