"""One pass through a text, clause by clause, with what each leaves to the next one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from .clauses import Clause, Span, clauses
from .guards import Guards
from .language import Language
from .patterns import Block, Match, Pattern, SlotRules
from .reading import (
    MAX_VALUE,
    Reading,
    Statement,
    names_of,
    value_of,
    with_value,
)
from .reordering import Heard, Reordering
from .unspaced import cut_at

_MAX_ITEM_WORDS = 5
_MAX_NAME_WORDS = 2


class Walk:
    """One pass through a text, with what each clause leaves to the next one."""

    def __init__(
        self, language: Language, guards: Guards, text: str, reading: Reading
    ) -> None:
        self._language = language
        self._guards = guards
        self._text = text
        self._reading = reading
        self._capitals = _has_capitals(text, language)
        self._subject = ""
        """The person or pet spoken of last, whom "she" or "it" means."""
        self._about = "me"
        """Whom a clause without a subject means; empty where nobody can tell."""
        self._carry = ""
        self._orphaned = False
        """The clause says more of somebody whom nobody understood."""
        self._introduced: dict[str, Statement] = {}
        """What "I have a dog" stated, by who it is."""
        self.needless: list[Statement] = []
        """What a name told after it says better."""
        self._wrong: tuple[Statement, SlotRules | None] | None = None
        """What was taken back, and what the right value must look like."""
        self._open: set[str] = set()
        """What was said to be over or new, so that a short word tells what is now."""
        self._reordering = Reordering(language.words)
        self._last: Statement | None = None
        self._rules: SlotRules | None = None
        self._joined = False

    def forget_last(self) -> None:
        """Let nothing be added to the last value any more."""
        self._last, self._rules, self._joined = None, None, False

    def pass_over(self, text: str) -> None:
        """Take note that words were said which nothing was read from."""
        self.forget_last()
        if self._guards.speaks_of_others(text):
            self._subject = self._about = ""

    def read_sentence(self, sentence: Span, *, asks: bool) -> None:
        """Read all clauses of a sentence that nothing speaks against."""
        before = len(self._reading.statements)
        if self._about != "me":
            self._about = ""
        parts = self._with_names_rejoined(
            clauses(sentence, self._language.words), sentence
        )
        if asks:
            self.pass_over(sentence.text)
            parts = self._guards.told(parts)
        complete = understood = opening = True
        for clause in parts:
            self._orphaned = not understood and self._guards.depends(clause.joiner)
            if self._guards.is_conditional(f"{clause.joiner} {clause.span.text}"):
                complete = False
                break
            span = self._meant(clause.span, opening=opening)
            if not span.text:
                continue
            transient = self._guards.is_transient(clause.span.text)
            understood = not transient and self._read_clause(
                span, clause.joiner, opening=opening
            )
            if not understood:
                complete = False
                self.pass_over(clause.span.text)
            opening = False
        if len(self._reading.statements) == before:
            # Whoever that was about is not whom "she" means from now on.
            self._subject = "" if not complete else self._subject
            complete = (not asks and self._note(sentence)) or (complete and opening)
        elif self._guards.forgets(sentence):
            self._end_all_since(before)
        self.forget_last()
        self._wrong = None
        self._reading.complete = self._reading.complete and complete

    def _read_clause(self, whole: Span, joiner: str, *, opening: bool) -> bool:
        span = self._guards.without_tails(whole)
        carries = joiner and self._carry and not self._orphaned
        leads = ("", self._carry) if carries else ("",)
        # "Since 1998" may be an empty tail or all that matters.
        for said in (span, whole) if whole != span else (span,):
            for lead in leads:
                match = self._state(said, lead, opening=opening)
                if match is not None:
                    self._wrong = None
                    return not match.block.partial
        return (
            self._put_right(span)
            or self._add_item(span, joiner)
            or self._state_otherwise(span, leads, opening=opening)
        )

    def _state_otherwise(
        self, span: Span, leads: Sequence[str], *, opening: bool
    ) -> bool:
        """Read the clause in another order, or without its empty words."""
        for heard, lead in product(self._reordering.others(span), leads):
            match = self._state_heard(heard.after(lead), opening=opening)
            if match is not None:
                return not match.block.partial
        return False

    def _meant(self, clause: Span, *, opening: bool) -> Span:
        """Return what is said of a clause, having heard what it takes back."""
        if self._guards.hesitates(clause):
            self._doubt()
            return clause.cut(0, 0)
        right = self._guards.repairs(clause)
        if right is not None:
            self._take_back()
        return self._guards.bare(right or clause, opening=opening)

    def _take_back(self) -> None:
        """Take back what was stated last, since the person does."""
        self._doubt()
        if self._wrong is not None:
            self._reading.statements.remove(self._wrong[0])
        self._last = None

    def _doubt(self) -> None:
        """Let the last value be put right, which it need not be."""
        if self._last is not None and self._last in self._reading.statements:
            self._wrong = (self._last, self._rules)

    def _put_right(self, span: Span) -> bool:
        """Take "Bristol" in the place of what was just taken back."""
        if self._wrong is None:
            return False
        wrong, rules = self._wrong
        span = self._guards.as_correction(span)
        if rules is None or not rules.accept(span.text, capitals=bool(rules.capital)):
            return False
        if wrong in self._reading.statements:
            self._reading.statements.remove(wrong)
        self._last, self._rules, self._wrong = with_value(wrong, span), rules, None
        self._reading.statements.append(self._last)
        return True

    def _state(self, span: Span, lead: str, *, opening: bool) -> Match | None:
        text = f"{lead} {span.text}".strip()
        whole = Span(text=text, start=span.start + len(span.text) - len(text))
        for match in self._fitting(text, opening=opening):
            stated = self._stated(match, whole)
            if stated is not None and self._take(match, stated, span.text):
                return match
        return None

    def _state_heard(self, heard: Heard, *, opening: bool) -> Match | None:
        whole = Span(text=heard.text, start=0)
        for match in self._fitting(heard.text, opening=opening):
            stated = self._stated(match, whole)
            found = [heard.found(one, self._text) for one in stated or ()]
            told = [one for one in found if one is not None]
            whole_told = told and len(told) == len(found)
            if whole_told and self._take(match, told, heard.text):
                return match
        return None

    def _fitting(self, text: str, *, opening: bool) -> Iterator[Match]:
        for match in self._language.matches(
            "statements", text, capitals=self._capitals
        ):
            block = match.block
            if block.opening and not opening:
                continue
            if block.after and block.after not in self._open:
                continue
            yield match

    def _take(self, match: Match, stated: list[Statement], text: str) -> bool:
        if self._orphaned and _of_others(stated):
            return False
        self._reading.statements += stated
        self._open |= {match.block.opens} | {one.what for one in stated if one.ended}
        self._leave(match, stated, text)
        return True

    def _stated(self, match: Match, whole: Span) -> list[Statement] | None:
        """Return the statements of a match, None where something is missing."""
        stated = names_of(match, whole)
        for pattern in match.block.patterns:
            statement = self._statement(pattern, match, whole)
            if statement is None:
                return None
            stated += self._listed(statement, pattern)
        return stated

    def _listed(self, statement: Statement, pattern: Pattern) -> list[Statement]:
        """Return a statement for each item where the value is a list of them."""
        whole = Span(text=statement.value, start=statement.start)
        items = self._items(whole, self._language.rules_of(pattern.value))
        return [with_value(statement, item) for item in items]

    def _items(self, whole: Span, rules: SlotRules | None) -> list[Span]:
        if rules is None or not rules.listed:
            return [whole]
        words = self._language.words
        places = cut_at(
            whole.text,
            words["listing"].spans(whole.text),
            words["kept_together"].spans(whole.text),
        )
        items = [whole.cut(start, end).stripped() for start, end in places]
        if all(rules.accept(one.text, capitals=self._capitals) for one in items):
            return items
        return [whole]

    def _statement(
        self, pattern: Pattern, match: Match, whole: Span
    ) -> Statement | None:
        slots = match.slots
        who = pattern.who or match.who or ("who" if "who" in slots else "me")
        if who in slots:
            who = slots[who].value
        if match.who == "unsaid" and who == "me" and self._about != "me":
            return None
        if match.who == "previous" and who in ("me", "home"):
            # "She never has her key" says nothing to whoever does not know of whom.
            return None
        who = {"previous": self._subject, "unsaid": self._about}.get(who, who)
        span = value_of(pattern, match, whole)
        if span is not None and pattern.value != "clause":
            span = self._guards.without_tails(span)
        if not who or span is None or not 0 < len(span.text) <= MAX_VALUE:
            return None
        topic = slots[pattern.topic].value if pattern.topic in slots else ""
        return Statement(
            who=who,
            what=pattern.what,
            value=span.text,
            topic=topic.lower(),
            ended=pattern.ended,
            start=span.start,
            end=span.start + len(span.text),
        )

    def _leave(self, match: Match, stated: list[Statement], text: str) -> None:
        block = match.block
        self.forget_last()
        who = stated[-1].who if stated else ""
        if "who" in match.slots:
            who = match.slots["who"].value
        if who not in ("", "me", "home"):
            self._subject = self._about = who
        elif who == "me":
            self._about = "" if self._guards.speaks_of_others(text) else "me"
        if "relative" in match.slots:
            self._subject = ""
        self._introduce(who, block, stated)
        carry = self._language.carry
        self._carry = carry.get("me" if who in ("", "me") else "other", "")
        if block.then_names:
            self._last = Statement(who=who, what="name", value="")
            self._rules = self._language.rules_of("name")
        elif stated and block.patterns:
            self._last = stated[-1]
            self._joined = block.joined
            self._rules = self._language.rules_of(
                block.patterns[-1].value.rpartition("..")[2]
            )

    def _name_introduced(self, statement: Statement) -> None:
        if statement.what == "name" and statement.who in self._introduced:
            self.needless.append(self._introduced[statement.who])

    def _introduce(self, who: str, block: Block, stated: list[Statement]) -> None:
        for statement in stated:
            self._name_introduced(statement)
            if block.then_names and self._guards.is_single(statement.value):
                self._introduced[who] = statement

    def _add_item(self, span: Span, joiner: str) -> bool:
        """Take "… and shellfish" as one more value, or as more of the same value."""
        last, rules = self._last, self._rules
        if last is None or not self._guards.is_more_of_the_same(joiner, span.text):
            return False
        if len(span.text.split()) > _MAX_ITEM_WORDS or self._is_aside(span, joiner):
            return False
        end = span.start + len(span.text)
        if self._joined:
            value = self._text[last.start : end]
            self._last = replace(last, value=value, end=end)
            self._reading.statements[-1] = self._last
            return True
        if rules is None or not rules.continued:
            return False
        span = self._guards.as_item(span)
        if last.what == "name":
            span = self._guards.as_name(span)
        if not rules.accept(span.text, capitals=bool(rules.capital)):
            return False
        for item in self._items(span, rules):
            self._last = with_value(last, item)
            self._reading.statements.append(self._last)
            self._name_introduced(self._last)
        return True

    def _is_aside(self, span: Span, joiner: str) -> bool:
        """Return whether a mere comma stands before what is said by the way."""
        if not self._joined or any(map(str.isalpha, joiner)):
            return False
        return not (span.text[0].isdigit() or self._guards.is_single(span.text))

    def _note(self, sentence: Span) -> bool:
        """Keep what follows "remember that" as it is."""
        span = self._guards.without_tails(self._guards.bare(sentence, opening=True))
        if (
            self._reading.secret
            or not self._guards.remembers(sentence)
            or not self._guards.is_noteworthy(span.text)
            or not 0 < len(span.text) <= MAX_VALUE
        ):
            return False
        end = span.start + len(span.text)
        self._reading.statements.append(
            Statement(who="me", what="note", value=span.text, start=span.start, end=end)
        )
        return True

    def _end_all_since(self, before: int) -> None:
        self._reading.statements[before:] = [
            replace(statement, ended=True)
            for statement in self._reading.statements[before:]
        ]

    def _with_names_rejoined(self, parts: list[Clause], sentence: Span) -> list[Clause]:
        """Undo the cuts in "my sister, Anna, lives …"."""
        for number in range(len(parts) - 2):
            part, name, last = parts[number : number + 3]
            if name.joiner == "," == last.joiner and self._is_called(part, name):
                left = part.span.start - sentence.start
                right = last.span.start - sentence.start + len(last.span.text)
                text = sentence.text[left:right].replace(",", " ")
                span = Span(text=text, start=part.span.start)
                joined = Clause(span=span, joiner=part.joiner)
                return [*parts[:number], joined, *parts[number + 3 :]]
        return parts

    def _is_called(self, part: Clause, name: Clause) -> bool:
        words = name.span.text.split()
        bare = self._guards.bare(part.span, opening=True)
        subject = self._guards.without_tails(bare).text
        return (
            len(words) <= _MAX_NAME_WORDS
            and words[0][0].isupper()
            and bool(self._language.matches("subjects", subject, capitals=False))
        )


def _of_others(stated: list[Statement]) -> bool:
    return any(statement.who not in ("me", "home") for statement in stated)


def _has_capitals(text: str, language: Language) -> bool:
    """Return whether capitals mean something in what the person typed."""
    always = language.words["always_capital"]
    return any(
        word[0].isupper() and not always.equal(word.strip(".,!?"))
        for word in text.split()[1:]
    )
