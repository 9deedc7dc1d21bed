"""What code read and what a model wrote about the same words, made one.

Code reads less and is rarely wrong, so its candidates stand; of the model's those are
added that tell something else.
"""

from collections.abc import Sequence

from ..models import Candidate
from ..slots import is_single, may_be_several
from .language import Language
from .mentions import content, shared


def united(
    read: Sequence[Candidate], written: Sequence[Candidate], language: Language
) -> tuple[Candidate, ...]:
    """Return the candidates that were read, and what the written ones add."""
    added = (
        candidate
        for candidate in written
        if not any(_tells_the_same(candidate, one, language) for one in read)
    )
    return (*read, *added)


def last_of_each(candidates: Sequence[Candidate], text: str) -> tuple[Candidate, ...]:
    """Return the candidates with what was said last of what one has once."""
    kept: dict[object, Candidate] = {}
    for candidate in candidates:
        slot = _slot_of_one(candidate)
        other = kept.get(slot)
        if other is None or text.rfind(candidate.value) > text.rfind(other.value):
            kept[slot] = candidate
    return tuple(kept.values())


def _slot_of_one(candidate: Candidate) -> object:
    """Return what only one candidate can be for; anything but that is for itself."""
    single = is_single(candidate.who, candidate.what, candidate.topic)
    if candidate.ended or candidate.key or not single or may_be_several(candidate.who):
        return id(candidate)
    return candidate.who, candidate.what, candidate.topic


def _tells_the_same(written: Candidate, read: Candidate, language: Language) -> bool:
    theirs, ours = content(written.value, language), content(read.value, language)
    if len(shared(theirs, ours)) == len(theirs):
        return True
    if written.ended != read.ended:
        return False
    if read.what != "name" and len(shared(ours, theirs)) == len(ours):
        return True
    same_slot = (written.who, written.what) == (read.who, read.what)
    return same_slot and is_single(read.who, read.what, read.topic)
