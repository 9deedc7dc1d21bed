"""Labels that generators confuse, decided by the person's own words.

A dislike kept as an allergy is harmful, a sister's town kept as one's own is wrong; the
clause that holds the value tells which it is.
"""

from dataclasses import replace

from ..models import Candidate
from .language import Language
from .text import fold, is_cjk, normalize

_TASTES = frozenset({"like", "dislike", "favourite", "hobby", "have", "note", "wish"})
_AVERSIONS = frozenset({"allergy", "dislike", "diet", "health"})
_OF_A_PERSON = frozenset(
    {
        "name",
        "age",
        "birthday",
        "city",
        "origin",
        "job",
        "workplace",
        "allergy",
        "diet",
        "health",
        "hobby",
        "like",
        "dislike",
        "favourite",
        "school",
    }
)


def relabel(
    candidate: Candidate, clause: str, language: Language
) -> tuple[Candidate, bool]:
    """Return the candidate under the label its clause supports, and whether it does."""
    if candidate.key:
        return candidate, True
    owned = _with_who(candidate, clause, language)
    what, certain = _what(owned, clause, language)
    labelled = replace(owned, what=what)
    return replace(labelled, topic=_topic(labelled, language)), certain


def _what(candidate: Candidate, clause: str, language: Language) -> tuple[str, bool]:
    what = candidate.what
    allergic = language.allergy.search(clause) is not None
    disliked = language.dislike.search(clause) is not None
    if what == "allergy" and not allergic and not disliked:
        # "Allergic to peanuts, shellfish and eggs": the last of them stand alone.
        listed = language.subject.search(clause) is None
        allergic = listed and bool(language.allergy.search(normalize(candidate.quote)))
    if what == "allergy" and not allergic:
        return ("dislike", True) if disliked else ("note", False)
    if what in _AVERSIONS and what != "allergy" and allergic and not disliked:
        return ("allergy" if what != "health" else what), True
    if what == "like" and disliked:
        return "dislike", True
    if what == "dislike" and not _is_aversion(clause, language):
        return ("like", True) if _is_liked(clause, language) else ("note", False)
    return _taste(what, clause, language), True


def _taste(what: str, clause: str, language: Language) -> str:
    if what not in _TASTES or what == "dislike" or not language.has_data:
        return what
    if language.favourite.search(clause):
        return "favourite"
    return "like" if what == "favourite" else what


def _is_aversion(clause: str, language: Language) -> bool:
    markers = (language.dislike, language.negation, language.allergy)
    return not language.has_data or any(marker.search(clause) for marker in markers)


def _is_liked(clause: str, language: Language) -> bool:
    if language.negation.search(clause):
        return False
    return bool(language.like.search(clause) or language.favourite.search(clause))


def _with_who(candidate: Candidate, clause: str, language: Language) -> Candidate:
    """Return the candidate as its clause's one relation's, or the speaker's own."""
    if candidate.what not in _OF_A_PERSON:
        return candidate
    speaks = _speaks(clause, language)
    relations = _relations(clause, language)
    if not relations and language.third_person.search(clause):
        relations = _relations(normalize(candidate.quote), language)
    if candidate.who == "me" and len(relations) == 1 and not speaks:
        return replace(candidate, who=relations[0])
    if candidate.who == "me" or candidate.what == "name":
        return candidate
    if speaks and not relations:
        return replace(candidate, who="me")
    if len(relations) == 1 and not speaks and candidate.who not in (*relations, "home"):
        # "My grandson is three" is no son's age.
        return replace(candidate, who=relations[0])
    return candidate


def _speaks(clause: str, language: Language) -> bool:
    """Return whether the speaker is a subject, and not only whose relation it is."""
    after = (clause[match.end() :] for match in language.subject.finditer(clause))
    return any(not _begins_with_relation(rest, language) for rest in after)


def _begins_with_relation(rest: str, language: Language) -> bool:
    """Return whether "my" and not "I" stands before: nothing parts 我 and 姐姐."""
    if possessive := language.possessive.match(rest):
        rest = rest[possessive.end() :]
    return any(rest.startswith(word) for word in language.who if is_cjk(word))


def _relations(clause: str, language: Language) -> list[str]:
    return [who for who in language.whos(clause) if who not in ("me", "home")]


def _topic(candidate: Candidate, language: Language) -> str:
    if candidate.who != "me" or candidate.what not in ("like", "favourite"):
        return ""
    plain = fold(candidate.quote)
    for pattern in language.topics:
        match = pattern.search(plain)
        if match is None:
            continue
        topic = match["topic"].strip()
        if topic and topic not in fold(candidate.value).split(" is ")[-1:]:
            return language.topic_words.get(topic, topic)
    return candidate.topic
