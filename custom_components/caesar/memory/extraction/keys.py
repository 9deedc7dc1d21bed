"""From a key of any spelling to its slot: ``hund_name`` and ``dog.2.name`` are one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
import re

from ..slots import WHAT, WHO, base_key, is_valid_key, without_number
from .language import load
from .text import fold, is_cjk

_TASTE = re.compile(r"(preference|favourite)\.([^.]+)")
_PARTS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Slot:
    """Whose and what, and for preferences about which topic."""

    who: str
    what: str
    topic: str = ""

    @property
    def base(self) -> str:
        """Return the key of the slot without a sibling's number."""
        return base_key(self.who, self.what, self.topic)


def slot_of(key: str) -> Slot | None:
    """Return the slot that a key names, None where no *what* is in it."""
    if tasted := _TASTE.fullmatch(without_number(key)):
        return _taste(*tasted.groups())
    parts = [part for part in _PARTS.split(fold(without_number(key))) if part]
    whos, whats = _tables()
    named = [_look_up(part, whos) for part in parts]
    who = next((found for found in named if found not in (None, "me")), None) or "me"
    asked = [_look_up(part, whats) for part in parts]
    what = next((found for found in reversed(asked) if found), None)
    rest = [
        part
        for part, one, other in zip(parts, named, asked, strict=True)
        if one is None and other is None
    ]
    if what is None:
        return None
    if what in ("like", "favourite"):
        return Slot(who, what, "_".join(rest))
    return Slot(who, what)


def _taste(space: str, rest: str) -> Slot:
    if space == "preference" and rest in ("like", "dislike"):
        return Slot("me", rest)
    return Slot("me", "like" if space == "preference" else "favourite", rest)


def who_of(word: str) -> str | None:
    """Return the *who* that a word names in any language."""
    return _look_up(fold(word), _tables()[0])


def what_of(word: str) -> str | None:
    """Return the *what* that a word names in any language."""
    return _look_up(fold(word), _tables()[1])


def free_key(key: str) -> str:
    """Return the key made storable, or empty where it cannot be."""
    plain = re.sub(r"[^\w.]+", "_", key.strip().lower()).strip("_.")
    return plain if is_valid_key(plain) else ""


def _look_up(part: str, table: Mapping[str, str]) -> str | None:
    if part in table:
        return table[part]
    if not is_cjk(part):
        return None
    return next(
        (slot for word, slot in table.items() if is_cjk(word) and word in part), None
    )


@cache
def _tables() -> tuple[Mapping[str, str], Mapping[str, str]]:
    whos: dict[str, str] = {}
    whats: dict[str, str] = {}
    for language in load().values():
        whos = {**language.who, **whos}
        whats = {**language.what, **whats}
    return (
        {**whos, **{fold(word): word for word in WHO}},
        {**whats, **{fold(word): word for word in WHAT}},
    )
