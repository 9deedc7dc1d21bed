"""Words as they are compared: sentences, folded words, and when two are the same.

Positions are never lost between a text and its sentences; only comparison folds.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from functools import lru_cache
import re
import unicodedata

_END = re.compile(r"(?<=[.!?…;])\s+|(?<=[。！？；])|\n+")
# A point after a day's number, an initial or a title ends nothing.
_NO_END = re.compile(r"(?:(?<!\d)\d\d?|(?<!\w)[^\W\d_]|\b(?:Mr|Mrs|Ms|Dr|St|Fr|Hr))\.$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+")
_SPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})
# Letters that do not fall apart into a base and a mark.
_WHOLE_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss"}
)
_MARKS = re.compile("[\u0300-\u036f]")
_SHARED_LETTERS = 4
_SHARED_PART = 0.6


@lru_cache(1024)
def normalize(text: str) -> str:
    """Return the text in lower case with plain apostrophes and single spaces."""
    text = unicodedata.normalize("NFKC", text).lower().translate(_APOSTROPHES)
    return _SPACE.sub(" ", text).strip()


@lru_cache(1024)
def fold(text: str) -> str:
    """Return the normalized text without accents, for comparing and nothing else."""
    text = unicodedata.normalize("NFKD", normalize(text).translate(_WHOLE_LETTERS))
    return unicodedata.normalize("NFC", _MARKS.sub("", text))


@lru_cache(64)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences in order, each with its closing mark."""
    parts: list[str] = []
    start = 0
    for match in _END.finditer(text):
        part = text[start : match.start()].strip()
        if not part or _NO_END.search(part):
            continue
        parts.append(part)
        start = match.end()
    return (*parts, rest) if (rest := text[start:].strip()) else tuple(parts)


@lru_cache(1024)
def words(text: str) -> tuple[str, ...]:
    """Return the folded words; a run of Chinese or Japanese becomes its bigrams."""
    found: list[str] = []
    for word in _WORD.findall(fold(text)):
        found.extend(_pieces(word))
    return tuple(found)


def _pieces(word: str) -> list[str]:
    if not _CJK.search(word):
        return [word.removesuffix("'s")]
    return [
        piece
        for run in _RUN.findall(word)
        for piece in (_pairs(run) if _CJK.match(run) else [run])
    ]


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(max(1, len(run) - 1))]


def is_cjk(text: str) -> bool:
    """Return whether the text holds Chinese or Japanese letters."""
    return _CJK.search(text) is not None


def same_word(left: str, right: str) -> bool:
    """Return whether two folded words are the same but for their endings.

    They share a beginning of four letters or more that makes 60 percent of the longer.
    A single Chinese or Japanese letter is the same as the pairs that hold it.
    """
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(short) == 1 and is_cjk(short):
        return short in long
    if (
        min(len(left), len(right)) < _SHARED_LETTERS
        or left.isdigit()
        or right.isdigit()
    ):
        return False
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    longest = max(len(left), len(right))
    return shared >= _SHARED_LETTERS and shared >= _SHARED_PART * longest


def same_value(left: str, right: str) -> bool:
    """Return whether two values are one but for case, accents and punctuation."""
    return " ".join(_WORD.findall(fold(left))) == " ".join(_WORD.findall(fold(right)))
