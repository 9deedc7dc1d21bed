"""Whether a text says something, whatever the key, the case and the inflection."""

from functools import cache
import re
import unicodedata

from .items import Pattern

# Letters that Unicode does not take apart into a plain one and its mark.
_PLAIN = str.maketrans({"ł": "l", "ß": "ss", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SHORT_MARKER = 4


@cache
def plain(text: str) -> str:
    """Return a text in small letters without accents, its words one space apart."""
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(_PLAIN))
    letters = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return " ".join(re.findall(r"[^\W_]+", letters))


def squeezed(text: str) -> str:
    """Return a text as ``plain`` does, with nothing between the words."""
    return plain(text).replace(" ", "")


def says(pattern: Pattern, text: str) -> bool:
    """Return whether a text says what the pattern describes, and not as over."""
    return (
        mentions(pattern, text)
        and not any(_has(text, word) for word in pattern.never)
        and not any(_has_marker(text, word) for word in pattern.unless)
    )


def mentions(pattern: Pattern, text: str) -> bool:
    """Return whether each group of the pattern has an alternative in the text."""
    return all(any(_has(text, word) for word in group) for group in pattern.groups)


def _has(text: str, word: str) -> bool:
    """Return whether a word of the text begins so; a number has to end so as well."""
    wanted = plain(word)
    if not wanted:
        return False
    if _UNSPACED.search(wanted):
        return squeezed(word) in squeezed(text)
    end = r"\b" if wanted[-1].isdigit() else ""
    return re.search(rf"\b{re.escape(wanted)}{end}", plain(text)) is not None


def _has_marker(text: str, word: str) -> bool:
    """Return whether the text holds a marker of the past, a short one as it is."""
    wanted = plain(word)
    if not wanted:
        return False
    if _UNSPACED.search(wanted):
        return wanted in squeezed(text)
    end = r"\b" if len(wanted) <= _SHORT_MARKER else ""
    return re.search(rf"\b{re.escape(wanted)}{end}", plain(text)) is not None
