"""What is refused before any template is tried, and what is trimmed off a clause."""

from collections.abc import Sequence

from .clauses import Clause, Sentence, Span, clauses
from .words import WordLists

_WHOLE_TEXT = ("pretend", "irony", "quoting", "broadcast", "to_people", "gushing")
_WHOLE_SENTENCE = ("unsure", "reported", "retold")
_BREAKS = (",", "-", "\u2013", "\u2014")


class Guards:
    """The refusals and trimmings of one language, all of them word lists."""

    def __init__(self, words: WordLists) -> None:
        self._words = words

    def refuse_text(self, text: str) -> bool:
        """Return whether nothing in the text is meant as a statement."""
        return any(self._words[name].found_in(text) for name in _WHOLE_TEXT)

    def is_secret(self, sentence: Sentence) -> bool:
        """Return whether the sentence speaks of something never to be kept."""
        return self._words["secret"].found_in(sentence.span.text)

    def before_secret(self, span: Span) -> Span:
        """Return what was said before the clause that a secret begins in."""
        secret = self._words["secret"]
        for part in clauses(span, self._words):
            if secret.found_in(part.span.text):
                return span.cut(0, part.span.start - span.start)
        return span.cut(0, 0) if secret.found_in(span.text) else span

    def asks(self, sentence: Sentence) -> bool:
        """Return whether the sentence is a question, with or without its mark."""
        return sentence.asks or self._opens_question(sentence.span)

    def told(self, parts: Sequence[Clause]) -> list[Clause]:
        """Return the clauses of a question that state something beside it.

        "I'm vegan, what can I cook?" and "What can I cook, I'm vegan?" state the same;
        "My dog is called Rex, right?" states nothing.
        """
        opens = [self._opens_question(part.span) for part in parts]
        if len(parts) > 1 and not any(opens) and not parts[-1].joiner:
            # After a closing word ("… けど、") what is left is asked by its mark alone.
            opens[-1] = True
        if not any(opens) or self._words["tags"].equal(parts[-1].span.text):
            return []
        told: list[Clause] = []
        asking = False
        for opened, part in zip(opens, parts, strict=True):
            asking = opened or (asking and not self._is_aside(part.joiner))
            if not asking:
                told.append(part)
        return told

    def _opens_question(self, span: Span) -> bool:
        bare = self.without_leads(span.stripped())
        if self._words["no_question_start"].start(bare.text):
            return False
        return (
            bool(self._words["question_start"].start(bare.text))
            or self._words["question_anywhere"].found_in(bare.text)
            or self._words["question_end"].end(bare.text) < len(bare.text)
        )

    def _is_aside(self, joiner: str) -> bool:
        return joiner in _BREAKS or self._words["reasons"].equal(joiner)

    def refuse_sentence(self, sentence: Sentence) -> bool:
        """Return whether the sentence is unsure or somebody else's word."""
        text = sentence.span.text
        return any(self._words[name].found_in(text) for name in _WHOLE_SENTENCE)

    def is_conditional(self, text: str) -> bool:
        """Return whether from here on the sentence only says what would be.

        "If I'm asleep, never ring" is no such thing: it shall always be so.
        """
        return self._words["conditional"].found_in(text) and not self._words[
            "standing"
        ].found_in(text)

    def is_transient(self, text: str) -> bool:
        """Return whether the clause speaks of the moment."""
        return self._words["transient"].found_in(text)

    def remembers(self, sentence: Span) -> bool:
        """Return whether the person asks in so many words to remember this."""
        text = self.without_leads(sentence).text
        return bool(self._words["remember"].start(text)) or self._words[
            "remember_end"
        ].end(text) < len(text)

    def forgets(self, sentence: Span) -> bool:
        """Return whether the person asks to forget what follows."""
        return bool(self._words["forget"].start(self.without_leads(sentence).text))

    def is_noteworthy(self, text: str) -> bool:
        """Return whether what follows "remember that" may be kept as it is."""
        return not (
            self._words["never_a_note"].start(text)
            or self._words["question_start"].start(text)
        )

    def depends(self, joiner: str) -> bool:
        """Return whether the clause says more of whom the one before it spoke of."""
        return self._words["dependent"].equal(joiner)

    def is_single(self, text: str) -> bool:
        """Return whether a person or pet is introduced as one: "a dog"."""
        return bool(self._words["single"].start(text))

    def is_more_of_the_same(self, joiner: str, text: str) -> bool:
        """Return whether the clause looks like one more item of a list."""
        return self._words["list_joiners"].equal(joiner) and not self._words[
            "no_item"
        ].found_in(text)

    def as_item(self, span: Span) -> Span:
        """Take off what a language repeats before each item: "aux noix et aux œufs"."""
        return span.cut(self._words["item_leads"].start(span.text), len(span.text))

    def as_correction(self, span: Span) -> Span:
        """Take off what leads to the right value: "no, in Bristol"."""
        return span.cut(self._words["right_leads"].start(span.text), len(span.text))

    def as_name(self, span: Span) -> Span:
        """Return what follows "called" in "a ginger one called Rex"."""
        ends = [end for _, end in self._words["naming"].spans(span.text)]
        return span.cut(ends[-1] if ends else 0, len(span.text)).stripped()

    def repairs(self, span: Span) -> Span | None:
        """Return what is right in "no, I mean Bristol"; None for other clauses."""
        repairs = self._words["repairs"]
        if not repairs.found_in(span.text):
            return None
        start = repairs.start(span.text)
        end = repairs.end(span.text)
        return span.cut(start, max(start, end)).stripped()

    def hesitates(self, span: Span) -> bool:
        """Return whether a better value may follow: "in Derby, well, Nottingham"."""
        return self._words["hesitations"].equal(span.text)

    def speaks_of_others(self, text: str) -> bool:
        """Return whether the text names anybody but the speaker."""
        return self._words["others"].found_in(text)

    def without_leads(self, span: Span) -> Span:
        """Take off the empty words at the start."""
        while length := self._words["leads"].start(span.text):
            span = span.cut(length, len(span.text))
        return span

    def without_tails(self, span: Span) -> Span:
        """Take off the end what only says since when, or that it is by the way."""
        while True:
            end = min(self._words[name].end(span.text) for name in ("tails", "loose"))
            if not 0 < end < len(span.text):
                return span
            span = span.cut(0, end).stripped()

    def bare(self, span: Span, *, opening: bool) -> Span:
        """Take off the empty words at the start, and "remember that".

        Nothing is left of a clause that is all empty words.
        """
        if self._words["fillers"].equal(span.text) or self._words["tails"].equal(
            span.text
        ):
            return span.cut(0, 0)
        span = self.without_leads(span)
        for name in ("remember", "forget") if opening else ("remember",):
            span = span.cut(self._words[name].start(span.text), len(span.text))
        span = self.without_leads(span)
        if self._words["fillers"].equal(self.without_tails(span).text):
            return span.cut(0, 0)
        return span.stripped()
