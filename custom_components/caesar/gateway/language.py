"""One language of the sentence files, compiled: templates, word lists and replies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hassil import RecognizeResult

from .patterns import Block, Match, Pattern, Slot, SlotRules, Subject
from .templates import TemplateParser, TemplateSet, place_of
from .unspaced import ends_of_letters
from .words import Phrases, WordLists, straight

type Part = Literal["subjects", "statements", "questions"]

_PARTS: tuple[Part, ...] = ("subjects", "statements", "questions")
_FLAGS = (
    "about",
    "known",
    "marked",
    "partial",
    "vague",
    "opening",
    "joined",
    "then_names",
    "opens",
    "after",
)
_PREDICATE = "predicate"
_NAME = "named"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    match: Match
    literal: int
    """How many literal pieces of templates fitted."""
    free: int
    """How many characters stand in free-text slots."""


class Language:
    """One language's sentences."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self.code = code
        self.spaced: bool = data.get("spaced", True)
        """Whether words stand apart from each other."""
        self.words = WordLists(data.get("words", {}))
        self.replies: Mapping[str, str] = data.get("replies", {})
        self.synonyms: Mapping[str, Sequence[str]] = data.get("synonyms", {})
        self.carry: Mapping[str, str] = data.get("carry", {})
        self.must_not: Sequence[str] = data.get("must_not", ())
        self.examples: dict[Part, Mapping[str, Sequence[str]]] = {
            part: _examples(data.get(part, ())) for part in _PARTS
        }
        lists = {**data.get("lists", {}), _PREDICATE: {"wildcard": True}}
        self._rules = {
            name: self._slot_rules(entry)
            for name, entry in lists.items()
            if entry.get("wildcard") and name != _PREDICATE
        }
        parser = TemplateParser(code, lists, data.get("rules", {}), spaced=self.spaced)
        self._whole = {
            part: TemplateSet(parser, _whole(data.get(part, ()))) for part in _PARTS
        }
        predicates = _predicates(data)
        self._predicates = {
            subject: TemplateSet(parser, entries)
            for subject, entries in predicates.items()
        }
        self._subjects = TemplateSet(parser, _by_wording(predicates))

    def matches(self, part: Part, text: str, *, capitals: bool) -> list[Match]:
        """Return what fits the whole text, the best first.

        Better is to understand all words, then more literal words, then fewer
        characters in free-text slots.
        """
        found = [
            one
            for block, result in self._whole[part].find(text)
            for one in self._accepted(block, result, 0, capitals=capitals)
        ]
        if part == "statements":
            found += self._by_subject(text, capitals=capitals)
        found.sort(key=_rank)
        return [one.match for one in found]

    def rules_of(self, slot: str) -> SlotRules | None:
        """Return the rules of a free-text slot, None for a closed list."""
        return self._rules.get(slot)

    def _by_subject(self, text: str, *, capitals: bool) -> Iterator[_Found]:
        """Match the subject first, then what is said of it: far fewer templates."""
        for subjects, result in self._subjects.find(text):
            slots = _slots(result, 0)
            predicate = slots.pop(_PREDICATE)
            literal = result.text_chunks_matched
            for subject in subjects:
                for rest, named in self._rests(subject, text[predicate.start :]):
                    start = len(text) - len(rest)
                    whole = {**slots, **self._name(text, predicate.start, named)}
                    if named and not self._is_name(whole[_NAME], capitals=capitals):
                        continue
                    for block, said in self._predicates[subject].find(rest):
                        for one in self._accepted(
                            block, said, start, capitals=capitals
                        ):
                            yield _Found(
                                match=Match(
                                    block=block,
                                    slots={**whole, **one.match.slots},
                                    who=subject.who,
                                ),
                                literal=one.literal + literal + bool(subject.then),
                                free=one.free + named,
                            )

    def _rests(self, subject: Subject, text: str) -> Iterator[tuple[str, int]]:
        """Yield what may follow the subject, and the length of a name before it."""
        if not (subject.ends or subject.proper):
            yield from ((rest, 0) for rest in self._after(subject, text))
        if not subject.named:
            return
        for length in self._name_lengths(text):
            if not straight(text[:length]).endswith(subject.ends):
                continue
            if subject.proper and not text[0].isupper():
                continue
            rest = text[length:].lstrip()
            name = length - len(subject.ends)
            yield from ((one, name) for one in self._after(subject, rest))

    def _name_lengths(self, text: str) -> Iterable[int]:
        rules = self._rules[_NAME]
        if not self.spaced:
            ends = ends_of_letters(text)[: rules.max_letters]
            return [end for end in ends if end < len(text)]
        words = text.split(" ")
        counts = range(1, min(rules.max_words, len(words) - 1) + 1)
        return (len(" ".join(words[:count])) for count in counts)

    def _after(self, subject: Subject, text: str) -> Iterator[str]:
        """Yield the text without the words that must follow, and without adverbs."""
        plain = text[self.words["adverb"].start(text) :]
        if subject.then:
            taken = self.words[subject.then].start(plain)
            if not taken:
                return
            text = plain[taken:]
            plain = text[self.words["adverb"].start(text) :]
        yield text
        if len(plain) < len(text):
            yield plain

    def _name(self, text: str, start: int, length: int) -> dict[str, Slot]:
        if not length:
            return {}
        name = text[start : start + length]
        return {_NAME: Slot(text=name, value=name, start=start, end=start + length)}

    def _is_name(self, slot: Slot, *, capitals: bool) -> bool:
        return self._rules[_NAME].accept(slot.text, capitals=capitals)

    def _accepted(
        self, block: Block, result: RecognizeResult, shift: int, *, capitals: bool
    ) -> Iterator[_Found]:
        slots = _slots(result, shift)
        free = 0
        for name, slot in slots.items():
            rules = self._rules.get(name)
            if rules is None:
                continue
            if not rules.accept(slot.text, capitals=capitals):
                return
            free += len(slot.text)
        yield _Found(
            match=Match(block=block, slots=slots),
            literal=result.text_chunks_matched,
            free=free,
        )

    def _slot_rules(self, entry: Mapping[str, Any]) -> SlotRules:
        starts = [] if entry.get("anything") else self.words.plain("never_a_value")
        lists: dict[str, Phrases] = {
            key: self.words.phrases(entry[key])
            for key in ("must_have", "must_start", "must_end", "only")
            if key in entry
        }
        return SlotRules(
            max_words=entry.get("max_words", 8),
            min_words=entry.get("min_words", 1),
            max_letters=entry.get("max_letters", 60),
            listed=entry.get("listed", False),
            capital=entry.get("capital", ""),
            continued=entry.get("continued", False),
            refuse=self.words.phrases(entry.get("refuse", ())),
            refuse_start=self.words.phrases([*starts, *entry.get("refuse_start", ())]),
            allow_start=self.words.phrases(entry.get("allow_start", ())),
            must_have=lists.get("must_have"),
            must_start=lists.get("must_start"),
            must_end=lists.get("must_end"),
            only=lists.get("only"),
        )


def _rank(one: _Found) -> tuple[bool, bool, int, int]:
    block = one.match.block
    return (block.partial, block.vague, -one.literal, one.free)


def _slots(result: RecognizeResult, shift: int) -> dict[str, Slot]:
    slots = {}
    for entity in result.entities_list:
        if entity.text_span is not None:
            start, end = place_of(entity, entity.text_span, result.original_text)
            slots[entity.name] = Slot(
                text=result.original_text[start:end],
                value=str(entity.value),
                start=start + shift,
                end=end + shift,
            )
    return slots


def _whole(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, Block]]:
    return [
        (template, block)
        for entry in entries
        if "sentences" in entry
        for block in (_block(entry),)
        for template in entry["sentences"]
    ]


def _predicates(data: Mapping[str, Any]) -> dict[Subject, list[tuple[str, Block]]]:
    """Return each subject's templates: those of all forms it belongs to."""
    forms = {
        name: [Subject(**subject) for subject in subjects]
        for name, subjects in data.get("forms", {}).items()
    }
    found: dict[Subject, list[tuple[str, Block]]] = {}
    for entry in data.get("statements", ()):
        block = _block(entry)
        for form in forms.keys() & entry.keys():
            for subject in forms[form]:
                said = [(template, block) for template in entry[form]]
                found.setdefault(subject, []).extend(said)
    return found


def _by_wording(
    predicates: Mapping[Subject, object],
) -> list[tuple[str, tuple[Subject, ...]]]:
    wordings = dict.fromkeys(subject.say for subject in predicates)
    return [
        (f"{say}{{{_PREDICATE}}}", tuple(s for s in predicates if s.say == say))
        for say in wordings
    ]


def _block(entry: Mapping[str, Any]) -> Block:
    return Block(
        patterns=tuple(Pattern(**pattern) for pattern in entry.get("facts", ())),
        **{flag: entry[flag] for flag in _FLAGS if flag in entry},
    )


def _examples(entries: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[str]]:
    return {
        sentence: wanted
        for entry in entries
        for sentence, wanted in entry.get("examples", {}).items()
    }
