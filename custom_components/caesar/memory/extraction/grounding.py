"""How much of a value stands in the person's own words."""

import re

from .language import Language
from .text import fold, is_cjk, normalize, same_word, words

_ENOUGH = 0.75
_HALF = 0.5
_DIGITS = re.compile(r"\d+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|er|e|ème|eme|te|ter|ten|de)")


def support(value: str, text: str, language: Language) -> float:
    """Return the part of a value's content words that stand in the text, 0 to 1."""
    wanted = _content(value, language)
    if not wanted:
        return 1.0 if normalize(value) in normalize(text) else 0.0
    present = _numbered(words(text), language)
    return sum(_is_in(word, present) for word in wanted) / len(wanted)


def grounded_part(value: str, text: str, language: Language) -> tuple[str, float]:
    """Return the value as far as it is grounded, empty where it is not, and the share.

    Where only half of a proper noun is, the longest run of grounded words is kept.
    """
    share = support(value, text, language)
    if share >= _ENOUGH:
        return value, share
    if share < _HALF or is_cjk(value):
        return "", share
    run = _longest_run(value, text, language)
    # Half a common phrase means something else; half a name is still that name.
    return (run, share) if any(letter.isupper() for letter in run) else ("", share)


def numbers_in(text: str, language: Language) -> tuple[int, ...]:
    """Return the numbers of a text in order, written as digits or as words."""
    plain = fold(text)
    digits = tuple(int(number) for number in _DIGITS.findall(plain))
    if digits:
        return digits
    found = tuple(
        language.numbers[word]
        for word in re.split(r"[\s-]+", plain)
        if word in language.numbers
    )
    if found or not is_cjk(plain):
        return found
    return tuple(
        number
        for word, number in language.numbers.items()
        if is_cjk(word) and word in plain
    )


def _longest_run(value: str, text: str, language: Language) -> str:
    present = _numbered(words(text), language)
    best: list[str] = []
    run: list[str] = []
    for part in value.split():
        pieces = _numbered(words(part), language)
        if pieces and all(_is_in(piece, present) for piece in pieces):
            run.append(part)
            best = max(best, list(run), key=len)
        else:
            run = []
    kept = " ".join(best).strip(" ,.;:")
    return kept if _content(kept, language) else ""


def _content(value: str, language: Language) -> tuple[str, ...]:
    found = words(value)
    telling = tuple(word for word in found if word not in language.not_content)
    return _numbered(telling or found, language)


def _numbered(found: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """Return the words with numbers in one spelling: "ten" as 10, "21st" as 21."""
    spelled: list[str] = []
    for word in found:
        ordinal = _ORDINAL.fullmatch(word)
        number = language.numbers.get(word)
        if ordinal is not None:
            spelled.append(ordinal[1])
        else:
            spelled.append(word if number is None else str(number))
    return tuple(spelled)


def _is_in(word: str, present: tuple[str, ...]) -> bool:
    return any(same_word(word, other) for other in present)
