"""How memory's values look on the wire; ``frontend/src/protocol`` has their types."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from custom_components.caesar.memory.exchanges import Record
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Event, Fact, Origin

from .names import Names

MASK: Final = "••••••"


def moment(at: datetime | None) -> str | None:
    """Return a moment as text, in UTC and to the second."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds")


def fact_row(memory: Memory, fact: Fact, language: str) -> dict[str, Any]:
    """Return a fact; of a secret not its text."""
    secret = fact.origin is Origin.SECRET
    told = replace(fact, value=MASK) if secret else fact
    return {
        "id": fact.id,
        "owner": fact.owner,
        "key": fact.key,
        "value": "" if secret else fact.value,
        "sentence": memory.sentence(told, language),
        "confidence": fact.confidence,
        "first_seen_at": moment(fact.first_seen_at),
        "last_confirmed_at": moment(fact.last_confirmed_at),
        "source": fact.source_audit_id,
        "quote": None if secret else fact.quote,
        "origin": "told" if fact.origin is Origin.TOLD else "edited",
        "pinned": fact.pinned,
        "language": fact.language,
        "expires_at": moment(fact.expires_at),
        "revision": fact.revision,
        "secret": secret,
    }


def event_row(
    event: Event, names: Names, undone: frozenset[int] = frozenset()
) -> dict[str, Any]:
    """Return an event of memory; of a secret not its text."""
    told = event.payload
    actor = event.actor
    return {
        "id": event.id,
        "at": moment(event.at),
        "kind": event.kind,
        "owner": names.owner(event.owner),
        "actor": None if actor in (None, event.owner) else names.owner(str(actor)),
        "fact_id": told.get("fact_id"),
        "before": _state(told.get("before")),
        "after": _after(event),
        "correction": told.get("correction") is True,
        "reason": told.get("reason"),
        "exchange_id": told.get("exchange_id"),
        "usage": _usage(told),
        "from": _owner(told.get("from"), names),
        "to": _owner(told.get("to"), names),
        "suggestion_id": told.get("suggestion_id"),
        "moved": _moved(event, names, undone),
        "voice": told.get("voice"),
    }


def exchange_row(record: Record, names: Names) -> dict[str, Any]:
    """Return an exchange."""
    event, told = record.event, record.event.payload
    text = event.user_text or ""
    shown = [fact for fact in record.facts if fact.origin is not Origin.SECRET]
    spans = {span for fact in shown if (span := _span(text, fact.quote))}
    return {
        "id": event.id,
        "at": moment(event.at),
        "owner": names.owner(event.owner),
        "conversation_id": event.conversation_id,
        "device": names.device(event.device_id),
        "area": names.area(event.area_id),
        "language": event.language,
        "user_text": event.user_text,
        "assistant_text": event.assistant_text,
        "error": told.get("error"),
        "provider": names.provider(told.get("provider")),
        "model": told.get("model") or None,
        "learning": record.learning.value,
        "fact_ids": [fact.id for fact in record.facts],
        "told_fact_ids": told.get("fact_ids") or [],
        "quotes": sorted(map(list, spans)),
    }


def _after(event: Event) -> dict[str, Any] | None:
    """Return the state that an event leaves, or that a suggestion would."""
    told: Mapping[str, Any] = event.payload
    if "after" in told or "key" not in told:
        return _state(told.get("after"))
    return {
        "owner": event.owner,
        "key": told["key"],
        "value": told.get("value", ""),
        "quote": told.get("quote") or None,
        "pinned": False,
        "origin": "told",
        "expires_at": told.get("expires_at"),
        "revision": 0,
        "secret": False,
    }


def _state(state: Any) -> dict[str, Any] | None:
    if not isinstance(state, Mapping):
        return None
    secret = state["origin"] == Origin.SECRET
    return {
        "owner": state["owner"],
        "key": state["key"],
        "value": "" if secret else state["value"],
        "quote": None if secret else state["quote"],
        "pinned": state["pinned"],
        "origin": "told" if state["origin"] == Origin.TOLD else "edited",
        "expires_at": state["expires_at"],
        "revision": state["revision"],
        "secret": secret,
    }


def _usage(told: Mapping[str, Any]) -> dict[str, Any] | None:
    if "input_tokens" not in told:
        return None
    return {
        "model": told.get("model") or "",
        "input_tokens": told["input_tokens"] or 0,
        "output_tokens": told.get("output_tokens") or 0,
    }


def _owner(other: Any, names: Names) -> dict[str, str] | None:
    return names.owner(other["owner"]) if isinstance(other, Mapping) else None


def _moved(event: Event, names: Names, undone: frozenset[int]) -> dict[str, Any] | None:
    source = event.payload.get("source")
    if not isinstance(source, str):
        return None
    moved = event.payload.get("facts")
    count = len(moved) if isinstance(moved, list) else event.payload.get("count", 0)
    return {
        "source": names.owner(source),
        "facts": count,
        "undone": event.id in undone,
    }


def _span(text: str, quote: str | None) -> tuple[int, int] | None:
    """Return where a quote stands in a text, counted as JavaScript counts."""
    start = text.find(quote) if quote else -1
    if quote is None or start < 0:
        return None
    begin = _utf16_length(text[:start])
    return begin, begin + _utf16_length(quote)


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
