"""One owner's facts by id, and which of them some words can be about.

Comparing an utterance with ten thousand facts word by word would take seconds. What
shares no word with it and stands in no slot that it fills cannot be changed by it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set as AbstractSet
from functools import lru_cache

from .extraction.keys import Slot, slot_of
from .extraction.language import Language, find, load
from .extraction.mentions import content, key_words
from .extraction.text import is_cjk, normalize, words
from .models import Candidate, Fact
from .slots import is_single, without_number

_STEM = 4
"""Letters that two words share at least, to be the same but for their endings."""
_CACHED = 4096


class FactIndex:
    """The facts of one owner."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._facts: dict[int, Fact] = {}
        self._keys: dict[str, int] = {}
        self._by_stem: dict[str, set[int]] = {}
        self._by_slot: dict[Slot | None, set[int]] = {}
        self._wordless: set[int] = set()
        """Facts whose values are made of words that mostly say nothing."""
        for fact in facts:
            self.put(fact)

    @property
    def facts(self) -> Mapping[int, Fact]:
        """Return the facts by id, in no order; it changes later."""
        return self._facts

    @property
    def keys(self) -> AbstractSet[str]:
        """Return the keys that are taken; it changes later."""
        return self._keys.keys()

    def put(self, fact: Fact) -> None:
        """Add a fact, or put its new state in the place of the old."""
        self.drop(fact.id)
        self._facts[fact.id] = fact
        self._keys[fact.key] = fact.id
        self._by_slot.setdefault(_slot(fact), set()).add(fact.id)
        for stem in _stems(fact):
            self._by_stem.setdefault(stem, set()).add(fact.id)
        if _is_wordless(fact.value):
            self._wordless.add(fact.id)

    def drop(self, fact_id: int) -> None:
        """Take a fact out, where it is there."""
        fact = self._facts.pop(fact_id, None)
        if fact is None:
            return
        if self._keys.get(fact.key) == fact_id:
            del self._keys[fact.key]
        self._wordless.discard(fact_id)
        self._by_slot[_slot(fact)].discard(fact_id)
        for stem in _stems(fact):
            self._by_stem[stem].discard(fact_id)

    def sharing(self, text: str, language: str) -> tuple[Fact, ...]:
        """Return the facts that may share a telling word with a text, in id order.

        None that does is left out.
        """
        return self._sorted(self._sharing((text,), find(language)))

    def concerned(
        self, candidates: Collection[Candidate], text: str, language: str
    ) -> tuple[Fact, ...]:
        """Return the facts that an utterance may change or must heed, in id order.

        None that the decision would depend on is left out.
        """
        spoken = find(language)
        values = [candidate.value for candidate in candidates]
        found = self._sharing((text, *values), spoken)
        found |= {
            self._keys[candidate.key]
            for candidate in candidates
            if candidate.key in self._keys
        }
        # What is known of somebody tells them from others of their kind.
        others = {candidate.who for candidate in candidates}
        others |= {slot.who for i in found if (slot := _slot(self._facts[i]))}
        others.discard("me")
        forgotten = _whats_to_forget(text, spoken)
        for slot, ids in self._by_slot.items():
            if slot is not None and (
                slot.who in others
                or slot.what in forgotten
                or _is_filled(slot, candidates)
            ):
                found |= ids
            elif ids:
                # One is enough to show that there are such facts.
                found.add(min(ids))
        return self._sorted(found)

    def _sharing(self, texts: Sequence[str], language: Language) -> set[int]:
        telling = (content(text, language) or words(text) for text in texts)
        stems = {stem for found in telling for word in found for stem in _sought(word)}
        sharing = (self._by_stem.get(stem, ()) for stem in stems)
        return self._wordless.union(*sharing)

    def _sorted(self, ids: Iterable[int]) -> tuple[Fact, ...]:
        return tuple(self._facts[fact_id] for fact_id in sorted(ids))


def _slot(fact: Fact) -> Slot | None:
    return _slot_of_base(without_number(fact.key))


@lru_cache(maxsize=_CACHED)
def _slot_of_base(base: str) -> Slot | None:
    return slot_of(base)


def _stems(fact: Fact) -> set[str]:
    present = (*words(fact.value), *key_words(fact.key))
    return {stem for word in present for stem in _kept(word)}


def _sought(word: str) -> set[str]:
    """Return what the same words in facts may be kept under.

    A Chinese or Japanese letter is the same word as the pairs that hold it.
    """
    if not is_cjk(word):
        return {word[:_STEM]}
    return {word, f"{word}*"} if len(word) == 1 else {word, *word}


def _kept(word: str) -> set[str]:
    if not is_cjk(word) or len(word) == 1:
        return {word[:_STEM]}
    return {word, *(f"{letter}*" for letter in word)}


def _is_wordless(value: str) -> bool:
    found = words(value)
    return any(
        all(word in language.not_content for word in found)
        for language in load().values()
    )


def _whats_to_forget(text: str, language: Language) -> set[str]:
    """Return what the words ask to forget: "forget my shoe size" names a size."""
    if not language.forget.search(normalize(text)):
        return set()
    return set(language.whats(text))


def _is_filled(slot: Slot, candidates: Iterable[Candidate]) -> bool:
    """Return whether a candidate may take the place of a fact with other words.

    Of what one has many, only a fact with the same words counts.
    """
    if slot.what != "name" and not is_single(slot.who, slot.what, slot.topic):
        return False
    return any(slot.who == candidate.who for candidate in candidates)
