"""Recognise what tells a machine to open the house up, or to drop its rules.

Such a text is no fact about anybody, and a model that is told it might obey. Every
language's words are tried on every text, since an injected one need not be in the
language of the turn. What somebody does themselves ("I open the gate at eight") is a
statement. Other wishes ("lights low at night") are kept as what they are: notes.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
import re
from typing import Final, cast

import yaml

from ..extraction.language import Words, compile_words
from ..extraction.text import is_cjk, normalize

_SENTENCE: Final = re.compile(r"(?:[^.!?;\n。！？；]|[.!?;](?=\S))+")
_WORD: Final = re.compile(r"\w+")
_REACH: Final = 25
"""Letters between the two parts: "unlock the old front door"."""
_REACH_CJK: Final = 8
# The marks with which models tell a prompt's parts from one another.
_CONTROL: Final = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
    r"|</?(?:tool_call|tool_response)>",
    re.IGNORECASE,
)
_PAIRS: Final = (("opens", "entrances"), ("disarms", "guards"), ("overrides", "rules"))
_STEM: Final = 4


@dataclass(frozen=True, slots=True)
class _Language:
    pairs: tuple[tuple[Words, Words], ...]
    alone: Words
    subject: re.Pattern[str]
    """A subject right before what follows."""


@dataclass(frozen=True, slots=True)
class _Known:
    languages: tuple[_Language, ...]
    stems: frozenset[str]
    """The beginnings of words that such a text has: a cheap look before the rest."""
    characters: tuple[str, ...]
    """The same in Chinese and Japanese."""

    def may_be_in(self, plain: str) -> bool:
        stems = (word[:_STEM] for word in _WORD.findall(plain))
        return not self.stems.isdisjoint(stems) or any(
            character in plain for character in self.characters
        )


def load() -> None:
    """Read the words, so that nothing later waits for a file."""
    _known()


@lru_cache(maxsize=1024)
def is_instruction(text: str) -> bool:
    """Return whether a text tells a machine what no fact may tell it."""
    if _CONTROL.search(text):
        return True
    plain, known = normalize(text), _known()
    if not known.may_be_in(plain):
        return False
    return any(
        _tells(sentence, language)
        for sentence in _SENTENCE.findall(plain)
        for language in known.languages
    )


def _tells(sentence: str, language: _Language) -> bool:
    if language.alone.search(sentence):
        return True
    return any(
        _are_near(verb, thing, sentence)
        for verbs, things in language.pairs
        for verb in _orders(verbs, sentence, language)
        for thing in things.finditer(sentence)
    )


def _orders(
    verbs: Words, sentence: str, language: _Language
) -> Iterator[re.Match[str]]:
    for verb in verbs.finditer(sentence):
        if not language.subject.search(sentence[: verb.start()]):
            yield verb


def _are_near(verb: re.Match[str], thing: re.Match[str], sentence: str) -> bool:
    reach = _REACH_CJK if is_cjk(sentence) else _REACH
    return max(verb.start() - thing.end(), thing.start() - verb.end()) <= reach


@cache
def _known() -> _Known:
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    file = Path(__file__).parent / "words.yaml"
    documents = cast(
        "Mapping[str, Mapping[str, Sequence[str]]]",
        yaml.load(file.read_text("utf-8"), loader),  # noqa: S506  only text
    )
    telling = [
        entry
        for lists in documents.values()
        for name in ("entrances", "guards", "rules", "alone")
        for entry in lists[name]
    ]
    return _Known(
        languages=tuple(_language(lists) for lists in documents.values()),
        stems=frozenset(
            max(_WORD.findall(entry), key=len)[:_STEM]
            for entry in telling
            if not is_cjk(entry)
        ),
        characters=tuple(entry for entry in telling if is_cjk(entry)),
    )


def _language(lists: Mapping[str, Sequence[str]]) -> _Language:
    subjects = "|".join(re.escape(subject) for subject in lists.get("subjects", ()))
    return _Language(
        pairs=tuple(
            (compile_words(lists[verbs]), compile_words(lists[things]))
            for verbs, things in _PAIRS
        ),
        alone=compile_words(lists["alone"]),
        subject=re.compile(rf"(?<!\w)(?:{subjects})\s*$" if subjects else r"(?!)"),
    )
