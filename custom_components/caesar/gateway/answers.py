"""Answers from what was told: by question templates, else by shared words.

Nothing is made up: an answer is made of the facts' own sentences and the replies of the
sentence file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
import re

from .base import KnownFact
from .clauses import Span, sentences
from .language import Language
from .overlap import WordOverlap
from .patterns import Block, Match, slot_key

_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_MAX_LISTED = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What to say, and whether the house should be asked first."""

    text: str
    certain: bool = True


class Answerer:
    """Answers questions in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._words = language.words
        self._overlap = WordOverlap(language)

    def answer(
        self, text: str, known: Sequence[KnownFact], *, remembers: bool
    ) -> Answer | None:
        """Return the answer to a question about what was told; None for others."""
        asked = self._bare(text)
        for match in self._matches(text, asked):
            found = self._by_template(match, asked, known, remembers=remembers)
            if found is not None:
                return found
        if not self._asks(text, asked):
            return None
        best = self._overlap.best(asked, known)
        return Answer(text=self._told(best), certain=False) if best else None

    def keys(self, text: str) -> tuple[str, ...]:
        """Return the keys, or patterns of keys, that a question asks for."""
        for match in self._matches(text, self._bare(text)):
            if match.block.known == "who":
                return (f"{_space(match)}*",)
            return ("*",) if match.block.known else question_keys(match)
        return ()

    def _matches(self, text: str, asked: str) -> list[Match]:
        marked = self._is_marked(text)
        return [
            match
            for match in self._language.matches("questions", asked, capitals=False)
            if marked or not match.block.marked
        ]

    def _asks(self, text: str, asked: str) -> bool:
        if self._is_marked(text) or self._words["question_start"].start(asked):
            return True
        if self._words["question_anywhere"].found_in(asked):
            return True
        return len(asked) < len(text.strip(" .!")) and bool(
            self._words["question_leads"].found_in(text)
        )

    def _is_marked(self, text: str) -> bool:
        """Return whether a question mark, or a word in its place, ends the text."""
        if "?" in text or "\uff1f" in text:
            return True
        return self._words["question_end"].end(text) < len(text.rstrip())

    def _by_template(
        self,
        match: Match,
        asked: str,
        known: Sequence[KnownFact],
        *,
        remembers: bool,
    ) -> Answer | None:
        block = match.block
        if block.known:
            return self._everything(match, asked, known)
        keys = question_keys(match)
        found = [fact for fact in known if _fits(fact.key, keys)]
        found = self._overlap.narrowed(asked, found)
        if not found:
            found = self._overlap.complete(asked, known)
        if found:
            return Answer(text=self._told(found))
        if not block.about:
            return None
        return Answer(text=self._unknown(block, match, remembers=remembers))

    def _everything(
        self, match: Match, asked: str, known: Sequence[KnownFact]
    ) -> Answer | None:
        replies = self._language.replies
        who = match.block.known
        if who == "who":
            space = _space(match)
            known = [f for f in known if _NUMBER.sub("", f.key).startswith(space)]
        elif who == "words":
            known = self._overlap.best(asked, known, limit=_MAX_LISTED + 1)
            if not known:
                return None
        if not known:
            about = _about(match.block.about, match) or ""
            return Answer(text=replies["nothing_known"].format(about=about))
        return Answer(text=self._told(known))

    def _told(self, facts: Sequence[KnownFact]) -> str:
        """Return the facts' sentences, no more than can be listened to."""
        told = [fact.sentence for fact in facts[:_MAX_LISTED]]
        if (more := len(facts) - _MAX_LISTED) > 0:
            told.append(self._language.replies["more_known"].format(count=more))
        return (" " if self._language.spaced else "").join(told)

    def _unknown(self, block: Block, match: Match, *, remembers: bool) -> str:
        reply = self._language.replies["unknown" if remembers else "unknown_closed"]
        return reply.format(about=_about(block.about, match))

    def _bare(self, text: str) -> str:
        """Return the question without greetings before and after it."""
        spans = [s.span for s in sentences(text, self._words)]
        span = next((s for s in reversed(spans)), Span(text=text, start=0)).stripped()
        for _ in range(len(span.text)):
            length = self._words["leads"].start(span.text) or self._words[
                "question_leads"
            ].start(span.text)
            if not length:
                break
            span = span.cut(length, len(span.text))
        while (end := self._words["question_tails"].end(span.text)) < len(span.text):
            span = span.cut(0, end)
        return span.stripped().text


def question_keys(match: Match) -> tuple[str, ...]:
    """Return the key patterns that a question asks for; ``*`` stands for any part."""
    keys = []
    for pattern in match.block.patterns:
        who = pattern.who
        if not who:
            who = match.slots["who"].value if "who" in match.slots else "me"
        if pattern.topic == "*":
            keys.append(slot_key(who, pattern.what, "x").removesuffix("x") + "*")
        elif pattern.topic in ("", *match.slots):
            topic = match.slots[pattern.topic].value if pattern.topic else ""
            keys.append(slot_key(who, pattern.what, topic))
    return tuple(keys)


def _space(match: Match) -> str:
    return slot_key(match.slots["who"].value, "")


def _fits(key: str, patterns: Sequence[str]) -> bool:
    plain = _NUMBER.sub("", key)
    return any(
        plain.startswith(pattern[:-1]) if pattern.endswith("*") else plain == pattern
        for pattern in patterns
    )


def _about(about: str, match: Match) -> str:
    # A list's word for the answer, such as "your" for "my", is the slot's value.
    answering = {f"{name}_out": slot.value for name, slot in match.slots.items()}
    spoken = {name: slot.text for name, slot in match.slots.items()}
    told = about.format(**answering, **spoken)
    return told.replace("s's ", "s' ")
