"""What accepted candidates change in an owner's facts, decided by code.

Slots, cardinality and marker words decide; a generator never names a stored fact.
Deciding again after the changes were applied gives only confirmations.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from ..models import HOUSEHOLD, UNKNOWN_VOICE, Candidate, Change, Fact, Owner
from ..slots import base_key, is_akin, is_single, may_be_several, sibling_key
from .clauses import without_leads
from .denial import denies, is_forgotten
from .keys import slot_of
from .language import Language, find
from .mentions import mentions_value, touches
from .siblings import free_sibling, next_value_key, sibling_meant, sibling_of
from .similarity import is_restated, is_same_name, is_same_setting
from .speech import Speech
from .text import normalize, words
from .working import Working

_OPPOSITES = {
    "like": ("dislike",),
    "favourite": ("dislike",),
    "dislike": ("like", "favourite"),
}


def decide(
    candidates: Sequence[Candidate],
    *,
    owner: Owner,
    stored: Sequence[Fact],
    text: str,
    language: str,
    taken: Collection[str] = (),
) -> tuple[Change, ...]:
    """Return the changes of an owner's facts in the order to apply them.

    ``stored`` may hold other owners' facts; they are never changed. ``taken`` are the
    keys of the owner's facts that are left out of it.
    """
    own = [fact for fact in stored if fact.owner == owner]
    work = Working(Speech.of(text, find(language)), owner, own, taken)
    for candidate in sorted(candidates, key=_rank):
        _decide_one(candidate, work)
    for fact in work.untouched:
        if denies(work.speech, fact):
            _replace_or_remove(fact, work)
    for fact in is_forgotten(work.speech, work.untouched):
        work.remove(fact, work.speech.sentence_about(fact))
    return tuple(work.changes)


def _replace_or_remove(fact: Fact, work: Working) -> None:
    """Put the right value in the place of a denied one: "it's Sanna, not Sara"."""
    quote = work.speech.sentence_about(fact)
    right = work.speech.right_value(fact.value)
    slot = slot_of(fact.key)
    if right is None or slot is None:
        work.remove(fact, quote)
        return
    work.replace(
        fact, Candidate(who=slot.who, what=slot.what, value=right, quote=quote)
    )


def _rank(candidate: Candidate) -> int:
    """Order names, what one has once, endings, the rest.

    Attributes follow the names they belong to, and a replacement comes before the
    ending of what it replaces.
    """
    if candidate.ended:
        return 2
    if candidate.what == "name":
        return 0
    return 1 if _is_single(candidate) else 3


def _decide_one(candidate: Candidate, work: Working) -> None:
    meant = _as_corrected(_of_bearer(_as_meant(candidate, work.speech), work), work)
    meant = _as_denied(meant, work)
    same = _same_slot(meant, work)
    known = None if meant.ended else _known_already(meant, same, work)
    if known is not None:
        work.confirm(known, meant)
    elif work.owner == HOUSEHOLD and meant.who == "me":
        work.suggest(_base(meant), meant, UNKNOWN_VOICE)
    elif meant.ended:
        _end(meant, same, work)
    else:
        _remove_opposites(meant, work)
        _store(meant, same, work)


def _as_meant(candidate: Candidate, speech: Speech) -> Candidate:
    """Return a plain negation that was called an ending as the lasting fact it is.

    "I don't have a car" ends nothing that was told; "I sold the car" does.
    """
    if not candidate.ended or candidate.what == "name":
        return candidate
    clause = speech.clause_about(candidate.value, candidate.quote)
    words_of = speech.language
    if words_of.ended.search(clause) or not words_of.negation.search(clause):
        return candidate
    if candidate.what in ("like", "favourite"):
        return replace(candidate, what="dislike", topic="", ended=False)
    if candidate.what == "dislike":
        return replace(candidate, ended=False)
    return replace(candidate, value=speech.as_written(clause), ended=False)


def _of_bearer(candidate: Candidate, work: Working) -> Candidate:
    """Return the candidate as that of the one whose stored name its clause begins with.

    "Tess has turned thirteen" is no age of the speaker's.
    """
    if candidate.who != "me" or candidate.key or candidate.what == "name":
        return candidate
    language = work.speech.language
    clause = work.speech.clause_about(candidate.value, candidate.quote)
    if language.first_person.search(clause):
        return candidate
    first = words(without_leads(clause, language))[:1]
    for fact in work.facts:
        slot = slot_of(fact.key)
        if slot is not None and slot.who != "me" and set(first) & _names_in(fact):
            return replace(candidate, who=slot.who)
    return candidate


def _names_in(fact: Fact) -> set[str]:
    parts = (part for part in fact.value.split() if part[:1].isupper())
    return {word for part in parts for word in words(part)}


def _as_corrected(candidate: Candidate, work: Working) -> Candidate:
    """Return the candidate under the slot of the fact that it corrects.

    In "her name is Sanna, not Sara" only the stored Sara tells whose name it is.
    """
    if candidate.ended or candidate.key or _names_relation(candidate, work.speech):
        return candidate
    for fact in work.facts:
        slot = slot_of(fact.key)
        if slot is None or slot.what != candidate.what or slot.who == candidate.who:
            continue
        if denies(work.speech, fact) or _is_that_name(candidate, fact, work.speech):
            return replace(candidate, who=slot.who, topic=slot.topic)
    return candidate


def _as_denied(candidate: Candidate, work: Working) -> Candidate:
    """Return as ended what only repeats a stored value that is denied.

    "Forget Hertha" is neither a liking nor a disliking of Hertha.
    """
    language = work.speech.language
    clause = work.speech.clause_about(candidate.value, candidate.quote)
    over = language.ended.search(normalize(candidate.value)) is not None
    if candidate.what == "dislike" and not over and language.dislike.search(clause):
        return candidate
    for fact in work.untouched:
        repeats = is_restated(candidate.value, fact.value, language) or (
            over and mentions_value(candidate.value, fact, language)
        )
        if repeats and denies(work.speech, fact):
            return replace(candidate, value=fact.value, ended=True)
    if candidate.what == "dislike" and over:
        # "I don't like tea any more" ends a liking, also one that nobody told of.
        return replace(candidate, ended=True)
    return candidate


def _is_that_name(candidate: Candidate, fact: Fact, speech: Speech) -> bool:
    """Return whether "her name is Sanna" repeats a name that is stored already."""
    clause = speech.clause_about(candidate.value, candidate.quote)
    return (
        candidate.what == "name"
        and is_restated(candidate.value, fact.value, speech.language)
        and speech.language.first_person.search(clause) is None
    )


def _names_relation(candidate: Candidate, speech: Speech) -> bool:
    clause = speech.clause_about(candidate.value, candidate.quote)
    return any(who != "me" for who in speech.language.whos(clause))


def _base(candidate: Candidate) -> str:
    return candidate.key or base_key(candidate.who, candidate.what, candidate.topic)


def _is_single(candidate: Candidate) -> bool:
    return not candidate.key and is_single(
        candidate.who, candidate.what, candidate.topic
    )


def _same_slot(candidate: Candidate, work: Working) -> list[Fact]:
    base = _base(candidate)
    number = _sibling(candidate, work)
    found = [
        fact
        for fact in work.facts
        if _base_of(fact) == base and number in (None, sibling_of(fact.key))
    ]
    if found or candidate.ended:
        return found
    # A key of one's own making ("swimming") is met by the words it is made of.
    return [
        fact
        for fact in work.facts
        if slot_of(fact.key) is None
        and denies(work.speech, fact)
        and touches(candidate.quote, replace(fact, value="-"), work.speech.language)
    ]


def _base_of(fact: Fact) -> str:
    slot = slot_of(fact.key)
    return fact.key if slot is None else slot.base


def _sibling(candidate: Candidate, work: Working) -> int | None:
    """Return which of several the candidate is about, None where there is but one."""
    if candidate.key or not may_be_several(candidate.who) or candidate.what == "name":
        return None
    return sibling_meant(candidate, work.facts, work.touched)


def _known_already(
    candidate: Candidate, same: Sequence[Fact], work: Working
) -> Fact | None:
    language = work.speech.language
    value = _without_label(candidate, language)
    for fact in same:
        if candidate.what == "name":
            if is_same_name(candidate.value, fact.value):
                return fact
        elif is_restated(value, fact.value, language):
            return fact
    for fact in work.facts:
        if _is_akin(candidate, fact) and is_restated(value, fact.value, language):
            return fact
    return None


def _without_label(candidate: Candidate, language: Language) -> str:
    """Return a value without words for what it is: "pollen allergy" is pollen."""
    rest = " ".join(
        part
        for part in candidate.value.split()
        if not language.whats(part) or part[:1].isupper()
    )
    return rest or candidate.value


def _is_akin(candidate: Candidate, fact: Fact) -> bool:
    """Return whether the same words under another label would tell nothing new."""
    slot = slot_of(fact.key)
    if slot is None or slot.who != candidate.who:
        return False
    return is_akin(candidate.what, slot.what)


def _store(candidate: Candidate, same: Sequence[Fact], work: Working) -> None:
    joins = work.speech.says_also(candidate.quote)
    target = None if joins else _replaced(candidate, same, work)
    if target is None:
        _add(candidate, work)
    else:
        # A second value for what one has once leaves the first of this exchange.
        work.replace(target, candidate)


def _replaced(candidate: Candidate, same: Sequence[Fact], work: Working) -> Fact | None:
    """Return the stored fact whose place the candidate takes."""
    for fact in same:
        if denies(work.speech, fact):
            return fact
    if _is_single(candidate):
        return same[0] if same else None
    if candidate.what == "name":
        return _renamed(candidate, same, work)
    language = work.speech.language
    for fact in same:
        if is_same_setting(candidate.value, fact.value, language):
            return fact
    if not work.speech.says_changed(candidate.quote):
        return None
    mentioned = [
        fact
        for fact in same
        if fact.key not in work.touched and touches(work.speech.text, fact, language)
    ]
    return mentioned[0] if len(mentioned) == 1 else None


def _renamed(candidate: Candidate, same: Sequence[Fact], work: Working) -> Fact | None:
    """Return the one whose name is put right: "no, he's called Rex now".

    Without such a word, "my dog is called Rex" may tell of another dog.
    """
    clause = work.speech.clause_about(candidate.value, candidate.quote)
    # "Rex now" is another name; a "new dog Rex" is another dog.
    afterwards = clause.partition(normalize(candidate.value))[2]
    changed = work.speech.corrects(candidate.quote) or (
        work.speech.says_changed(afterwards)
    )
    return same[0] if len(same) == 1 and changed else None


def _add(candidate: Candidate, work: Working) -> None:
    taken = work.keys
    base = _base(candidate)
    if candidate.key or not may_be_several(candidate.who):
        work.add(sibling_key(base, free_sibling(base, taken)), candidate)
        return
    number = _sibling(candidate, work) or free_sibling(base, taken)
    work.add(next_value_key(sibling_key(base, number), taken), candidate)


def _end(candidate: Candidate, same: Sequence[Fact], work: Working) -> None:
    language = work.speech.language
    for facts in (same, work.untouched):
        for fact in facts:
            if is_restated(candidate.value, fact.value, language):
                work.remove(fact, candidate.quote)
                return
    if _is_single(candidate) and len(same) == 1:
        work.remove(same[0], candidate.quote)
    elif candidate.what == "have":
        _end_all_about(candidate, work)


def _end_all_about(candidate: Candidate, work: Working) -> None:
    """End all that is known of somebody who is gone, where there is but one."""
    about = [
        fact
        for fact in work.untouched
        if (slot := slot_of(fact.key)) is not None and slot.who == candidate.who
    ]
    if may_be_several(candidate.who) and len({sibling_of(f.key) for f in about}) == 1:
        for fact in about:
            work.remove(fact, candidate.quote)


def _remove_opposites(candidate: Candidate, work: Working) -> None:
    opposites = _OPPOSITES.get(candidate.what, ())
    for fact in work.untouched:
        slot = slot_of(fact.key)
        if slot is None or slot.who != candidate.who or slot.what not in opposites:
            continue
        if is_restated(candidate.value, fact.value, work.speech.language):
            work.remove(fact, candidate.quote)
