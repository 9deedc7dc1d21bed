"""Where a fact belongs: the closed lists of *who* and *what*, and the keys they make.

A model or a sentence file names who and what; only this file turns them into keys, and
says whether a second value joins the first or takes its place. Keys are English in
every language, so that "Hund" and "dog" meet in one place.
"""

import re

WHO = (
    "me",
    "partner",
    "daughter",
    "son",
    "child",
    "mother",
    "father",
    "sister",
    "brother",
    "family",
    "friend",
    "dog",
    "cat",
    "pet",
    "home",
)

WHAT = (
    "name",
    "birthday",
    "age",
    "city",
    "origin",
    "job",
    "workplace",
    "language",
    "allergy",
    "health",
    "diet",
    "like",
    "dislike",
    "favourite",
    "hobby",
    "routine",
    "plan",
    "wish",
    "car",
    "phone",
    "size",
    "breed",
    "anniversary",
    "school",
    "have",
    "note",
)

_OWN_KEYS = {
    "city": "address.city",
    "like": "preference.like",
    "dislike": "preference.dislike",
}
_NAMESPACES = {"partner": "spouse"}
# Of these a person has one; a new value takes the old one's place.
_SINGLE = frozenset(
    {
        "name",
        "birthday",
        "age",
        "city",
        "origin",
        "job",
        "workplace",
        "diet",
        "car",
        "size",
        "breed",
        "anniversary",
        "school",
    }
)
# A second one with another name is somebody else.
_MANY_OF = frozenset(
    {
        "daughter",
        "son",
        "child",
        "sister",
        "brother",
        "family",
        "friend",
        "dog",
        "cat",
        "pet",
    }
)

_TASTES = frozenset({"like", "favourite", "hobby", "have", "note", "wish", "routine"})
_MILDER_THAN_ALLERGY = frozenset({"dislike", "note", "diet", "health"})

_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_KEY = re.compile(r"[^\W\d_][\w-]*(\.[\w-]+)*")
_TOPIC = re.compile(r"[^\w]+")

MAX_KEY = 80


def base_key(who: str, what: str, topic: str = "") -> str:
    """Return the key of a slot, without a sibling's number.

    ``("dog", "name")`` gives ``dog.name``, ``("me", "city")`` gives ``address.city``,
    ``("me", "favourite", "colour")`` gives ``favourite.colour``.
    """
    if who == "me":
        if topic and what in ("like", "favourite"):
            space = "preference" if what == "like" else "favourite"
            return f"{space}.{_TOPIC.sub('_', topic.lower()).strip('_')}"
        return _OWN_KEYS.get(what, what)
    return f"{_NAMESPACES.get(who, who)}.{what}"


def is_single(who: str, what: str, topic: str = "") -> bool:
    """Return whether a new value of this slot takes the old one's place.

    A name of a person or pet of whom there may be several never replaces another.
    """
    if what == "name" and who in _MANY_OF:
        return False
    return what in _SINGLE or (bool(topic) and what in ("like", "favourite"))


def is_akin(what: str, stored: str) -> bool:
    """Return whether the same words under this label would tell nothing new.

    ``stored`` is the label that they are stored under.
    """
    if stored == "allergy":
        return what in _MILDER_THAN_ALLERGY
    return stored in _TASTES and what in _TASTES


def may_be_several(who: str) -> bool:
    """Return whether a home may hold several of them, told apart by their names."""
    return who in _MANY_OF


def without_number(key: str) -> str:
    """Return the key without a sibling's number: ``dog.2.name`` to ``dog.name``."""
    return _NUMBER.sub("", key)


def sibling_key(base: str, number: int) -> str:
    """Return the key of the n-th sibling: ``dog.name``, 2 gives ``dog.2.name``."""
    if number <= 1:
        return base
    head, dot, tail = base.partition(".")
    return f"{head}.{number}{dot}{tail}"


def sibling_number(key: str) -> int:
    """Return a key's sibling number, 1 where it has none."""
    match = _NUMBER.search(key)
    return int(match.group()[1:]) if match else 1


def is_valid_key(key: str) -> bool:
    """Return whether a key that somebody typed can be stored."""
    return len(key) <= MAX_KEY and _KEY.fullmatch(key) is not None
