"""Which of several dogs, daughters or friends is meant, and the keys they get."""

from collections.abc import Collection, Iterable
import re

from ..models import Candidate, Fact
from ..slots import base_key, sibling_key, without_number
from .text import same_word, words

_AFTER_HEAD = re.compile(r"^[^.]+\.(\d+)(?=\.)")


def sibling_of(key: str) -> int:
    """Return which of several a key is about: ``dog.2.name`` is about the second."""
    match = _AFTER_HEAD.match(key)
    return int(match[1]) if match else 1


def free_sibling(base: str, taken: Collection[str]) -> int:
    """Return the lowest number whose key is free."""
    number = 1
    while sibling_key(base, number) in taken:
        number += 1
    return number


def next_value_key(key: str, taken: Collection[str]) -> str:
    """Return the key, numbered at its end where one of several has many values.

    ``dog.2.like`` is the second dog's; what else that dog likes is ``dog.2.like.2``.
    """
    number = 1
    found = key
    while found in taken:
        number += 1
        found = f"{key}.{number}"
    return found


def sibling_meant(
    candidate: Candidate, facts: Iterable[Fact], touched: Collection[str]
) -> int:
    """Return which of several a candidate's sentence speaks of.

    The one named nearest to the value, else the one just introduced, else the first.
    """
    name_key = base_key(candidate.who, "name")
    names = [fact for fact in facts if without_number(fact.key) == name_key]
    said = words(candidate.quote)
    places = {
        sibling_of(fact.key): place
        for fact in names
        for place, word in enumerate(said)
        if any(same_word(word, part) for part in words(fact.value))
    }
    if places:
        value_place = _place(candidate.value, said)
        return min(places, key=lambda number: abs(places[number] - value_place))
    introduced = [fact for fact in names if fact.key in touched]
    meant = introduced if len(introduced) == 1 else names
    return min((sibling_of(fact.key) for fact in meant), default=1)


def _place(value: str, said: tuple[str, ...]) -> int:
    parts = words(value)
    places = (place for place, word in enumerate(said) if word in parts)
    return next(places, 0)
