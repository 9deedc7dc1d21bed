"""A text as secrets are looked for in it: without signs that nobody sees.

A code that is told with a zero-width sign between its digits, in full-width digits or
with a non-breaking hyphen is a code all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
import re
from typing import Final, Self
import unicodedata

_UNSEEN: Final = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0\u20e3"
    + "".join(map(chr, (*range(0x200B, 0x2010), *range(0x202A, 0x202F))))
    + "".join(map(chr, (*range(0x2060, 0x2070), *range(0xFE00, 0xFE10))))
)
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


@dataclass(frozen=True, slots=True)
class Plain:
    """The text to look in, and where each of its letters stands in the given one."""

    text: str
    origin: Sequence[int]

    @classmethod
    def of(cls, text: str) -> Self:
        """Return what is seen of a text."""
        if text.isascii():
            return cls(text, range(len(text)))
        seen = [
            (_DASHES.sub("-", _compatible(letter)), index)
            for index, letter in enumerate(text)
            if letter not in _UNSEEN
        ]
        return cls("".join(letter for letter, _ in seen), [index for _, index in seen])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the given text a part of this one stands."""
        return self.origin[start], self.origin[end - 1] + 1


def _compatible(letter: str) -> str:
    """Return a digit, letter or space in its plain form; other signs stay."""
    plain = unicodedata.normalize("NFKC", letter)
    is_wanted = plain.isascii() and (plain.isalnum() or plain == " ")
    return plain if is_wanted and len(plain) == 1 else letter
