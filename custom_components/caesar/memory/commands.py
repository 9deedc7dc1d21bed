"""What a person's command to memory does, in one transaction with the exchange itself.

A command is made into work first, which then runs in that transaction.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from sqlalchemy import Connection

from . import events, facts as typed, learned, ledger, undo
from .errors import UnusableAnswerError
from .extraction.checks import CLEAN, MAX_LENGTH
from .extraction.clauses import split_clauses
from .extraction.extract import Extraction, as_suggestions, changes_of, extract
from .extraction.grounding import support
from .extraction.language import find
from .extraction.operations import decide
from .extraction.text import normalize
from .facts import Seen
from .index import FactIndex
from .ledger import Cause, Patch
from .matching import current
from .models import (
    HOUSEHOLD,
    Candidate,
    Change,
    Exchange,
    Fact,
    NewEvent,
    Scope,
)
from .ports import Generator, GeneratorUnavailableError
from .values import same_value

_MIN_CLAUSE = 3
"""Words of a clause that says something by itself."""

type Work = Callable[[Connection, Exchange, Cause], tuple[Patch, ...]]
"""What a command changes, given the exchange in which it was said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reversal:
    """How to undo one change of a fact."""

    fact_id: int
    before: Fact | None
    """The fact as it was; None where there was none."""
    revision: int | None
    """The fact's revision after the change; None where it is gone."""

    def applies(self, present: Fact | None) -> bool:
        """Return whether nobody has changed the fact since."""
        if present is None:
            return self.revision is None
        return present.revision == self.revision


def record(
    connection: Connection, event: NewEvent, work: Work | None, at: datetime
) -> tuple[Patch, ...]:
    """Append the exchange and do what it asks for."""
    exchange_id = events.append(connection, event, at)
    if work is None:
        return ()
    exchange = Exchange(
        id=exchange_id,
        at=at,
        owner=event.owner,
        language=event.language or "",
        user_text=event.user_text or "",
    )
    cause = Cause(at=at, actor=event.owner, exchange=exchange)
    return work(connection, exchange, cause)


def remembering(changes: Sequence[Change]) -> Work:
    """Return the work that makes the changes which an exchange teaches."""

    def work(
        connection: Connection, exchange: Exchange, cause: Cause
    ) -> tuple[Patch, ...]:
        own = replace(cause, actor=None, asked=True)
        return learned.apply(connection, changes, exchange, own)

    return work


def forgetting(scope: Scope, fact_ids: Iterable[int]) -> Work:
    """Return the work that deletes facts; one that is gone already is left out."""

    def work(connection: Connection, _: Exchange, cause: Cause) -> tuple[Patch, ...]:
        return tuple(
            typed.delete(connection, scope.visible, Seen(fact_id=fact_id), cause)
            for fact_id in fact_ids
            if _present(connection, scope, fact_id) is not None
        )

    return work


def correcting(fact: Fact, value: str) -> Work:
    """Return the work that puts a corrected value in the place of a fact's own."""

    def work(
        connection: Connection, exchange: Exchange, cause: Cause
    ) -> tuple[Patch, ...]:
        operation: Literal["confirm", "replace"] = (
            "confirm" if same_value(fact.value, value) else "replace"
        )
        change = Change(
            operation=operation,
            key=fact.key,
            value=value,
            fact_id=fact.id,
            quote=exchange.user_text,
            confidence=CLEAN,
            correction=True,
        )
        of_owner = replace(exchange, owner=fact.owner)
        marked = replace(cause, correction=operation == "replace")
        return learned.apply(connection, [change], of_owner, marked)

    return work


def undoing(scope: Scope, reversals: Sequence[Reversal]) -> Work:
    """Return the work that undoes changes, where nobody changed the facts since."""

    def work(connection: Connection, _: Exchange, cause: Cause) -> tuple[Patch, ...]:
        return tuple(
            _undone(connection, scope, reversal, cause)
            for reversal in reversals
            if reversal.applies(_present(connection, scope, reversal.fact_id))
        )

    return work


async def changes_to_remember(
    exchange: Exchange,
    words: str,
    index: FactIndex,
    generator: Generator,
    local_date: date,
) -> tuple[Change, ...]:
    """Return what a person's request to remember some words changes.

    What the generator reads in them, else the words themselves as a note. Nothing for
    words that are no statement, or too long.
    """
    try:
        found = await extract(
            exchange,
            index.sharing(exchange.user_text, exchange.language),
            generator,
            local_date,
        )
    except GeneratorUnavailableError, UnusableAnswerError:
        found = Extraction()
    # What is doubtful is noted as it was said.
    sure = (candidate for candidate in found.accepted if not candidate.doubt)
    found = replace(found, accepted=tuple(_of_home(c, exchange) for c in sure))
    changes = changes_of(
        found,
        exchange,
        _current(found.accepted, found.text, exchange, index),
        index.keys,
    )
    learned_some = any(change.operation != "reject" for change in changes)
    if (learned_some and _covers(found.accepted, words, exchange)) or len(
        words
    ) > MAX_LENGTH:
        return changes
    note = Candidate(
        who="me",
        what="note",
        value=words,
        quote=exchange.user_text,
        confidence=CLEAN,
    )
    noted = decide(
        [_of_home(note, exchange)],
        owner=exchange.owner,
        stored=_current([note], words, exchange, index),
        text=words,
        language=exchange.language,
        taken=index.keys,
    )
    if exchange.tentative:
        noted = as_suggestions(noted, exchange.tentative)
    return (*changes, *noted) if learned_some else noted


def _current(
    candidates: Collection[Candidate], text: str, exchange: Exchange, index: FactIndex
) -> Sequence[Fact]:
    """Return the facts that some words concern and that still hold."""
    found = index.concerned(candidates, text, exchange.language)
    return current(found, exchange.at)


def _covers(found: Iterable[Candidate], words: str, exchange: Exchange) -> bool:
    """Return whether each clause of the words holds something that was read."""
    language = find(exchange.language)
    values = [candidate.value for candidate in found]
    return all(
        any(
            1.0 in (support(value, clause, language), support(clause, value, language))
            for value in values
        )
        for clause in split_clauses(normalize(words), language)
        if len(clause.split()) >= _MIN_CLAUSE
    )


def facts_in(changes: Iterable[Change], exchange: Exchange) -> tuple[Fact, ...]:
    """Return the changed facts as they will be, for telling the person."""
    return tuple(learned.new_fact(change, exchange) for change in changes)


def reversals_of(
    patches: Iterable[Patch], before: Mapping[int, Fact]
) -> tuple[Reversal, ...]:
    """Return how to undo what changed; what was only confirmed needs no undoing."""
    found = []
    for patch in patches:
        old = before.get(patch.fact_id)
        if old is None:
            found.append(_reversal(patch, None))
        elif patch.fact is None or patch.fact.value != old.value:
            found.append(_reversal(patch, old))
    return tuple(found)


def _reversal(patch: Patch, before: Fact | None) -> Reversal:
    revision = None if patch.fact is None else patch.fact.revision
    return Reversal(fact_id=patch.fact_id, before=before, revision=revision)


def _present(connection: Connection, scope: Scope, fact_id: int) -> Fact | None:
    fact = ledger.get(connection, fact_id)
    return fact if fact is not None and fact.owner in scope.visible else None


def _undone(
    connection: Connection, scope: Scope, reversal: Reversal, cause: Cause
) -> Patch:
    seen = Seen(fact_id=reversal.fact_id)
    if reversal.before is None:
        return typed.delete(connection, scope.visible, seen, cause)
    return undo.restore(connection, scope.visible, seen, cause)[-1]


def _of_home(candidate: Candidate, exchange: Exchange) -> Candidate:
    """Return an unknown voice's note as one about the home, where it says no "I"."""
    said = normalize(exchange.user_text)
    if (
        exchange.owner != HOUSEHOLD
        or (candidate.who, candidate.what) != ("me", "note")
        or find(exchange.language).first_person.search(said)
    ):
        return candidate
    return replace(candidate, who="home")
