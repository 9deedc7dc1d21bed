"""The sentence files: what people say about themselves and ask, one set per language.

A language is data: templates for hassil, word lists, replies. Several files named
``<language>.<part>.yaml`` make one language. Everything here is pure and, once loaded,
immutable and fast; ``Sentences.load`` reads files and belongs in an executor.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
import re
from typing import Any, Literal

from hassil import Intents, recognize_all
from hassil.errors import HassilError
from hassil.parser import ParseError
from hassil.recognize import RecognizeResult
import yaml

from .words import Phrases, WordLists

type Part = Literal["subjects", "statements", "questions"]

_PARTS: tuple[Part, ...] = ("subjects", "statements", "questions")
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOPIC = re.compile(r"[^\w]+")
_FLAGS = ("about", "known", "partial", "opening", "joined", "then_names")
_OWN_KEYS = {
    "city": "address.city",
    "like": "preference.like",
    "dislike": "preference.dislike",
}


class SentenceFileError(Exception):
    """A sentence file is malformed; the message names the file and the place."""


def slot_key(who: str, what: str, topic: str = "") -> str:
    """Return the key that memory gives to a slot, without a sibling's number.

    A copy of memory's scheme, which gateway may not import; a test holds them together.
    """
    if who == "me":
        if topic and what in ("like", "favourite"):
            space = "preference" if what == "like" else "favourite"
            return f"{space}.{_TOPIC.sub('_', topic.lower()).strip('_')}"
        return _OWN_KEYS.get(what, what)
    return f"{'spouse' if who == 'partner' else who}.{what}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A fact to state or to look for; names of slots are filled from the match."""

    what: str
    who: str = ""
    """Empty takes the slot ``who``, or the speaker where there is none."""
    value: str = ""
    """The slot that holds the value, ``first..last`` for all words from one slot to
    another, or ``clause`` for everything that was said."""
    topic: str = ""
    ended: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """Sentences that mean the same, and what they mean."""

    patterns: tuple[Pattern, ...]
    about: str = ""
    """For questions: the thing asked about, as the reply names it."""
    known: str = ""
    """For questions about everything known: whose facts, a ``who`` or ``*``."""
    partial: bool = False
    """Fits more words than it understands, so not everything said was learned."""
    opening: bool = False
    """Fits only the first clause of a sentence."""
    joined: bool = False
    """"… and more" belongs to the value of the last fact."""
    then_names: bool = False
    """Names may follow: "two cats, Luna and Milo"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Slot:
    """A filled placeholder: the words as spoken and what they stand for."""

    text: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A text that fits a block."""

    block: Block
    slots: Mapping[str, Slot]


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotRules:
    """What the words in a free-text slot must look like."""

    max_words: int = 8
    capital: Literal["", "spoken", "always"] = ""
    """A name: capitalised where the speaker's text has capitals, or always."""
    refuse: Phrases
    refuse_start: Phrases
    allow_start: Phrases
    """Exceptions from what is refused at the start."""
    must_have: Phrases | None = None
    must_end: Phrases | None = None
    only: Phrases | None = None
    """Every word must be one of these."""
    continued: bool = False
    """"… and more" is one more value."""

    def accept(self, text: str, *, capitals: bool) -> bool:
        """Return whether the words may stand in the slot."""
        words = text.split()
        if not words or len(words) > self.max_words:
            return False
        if self.capital == "always" or (self.capital and capitals):
            named = [word for word in words if word[0].isupper()]
            if not named or (self.capital == "always" and not words[0][0].isupper()):
                return False
        return not self._is_refused(text) and self._has_what_it_must(text)

    def _is_refused(self, text: str) -> bool:
        if self.refuse.found_in(text):
            return True
        return bool(self.refuse_start.start(text)) and not self.allow_start.start(text)

    def _has_what_it_must(self, text: str) -> bool:
        if self.must_have and not self.must_have.found_in(text):
            return False
        if self.must_end and self.must_end.end(text) == len(text):
            return False
        return not self.only or all(
            self.only.equal(word) for word in re.split(r"[\s-]+", text)
        )


class Language:
    """One language's sentences, compiled."""

    def __init__(self, code: str, data: Mapping[str, Any], source: str) -> None:
        self.code = code
        self.words = WordLists(data.get("words", {}))
        self.replies: Mapping[str, str] = data.get("replies", {})
        self.synonyms: Mapping[str, Sequence[str]] = data.get("synonyms", {})
        self.carry: Mapping[str, str] = data.get("carry", {})
        self.must_not: Sequence[str] = data.get("must_not", ())
        self.examples: dict[Part, Mapping[str, Sequence[str]]] = {
            part: _examples(data.get(part, ())) for part in _PARTS
        }
        with _readable_errors(source):
            self._rules = self._slot_rules(data.get("lists", {}))
            said = {part: list(_said(data, part)) for part in _PARTS}
            self._blocks = {part: [s.block for s in said[part]] for part in _PARTS}
            self._intents = {
                part: self._compile(data, [s.templates for s in said[part]])
                for part in _PARTS
            }

    def matches(self, part: Part, text: str, *, capitals: bool) -> list[Match]:
        """Return what fits the text, the best first.

        Better is more literal words, then fewer words in free-text slots.
        """
        found: list[tuple[int, int, Match]] = []
        for result in recognize_all(text, self._intents[part]):
            match = self._accepted(part, result, capitals=capitals)
            if match is not None:
                free = sum(e.is_wildcard * len(e.text) for e in result.entities_list)
                found.append((-result.text_chunks_matched, free, match))
        found.sort(key=lambda entry: entry[:2])
        return [match for _, _, match in found]

    def rules_of(self, slot: str) -> SlotRules | None:
        """Return the rules of a free-text slot, None for a closed list."""
        return self._rules.get(slot)

    def warm_up(self) -> None:
        """Make the first turn as fast as the others."""
        for part in _PARTS:
            self.matches(part, "my dog is called beans", capitals=False)

    def _accepted(
        self, part: Part, result: RecognizeResult, *, capitals: bool
    ) -> Match | None:
        slots: dict[str, Slot] = {}
        for entity in result.entities_list:
            if entity.text_span is None:
                return None
            start, end = entity.text_span
            text = result.original_text[start:end]
            rules = self._rules.get(entity.name)
            if rules and not rules.accept(text, capitals=capitals):
                return None
            slots[entity.name] = Slot(
                text=text, value=str(entity.value), start=start, end=end
            )
        return Match(block=self._blocks[part][int(result.intent.name)], slots=slots)

    def _slot_rules(self, lists: Mapping[str, Any]) -> dict[str, SlotRules]:
        never = self.words.plain("never_a_value")
        rules = {}
        for name, entry in lists.items():
            if not entry.get("wildcard"):
                continue
            phrases = {
                key: self.words.phrases(entry[key])
                for key in ("must_have", "must_end", "only")
                if key in entry
            }
            starts = [] if entry.get("anything") else list(never)
            starts += entry.get("refuse_start", ())
            rules[name] = SlotRules(
                max_words=entry.get("max_words", 8),
                capital=entry.get("capital", ""),
                continued=entry.get("continued", False),
                refuse=self.words.phrases(entry.get("refuse", ())),
                refuse_start=self.words.phrases(starts),
                allow_start=self.words.phrases(entry.get("allow_start", ())),
                **phrases,
            )
        return rules

    def _compile(
        self, data: Mapping[str, Any], templates: Sequence[Sequence[str]]
    ) -> Intents:
        compiled = Intents.from_dict(
            {
                "language": self.code,
                "lists": data.get("lists", {}),
                "expansion_rules": data.get("rules", {}),
                "intents": {
                    str(number): {"data": [{"sentences": list(sentences)}]}
                    for number, sentences in enumerate(templates)
                },
            }
        )
        for intent in compiled.intents.values():
            _ = intent.data[0].sentences  # parses the templates, so errors show now
        return compiled


class Sentences:
    """The sentence files of all languages."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    @classmethod
    def load(cls, folder: Path) -> Sentences:
        """Read and warm up all files of a folder; blocking.

        Raises SentenceFileError for a malformed file.
        """
        merged: dict[str, dict[str, Any]] = {}
        for path in sorted(folder.glob("*.yaml")):
            code = path.name.split(".")[0]
            _merge(merged.setdefault(code, {}), _read_file(path), path.name)
        languages = {
            code: Language(code, data, f"{code}.yaml") for code, data in merged.items()
        }
        for language in languages.values():
            language.warm_up()
        return cls(languages)

    def __iter__(self) -> Iterator[Language]:
        return iter(self._languages.values())

    def language(self, code: str) -> Language | None:
        """Return the sentences of ``en`` or ``en-GB``; None where there are none."""
        return self._languages.get(code.replace("_", "-").split("-")[0].lower())


@contextmanager
def _readable_errors(source: str) -> Iterator[None]:
    try:
        yield
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
        HassilError,
        ParseError,
    ) as error:
        raise SentenceFileError(f"{source}: {error!r}") from error


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    """A block and its templates, for one kind of grammatical subject."""

    block: Block
    templates: Sequence[str]


def _said(data: Mapping[str, Any], part: Part) -> Iterator[_Said]:
    """Spell out the entries: each subject of a form makes a block of its own.

    An entry's ``sentences`` are whole templates; any other list in it is named after a
    form, which puts its subjects before each template.
    """
    forms: Mapping[str, Sequence[Mapping[str, str]]] = data.get("forms", {})
    for entry in data.get(part, ()):
        if "sentences" in entry:
            yield _Said(block=_block(entry, ""), templates=entry["sentences"])
        for form in forms.keys() & entry.keys():
            for subject in forms[form]:
                yield _Said(
                    block=_block(entry, subject.get("who", "")),
                    templates=[f"{subject['say']}{rest}" for rest in entry[form]],
                )


def _block(entry: Mapping[str, Any], who: str) -> Block:
    return Block(
        patterns=tuple(
            Pattern(**{"who": who, **pattern}) for pattern in entry.get("facts", ())
        ),
        **{flag: entry[flag] for flag in _FLAGS if flag in entry},
    )


def _examples(entries: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[str]]:
    return {
        sentence: wanted
        for entry in entries
        for sentence, wanted in entry.get("examples", {}).items()
    }


def _read_file(path: Path) -> Mapping[str, Any]:
    try:
        with path.open(encoding="utf-8") as file:
            data = yaml.load(file, Loader=_LOADER)  # noqa: S506 -- a safe loader
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise SentenceFileError(f"{path.name}: {error}") from error
    if not isinstance(data, dict):
        raise SentenceFileError(f"{path.name}: the file is no mapping")
    return data


def _merge(target: dict[str, Any], source: Mapping[str, Any], name: str) -> None:
    for key, value in source.items():
        present = target.get(key)
        if present is None:
            target[key] = value.copy() if isinstance(value, dict | list) else value
        elif isinstance(present, dict) and isinstance(value, dict):
            present.update(value)
        elif isinstance(present, list) and isinstance(value, list):
            present.extend(value)
        else:
            raise SentenceFileError(f"{name}: {key!r} has the wrong shape")
