"""The same clause said more plainly: without empty words, and in its usual order.

"Seit Mai wohnen wir in Ulm" and "wir wohnen in Ulm" are read by one template, as are
"coriander I can't stand" and "I can't stand coriander". Which words may be left out,
and which tell that something was put first, the sentence files say.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
import re

from .clauses import Span
from .reading import Statement
from .unspaced import is_unspaced
from .words import WordLists

_TOLD = ("note", "plan", "routine", "wish")
"""What is kept in the person's own words, so as a whole."""
_MAX_FRONT = 6
"""Words that may stand before the verb where a verb comes second."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Heard:
    """A clause as it is read, and where each of its letters was said."""

    text: str
    places: tuple[int, ...]

    @classmethod
    def of(cls, span: Span) -> Heard:
        """Return a clause as it was said."""
        return cls(span.text, tuple(range(span.start, span.start + len(span.text))))

    def joined(self, *parts: tuple[int, int]) -> Heard:
        """Return some parts of the clause in another order."""
        text = ""
        places: tuple[int, ...] = ()
        for left, right in parts:
            piece = self.text[left:right].strip()
            if not piece:
                continue
            if _is_parted(text, piece):
                text, places = f"{text} ", (*places, places[-1])
            start = left + self.text[left:right].index(piece)
            text += piece
            places += self.places[start : start + len(piece)]
        return Heard(text, places)

    def begins_with(self, other: Heard) -> bool:
        """Return whether both begin with the same letter that was said."""
        return self.places[:1] == other.places[:1]

    def after(self, lead: str) -> Heard:
        """Return the clause with a subject before it that nobody said."""
        if not lead:
            return self
        text = f"{lead} {self.text}"
        added = len(text) - len(self.text)
        return Heard(text, (self.places[0],) * added + self.places)

    def found(self, statement: Statement, said: str) -> Statement | None:
        """Return the statement with the words of its value as they stand in the text.

        None where these were not said one after the other.
        """
        covered = self.places[statement.start : statement.end]
        if statement.what in _TOLD or len(covered) == len(self.text):
            covered = self.places
        start, end = min(covered), max(covered) + 1
        if statement.what not in _TOLD and list(covered) != sorted(covered):
            return None
        return replace(statement, value=said[start:end], start=start, end=end)


class Reordering:
    """The other orders of one language."""

    def __init__(self, words: WordLists) -> None:
        self._words = words

    def others(self, span: Span) -> Iterator[Heard]:
        """Yield the clause as it could have been said as well."""
        whole = Heard.of(span)
        plain = self._without_loose(whole)
        seen = {whole.text}
        for heard in (
            plain,
            *self._verb_last(plain),
            *self._subject_first(whole, 1),
            *self._subject_first(plain, int(plain.begins_with(whole))),
        ):
            if heard.text and heard.text not in seen:
                seen.add(heard.text)
                yield heard

    def _without_loose(self, heard: Heard) -> Heard:
        """Leave out what only says since when, or how much."""
        start, kept = 0, []
        for left, right in self._words["loose"].spans(heard.text):
            kept.append((start, left))
            start = right
        return heard.joined(*kept, (start, len(heard.text)))

    def _verb_last(self, heard: Heard) -> Iterator[Heard]:
        """Turn "coriander I can't stand" round."""
        end = len(heard.text)
        left = self._words["topical"].end(heard.text)
        if 0 < left < end:
            parts = []
            for start, stop in self._words["topic_again"].spans(heard.text[left:]):
                parts.append((left, left + start))
                left += stop
            yield heard.joined(*parts, (left, end), (0, parts[0][0] if parts else left))

    def _subject_first(self, heard: Heard, least: int) -> Iterator[Heard]:
        """Turn "seit Mai wohnen wir …" round, where a verb comes second.

        At least so many words stand before the verb; without any, it would be asked.
        """
        words = [match.span() for match in _WORD.finditer(heard.text)]
        for (left, right), (after, _) in pairwise(words[least : _MAX_FRONT + 2]):
            taken = self._words["inverted"].start(heard.text[after:])
            if not taken:
                continue
            subject, verb = (after, after + taken), (left, right)
            rest = (after + taken, len(heard.text))
            yield heard.joined(subject, verb, (0, left), rest)
            if self._words["adverb"].equal(heard.text[:left]):
                yield heard.joined(subject, verb, rest)
            return


def _is_parted(text: str, piece: str) -> bool:
    if not text or text.endswith("'"):
        return False
    return not (is_unspaced(text[-1]) and is_unspaced(piece[0]))
