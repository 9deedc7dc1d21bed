"""What people say to memory itself: "remember that …", "forget …", "undo that".

Templates and word lists are data (``sentences/commands``), one file per language. A
text that no template fits in full is no command: what the house or a model should
answer passes through untouched.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
import re
from typing import Any, override

from hassil import RecognizeResult

from .language_files import LanguageFiles
from .sentences import compiling, read_file
from .templates import TemplateParser, TemplateSet, place_of
from .unspaced import Lexicon, ends_of_letters, is_unspaced
from .words import Phrases, WordLists, straight

_EDGES = " \t\n,.!?;:…\"“”„'-–—«»¿¡\u3000，。！？；：、「」『』"
_BLANK_MARKS = str.maketrans(dict.fromkeys("，、：；。！？,:;!?「」『』", " "))
_SENTENCE_END = re.compile(r"[.!?;…]+\s+(?=\S)|[。！？；]+(?=\S)|\n+(?=\S)")

# French writes a space before these marks, which the matcher counts as none.
_SPACED_MARK = re.compile(r"\s+(?=[:;?!](?:\s|$))")

_SHIPPED = Path(__file__).parents[1] / "sentences" / "commands"


class Act(StrEnum):
    """What a command asks memory to do."""

    REMEMBER = "remember"
    KNOW = "know"
    KNOW_NAMED = "know_named"
    KNOW_ME = "know_me"
    KNOW_HOME = "know_home"
    FORGET = "forget"
    FORGET_ALL = "forget_all"
    FORGET_LAST = "forget_last"
    FORGET_TOLD = "forget_told"
    UNDO = "undo"
    CORRECT = "correct"
    RENAME = "rename"
    WRONG = "wrong"
    OFF_RECORD = "off_record"
    OFF_RECORD_NEXT = "off_record_next"
    NOTHING = "nothing"
    """Sounds like a command to memory and is none: "forget it"."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person wants of memory, and the words that say of what."""

    act: Act
    words: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """An answer to "which one?"; the words where it names one by itself."""

    takes_all: bool = False
    takes_none: bool = False
    confirms: bool = False
    numbers: tuple[int, ...] = ()
    """From 1 on; -1 is the last."""
    words: str = ""


@dataclass(frozen=True, slots=True)
class _Meaning:
    act: Act
    several: bool
    """May be more than one sentence."""
    apart: str
    """One of these marks must part the words in braces from the rest."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Slot:
    max_words: int
    max_letters: int
    """For scripts that write no spaces."""
    capital: bool
    asked: bool
    """May stand in a question."""
    refuse: Phrases
    refuse_start: Phrases
    must_have: Phrases | None

    def accepts(self, text: str) -> bool:
        words = text.split()
        if not words or len(words) > self.max_words:
            return False
        if is_unspaced(text) and len(ends_of_letters(text)) > self.max_letters:
            return False
        if self.capital and not words[0][0].isupper():
            return False
        if self.refuse.found_in(text) or self.refuse_start.start(text):
            return False
        return self.must_have is None or self.must_have.found_in(text)


class CommandLanguage:
    """The commands and answers of one language."""

    def __init__(self, code: str, data: Mapping[str, Any]) -> None:
        self.code = code
        self.replies: Mapping[str, str] = data["replies"]
        self.stop_words = frozenset(map(str, data["stop_words"]))
        self.copulas: Sequence[str] = data["copulas"]
        self.spaced: bool = data.get("spaced", True)
        self.must_not: Sequence[str] = data["must_not"]
        self.examples = {
            sentence: Command(Act(entry["does"]), words)
            for entry in data["commands"]
            for sentence, words in entry["examples"].items()
        }
        self._leads = Phrases(data["leads"])
        self._tails = Phrases(data["tails"])
        self._mirror: Mapping[str, str] = data["mirror"]
        self._lower = Phrases(data["lower"])
        self._slots = {name: _slot(rules) for name, rules in data["slots"].items()}
        choices = data["choices"]
        self._all, self._none, self._confirm, self._fillers = (
            Phrases(choices[name]) for name in ("all", "none", "confirm", "fillers")
        )
        self._numbers: Mapping[str, int] = choices["numbers"]
        self._choosing = Lexicon((*self._numbers, *choices["fillers"]))
        self._mirrored = Lexicon(self._mirror)
        parser = TemplateParser(
            code,
            {name: {"wildcard": True} for name in self._slots},
            {},
            spaced=self.spaced,
        )
        self._templates = TemplateSet(parser, list(_entries(data["commands"])))

    def match(self, text: str) -> Command | None:
        """Return the command that the whole text is, None for all else."""
        bare = self._bare(text)
        asks = text.rstrip().endswith(("?", "？"))
        best: tuple[int, Command] | None = None
        for meaning, result in self._templates.find(self._plain(bare)):
            words = self._words(bare, meaning, result, asks=asks)
            literal = result.text_chunks_matched
            if words is not None and (best is None or literal > best[0]):
                best = (literal, Command(meaning.act, words))
        return None if best is None else best[1]

    def choice(self, text: str) -> Choice:
        """Read the answer to "which one?"."""
        bare = straight(text.strip(_EDGES))
        whole = bare if self.spaced else "".join(self._plain(bare).split())
        if self._all.equal(whole):
            return Choice(takes_all=True)
        if self._none.equal(whole):
            return Choice(takes_none=True)
        if self._confirm.equal(whole):
            return Choice(confirms=True)
        parts = bare.split() if self.spaced else self._choosing.cut(bare)
        words = [word for part in parts if (word := part.strip(_EDGES))]
        # "The first one": here "one" is no number.
        telling = [word for word in words if not self._fillers.equal(word)] or words
        numbers = [self._numbers.get(word.lower()) for word in telling]
        if telling and None not in numbers:
            return Choice(numbers=tuple(number for number in numbers if number))
        return Choice(words=" ".join(telling))

    def mirrored(self, words: str) -> str:
        """Return a person's words as somebody else says them: "my dog", "your dog"."""
        words = straight(words)
        if not self.spaced:
            parts = self._mirrored.cut(words)
            return "".join(self._mirror.get(part, part) for part in parts)
        return " ".join(self._mirror.get(w.lower(), w) for w in words.split())

    def within(self, sentence: str) -> str:
        """Return a sentence as part of another one."""
        sentence = sentence.rstrip(".。")
        if self._lower.start(sentence):
            return sentence[0].lower() + sentence[1:]
        return sentence

    def _bare(self, text: str) -> str:
        """Take off what people say before and after."""
        text = _SPACED_MARK.sub("", text).strip(_EDGES)
        while (length := self._leads.start(text)) and length < len(text):
            text = text[length:].lstrip(_EDGES)
        while 0 < (end := self._tails.end(text)) < len(text):
            text = text[:end].rstrip(_EDGES)
        return text

    def _plain(self, text: str) -> str:
        """Return the text with blanks for the marks that hassil takes for letters."""
        return text if self.spaced else text.translate(_BLANK_MARKS)

    def _words(
        self, text: str, meaning: _Meaning, result: RecognizeResult, *, asks: bool
    ) -> str | None:
        """Return the words of a match's slot, None where the match does not hold."""
        if not meaning.several and _SENTENCE_END.search(text):
            return None
        words = ""
        for entity in result.entities_list:
            if entity.text_span is None:
                return None
            start, end = place_of(entity, entity.text_span, self._plain(text))
            words = text[start:end].strip(_EDGES)
            rules = self._slots[entity.name]
            if not rules.accepts(words) or (asks and not rules.asked):
                return None
            if not _stand_apart(text[:start], text[end:], meaning.apart):
                return None
        return words


class Commands(LanguageFiles[CommandLanguage]):
    """The commands of all languages."""

    @override
    def read(self, code: str, paths: Sequence[Path]) -> CommandLanguage:
        (path,) = paths
        with compiling(path.name):
            language = CommandLanguage(code, read_file(path))
            for example in language.examples:
                # The first match of each template is the slow one.
                language.match(example)
        return language


def _entries(commands: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, _Meaning]]:
    for entry in commands:
        meaning = _Meaning(
            Act(entry["does"]), entry.get("several", False), entry.get("apart", "")
        )
        for template in entry["sentences"]:
            yield template, meaning


def _slot(rules: Mapping[str, Any]) -> _Slot:
    lists = WordLists(_lists(rules))
    return _Slot(
        max_words=rules.get("max_words", 1000),
        max_letters=rules.get("max_letters", 1000),
        capital=rules.get("capital", False),
        asked=rules.get("asked", True),
        refuse=lists["refuse"],
        refuse_start=lists["refuse_start"],
        must_have=lists["must_have"] if "must_have" in rules else None,
    )


def _lists(rules: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    return {name: entry for name, entry in rules.items() if isinstance(entry, list)}


def _stand_apart(before: str, after: str, marks: str) -> bool:
    before, after = before.rstrip(), after.lstrip()
    return not marks or (
        (not before or before[-1] in marks) and (not after or after[0] in marks)
    )


@cache
def shipped_commands() -> Commands:
    """Return what CAESAR ships; blocking the first time.

    The files change only with an update, which needs a restart.
    """
    return Commands.load(_SHIPPED)
