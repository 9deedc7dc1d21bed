"""Scripts that write no spaces between words: Chinese and Japanese."""

from collections.abc import Iterable, Sequence
import re

SIGNS = "\u3001-\u303f\u3040-\u30ff\u3400-\u9fff\uff00-\uff65"
"""Their letters and punctuation, as the inside of a regular expression's set."""
_HIRAGANA = re.compile(r"[\u3041-\u309f]")
_SIGN = re.compile(rf"[{SIGNS}]")
_UNIT = re.compile(rf"[{SIGNS}]|(?:(?![{SIGNS}])\w)+")


class Lexicon:
    """Words by which a text without spaces can be cut."""

    def __init__(self, words: Iterable[str]) -> None:
        longest_first = sorted(set(words), key=lambda word: (-len(word), word))
        known = "|".join(re.escape(word) for word in longest_first) or r"(?!)"
        self._known = re.compile(f"({known})")

    def cut(self, text: str) -> list[str]:
        """Return the words that are known and what stands between them."""
        return [piece for piece in self._known.split(text) if piece.strip()]

    def __contains__(self, word: str) -> bool:
        """Return whether a word is known."""
        return self._known.fullmatch(word) is not None


def pairs_of_letters(text: str) -> list[str]:
    """Return the pairs of letters of a text, a single letter as it is."""
    return [text[at : at + 2] for at in range(max(1, len(text) - 1))]


def is_unspaced(text: str) -> bool:
    """Return whether the text holds a letter of such a script."""
    return _SIGN.search(text) is not None


def ends_of_letters(text: str) -> list[int]:
    """Return where each letter ends; a word of another script counts as one."""
    return [match.end() for match in _UNIT.finditer(text)]


def cut_at(
    text: str, marks: Sequence[tuple[int, int]], whole: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the places of the items that stand between the marks of a list.

    A mark within a run of hiragana is part of a word, as is one within what is to be
    kept whole.
    """
    items: list[tuple[int, int]] = []
    start = 0
    for left, right in marks:
        if left <= start or right >= len(text) or _is_in_a_word(text, left, right):
            continue
        if any(one <= left < other for one, other in whole):
            continue
        items.append((start, left))
        start = right
    return [*items, (start, len(text))]


def _is_in_a_word(text: str, left: int, right: int) -> bool:
    return all(_HIRAGANA.match(text[at]) for at in (left - 1, left, right))
