"""Words that were taken back while speaking, left out before anybody reads them.

"My sister lives in Bath, no what am I saying, Bristol" is read as what it means.
"""

import re

from .grounding import numbers_in
from .language import Language

_PIECE = re.compile(r"[^,;.!?…]+[,;.!?…]*\s*")
_EDGE = " ,;.!?…"
_MAX_WORDS = 3


def repaired(text: str, language: Language) -> str:
    """Return the text with what was said instead in the place of what was meant."""
    pieces = _PIECE.findall(text)
    kept: list[str] = []
    while pieces:
        piece = pieces.pop(0)
        instead, rest = _said_instead(piece, pieces, language)
        put = _put_in_place(kept, instead, language) if instead else None
        if put is None:
            kept.append(piece)
        else:
            kept, pieces = put, rest
    return "".join(kept).strip() if kept else text


def _said_instead(
    piece: str, following: list[str], language: Language
) -> tuple[str, list[str]]:
    """Return what a piece with words of repair says instead, and what is left."""
    bare = piece.strip(_EDGE)
    found = language.repair.search(bare.lower().replace("’", "'"))  # noqa: RUF001
    if found is None:
        return "", following
    said = f"{bare[: found.start()]} {bare[found.end() :]}".strip(_EDGE)
    if said:
        return said, following
    if not following:
        return "", following
    return following[0].strip(_EDGE), following[1:]


def _put_in_place(kept: list[str], said: str, language: Language) -> list[str] | None:
    """Return the pieces with the last word of that sort replaced, else None."""
    new = said.split()
    if not kept or len(new) > _MAX_WORDS:
        return None
    words = kept[-1].strip(_EDGE).split()
    size = 0
    for one, other in zip(reversed(words), reversed(new), strict=False):
        if not _is_of_one_sort(one, other, language):
            break
        size += 1
    if not size or (len(new) > 1 and _is_plain(new[-1], language)):
        # A phrase of common words is a new thought more often than another word.
        return None
    return [*kept[:-1], " ".join([*words[:-size], said]) + ", "]


def _is_of_one_sort(one: str, other: str, language: Language) -> bool:
    numbers = [bool(numbers_in(word, language)) for word in (one, other)]
    if any(numbers):
        return all(numbers)
    return one[:1].isupper() == other[:1].isupper()


def _is_plain(word: str, language: Language) -> bool:
    return not word[:1].isupper() and not numbers_in(word, language)
