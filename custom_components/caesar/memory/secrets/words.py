"""The words of every language after which a secret may stand.

All are tried on every text, since the write check must hold whatever language a turn
claims to be in.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
import re
from typing import Final, cast

from ..languages import documents

CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"\w+")
_TELLING = ("password", "code", "lock", "token", "document", "account", "key")
_OTHER = ("not_code", "link", "not_value", "pointing", "keep", "place")


@dataclass(frozen=True, slots=True)
class Words:
    """What tells that a secret may follow, as patterns."""

    password: re.Pattern[str]
    """What has any words as its value: passwords, phrases, answers that prove who
    somebody is."""
    code: re.Pattern[str]
    lock: re.Pattern[str]
    """What a code opens: "the safe is 4711" tells it."""
    not_code: re.Pattern[str]
    token: re.Pattern[str]
    document: re.Pattern[str]
    account: re.Pattern[str]
    link: re.Pattern[str]
    """What joins a value to its word."""
    not_value: re.Pattern[str]
    """What follows a link and is no value."""
    pointing: re.Pattern[str]
    """What may stand before a link and be no value either."""
    keep: re.Pattern[str]
    """What asks to keep something: "remember the password, sunflower"."""
    key: re.Pattern[str]
    place: re.Pattern[str]
    number: re.Pattern[str]
    """Three or more number words in a row."""
    telling: frozenset[str]
    """The longest word of each telling entry: a cheap look before the patterns."""
    characters: tuple[str, ...]
    """Telling entries in Chinese and Japanese."""

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds a word that a secret may follow."""
        plain = text.lower()
        if not self.telling.isdisjoint(_WORD.findall(plain)):
            return True
        return CJK.search(plain) is not None and any(
            entry in plain for entry in self.characters
        )

    def without_harmless(self, text: str) -> str:
        """Return the text with what only sounds like a code blotted out."""
        return self.not_code.sub(lambda match: "_" * len(match.group()), text)


@cache
def all_words() -> Words:
    """Return the words of all languages; the first call reads files."""
    sections = [
        cast("Mapping[str, Sequence[str]]", data["secret"])
        for data in documents().values()
        if "secret" in data
    ]
    lists = {
        name: [word for section in sections for word in section.get(name, ())]
        for name in (*_TELLING, *_OTHER)
    }
    telling = [word for name in _TELLING for word in lists[name]]
    digits = [
        word
        for data in documents().values()
        for word in cast("Mapping[str, str]", data.get("numbers", {}))
        if not CJK.search(word)
    ]
    return Words(
        **{name: _compiled(entries) for name, entries in lists.items()},
        number=_run_of(digits),
        telling=frozenset(
            max(_WORD.findall(word.lower()), key=len)
            for word in telling
            if not CJK.search(word)
        ),
        characters=tuple(word for word in telling if CJK.search(word)),
    )


def _compiled(entries: Sequence[str]) -> re.Pattern[str]:
    if not entries:
        return re.compile(r"(?!)")
    ordered = sorted(set(entries), key=len, reverse=True)
    return re.compile("|".join(_entry(entry) for entry in ordered), re.IGNORECASE)


def _entry(entry: str) -> str:
    escaped = re.escape(entry.removesuffix("*")).replace("'", "['’]")
    if CJK.search(entry) or not entry[0].isalnum():
        return escaped
    return rf"\b{escaped}" + ("" if entry.endswith("*") else r"(?!\w)")


def _run_of(digits: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for three or more numbers in a row, the most of them words."""
    word = "|".join(re.escape(entry) for entry in sorted(digits, key=len, reverse=True))
    between = r"[ ,./…-]+(?:(?:and|und|et|y|en|i|oh|double|triple) )?"
    return re.compile(
        rf"\b(?:(?:double|triple) )?(?:{word}|\d(?=\D{{1,9}}(?:{word})\b))"
        rf"(?:{between}(?:{word}|\d)(?!\d)){{2,}}\b",
        re.IGNORECASE,
    )
