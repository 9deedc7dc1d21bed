"""One utterance, asked for its markers: also, changed, corrected, and which clause."""

from dataclasses import dataclass
import re
from typing import Self

from ..models import Fact
from .clauses import split_clauses
from .grounding import support
from .language import Language
from .text import normalize, same_value, sentences


@dataclass(frozen=True, slots=True)
class Speech:
    """What a person said, with the words of its language."""

    text: str
    sentences: tuple[str, ...]
    language: Language

    @classmethod
    def of(cls, text: str, language: Language) -> Self:
        """Return the speech of a text."""
        return cls(text, sentences(text), language)

    def says_also(self, quote: str) -> bool:
        """Return whether a sentence adds to what was told."""
        return self.language.also.search(normalize(quote)) is not None

    def says_changed(self, quote: str) -> bool:
        """Return whether a sentence tells that something is different now."""
        return self.language.changed.search(normalize(quote)) is not None

    def corrects(self, quote: str) -> bool:
        """Return whether a sentence explicitly corrects what was told or typed."""
        return self.language.correction.search(normalize(quote)) is not None

    def clauses(self, quote: str) -> list[str]:
        """Return the normalized clauses of a sentence."""
        return split_clauses(normalize(quote), self.language)

    def clause_about(self, value: str, quote: str) -> str:
        """Return the clause that holds most of a value."""
        return max(
            self.clauses(quote or self.text),
            key=lambda clause: support(value, clause, self.language),
            default=normalize(quote),
        )

    def sentence_with(self, value: str) -> str:
        """Return the sentence that holds most of a value; the first of equals."""
        return max(
            self.sentences,
            key=lambda sentence: support(value, sentence, self.language),
            default=self.text,
        )

    def sentence_about(self, fact: Fact) -> str:
        """Return the sentence that speaks of a stored fact."""
        return max(
            self.sentences,
            key=lambda sentence: support(
                f"{fact.value} {fact.key}", sentence, self.language
            ),
            default=self.text,
        )

    def right_value(self, wrong: str) -> str | None:
        """Return what the person says instead of a wrong value, None if nothing."""
        for phrase in self.language.renames:
            for match in phrase.finditer(self.text):
                if same_value(match["old"], wrong):
                    return match["value"]
        return None

    def as_written(self, clause: str) -> str:
        """Return a normalized clause the way the person wrote it."""
        spelled = re.escape(clause).replace(r"\ ", r"\s+").replace("'", "['’‘ʼ`]")  # noqa: RUF001
        match = re.search(spelled, self.text, re.IGNORECASE)
        return match.group() if match else clause
