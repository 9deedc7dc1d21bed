"""What a candidate must pass before it may become a fact.

Its words stand in the person's own, it is no secret, it looks like what it claims to
be, and where two labels are confused the person's own words decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from ..instructions import is_instruction
from ..models import Candidate
from ..secrets import MASK, holds_secret, mask
from .clauses import (
    labelled_clauses,
    marker_rule,
    split_clauses,
    without_leads,
)
from .grounding import numbers_in, support
from .labels import relabel
from .language import Language, find
from .request import example_words
from .speech import Speech
from .text import is_cjk, normalize, words
from .wording import worded

MAX_LENGTH: Final = 160
CLEAN: Final = 0.9
PARTLY_GROUNDED: Final = 0.7
DOUBTFUL_LABEL: Final = 0.5

UNSURE: Final = "unsure"
"""The person says so: "I think …"."""
PARTLY_HEARD: Final = "partly_heard"
"""The value has words that the person did not say."""
DOUBTFUL: Final = "doubtful_label"
"""Nothing the person said tells what the value is to them."""

_AVERSIONS = frozenset({"allergy", "dislike", "diet", "health"})
_MAX_NAME_WORDS = 5
_MAX_AGE = 130

type Accepted = tuple[Candidate, ...]
type Rejected = tuple[tuple[Candidate, str], ...]


def check(
    candidates: Sequence[Candidate], text: str, language: str
) -> tuple[Accepted, Rejected]:
    """Return what may become a fact, with its proof, and the rest with the reason."""
    safe = mask(text)
    said = Speech.of(safe, find(language))
    accepted: list[Candidate] = []
    rejected: list[tuple[Candidate, str]] = []
    for candidate in candidates:
        trimmed = replace(candidate, value=_trimmed(candidate.value))
        reason = _first_reason(trimmed, said)
        if reason not in (None, UNSURE):
            rejected.append((candidate, reason))
            continue
        proven = _with_proof(trimmed, said)
        # What was not said may have been left out of the value.
        untyped = _is_not_its_type(proven, said)
        if untyped is not None:
            rejected.append((candidate, untyped))
        elif is_instruction(proven.value):
            rejected.append((candidate, "instruction"))
        elif reason == UNSURE:
            accepted.append(replace(proven, doubt=UNSURE))
        else:
            accepted.append(proven)
    return tuple(accepted), tuple(rejected)


def _trimmed(value: str) -> str:
    return value.strip(" .,;:!?\"“”„'").strip()


def _first_reason(candidate: Candidate, said: Speech) -> str | None:
    for rule in _RULES:
        reason = rule(candidate, said)
        if reason is not None:
            return reason
    return None


def _with_proof(candidate: Candidate, said: Speech) -> Candidate:
    value, clean = worded(candidate, said)
    quote = said.sentence_with(value)
    confidence = CLEAN if clean else PARTLY_GROUNDED
    proven = replace(candidate, value=value, quote=quote, confidence=confidence)
    clause = said.clause_about(value, quote)
    proven = replace(proven, ended=candidate.ended or _is_over(proven, clause, said))
    if support(value, said.text, said.language) < 1:
        proven = replace(proven, doubt=PARTLY_HEARD)
    labelled, certain = relabel(proven, clause, said.language)
    if certain:
        return labelled
    if not _tells_by_itself(proven, said):
        labelled = replace(labelled, doubt=labelled.doubt or DOUBTFUL)
    return replace(labelled, confidence=min(confidence, DOUBTFUL_LABEL))


def _tells_by_itself(candidate: Candidate, said: Speech) -> bool:
    """Return whether a value is all that its clauses say, and so needs no label."""
    language = said.language
    statement = " ".join(
        clause
        for clause in said.clauses(candidate.quote)
        if support(candidate.value, clause, language) > 0
    )
    statement = language.first_person.sub(" ", statement)
    return support(statement, candidate.value, language) == 1


def _is_over(candidate: Candidate, clause: str, said: Speech) -> bool:
    """Return whether the clause tells that the value is over: "I sold the Saab".

    What one no longer bears ("can't eat eggs any more") is a lasting fact, and so is
    an ending that is the value itself ("stopped smoking").
    """
    language = said.language
    if language.ended.search(clause) is None:
        return False
    if candidate.what in _AVERSIONS:
        borne = language.negation.search(clause) or language.dislike.search(clause)
        return candidate.what == "dislike" and borne is None
    return language.ended.search(normalize(candidate.value)) is None


def _is_empty(candidate: Candidate, said: Speech) -> str | None:
    plain = normalize(candidate.value)
    for marker in (said.language.ended, said.language.changed, said.language.also):
        plain = marker.sub(" ", plain)
    found = words(plain)
    if candidate.what not in ("have", "name", "allergy") and all(
        word in said.language.who or word in said.language.not_content for word in found
    ):
        # "parents" alone says nothing about them.
        return "empty"
    return None if found else "empty"


def _is_too_long(candidate: Candidate, _said: Speech) -> str | None:
    return "too_long" if len(candidate.value) > MAX_LENGTH else None


def _is_secret(candidate: Candidate, _said: Speech) -> str | None:
    if MASK in candidate.value or "secret]" in candidate.value:
        return "secret"
    return "secret" if holds_secret(candidate.value) else None


def _is_example(candidate: Candidate, said: Speech) -> str | None:
    foreign = example_words().intersection(words(candidate.value))
    return "example" if foreign.difference(words(said.text)) else None


def _is_not_grounded(candidate: Candidate, said: Speech) -> str | None:
    value, _clean = worded(candidate, said)
    return None if value else "not_grounded"


def _is_not_its_type(candidate: Candidate, said: Speech) -> str | None:
    rule = _TYPES.get(candidate.what)
    if rule is None or candidate.key or candidate.ended:
        return None
    return rule(candidate.value, said)


def _not_a_name(value: str, said: Speech) -> str | None:
    parts = words(value)
    if len(value.split()) > _MAX_NAME_WORDS or any(
        part.isdigit() for part in value.split()
    ):
        return "not_a_name"
    if all(part in said.language.not_a_name for part in parts):
        return "not_a_name"
    if _is_called_so(value, said):
        return None
    return "not_a_name" if _lacks_capital(value, said) else None


def _is_called_so(value: str, said: Speech) -> bool:
    """Return whether the person says in so many words that this is a name."""
    before = normalize(said.text).partition(normalize(value))[0].rstrip()
    markers = list(said.language.naming.finditer(before))
    return bool(markers) and markers[-1].end() == len(before)


def _not_a_place(value: str, said: Speech) -> str | None:
    return "not_a_place" if _lacks_capital(value, said) else None


def _lacks_capital(value: str, said: Speech) -> bool:
    """Return whether a proper noun is small in a text that does write capitals."""
    if is_cjk(value) or any(letter.isupper() for letter in value):
        return False
    return said.text != said.text.lower() and not _stands_with_capital(value, said)


def _stands_with_capital(value: str, said: Speech) -> bool:
    return value.split(maxsplit=1)[0].capitalize() in said.text


def _not_a_date(value: str, said: Speech) -> str | None:
    if numbers_in(value, said.language) or said.language.date_words.search(
        normalize(value)
    ):
        return None
    return "not_a_date"


def _not_an_age(value: str, said: Speech) -> str | None:
    found = numbers_in(value, said.language)
    if said.language.duration.search(normalize(said.sentence_with(value))):
        return "not_an_age"
    return None if found and min(found) <= _MAX_AGE else "not_an_age"


def _is_no_statement(candidate: Candidate, said: Speech) -> str | None:
    """Return a reason where the value stands in a question, an order or a pretence."""
    if candidate.ended:
        return None
    language = said.language
    plain = normalize(said.sentence_with(candidate.value))
    tells_habit = _tells_habit(plain, language)
    for clause, label in labelled_clauses(plain, language):
        if support(candidate.value, clause, language) < 1.0:
            continue
        if label is None:
            return _forgets(clause, language) or marker_rule(clause, language)
        if tells_habit or _is_taste(candidate, plain, language):
            return None
        return label
    return None


def _forgets(clause: str, language: Language) -> str | None:
    if language.not_forget.search(clause) or not language.forget.search(clause):
        return None
    return "forget"


def _is_unsupported(candidate: Candidate, said: Speech) -> str | None:
    """Return a reason where a dislike was made of a word that nobody called one.

    It is where small models put what they do not understand; a phrase becomes a note.
    """
    language = said.language
    if candidate.what != "dislike" or candidate.ended or " " in candidate.value:
        return None
    clause = said.clause_about(candidate.value, said.sentence_with(candidate.value))
    markers = (language.dislike, language.negation, language.allergy, language.like)
    if any(marker.search(clause) for marker in (*markers, language.forget)):
        return None
    return "unsupported" if language.has_data else None


def _is_nobodys_name(candidate: Candidate, said: Speech) -> str | None:
    """Return a reason where a name is not told to be the speaker's own.

    "My stepbrother is called Bo" must not rename the speaker.
    """
    language = said.language
    if (candidate.who, candidate.what) != ("me", "name") or not language.has_data:
        return None
    clause = said.clause_about(candidate.value, said.sentence_with(candidate.value))
    known = any(who != "me" for who in language.whos(clause))
    return None if known or language.own_name.search(clause) else "whose_name"


def _is_taste(candidate: Candidate, plain: str, language: Language) -> bool:
    """Return whether an order names what is liked: "play fado, it's my favourite"."""
    return candidate.what in ("like", "favourite") and bool(
        language.favourite.search(plain) or language.like.search(plain)
    )


def _is_the_order(candidate: Candidate, said: Speech) -> str | None:
    """Return a reason where the value is the command itself: "warm up the car"."""
    language = said.language
    plain = normalize(candidate.value)
    if not language.order.match(plain) or _tells_habit(plain, language):
        return None
    start = " ".join(plain.split()[:2])
    for sentence in said.sentences:
        for clause in split_clauses(normalize(sentence), language):
            if without_leads(clause, language).startswith(start):
                return "order"
    return None


def _tells_habit(plain: str, language: Language) -> bool:
    return bool(language.subject.search(plain) and language.durable.search(plain))


_TYPES: Final[dict[str, Callable[[str, Speech], str | None]]] = {
    "name": _not_a_name,
    "city": _not_a_place,
    "birthday": _not_a_date,
    "anniversary": _not_a_date,
    "age": _not_an_age,
}
_RULES: Final = (
    _is_empty,
    _is_too_long,
    _is_secret,
    _is_example,
    _is_not_grounded,
    _is_not_its_type,
    _is_the_order,
    _is_no_statement,
    _is_unsupported,
    _is_nobodys_name,
)
