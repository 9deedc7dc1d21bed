"""Recognise what must never be kept: passwords, codes, card and document numbers.

Every language's words are tried on every text, since the write check must hold whatever
language a turn claims to be in. A word alone is no secret ("I forgot my password"); a
word with a value after it is.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
import re
from typing import Final, cast

from .languages import documents

MASK: Final = "[secret]"

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"\w+")
_CLAUSE_REST = re.compile(r"[^,，。\n]+")
_SENTENCE = re.compile(r"(?:[^.!?;\n。！？；]|[.!?;](?=\S))+")
_DIGIT = re.compile(r"\d")
_CARD = re.compile(r"(?<![\d.,])\d(?:[ -]?\d){12,18}(?![\d])")
_IBAN = re.compile(
    r"\b[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,4})?\b"
)
_SOCIAL_SECURITY = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_TOKEN = re.compile(
    r"\b(?:(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|hf|npm|pypi)[-_]"
    r"|AKIA|AIza|eyJ)(?=[\w.-]*\d)[A-Za-z0-9][\w.-]{7,}"
)
_LONG_TOKEN = re.compile(
    r"(?<![\w/.:])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9_-]{24,}"
)
_NUMBER_CHARACTERS = "〇零一二三四五六七八九十两兩幺"
_DIGITS = re.compile(
    rf"[#*]?\d(?:[ .-]{{0,3}}\d){{2,}}[#*]?|[{_NUMBER_CHARACTERS}]{{3,}}"
    r"|\d{1,3}(?: ?[-–/] ?\d{1,3}){2,}"
)
# What looks like digits but tells a time, a date, a size or an amount.
_ORDINARY = re.compile(
    r"\d{1,2}[:.h]\d{2}(?!\d)|\d{1,4}[./]\d{1,2}[./]\d{2,4}"
    r"|\d+(?:[.,]\d+)? ?(?:°|%|€|\$|£|cm|mm|m|km|kg|g|w|kw|kwh|euro?s?|degrees?|grad"
    r"|celsius|lumen|ml|l|zł)\b",
    re.IGNORECASE,
)
_MIXED = re.compile(
    r"(?<!\S)(?!\S+@\S+\.\w)"
    r"(?:(?=\S*\d)(?=\S*[^\W\d_])\S{6,}|(?=\S*[!#$%&*+@^~]\S)\S{5,})"
)
_DOCUMENT = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{0,3}\d[A-Za-z0-9/-]{4,}(?![A-Za-z0-9])"
    r"|(?<!\d)\d{2,}(?:[ -]\d{2,}){2,}"
)
_MIN_TOKEN = 8
_REACH = 60
"""Letters between a code's word and its digits."""
_ANSWER = 30
"""Letters of a sentence that may do no more than tell the code of the one before."""


@dataclass(frozen=True, slots=True)
class _Words:
    password: re.Pattern[str]
    code: re.Pattern[str]
    not_code: re.Pattern[str]
    token: re.Pattern[str]
    document: re.Pattern[str]
    account: re.Pattern[str]
    link: re.Pattern[str]
    not_value: re.Pattern[str]
    key: re.Pattern[str]
    place: re.Pattern[str]
    number: re.Pattern[str]
    telling: frozenset[str]
    """The longest word of each telling entry: a cheap look before the patterns."""
    characters: tuple[str, ...]
    """Telling entries in Chinese and Japanese."""

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds a word that a secret may follow."""
        plain = text.lower()
        if not self.telling.isdisjoint(_WORD.findall(plain)):
            return True
        return _CJK.search(plain) is not None and any(
            entry in plain for entry in self.characters
        )


def load() -> None:
    """Read the word lists; call it once off the event loop, before the first check."""
    _words()


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


def _spans(text: str) -> Iterator[tuple[int, int]]:
    if _DIGIT.search(text):
        yield from _bare_numbers(text)
    known = _words()
    if not known.may_be_in(text):
        return
    sentences = list(_SENTENCE.finditer(text))
    for sentence, following in zip_longest(sentences, sentences[1:]):
        if not known.may_be_in(sentence.group()):
            continue
        for start, end in _in_sentence(sentence.group(), known):
            yield sentence.start() + start, sentence.start() + end
        if following is not None and len(following.group()) <= _ANSWER:
            # "What's the alarm code? It's 4711." tells it in the second sentence.
            both = text[sentence.start() : following.end()]
            for start, end in _in_sentence_codes(both, known):
                yield sentence.start() + start, sentence.start() + end


def _bare_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Yield what is a secret by its form alone."""
    for match in _CARD.finditer(text):
        if _luhn(match.group()):
            yield match.span()
    for match in _IBAN.finditer(text):
        if _iban(match.group()):
            yield match.span()
    for pattern in (_SOCIAL_SECURITY, _TOKEN, _LONG_TOKEN):
        for match in pattern.finditer(text):
            yield match.span()


def _in_sentence(sentence: str, known: _Words) -> Iterator[tuple[int, int]]:
    plain = known.not_code.sub(lambda match: "_" * len(match.group()), sentence)
    yield from _passwords(plain, known)
    yield from _in_sentence_codes(sentence, known)
    if known.token.search(plain):
        yield from _tokens(plain)
    if known.document.search(plain):
        yield from _documents(plain)
    if known.account.search(plain):
        yield from (match.span() for match in _CARD.finditer(plain))
        yield from (match.span() for match in _IBAN.finditer(plain))
    if match := known.key.search(plain):
        yield from _hiding_place(plain, match.end(), known)


def _in_sentence_codes(text: str, known: _Words) -> Iterator[tuple[int, int]]:
    plain = known.not_code.sub(lambda match: "_" * len(match.group()), text)
    if known.code.search(plain):
        yield from _codes(plain, known)


def _passwords(sentence: str, known: _Words) -> Iterator[tuple[int, int]]:
    for word in known.password.finditer(sentence):
        value = _value_after(sentence, word.end(), known)
        if value is not None:
            yield value
            continue
        for match in _MIXED.finditer(sentence):
            if MASK not in match.group():
                yield _trimmed(sentence, *match.span())


def _value_after(sentence: str, start: int, known: _Words) -> tuple[int, int] | None:
    """Return where the value stands that a link joins to the password's word."""
    link = known.link.search(sentence, start, start + _REACH)
    if link is None or "," in sentence[start : link.start()]:
        return None
    begin = link.end()
    while (again := known.link.match(sentence, begin + _spaces(sentence, begin))) and (
        again.end() > begin
    ):
        begin = again.end()
    begin += _spaces(sentence, begin)
    clause = _CLAUSE_REST.match(sentence, begin)
    if clause is None or known.not_value.match(sentence, begin):
        return None
    if MASK in clause.group() or not clause.group().strip("?？ "):
        return None
    return _trimmed(sentence, begin, clause.end())


def _codes(sentence: str, known: _Words) -> Iterator[tuple[int, int]]:
    ordinary = [match.span() for match in _ORDINARY.finditer(sentence)]
    for pattern in (_DIGITS, known.number):
        for match in pattern.finditer(sentence):
            inside = any(a < match.end() and match.start() < b for a, b in ordinary)
            near = any(
                _distance(word.span(), match.span()) <= _REACH
                for word in known.code.finditer(sentence)
            )
            if near and not inside:
                yield match.span()


def _distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    return max(other[0] - one[1], one[0] - other[1])


def _tokens(sentence: str) -> Iterator[tuple[int, int]]:
    for match in _MIXED.finditer(sentence):
        start, end = _trimmed(sentence, *match.span())
        if end - start >= _MIN_TOKEN:
            yield start, end


def _documents(sentence: str) -> Iterator[tuple[int, int]]:
    for match in _DOCUMENT.finditer(sentence):
        if not _ORDINARY.fullmatch(match.group()):
            yield match.span()


def _hiding_place(
    sentence: str, start: int, known: _Words
) -> Iterator[tuple[int, int]]:
    place = known.place.search(sentence, start) or known.place.search(sentence)
    if place is None:
        return
    if place.start() < start:
        # Where the place comes first: "under the pot lies the spare key".
        yield _trimmed(sentence, place.start(), start)
        return
    if _CJK.match(place.group()):
        # There the preposition follows its noun.
        yield _trimmed(sentence, start, place.end())
        return
    clause = _CLAUSE_REST.match(sentence, place.start())
    if clause is not None and MASK not in clause.group():
        yield _trimmed(sentence, *clause.span())


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in " .?,;:'\")":
        end -= 1
    while start < end and text[start] in " '\"(:=":
        start += 1
    return start, end


def _spaces(text: str, start: int) -> int:
    return len(text) - start - len(text[start:].lstrip(" ")) if start < len(text) else 0


def _luhn(number: str) -> bool:
    digits = [int(letter) for letter in number if letter.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _iban(number: str) -> bool:
    plain = number.replace(" ", "").upper()
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1


@cache
def _words() -> _Words:
    sections = [
        cast("Mapping[str, Sequence[str]]", data["secret"])
        for data in documents().values()
        if "secret" in data
    ]
    lists = {
        name: [word for section in sections for word in section.get(name, ())]
        for name in (
            *("password", "code", "not_code", "token", "document", "account"),
            *("link", "not_value", "key", "place"),
        )
    }
    telling = [
        word
        for name in ("password", "code", "token", "document", "account", "key")
        for word in lists[name]
    ]
    digits = [
        word
        for data in documents().values()
        for word in cast("Mapping[str, str]", data.get("numbers", {}))
        if not _CJK.search(word)
    ]
    return _Words(
        **{name: _compiled(entries) for name, entries in lists.items()},
        number=_run_of(digits),
        telling=frozenset(
            max(_WORD.findall(word.lower()), key=len)
            for word in telling
            if not _CJK.search(word)
        ),
        characters=tuple(word for word in telling if _CJK.search(word)),
    )


def _compiled(entries: Sequence[str]) -> re.Pattern[str]:
    if not entries:
        return re.compile(r"(?!)")
    ordered = sorted(set(entries), key=len, reverse=True)
    return re.compile("|".join(_entry(entry) for entry in ordered), re.IGNORECASE)


def _entry(entry: str) -> str:
    escaped = re.escape(entry.removesuffix("*")).replace("'", "['’]")
    if _CJK.search(entry) or not entry[0].isalnum():
        return escaped
    return rf"\b{escaped}" + ("" if entry.endswith("*") else r"(?!\w)")


def _run_of(digits: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for three or more number words in a row."""
    word = "|".join(re.escape(entry) for entry in sorted(digits, key=len, reverse=True))
    between = r"[ ,-]+(?:(?:and|und|et|y|en|i|oh|double) )?"
    return re.compile(
        rf"\b(?:{word})(?:{between}(?:{word})){{2,}}\b",
        re.IGNORECASE,
    )
