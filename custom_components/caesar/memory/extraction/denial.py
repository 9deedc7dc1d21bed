"""When somebody says that a stored fact is over, was wrong, or shall be forgotten."""

from collections.abc import Sequence
from dataclasses import replace

from ..models import Fact
from .keys import slot_of
from .language import Language, Words
from .mentions import mentions_value, touches
from .speech import Speech
from .text import normalize, same_word, words

_BEFORE = 4
"""Words between "not" or "instead of" and the value it denies."""
# A negation restates these; only an ending ("no longer") ends them.
_NEGATIVE = frozenset({"dislike", "allergy", "diet", "health", "note"})


def denies(speech: Speech, fact: Fact) -> bool:
    """Return whether some sentence mentions a fact's value as over or wrong."""
    return any(
        _sentence_denies(sentence, speech, fact)
        for sentence in speech.sentences
        if _speaks_of(sentence, fact, speech.language)
    )


def is_forgotten(speech: Speech, facts: Sequence[Fact]) -> list[Fact]:
    """Return the one fact that the person asks to forget by naming what it is.

    Where several are meant nobody knows which, so none is.
    """
    language = speech.language
    for sentence in speech.sentences:
        for clause in speech.clauses(sentence):
            if language.not_forget.search(clause) or not language.forget.search(clause):
                continue
            meant = [fact for fact in facts if _is_named(fact, clause, language)]
            if len(meant) == 1:
                return meant
    return []


def _sentence_denies(sentence: str, speech: Speech, fact: Fact) -> bool:
    language = speech.language
    clauses = speech.clauses(sentence)
    for number, clause in enumerate(clauses):
        if not _speaks_of(clause, fact, language):
            continue
        if _ends(clause, language) or _negates(clause, fact, language):
            return True
        # "Jonas and I split up": the ending may stand in the clause that follows.
        following = clauses[number + 1] if number + 1 < len(clauses) else ""
        if language.ended.search(following) and not _has_subject(following, language):
            return True
    return False


def _speaks_of(text: str, fact: Fact, language: Language) -> bool:
    """Return whether a text mentions a fact; one with a key of its own also by that."""
    if mentions_value(text, fact, language):
        return True
    return slot_of(fact.key) is None and touches(
        text, replace(fact, value="-"), language
    )


def _ends(clause: str, language: Language) -> bool:
    if language.ended.search(clause):
        return True
    forgets = language.forget.search(clause) and not language.not_forget.search(clause)
    return bool(forgets)


def _negates(clause: str, fact: Fact, language: Language) -> bool:
    if _restates(fact, language):
        return False
    return _stands_before(language.contrast, clause, fact) or (
        _stands_before(language.negation, clause, fact)
    )


def _restates(fact: Fact, language: Language) -> bool:
    """Return whether a negation says the fact again: "I don't like olives"."""
    slot = slot_of(fact.key)
    if slot is not None and slot.what in _NEGATIVE:
        return True
    return language.negation.search(normalize(fact.value)) is not None


def _stands_before(marker: Words, clause: str, fact: Fact) -> bool:
    telling = words(fact.value)
    for match in marker.finditer(clause):
        after = words(clause[match.end() :])[:_BEFORE]
        if any(same_word(word, other) for word in telling for other in after):
            return True
    return False


def _has_subject(clause: str, language: Language) -> bool:
    return language.subject.match(clause) is not None and (
        language.ended.search(clause) is None
    )


def _is_named(fact: Fact, clause: str, language: Language) -> bool:
    slot = slot_of(fact.key)
    if slot is None:
        return False
    others = set(language.whos(clause)) - {"me"}
    meant = slot.who in others if others else slot.who == "me"
    return meant and slot.what in language.whats(clause)
