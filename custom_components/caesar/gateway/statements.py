"""What a person stated about themselves, read by sentence files alone.

Precision first: a sentence is cut into clauses, and a clause that no template fits in
full teaches nothing. Questions, hypotheticals, quotations, hearsay, moods of the moment
and secrets are refused before any template is tried.
"""

from dataclasses import dataclass, field, replace

from .clauses import Clause, Sentence, Span, clauses, sentences
from .sentences import Language, Match, Pattern, SlotRules

MAX_VALUE = 120
"""Characters; what is longer is a story, not a value."""
_MAX_CONTINUATION = 5
_MAX_NAME = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One fact as it was said; start and end are its value's place in the text."""

    who: str
    what: str
    value: str
    topic: str = ""
    ended: bool = False
    start: int = 0
    end: int = 0


@dataclass(kw_only=True, slots=True)
class Reading:
    """What reading a text gave."""

    statements: list[Statement] = field(default_factory=list)
    complete: bool = True
    """Everything that was said is a statement or an empty phrase around one."""
    secret: bool = False
    asks: bool = False


@dataclass(kw_only=True, slots=True)
class _Trail:
    """What the previous clause leaves to the next one."""

    subject: str = ""
    """The person or pet spoken of last, whom "she" or "it" means."""
    last: list[Statement] = field(default_factory=list)
    rules: SlotRules | None = None
    carry: str = ""


class StatementReader:
    """Reads statements in one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._words = language.words

    def read(self, text: str) -> Reading:
        """Return what the person stated; nothing where in doubt."""
        reading = Reading()
        reading.asks = any(s.asks for s in sentences(text, self._words))
        if self._refuses_all(text):
            reading.complete = False
            return reading
        trail = _Trail()
        capitals = self._has_capitals(text)
        for sentence in sentences(text, self._words):
            if self._refuses(sentence, reading):
                reading.complete = False
                trail = _Trail(subject=trail.subject)
                continue
            self._read_sentence(sentence.span, reading, trail, capitals=capitals)
        return reading

    def _refuses_all(self, text: str) -> bool:
        return any(
            self._words[name].found_in(text) for name in ("pretend", "irony", "quoting")
        )

    def _refuses(self, sentence: Sentence, reading: Reading) -> bool:
        text = sentence.span.text
        if self._words["secret"].found_in(text):
            reading.secret = True
            return True
        bare = self._without_leads(sentence.span.stripped())
        if sentence.asks or self._words["question_start"].start(bare.text):
            reading.asks = True
            return True
        return any(self._words[name].found_in(text) for name in ("unsure", "reported"))

    def _read_sentence(
        self, sentence: Span, reading: Reading, trail: _Trail, *, capitals: bool
    ) -> None:
        before = len(reading.statements)
        sentence = sentence.stripped()
        remembered = self._words["remember"].start(self._without_leads(sentence).text)
        parts = self._joined_names(clauses(sentence, self._words), sentence)
        complete = True
        for number, clause in enumerate(parts):
            if self._words["conditional"].found_in(
                clause.joiner + " " + clause.span.text
            ):
                complete = False
                break
            span = self._bare(clause.span, first=number == 0)
            if not span.text:
                continue
            if not self._read_clause(span, clause, reading, trail, capitals=capitals):
                complete = False
                trail.last, trail.rules = [], None
        if remembered and len(reading.statements) == before:
            complete = self._note(sentence, reading)
        reading.complete = reading.complete and complete

    def _read_clause(
        self,
        span: Span,
        clause: Clause,
        reading: Reading,
        trail: _Trail,
        *,
        capitals: bool,
    ) -> bool:
        if self._words["transient"].found_in(span.text):
            return False
        for lead in ("", trail.carry):
            if lead == "" or clause.joiner:
                found = self._state(span, lead, trail, capitals=capitals)
                if found:
                    reading.statements += found
                    return True
        return self._continue(span, clause, reading, trail)

    def _state(
        self, span: Span, lead: str, trail: _Trail, *, capitals: bool
    ) -> list[Statement]:
        text = f"{lead} {span.text}" if lead else span.text
        shift = span.start - (len(text) - len(span.text))
        for match in self._language.matches("statements", text, capitals=capitals):
            whole = Span(text=text, start=shift)
            found = [
                self._statement(pattern, match, whole, trail)
                for pattern in match.block.patterns
            ]
            stated = [s for s in found if s is not None and s.value]
            if not stated or len(stated) < len(found):
                continue
            stated = [*self._names(match, shift), *stated]
            self._leave_trail(match, stated, trail)
            return stated
        return []

    def _statement(
        self, pattern: Pattern, match: Match, whole: Span, trail: _Trail
    ) -> Statement | None:
        slots = match.slots
        who = pattern.who
        if not who:
            who = slots["who"].value if "who" in slots else "me"
        if who == "previous":
            who = trail.subject
        if not who:
            return None
        topic = slots[pattern.topic].value if pattern.topic in slots else pattern.topic
        if pattern.value == "clause":
            span = whole.stripped()
        else:
            slot = slots.get(pattern.value)
            if slot is None:
                return None
            span = whole.cut(slot.start, slot.end).stripped()
        return Statement(
            who=who,
            what=pattern.what,
            value=span.text,
            topic=topic,
            ended=pattern.ended,
            start=span.start,
            end=span.start + len(span.text),
        )

    def _names(self, match: Match, shift: int) -> list[Statement]:
        """Return the name in "my sister Anna lives …" as a statement of its own."""
        slots = match.slots
        if "who" not in slots or "named" not in slots:
            return []
        named = slots["named"]
        return [
            Statement(
                who=slots["who"].value,
                what="name",
                value=named.text,
                start=named.start + shift,
                end=named.end + shift,
            )
        ]

    def _leave_trail(
        self, match: Match, stated: list[Statement], trail: _Trail
    ) -> None:
        who = stated[-1].who
        if who not in ("me", "home"):
            trail.subject = who
        carry = self._language.carry
        trail.carry = carry.get("me" if who == "me" else "other", "")
        trail.last = stated[-1:]
        last = match.block.patterns[-1]
        trail.rules = self._language.rules_of(last.value)

    def _continue(
        self, span: Span, clause: Clause, reading: Reading, trail: _Trail
    ) -> bool:
        """Take "… and shellfish" as one more value, or as more of the same value."""
        if not trail.last or trail.rules is None or not trail.rules.continued:
            return False
        if not self._words["list_joiners"].equal(clause.joiner or "?"):
            return False
        words = span.text.split()
        if len(words) > _MAX_CONTINUATION or self._words["no_noun"].found_in(span.text):
            return False
        last = trail.last[-1]
        end = span.start + len(span.text)
        if trail.rules.continued == "list":
            added = replace(last, value=span.text, start=span.start, end=end)
            reading.statements.append(added)
            trail.last = [added]
            return True
        return False

    def _note(self, sentence: Span, reading: Reading) -> bool:
        span = self._without_leads(sentence)
        start = self._words["remember"].start(span.text)
        span = self._bare(span.cut(start, len(span.text)), first=True)
        words = self._words
        if (
            not span.text
            or len(span.text) > MAX_VALUE
            or words["never_a_note"].start(span.text)
            or words["question_start"].start(span.text)
        ):
            return False
        end = span.start + len(span.text)
        reading.statements.append(
            Statement(who="me", what="note", value=span.text, start=span.start, end=end)
        )
        return True

    def _joined_names(self, parts: list[Clause], sentence: Span) -> list[Clause]:
        """Undo the cuts in "my sister, Anna, lives …"."""
        for number, part in enumerate(parts[:-1]):
            name = parts[number + 1]
            if (
                name.joiner != ","
                or len(name.span.text.split()) > _MAX_NAME
                or not name.span.text[0].isupper()
                or not self._language.matches(
                    "subjects", self._bare(part.span, first=True).text, capitals=True
                )
            ):
                continue
            last = parts[number + 2] if len(parts) > number + 2 else name
            left = part.span.start - sentence.start
            right = last.span.start + len(last.span.text) - sentence.start
            text = sentence.text[left:right].replace(",", " ")
            joined = Clause(
                span=Span(text=text, start=part.span.start), joiner=part.joiner
            )
            rest = number + (3 if last is not name else 2)
            return [*parts[:number], joined, *parts[rest:]]
        return parts

    def _bare(self, span: Span, *, first: bool) -> Span:
        span = self._without_leads(span)
        if first:
            span = self._without_leads(
                span.cut(self._words["remember"].start(span.text), len(span.text))
            )
        return self._without_tails(span)

    def _without_leads(self, span: Span) -> Span:
        while length := self._words["leads"].start(span.text):
            span = span.cut(length, len(span.text))
        return span

    def _without_tails(self, span: Span) -> Span:
        while (end := self._words["tails"].end(span.text)) < len(span.text):
            span = span.cut(0, end)
        return span.stripped()

    def _has_capitals(self, text: str) -> bool:
        """Return whether capitals mean something in what the person typed."""
        words = text.split()[1:]
        return any(
            word[0].isupper() and not self._words["always_capital"].equal(word)
            for word in words
        )
