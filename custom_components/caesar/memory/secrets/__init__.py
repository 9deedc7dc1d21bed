"""Recognise what must never be kept: passwords, codes, card and document numbers.

A word alone is no secret ("I forgot my password"); a word with a value after it is, in
the same sentence or in a short one that follows.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Iterator
from itertools import zip_longest
import re
from typing import Final

from . import forms
from .forms import Span, trimmed
from .plain import Plain
from .words import CJK, Words, all_words

MASK: Final = "[secret]"

_CLAUSE_REST = re.compile(r"[^,，。\n]+")
_SENTENCE = re.compile(r"(?:[^.!?;\n。！？；]|[.!?;](?=\S))+")
_QUOTED = re.compile(r"\s*[\"'“„«「]")
_FIRST_WORD = re.compile(r"[\s\"'“„«¿]*(\S+)")
_WORDS = re.compile(r"\w+")
_REACH = 60
"""Letters between a password's word and what joins its value to it."""
_ANSWER = 30
"""Letters of a sentence that may do no more than tell the secret of the one before."""
_ASKS = "?？:："
_FEW = 3
"""Words that may be a password where it was asked for, or stand between the two."""


def load() -> None:
    """Read the word lists; call it once off the event loop, before the first check."""
    all_words()


def holds_secret(text: str) -> bool:
    """Return whether the text holds a password, a code or a secret number."""
    return next(_spans(text), None) is not None


def mask(text: str) -> str:
    """Return the text with its secret parts replaced by a visible mark."""
    spans = sorted(_spans(text))
    if not spans:
        return text
    parts: list[str] = []
    position = 0
    for start, end in spans:
        if end <= position:
            continue
        if start >= position:
            parts.extend((text[position:start], MASK))
        position = end
    return "".join((*parts, text[position:]))


def _spans(text: str) -> Iterator[Span]:
    plain = Plain.of(text)
    for start, end in _spans_in(plain.text):
        if start < end:
            yield plain.span(start, end)


def _spans_in(text: str) -> Iterator[Span]:
    yield from forms.bare_numbers(text)
    known = all_words()
    if not known.may_be_in(text):
        return
    sentences = list(_SENTENCE.finditer(text))
    for sentence, following in zip_longest(sentences, sentences[1:]):
        if not known.may_be_in(sentence.group()):
            continue
        for start, end in _in_sentence(sentence.group(), known):
            yield sentence.start() + start, sentence.start() + end
        if following is None:
            continue
        asks = text[sentence.start() : following.start()].rstrip()[-1:] in _ASKS
        for start, end in _in_answer(
            sentence.group(), following.group(), known, asks=asks
        ):
            yield following.start() + start, following.start() + end


def _in_sentence(sentence: str, known: Words) -> Iterator[Span]:
    plain = known.without_harmless(sentence)
    yield from _passwords(plain, known)
    yield from forms.codes(plain, known)
    yield from _numbers(plain, plain, known)
    if match := known.key.search(plain):
        yield from _hiding_place(plain, match.end(), known)


def _numbers(told_in: str, text: str, known: Words) -> Iterator[Span]:
    """Yield the numbers of a text that the words of another one tell of."""
    if known.token.search(told_in):
        yield from forms.tokens(text)
    if known.document.search(told_in):
        yield from forms.document_numbers(text)
    if known.account.search(told_in):
        yield from forms.account_numbers(text)


def _in_answer(
    sentence: str, answer: str, known: Words, *, asks: bool
) -> Iterator[Span]:
    """Yield what a sentence tells of the one before: "The alarm code? It's 4711."."""
    plain = known.without_harmless(sentence)
    is_short = len(answer.strip()) <= _ANSWER
    if is_short and known.code.search(plain):
        # Together, since the digits have to stand near the word.
        both = f"{plain} {known.without_harmless(answer)}"
        begin = len(plain) + 1
        for start, end in forms.codes(both, known):
            if end > begin:
                yield max(start - begin, 0), end - begin
    if is_short:
        yield from _numbers(plain, answer, known)
    if is_short and known.key.search(plain) and (place := known.place.search(answer)):
        yield trimmed(answer, place.start(), len(answer))
    password = _last(known.password, plain)
    if password is None or next(_passwords(plain, known), None) is not None:
        return
    if is_short or asks:
        yield from _password_in_answer(answer, known, asks=asks)


def _password_in_answer(answer: str, known: Words, *, asks: bool) -> Iterator[Span]:
    found = list(forms.mixed(answer))
    if found:
        yield from (span for span in found if MASK not in answer[slice(*span)])
        return
    link = known.link.search(answer)
    if link is not None and len(_WORDS.findall(answer[: link.start()])) <= 1:
        value = _value_from(answer, link.end(), known)
        if value is not None:
            yield value
        return
    is_list = "," in answer or _QUOTED.match(answer)
    if asks and (is_list or len(_WORDS.findall(answer)) <= _FEW):
        value = _value_from(answer, 0, known)
        if value is not None:
            yield value


def _passwords(sentence: str, known: Words) -> Iterator[Span]:
    for word in known.password.finditer(sentence):
        value = _value_after(sentence, word.end(), known)
        if value is None:
            value = _value_before(sentence, word.start(), known)
        if value is not None:
            yield value
            continue
        for start, end in forms.mixed(sentence):
            if MASK not in sentence[start:end]:
                yield start, end


def _value_after(sentence: str, start: int, known: Words) -> Span | None:
    """Return where the value stands that a link joins to the password's word."""
    comma = sentence.find(",", start, start + _REACH)
    link = known.link.search(sentence, start, start + _REACH)
    if link is None or (comma >= 0 and comma < link.start()):
        return _value_behind(comma, sentence, start, known)
    return _value_from(sentence, link.end(), known)


def _value_behind(comma: int, sentence: str, start: int, known: Words) -> Span | None:
    """Return the value behind a comma: "remember the password, (it's) sunflower"."""
    if comma < 0:
        return None
    begin = comma + 1 + _spaces(sentence, comma + 1)
    link = known.link.search(sentence, begin, begin + _REACH)
    if link is not None and len(_WORDS.findall(sentence[begin : link.start()])) <= 1:
        return _value_from(sentence, link.end(), known)
    if known.keep.search(sentence, 0, start):
        return _value_from(sentence, begin, known)
    return None


def _value_from(sentence: str, begin: int, known: Words) -> Span | None:
    """Return the value that begins here and goes on to the end of its sentence.

    A password may hold commas, and what is masked too much can be said again.
    """
    begin += _spaces(sentence, begin)
    while (again := known.link.match(sentence, begin)) and again.end() > begin:
        begin = again.end() + _spaces(sentence, again.end())
    if known.not_value.match(sentence, begin):
        return None
    end = sentence.find(MASK, begin)
    value = trimmed(sentence, begin, len(sentence) if end < 0 else end)
    return value if value[0] < value[1] else None


def _value_before(sentence: str, end: int, known: Words) -> Span | None:
    """Return where one word stands that a link joins to the password: "x is my …"."""
    first = _FIRST_WORD.match(sentence)
    if first is None or first.end() >= end or MASK in first[1]:
        return None
    if known.not_value.match(first[1]) or known.pointing.match(first[1]):
        return None
    begin = first.end() + _spaces(sentence, first.end())
    link = known.link.match(sentence, begin)
    if link is None or "," in sentence[begin:end]:
        return None
    if len(_WORDS.findall(sentence[link.end() : end])) > _FEW:
        return None
    return trimmed(sentence, first.start(1), first.end(1))


def _hiding_place(sentence: str, start: int, known: Words) -> Iterator[Span]:
    place = known.place.search(sentence, start) or known.place.search(sentence)
    if place is None:
        return
    if place.start() < start:
        # Where the place comes first: "under the pot lies the spare key".
        yield trimmed(sentence, place.start(), start)
        return
    if CJK.match(place.group()):
        # There the preposition follows its noun.
        yield trimmed(sentence, start, place.end())
        return
    clause = _CLAUSE_REST.match(sentence, place.start())
    if clause is not None and MASK not in clause.group():
        yield trimmed(sentence, *clause.span())


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):  # noqa: B007
        pass
    return found


def _spaces(text: str, start: int) -> int:
    return len(text) - start - len(text[start:].lstrip(" ")) if start < len(text) else 0
