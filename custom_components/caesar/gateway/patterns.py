"""What the entries of a sentence file mean, as values; knows no file and no matcher."""

from collections.abc import Mapping
from dataclasses import dataclass
import re
from typing import Literal

from .unspaced import ends_of_letters
from .words import Phrases

_TOPIC = re.compile(r"[^\w]+")
_OWN_KEYS = {
    "city": "address.city",
    "like": "preference.like",
    "dislike": "preference.dislike",
}


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
    """A kind, or a slot; empty takes the subject's, or the slot ``who``."""
    value: str = ""
    """The slot that holds the value, ``first..last`` for all words from one slot to
    another, or ``clause`` for everything that was said."""
    topic: str = ""
    """The slot that holds the topic; ``*`` asks for any."""
    ended: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """Sentences that mean the same, and what they mean."""

    patterns: tuple[Pattern, ...]
    about: str = ""
    """For questions: the thing asked about, as the reply names it."""
    known: str = ""
    """For questions about all that is known: ``*``, ``who`` or ``words``."""
    marked: bool = False
    """For questions: fits a statement as well, and asks only by its question mark."""
    partial: bool = False
    """Fits more words than it understands, so not everything said was learned."""
    vague: bool = False
    """Fits a whole class of sentences; anything more exact goes before it."""
    opening: bool = False
    """Fits only the first clause of a sentence."""
    joined: bool = False
    """"… and more" belongs to the value of the last fact."""
    then_names: bool = False
    """Names may follow: "two cats, Luna and Milo"."""
    opens: str = ""
    """The slot of which the new value may follow in few words: "we've moved"."""
    after: str = ""
    """Fits only after that: "we're in Bristol now" says nothing by itself."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A grammatical subject that may stand before the templates of a form."""

    say: str
    who: str = ""
    """Whom it means, empty for slot ``who``.

    ``previous`` is who was spoken of last, ``unsaid`` the same or else the speaker: in
    some languages a sentence needs no subject.
    """
    named: bool = False
    """A name may follow: "my sister Anna"."""
    proper: bool = False
    """The name has a capital whatever the text, since any word may follow "our"."""
    ends: str = ""
    """What the name ends with and what is no part of it: "my sister Anna's a nurse"."""
    then: str = ""
    """The word list that must follow, such as the forms of "is"."""


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
    who: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class SlotRules:
    """What the words in a free-text slot must look like."""

    max_words: int = 8
    min_words: int = 1
    max_letters: int = 60
    """For scripts that write no spaces; a word of another script counts as one."""
    capital: Literal["", "spoken", "always"] = ""
    """A name: capitalised where the speaker's text has capitals, or always."""
    refuse: Phrases
    refuse_start: Phrases
    allow_start: Phrases
    """Exceptions from what is refused at the start."""
    must_have: Phrases | None = None
    must_start: Phrases | None = None
    must_end: Phrases | None = None
    only: Phrases | None = None
    """Every word must be one of these."""
    continued: bool = False
    """"… and more" is one more value."""
    listed: bool = False
    """"This and that" within the words are two values."""

    def accept(self, text: str, *, capitals: bool) -> bool:
        """Return whether the words may stand in the slot."""
        words = text.split()
        if not self.min_words <= len(words) <= self.max_words:
            return False
        if len(ends_of_letters(text)) > self.max_letters:
            return False
        if self.capital == "always" and not words[0][0].isupper():
            return False
        if self.capital and capitals and not any(w[0].isupper() for w in words):
            return False
        return not self._is_refused(text) and self._has_what_it_must(text)

    def _is_refused(self, text: str) -> bool:
        if self.refuse.found_in(text):
            return True
        return bool(self.refuse_start.start(text)) and not self.allow_start.start(text)

    def _has_what_it_must(self, text: str) -> bool:
        if self.must_have and not self.must_have.found_in(text):
            return False
        if self.must_start and not self.must_start.start(text):
            return False
        if self.must_end and self.must_end.end(text) == len(text):
            return False
        return not self.only or self.only.make_up(text)
