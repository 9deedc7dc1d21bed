"""What learning knows about a language: its word lists, compiled once.

The lists are data (``memory/languages``). A language without a file, or a list that a
file leaves out, knows nothing and stops nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
import re
from typing import cast

from ..languages import Document, documents
from .text import fold, is_cjk, words

type Words = re.Pattern[str]

_NOTHING = re.compile(r"(?!)")
_UP_TO_THREE_WORDS = r"\S+(?: \S+){0,2}"
_UP_TO_EIGHT_LETTERS = r".{1,8}?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """One language's lists, each a pattern over normalized text."""

    code: str
    first_person: Words = _NOTHING
    subject: Words = _NOTHING
    possessive: Words = _NOTHING
    """What makes "my" of "I", where nothing parts the words."""
    leads: Words = _NOTHING
    question: Words = _NOTHING
    question_anywhere: Words = _NOTHING
    question_particle: Words = _NOTHING
    """What makes a question of the statement before it."""
    not_question: Words = _NOTHING
    order: Words = _NOTHING
    order_anywhere: Words = _NOTHING
    memory: Words = _NOTHING
    duration: Words = _NOTHING
    durable: Words = _NOTHING
    pretend: Words = _NOTHING
    conditional: Words = _NOTHING
    aside: Words = _NOTHING
    noise: Words = _NOTHING
    """What a speech engine writes where nobody speaks."""
    quote: Words = _NOTHING
    reported: Words = _NOTHING
    assistant: Words = _NOTHING
    unsure: Words = _NOTHING
    transient: Words = _NOTHING
    statement: Words = _NOTHING
    subordinate: Words = _NOTHING
    standing: Words = _NOTHING
    reasons: Words = _NOTHING
    splitters: Words = _NOTHING
    ended: Words = _NOTHING
    forget: Words = _NOTHING
    not_forget: Words = _NOTHING
    changed: Words = _NOTHING
    correction: Words = _NOTHING
    also: Words = _NOTHING
    contrast: Words = _NOTHING
    repair: Words = _NOTHING
    """Words with which somebody takes back the word before them."""
    confirmation: Words = _NOTHING
    """What says no more than that the other was right."""
    noted: Words = _NOTHING
    """Words with which an assistant says that it keeps something."""
    negation: Words = _NOTHING
    own_name: Words = _NOTHING
    third_person: Words = _NOTHING
    anaphor: Words = _NOTHING
    """Words for a thing or a place that was named before."""
    refers_back: Words = _NOTHING
    """Words that speak on of somebody who was named before."""
    allergy: Words = _NOTHING
    dislike: Words = _NOTHING
    like: Words = _NOTHING
    favourite: Words = _NOTHING
    date_words: Words = _NOTHING
    before_value: Words = _NOTHING
    """Words that may touch a value and are no part of it, where none stand apart."""
    naming: Words = _NOTHING
    """Words right before a name, which then needs no capital letter."""
    topics: tuple[Words, ...] = ()
    names: tuple[Words, ...] = ()
    """Phrases over the text as written, with groups ``value`` and mostly ``who``."""
    renames: tuple[Words, ...] = ()
    """Phrases over the text as written, with groups ``value`` and ``old``."""
    own_view: Mapping[str, str] = field(default_factory=dict)
    """Folded words said to a person, as that person says them: "your" to "my"."""
    topic_words: Mapping[str, str] = field(default_factory=dict)
    """A topic's word to the English one of the key."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Folded number words; ordinals too."""
    not_content: frozenset[str] = frozenset()
    """Folded words that carry no content."""
    not_a_name: frozenset[str] = frozenset()
    who: Mapping[str, str] = field(default_factory=dict)
    """Folded word to the *who* it names: ``puppy`` to ``dog``."""
    what: Mapping[str, str] = field(default_factory=dict)
    has_data: bool = False
    marks_person: bool = False
    """Whether a statement about oneself shows it by a word of its own."""
    must_pass: tuple[str, ...] = ()
    must_skip: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def whos(self, text: str) -> list[str]:
        """Return each *who* that the words of a text name."""
        return _named(text, self.who)

    def whats(self, text: str) -> list[str]:
        """Return each *what* that the words of a text name."""
        return _named(text, self.what)


_PATTERNS = tuple(
    name for name, kind in Language.__annotations__.items() if kind is Words
)


@cache
def load() -> Mapping[str, Language]:
    """Return all languages by code.

    Reads files on the first call, so make that one off the event loop.
    """
    return {code: _language(code, data) for code, data in documents().items()}


def find(code: str) -> Language:
    """Return the language of a code such as ``en-GB``; an empty one where unknown."""
    base = code.lower().replace("_", "-").partition("-")[0]
    return load().get(base) or Language(code=base)


def compile_words(entries: Sequence[str]) -> Words:
    """Return one pattern for the entries of a list; the longest match wins."""
    if not entries:
        return _NOTHING
    ordered = sorted(entries, key=len, reverse=True)
    return re.compile("|".join(_entry(entry) for entry in ordered))


def _entry(entry: str) -> str:
    if is_cjk(entry):
        return re.escape(entry).replace("_", _UP_TO_EIGHT_LETTERS)
    stem = entry.removesuffix("*")
    body = re.escape(stem).replace("_", _UP_TO_THREE_WORDS)
    start = r"(?<!\w)" if stem[0].isalnum() else ""
    if stem != entry:
        return rf"{start}{body}\w*"
    if stem.endswith("'"):
        return start + body
    # "can" must not be found in "can't", but "name" may be in "name's".
    return rf"{start}{body}(?!\w|'(?!s\b)\w)"


def _language(code: str, data: Document) -> Language:
    lists = {name: compile_words(_strings(data.get(name))) for name in _PATTERNS}
    return Language(
        code=code,
        topics=_phrases(data.get("topics")),
        names=_phrases(data.get("names")),
        renames=_phrases(data.get("renames")),
        own_view=cast("dict[str, str]", data.get("own_view", {})),
        topic_words=cast("dict[str, str]", data.get("topic_words", {})),
        numbers={
            fold(word): int(number)
            for word, number in cast("dict[str, str]", data.get("numbers", {})).items()
        },
        not_content=frozenset(_folded(data.get("not_content"))),
        not_a_name=frozenset(_folded(data.get("not_a_name"))),
        who=_inverted(data.get("who")),
        what=_inverted(data.get("what")),
        has_data=True,
        marks_person="first_person" in data,
        must_pass=_strings(data.get("must_pass")),
        must_skip=cast("dict[str, list[str]]", data.get("must_skip", {})),
        **lists,
    )


def _named(text: str, table: Mapping[str, str]) -> list[str]:
    found = [table[word] for word in words(text) if word in table and not is_cjk(word)]
    rest = fold(text)
    # Nothing parts Chinese or Japanese words, and a longer one may hold a shorter.
    for word in sorted(filter(is_cjk, table), key=len, reverse=True):
        if word in rest:
            found.append(table[word])
            rest = rest.replace(word, " ")
    return list(dict.fromkeys(found))


def _strings(value: object) -> tuple[str, ...]:
    return tuple(cast("list[str]", value or ()))


def _phrases(value: object) -> tuple[Words, ...]:
    return tuple(re.compile(phrase) for phrase in _strings(value))


def _folded(value: object) -> list[str]:
    return [word for entry in _strings(value) for word in words(entry)]


def _inverted(value: object) -> dict[str, str]:
    table = cast("dict[str, list[str]]", value or {})
    return {fold(word): slot for slot, entries in table.items() for word in entries}
