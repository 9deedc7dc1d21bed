"""Rebuild facts from events alone."""

from collections.abc import Iterable

from custom_components.caesar.memory.ledger import fact_from_state
from custom_components.caesar.memory.models import Event, Fact


def replay(events: Iterable[Event]) -> dict[int, Fact]:
    """Return the facts that the events, oldest first, leave behind."""
    facts: dict[int, Fact] = {}
    for event in events:
        if "after" not in event.payload:
            continue
        fact_id = event.payload["fact_id"]
        assert isinstance(fact_id, int)
        if event.payload["after"] is None:
            del facts[fact_id]
        else:
            facts[fact_id] = fact_from_state(event.payload["after"])
    return facts
