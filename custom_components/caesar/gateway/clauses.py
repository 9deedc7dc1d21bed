"""Cutting what a person said into sentences and clauses, with their places kept."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
import re

from .unspaced import SIGNS
from .words import WordLists

# An inverted question mark opens a sentence wherever it stands, if more follows than
# the one or two words that only ask back.
# Beside a Chinese or Japanese letter a mark of either script ends, with no space.
_SENTENCE_END = re.compile(
    r"[.!?;…]+(?=\s|$)|\n+|(?=\u00bf\s*[^\s?]+(?:\s+[^\s?]+){2})"
    rf"|[。！？；]+|(?<=[{SIGNS}])[.!?;]+"
)
_BREAK = re.compile(
    r",(?=\s)|(?<=\s)[-\u2013\u2014]+(?=\s)|:(?=\s)|\u2014"
    rf"|[，：]|(?<=[{SIGNS}])[,:](?!\d)"
)
_EDGES = (
    ' \t\n,.!?;:\u2026-\u2013\u2014"\u201c\u201d\u00ab\u00bb\u00bf\u00a1\xa0\u202f'
    "\u3000，。！？；：、「」『』"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A piece of the text and where it begins."""

    text: str
    start: int

    def cut(self, start: int, end: int) -> Span:
        """Return a part of the piece."""
        return Span(text=self.text[start:end], start=self.start + start)

    def stripped(self) -> Span:
        """Return the piece without blanks and punctuation at both ends."""
        left = len(self.text) - len(self.text.lstrip(_EDGES))
        right = len(self.text.rstrip(_EDGES))
        return self.cut(left, max(left, right))


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """One sentence; whether it asks is told by its mark alone."""

    span: Span
    asks: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """A piece of a sentence and what joins it to the piece before."""

    span: Span
    joiner: str


def sentences(text: str, words: WordLists) -> Iterator[Sentence]:
    """Cut the text at its full stops, question marks and line ends."""
    abbreviations = words["abbreviations"]
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        if mark.group() == "." and abbreviations.end(text[start : mark.start()]) < (
            mark.start() - start
        ):
            continue
        if text[start : mark.start()].strip():
            yield Sentence(
                span=Span(text=text[start : mark.start()], start=start),
                asks="?" in mark.group() or "？" in mark.group(),
            )
        start = mark.end()
    if text[start:].strip():
        yield Sentence(span=Span(text=text[start:], start=start), asks=False)


def clauses(sentence: Span, words: WordLists) -> list[Clause]:
    """Cut a sentence at commas, dashes and joining words.

    Closing words still belong to what is before the cut, opening words to what follows.
    When something happens ("On Mondays, …", "When I sleep, …") belongs to what it
    stands before.
    """
    kept = words["kept_together"].spans(sentence.text)
    parted = _Parted(sentence, words)
    cuts = [match.span() for match in _BREAK.finditer(sentence.text)]
    cuts += words["joiners"].spans(sentence.text)
    cuts += [(end, end) for _, end in words["closers"].spans(sentence.text)]
    cuts += [(left, left) for left, _ in words["openers"].spans(sentence.text)]
    found: list[Clause] = []
    start, joiner = 0, ""
    for left, right in sorted(cuts):
        if left < start or _inside(left, kept) or parted.not_at(start, left, right):
            continue
        found += _clause(sentence, start, left, joiner)
        if found and found[-1].span.start >= sentence.start + start:
            joiner = ""
        joiner = f"{joiner} {sentence.text[left:right]}".strip().lower()
        start = right
    found += _clause(sentence, start, len(sentence.text), joiner)
    return found


class _Parted:
    """Tells where a comma parts nothing."""

    def __init__(self, sentence: Span, words: WordLists) -> None:
        self._sentence = sentence
        self._fronted, self._opening = words["fronted"], words["fronted_start"]
        self._trailing = words["trailing"]

    def not_at(self, start: int, left: int, right: int) -> bool:
        """Return whether what is between start and left goes on after the comma."""
        before = self._sentence.cut(start, left).stripped().text
        if self._fronted.equal(before):
            return True
        if not before:
            return bool(self._opening.start(self._sentence.text[left:]))
        if self._sentence.text[left : left + 1] != ",":
            return False
        after = self._sentence.cut(right, len(self._sentence.text)).stripped().text
        return self._trailing.equal(after) or bool(self._opening.start(before))


def _clause(sentence: Span, start: int, end: int, joiner: str) -> list[Clause]:
    span = sentence.cut(start, end).stripped()
    return [Clause(span=span, joiner=joiner)] if span.text else []


def _inside(position: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(left < position < right for left, right in spans)
