"""Taking back what was just said: the exchange goes, and what it alone taught.

Unlike forgetting, this leaves no trace: the events that tell of it go too, as if it had
never been said. What somebody confirmed or edited since stays.
"""

from dataclasses import replace

from sqlalchemy import Connection

from . import events
from .errors import FactNotFoundError
from .ledger import Patch, fact_from_state, take_back
from .models import Event, EventKind, Fact, Owner

_OF_FACTS = tuple(kind for kind in EventKind if kind.startswith("memory.fact."))


def withdraw_last(
    connection: Connection, owner: Owner, conversation_id: str
) -> tuple[Patch, ...] | None:
    """Take back what an owner said last in a conversation; None where there is nothing.

    Runs inside the caller's transaction.
    """
    exchange_id = events.last_exchange(connection, owner, conversation_id)
    if exchange_id is None:
        return None
    patches = []
    for event in events.of_exchange(connection, exchange_id):
        fact_id = event.payload.get("fact_id")
        if event.kind not in _OF_FACTS or "before" not in event.payload:
            events.remove(connection, event.id)
        elif isinstance(fact_id, int) and _is_last(connection, event, fact_id):
            before = _before(connection, event)
            patches.append(take_back(connection, event.owner, fact_id, before))
            events.remove(connection, event.id)
    events.remove(connection, exchange_id)
    return tuple(patches)


def _is_last(connection: Connection, event: Event, fact_id: int) -> bool:
    last = events.last_of_fact(connection, (event.owner,), fact_id, _OF_FACTS)
    return last is not None and last.id == event.id


def _before(connection: Connection, event: Event) -> Fact | None:
    try:
        before = fact_from_state(event.payload["before"])
    except FactNotFoundError:
        return None
    if before.source_audit_id is not None and not events.exists(
        connection, before.source_audit_id
    ):
        return replace(before, source_audit_id=None)
    return before
