"""What people decide about suggestions: that they are right, or that they are not.

Every function runs inside the caller's transaction.
"""

from dataclasses import replace

from sqlalchemy import Connection

from . import events, slots, suggestions
from .errors import FactNotFoundError, InstructionError, SecretError
from .extraction.keys import slot_of
from .instructions import is_instruction
from .ledger import Cause, Patch, add, confirm, delete_fact, find_in_slot, update_fact
from .models import HOUSEHOLD, EventKind, Exchange, Fact, Origin, Owner, Scope
from .secrets import holds_secret
from .suggestions import Suggestion
from .values import same_value


def owner_of_accepted(suggestion: Suggestion, scope: Scope) -> Owner:
    """Return whose fact a suggestion becomes, where the one who accepts names nobody.

    What an unknown voice said of itself is theirs who say that it is true.
    """
    slot = slot_of(suggestion.key)
    about_speaker = slot is None or slot.who == "me"
    if suggestion.owner == HOUSEHOLD and about_speaker:
        return scope.owner
    return suggestion.owner


def accept(
    connection: Connection, suggestion: Suggestion, owner: Owner, cause: Cause
) -> Patch:
    """Make a suggestion a fact of the owner's, or remove the fact that it says is over.

    Raises FactNotFoundError where that fact is gone, InstructionError or SecretError.
    """
    if holds_secret(suggestion.value) or holds_secret(suggestion.quote):
        raise SecretError("The value looks like a secret")
    if is_instruction(suggestion.value):
        raise InstructionError("The value is an order and no fact")
    _close(connection, EventKind.SUGGESTION_ACCEPTED, suggestion, cause)
    cause = replace(cause, exchange=_exchange(connection, suggestion))
    target = _target(connection, suggestion, owner)
    if suggestion.operation == "remove":
        if target is None:
            raise FactNotFoundError("The fact is gone already")
        return delete_fact(connection, EventKind.FACT_REMOVED, target, cause)
    fact = _fact(suggestion, owner, cause)
    if target is None:
        return add(connection, fact, cause)
    if same_value(target.value, suggestion.value):
        return confirm(connection, target, replace(cause, exchange=None))
    return update_fact(connection, target, fact, cause)


def reject(connection: Connection, suggestion: Suggestion, cause: Cause) -> None:
    """Let a suggestion never be made again."""
    _close(connection, EventKind.SUGGESTION_REJECTED, suggestion, cause)


def _close(
    connection: Connection, kind: EventKind, suggestion: Suggestion, cause: Cause
) -> None:
    suggestions.close(
        connection,
        kind,
        suggestion.id,
        suggestion.owner,
        at=cause.at,
        actor=cause.actor,
        exchange_id=suggestion.exchange_id,
    )


def _target(
    connection: Connection, suggestion: Suggestion, owner: Owner
) -> Fact | None:
    """Return the fact that a suggestion confirms, replaces or removes; None to add."""
    base = slots.without_number(suggestion.key)
    same = [
        fact
        for fact in find_in_slot(connection, owner, base)
        if fact.origin is not Origin.SECRET
    ]
    if owner == suggestion.owner and suggestion.fact_id is not None:
        named = (fact for fact in same if fact.id == suggestion.fact_id)
        if (fact := next(named, None)) is not None:
            return fact
    if suggestion.operation == "remove":
        return None
    for fact in same:
        if same_value(fact.value, suggestion.value):
            return fact
    return same[0] if len(same) == 1 and _is_single(base) else None


def _is_single(base: str) -> bool:
    slot = slot_of(base)
    return slot is not None and slots.is_single(slot.who, slot.what, slot.topic)


def _exchange(connection: Connection, suggestion: Suggestion) -> Exchange | None:
    """Return the exchange in which it was said, None where that is gone."""
    if suggestion.exchange_id is None:
        return None
    said = events.find(connection, suggestion.exchange_id)
    if said is None:
        return None
    return Exchange(
        id=said.id,
        at=said.at,
        owner=said.owner,
        language=said.language or "",
        user_text=said.user_text or "",
    )


def _fact(suggestion: Suggestion, owner: Owner, cause: Cause) -> Fact:
    said = cause.exchange
    return Fact(
        id=0,
        owner=owner,
        key=suggestion.key,
        value=suggestion.value,
        # A person has vouched for it.
        confidence=1.0,
        first_seen_at=said.at if said else suggestion.at,
        last_confirmed_at=cause.at,
        source_audit_id=said.id if said else None,
        quote=suggestion.quote or None,
        origin=Origin.TOLD,
        pinned=False,
        language=suggestion.language,
        expires_at=suggestion.expires_at,
        revision=1,
    )
