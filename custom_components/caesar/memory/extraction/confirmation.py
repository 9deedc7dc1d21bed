"""What a person confirmed without saying it again: "yes, exactly".

Only where nothing else was said, and the answer tells that it keeps something. Those
words are then read as if the person had said them, and pass all that those would pass.
"""

import re

from ..models import Exchange
from .language import Language
from .text import is_cjk, normalize, sentences

_EDGE = " ,;:.!?…-–—，。！？；：、"  # noqa: RUF001 - the punctuation of other languages
_COLON = re.compile(r"[:：]\s*")  # noqa: RUF001
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_MIN_WORDS = 3


def confirmed(exchange: Exchange, language: Language) -> str:
    """Return in the person's own view what they confirmed, empty where nothing."""
    answer = exchange.answer
    if not _only_confirms(exchange.user_text, language):
        return ""
    if language.noted.search(normalize(answer)) is None:
        return ""
    stated = (_without_noted(one, language) for one in sentences(answer))
    return " ".join(_in_own_view(one, language) for one in stated if one)


def _only_confirms(text: str, language: Language) -> bool:
    plain = normalize(text)
    return bool(language.confirmation.search(plain)) and not (
        language.confirmation.sub(" ", plain)
        .strip(_EDGE)
        .translate(dict.fromkeys(map(ord, _EDGE)))
    )


def _without_noted(sentence: str, language: Language) -> str:
    """Return what a sentence states; nothing where it only asks or promises."""
    if sentence.endswith(("?", "？")):  # noqa: RUF001
        return ""
    plain = sentence.replace("’", "'")  # noqa: RUF001
    found = language.noted.search(plain.lower())
    if found is not None:
        colon = _COLON.search(plain, found.start())
        rest = plain[colon.end() :] if colon else plain[found.end() :]
        plain = rest.strip(_EDGE)
    enough = is_cjk(plain) or len(plain.split()) >= _MIN_WORDS
    return plain if enough else ""


def _in_own_view(sentence: str, language: Language) -> str:
    view = language.own_view
    if is_cjk(sentence):
        for theirs, own in view.items():
            sentence = sentence.replace(theirs, own)
        return sentence
    return _WORD.sub(lambda word: view.get(word[0].lower(), word[0]), sentence)
