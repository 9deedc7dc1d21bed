"""Skip what cannot hold a fact before a model is asked, by the words of the language.

A sentence is cut into clauses; a marker costs its clause, and only a pretence spreads
to what follows it. What is left must speak of the person, or of something stored.
Structural rules (person, question, order) carry over to unseen text; lists of irony or
of media speech were measured and do not, so there are none.
"""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from collections.abc import Sequence
from dataclasses import dataclass
import re

from ..models import Fact
from ..secrets import MASK, mask
from .clauses import begins_statement, labelled_clauses, marker_rule
from .language import Language, find
from .mentions import touches
from .text import normalize, sentences

_QUOTED = re.compile(  # every kind of quotation mark a keyboard or dictation gives
    r"[\"“„«「『][^\"”“»」』]{6,}[\"”“»」』]|(?<!\w)['‘][^'’]{6,}(?:'\w[^'’]*)*['’](?!\w)"
)

_LONG = 25
"""Words of a sentence in which a pretence costs no more than its clause."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """The rule that skips the exchange, or what is worth asking about."""

    rule: str | None
    text: str
    """The person's sentences that may hold a fact, as they were said."""


def gate(text: str, language: str, known: Sequence[Fact]) -> str | None:
    """Return the name of the rule that skips the exchange, None to ask the model."""
    return judge(text, language, known).rule


def judge(text: str, language: str, known: Sequence[Fact]) -> Verdict:
    """Return the rule that skips the exchange, or the sentences worth asking about."""
    spoken = find(language)
    kept: list[str] = []
    first_rule: str | None = None
    pretending = follows = False
    for sentence in sentences(mask(text)):
        plain = normalize(_QUOTED.sub(" ", sentence))
        pretending = _still_pretending(plain, spoken, pretending=pretending)
        rule = "pretend" if pretending else _sentence_rule(plain, spoken, known)
        if rule == "nothing_personal" and follows and spoken.refers_back.search(plain):
            rule = None
        if rule is None:
            kept.append(sentence)
        follows = rule is None
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
    for clause, opened in labelled_clauses(plain, spoken):
        found = opened or _clause_rule(clause, spoken, known)
        if MASK in plain and not begins_statement(clause, spoken):
            found = "secret"
        if found is None:
            return None
        first_rule = first_rule or found
    if first_rule == "order" and _tells_habit(plain, spoken):
        return None
    return first_rule or "nothing_personal"


def _whole_sentence_rule(plain: str, spoken: Language) -> str | None:
    if spoken.noise.search(plain):
        return "noise"
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


def _clause_rule(clause: str, spoken: Language, known: Sequence[Fact]) -> str | None:
    if MASK in clause:
        return "secret"
    rule = marker_rule(clause, spoken)
    if rule is None and not _is_personal(clause, spoken, known):
        return "nothing_personal"
    return rule


def _is_personal(clause: str, spoken: Language, known: Sequence[Fact]) -> bool:
    if not spoken.marks_person:
        # In these languages the person is in the verb, or left out.
        return True
    return bool(
        spoken.first_person.search(clause)
        or spoken.durable.search(clause)
        or spoken.memory.search(clause)
        or any(touches(clause, fact, spoken) for fact in known)
    )
