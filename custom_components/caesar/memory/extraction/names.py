"""Names that a fixed phrase gives away, found by code: "my daughter Ida", "call me Bo".

A small model reads past the name in half of these. The phrases are data of the
language; what they find passes the same checks as a generator's answer.
"""

from collections.abc import Iterator, Sequence

from ..models import Candidate
from .language import Language, find
from .text import fold, normalize, same_value, sentences

_ME = "me"


def named(text: str, language: str) -> tuple[Candidate, ...]:
    """Return the names in the text as candidates."""
    spoken = find(language)
    return tuple(
        candidate
        for sentence in sentences(text)
        for candidate in _in_sentence(sentence, spoken)
    )


def joined(
    candidates: Sequence[Candidate], names: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Return the candidates with the names, each name once and under its true owner."""
    others = (
        candidate
        for candidate in candidates
        if candidate.what != "name"
        or candidate.ended
        or not any(same_value(candidate.value, name.value) for name in names)
    )
    return (*names, *others)


def _in_sentence(sentence: str, spoken: Language) -> Iterator[Candidate]:
    for pattern in spoken.names:
        for match in pattern.finditer(sentence):
            found = match.groupdict()
            who = spoken.who.get(fold(found["who"])) if "who" in found else _ME
            value = found["value"]
            if who is None or who == "home" or ("who" in found and who == _ME):
                continue
            if _is_a_name(value, spoken):
                yield Candidate(who=who, what="name", value=value)


def _is_a_name(value: str, spoken: Language) -> bool:
    return not (
        spoken.date_words.search(normalize(value)) or fold(value) in spoken.not_a_name
    )
