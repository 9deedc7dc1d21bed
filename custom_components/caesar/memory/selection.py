"""Which stored facts a person means: "my shoe size", "Beans", "the boiler".

A fact is meant where every telling word stands in its key, its value or the words that
taught it. Words are the same with a plural or genitive ending at most; a looser
likeness only ever leads to a question back.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from .extraction.keys import Slot, slot_of, what_of, who_of
from .extraction.language import Language, find
from .extraction.text import is_cjk, normalize, same_value, same_word, words
from .models import Fact
from .slots import sibling_number, without_number

_ENDINGS = frozenset({"s", "es", "e", "n", "en", "er", "ns"})
_MIN_LETTERS = 3
_MAX_NEAR = 5
_CACHED_KEYS = 4096
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
class _Word:
    """A word of the person's, with whose or what it names in any language."""

    text: str
    who: str | None
    what: str | None

    @classmethod
    def of(cls, text: str) -> Self:
        forms = [text, *(text.removesuffix(ending) for ending in _ENDINGS)]
        whos = (who for form in forms if (who := who_of(form)) in _ONE_KIND)
        return cls(text=text, who=next(whos, None), what=what_of(text))

    def names(self, slot: Slot | None) -> bool:
        """Return whether the word names whose or what the fact is."""
        if slot is None:
            return False
        return slot.who == self.who or slot.what == self.what


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
    telling = [
        _Word.of(word)
        for word in words(_without(stop_words, said))
        if word not in stop_words
    ]
    if not telling:
        return Selection()
    meant = [fact for fact in facts if _is_meant(fact, telling)]
    meant = _with_all_of_the_named(meant, telling, facts)
    if meant:
        known = find(language)
        return Selection(meant=tuple(_own_before_others(meant, said, telling, known)))
    scored = [(_shared(fact, telling), fact) for fact in facts]
    most = max((score for score, _ in scored), default=0)
    if 2 * most < len(telling):
        return Selection()
    near = [fact for score, fact in scored if score and score == most]
    return Selection(near=tuple(near[:_MAX_NEAR]))


def _without(stop_words: Collection[str], said: str) -> str:
    """Return the words without what stops in scripts that write no spaces."""
    for word in sorted(filter(is_cjk, stop_words), key=len, reverse=True):
        said = said.replace(word, " ")
    return said


def told_in(facts: Sequence[Fact], reply: str) -> tuple[Fact, ...]:
    """Return the facts whose values an answer repeats in full."""
    spoken = f" {' '.join(words(reply))} "
    return tuple(
        fact
        for fact in facts
        if (value := " ".join(words(fact.value))) and f" {value} " in spoken
    )


def _is_meant(fact: Fact, telling: Sequence[_Word]) -> bool:
    slot, strong = _slot(without_number(fact.key)), _strong_words(fact)
    found = [word.names(slot) or _any_alike(word.text, strong) for word in telling]
    if not any(found) or all(found):
        return all(found)
    quoted = words(fact.quote or "")
    return all(
        hit or _any_alike(word.text, quoted)
        for hit, word in zip(found, telling, strict=True)
    )


@lru_cache(maxsize=_CACHED_KEYS)
def _slot(base: str) -> Slot | None:
    return slot_of(base)


@lru_cache(maxsize=_CACHED_KEYS)
def _key_words(base: str) -> tuple[str, ...]:
    return words(base.replace(".", " ").replace("_", " "))


def _strong_words(fact: Fact) -> tuple[str, ...]:
    return (*_key_words(without_number(fact.key)), *words(fact.value))


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
    meant: list[Fact], telling: Sequence[_Word], facts: Sequence[Fact]
) -> list[Fact]:
    """Add all about those who are called by their name: "Beans" means the dog."""
    called = " ".join(word.text for word in telling)
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
    meant: list[Fact], said: str, telling: Sequence[_Word], language: Language
) -> list[Fact]:
    """Leave out the sister's birthday where somebody says "my birthday"."""
    if not language.first_person.search(normalize(said)) or any(
        word.who for word in telling
    ):
        return meant
    own = [
        fact
        for fact in meant
        if (slot := _slot(without_number(fact.key))) is not None and slot.who == "me"
    ]
    return own or meant


def _shared(fact: Fact, telling: Sequence[_Word]) -> int:
    slot, strong = _slot(without_number(fact.key)), _strong_words(fact)
    return sum(
        word.names(slot) or any(same_word(word.text, other) for other in strong)
        for word in telling
    )
