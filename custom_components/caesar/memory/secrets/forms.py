"""What secret values look like: digits, tokens, numbers of cards and documents."""

from collections.abc import Iterator
import re

from .words import Words

type Span = tuple[int, int]

_DIGIT = re.compile(r"\d")
_CARD = re.compile(r"(?<![\d.,])\d(?:[ ._/-]{0,2}\d){12,18}(?!\d)")
_IBAN = re.compile(
    r"\b[A-Za-z]{2}\d{2}(?:[ .-]?[A-Za-z0-9]{4}){2,7}(?:[ .-]?[A-Za-z0-9]{1,4})?\b"
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
_BETWEEN_DIGITS = r"[ .,:;/|_*·•~+…\\-]{0,3}"
_DIGITS = re.compile(
    rf"[#*]?\d(?:{_BETWEEN_DIGITS}\d){{2,}}[#*]?"
    rf"|[{_NUMBER_CHARACTERS}](?:{_BETWEEN_DIGITS}[{_NUMBER_CHARACTERS}]){{2,}}"
)
# What looks like digits but tells a time, a date, a size or an amount.
_ORDINARY = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-4])[:.h][0-5]\d(?!\d)"
    r"|(?<!\d)\d{1,4}[./]\d{1,2}[./]\d{2,4}"
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
    r"|(?<![A-Za-z0-9])(?:[A-Z]{1,3}[ .-]?)?\d{2,}(?:[ ./-]\d{2,}){1,}"
)
_DOCUMENT_DIGITS = 6
_SIGNS = re.compile(r"\d|[^\W\d_]+")
_CODE_SIGNS = 4
"""Digits, in words too, of a code that only what it opens tells of."""
_MIN_TOKEN = 8
_REACH = 60
"""Letters between a code's word and its digits."""


def bare_numbers(text: str) -> Iterator[Span]:
    """Yield what is a secret by its form alone."""
    if not _DIGIT.search(text):
        return
    for match in _CARD.finditer(text):
        if _luhn(match.group()):
            yield match.span()
    for match in _IBAN.finditer(text):
        if _iban(match.group()):
            yield match.span()
    for pattern in (_SOCIAL_SECURITY, _TOKEN, _LONG_TOKEN):
        for match in pattern.finditer(text):
            yield match.span()


def codes(text: str, known: Words) -> Iterator[Span]:
    """Yield the digits near a code's word, or said of what a code opens."""
    told = [word.span() for word in known.code.finditer(text)]
    opened = [
        word.span()
        for pattern in (known.lock, known.account)
        for word in pattern.finditer(text)
    ]
    ordinary = [match.span() for match in _ORDINARY.finditer(text)]
    for pattern in (_DIGITS, known.number):
        for match in pattern.finditer(text):
            span = match.span()
            inside = any(a < span[1] and span[0] < b for a, b in ordinary)
            near = any(_distance(one, span) <= _REACH for one in told)
            is_long = len(_SIGNS.findall(match.group())) >= _CODE_SIGNS
            if inside:
                is_code = near and _is_linked(text, span, told, known)
            else:
                is_code = near or (is_long and _is_linked(text, span, opened, known))
            if is_code:
                yield span


def mixed(text: str) -> Iterator[Span]:
    """Yield the words that hold signs or digits among letters, as passwords do."""
    for match in _MIXED.finditer(text):
        yield trimmed(text, *match.span())


def tokens(text: str) -> Iterator[Span]:
    """Yield what may be a token, where a word tells of one."""
    for start, end in mixed(text):
        if end - start >= _MIN_TOKEN:
            yield start, end


def document_numbers(text: str) -> Iterator[Span]:
    """Yield what may be a document's number, where a word tells of one."""
    for match in _DOCUMENT.finditer(text):
        digits = sum(letter.isdigit() for letter in match.group())
        has_letters = any(letter.isalpha() for letter in match.group())
        is_long = digits >= _DOCUMENT_DIGITS or (has_letters and " " not in match[0])
        if is_long and not _ORDINARY.fullmatch(match.group()):
            yield match.span()


def account_numbers(text: str) -> Iterator[Span]:
    """Yield what may be an account's number, where a word tells of one."""
    for pattern in (_CARD, _IBAN):
        yield from (match.span() for match in pattern.finditer(text))


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without the spaces and quotation marks around it."""
    while end > start and text[end - 1] in " .?,;:'\")":
        end -= 1
    while start < end and text[start] in " '\"(:=":
        start += 1
    return start, end


def _is_linked(text: str, digits: Span, told: list[Span], known: Words) -> bool:
    """Return whether a code's word is joined to the digits: "the code is 12:34"."""
    before = [end for _, end in told if end <= digits[0]]
    if not before:
        return False
    between = text[max(before) : digits[0]].rstrip(" ")
    links = list(known.link.finditer(between))
    return "," not in between and bool(links) and links[-1].end() == len(between)


def _distance(one: Span, other: Span) -> int:
    return max(other[0] - one[1], one[0] - other[1])


def _luhn(number: str) -> bool:
    digits = [int(letter) for letter in number if letter.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _iban(number: str) -> bool:
    plain = re.sub(r"[ .-]", "", number).upper()
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1
