"""Skip what cannot hold a fact before a model is asked, by the words of the language.

A sentence is cut into clauses; a marker costs its clause, and only a pretence spreads to
what follows it. What is left must speak of the person, or of something stored.
Structural rules (person, question, order) carry over to unseen text; lists of irony or
of media speech were measured and do not, so there are none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
import re

from ..models import Fact
from ..secrets import MASK, mask
from .clauses import split_clauses
from .language import Language, find
from .mentions import touches
from .text import normalize, sentences

_QUOTED = re.compile(
    r"[\"“„«「『][^\"”“»」』]{6,}[\"”“»」』]|(?<!\w)['‘][^'’]{6,}(?:'\w[^'’]*)*['’](?!\w)"
)  # noqa: E501, RUF001
_QUESTION_MARKS = ("?", "？")  # noqa: RUF001

_LONG = 25
"""Words of a sentence in which a pretence costs no more than its clause."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What the gate found: the rule that skips the exchange, or what is worth asking."""

    rule: str | None
    text: str
    """The person's sentences that may hold a fact; all of them where nothing is known."""


def gate(text: str, language: str, known: Sequence[Fact]) -> str | None:
    """Return the name of the rule that skips the exchange, None to ask the model."""
    return judge(text, language, known).rule


def judge(text: str, language: str, known: Sequence[Fact]) -> Verdict:
    """Return the rule that skips the exchange, or the sentences worth asking about."""
    spoken = find(language)
    kept: list[str] = []
    first_rule: str | None = None
    pretending = False
    for sentence in sentences(mask(text)):
        plain = normalize(_QUOTED.sub(" ", sentence))
        pretending = _still_pretending(plain, spoken, pretending=pretending)
        rule = "pretend" if pretending else _sentence_rule(plain, spoken, known)
        if rule is None:
            kept.append(sentence)
        first_rule = first_rule or rule
    if kept:
        return Verdict(rule=None, text=" ".join(kept))
    return Verdict(rule=first_rule or "nothing_personal", text="")


def _still_pretending(plain: str, spoken: Language, *, pretending: bool) -> bool:
    if spoken.pretend.search(plain) and not _is_long(plain):
        return True
    return pretending and not spoken.aside.search(plain)


def _is_long(plain: str) -> bool:
    return len(plain.split()) > _LONG


def _sentence_rule(plain: str, spoken: Language, known: Sequence[Fact]) -> str | None:
    rule = _whole_sentence_rule(plain, spoken)
    if rule is not None:
        return rule
    first_rule = "secret" if MASK in plain else None
    for clause, opened in _clauses(plain, spoken):
        found = opened or _clause_rule(clause, spoken, known)
        if MASK in plain and not _begins_statement(clause, spoken):
            found = "secret"
        if found is None:
            return None
        first_rule = first_rule or found
    if first_rule == "order" and _tells_habit(plain, spoken):
        return None
    return first_rule or "nothing_personal"


def _whole_sentence_rule(plain: str, spoken: Language) -> str | None:
    if spoken.quote.search(plain):
        return "quote"
    if spoken.reported.search(plain):
        return "reported"
    if spoken.conditional.search(plain) and not _is_long(plain):
        return "pretend"
    return None


def _tells_habit(plain: str, spoken: Language) -> bool:
    """Return whether an order tells when the person does something again and again."""
    return bool(spoken.subject.search(plain) and spoken.durable.search(plain))


def _clauses(plain: str, spoken: Language) -> Iterator[tuple[str, str | None]]:
    """Yield each clause with what its sentence makes of it: question, order or None."""
    asks = plain.endswith(_QUESTION_MARKS)
    carried: str | None = None
    pieces = split_clauses(plain, spoken)
    for number, piece in enumerate(pieces, 1):
        bare = _without_leads(piece, spoken)
        opened = _opening(piece, bare, spoken)
        if opened is None and asks and number == len(pieces):
            opened = "question"
        if opened is not None:
            carried = opened
        elif (
            _begins_statement(bare, spoken)
            or spoken.memory.match(bare)
            or _gives_reason(piece, spoken)
        ):
            carried = None
        yield piece, None if _states(piece, spoken, carried) else carried


def _without_leads(piece: str, spoken: Language) -> str:
    while (match := spoken.leads.match(piece) or spoken.splitters.match(piece)) and (
        match.end()
    ):
        piece = piece[match.end() :].strip()
    return piece


def _opening(piece: str, bare: str, spoken: Language) -> str | None:
    if spoken.not_question.match(bare) or spoken.memory.match(bare):
        return None
    if spoken.order.match(bare) or spoken.order_anywhere.search(bare):
        return "order"
    if spoken.question.match(bare) or spoken.question.match(piece):
        return "question"
    return "question" if spoken.question_anywhere.search(bare) else None


def _begins_statement(bare: str, spoken: Language) -> bool:
    return bool(spoken.first_person.match(bare) or spoken.statement.match(bare))


def _gives_reason(piece: str, spoken: Language) -> bool:
    return bool(spoken.reasons.match(piece) and spoken.first_person.search(piece))


def _states(piece: str, spoken: Language, carried: str | None) -> bool:
    """Return whether a question or an order holds a statement all the same."""
    if carried is None:
        return False
    if carried == "order" and spoken.standing.search(piece):
        return True
    return any(
        not _is_subordinate(piece[: match.start()], spoken)
        for match in spoken.statement.finditer(piece)
    )


def _is_subordinate(before: str, spoken: Language) -> bool:
    last = before.split()[-1:]
    return bool(last) and spoken.subordinate.fullmatch(last[0]) is not None


def _clause_rule(clause: str, spoken: Language, known: Sequence[Fact]) -> str | None:
    if MASK in clause:
        return "secret"
    if spoken.pretend.search(clause) or spoken.conditional.search(clause):
        return "pretend"
    if spoken.unsure.search(clause):
        return "unsure"
    if spoken.transient.search(clause) and not spoken.durable.search(clause):
        return "transient"
    if not _is_personal(clause, spoken, known):
        return "nothing_personal"
    return None


def _is_personal(clause: str, spoken: Language, known: Sequence[Fact]) -> bool:
    if not spoken.first_person.pattern or spoken.first_person.pattern == "(?!)":
        # In these languages the person is in the verb, or left out.
        return True
    return bool(
        spoken.first_person.search(clause)
        or spoken.durable.search(clause)
        or spoken.memory.search(clause)
        or any(touches(clause, fact, spoken) for fact in known)
    )
