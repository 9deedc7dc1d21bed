"""The lines of an exported memory: how they are written, and what is accepted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
import json
from typing import Any, Final

from ..errors import InvalidFactError, MemoryStoreError, SecretError
from ..events import EXCHANGE_KINDS, MAX_TEXT
from ..facts import MAX_VALUE, Typed, checked
from ..models import Event, Fact, Json, Origin, Owner

FORMAT: Final = "caesar-memory"
VERSION: Final = 1
MAX_LINE: Final = 200_000
"""Characters of a line; two texts of an exchange fit in, however they are escaped."""
_MAX_NAME: Final = 200
_LARGEST: Final = 2**63 - 1
# What of an exchange's payload is worth bringing elsewhere.
_PAYLOAD: Final = (
    "provider",
    "model",
    "satellite_id",
    "teaches",
    "handed_off",
    "error",
    "observed",
    "agent",
    "command",
)


class MalformedLineError(MemoryStoreError):
    """A line cannot be read; ``reason`` says why in a word, never what stands in it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """The first line: what the file is."""

    owners: tuple[Owner, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What somebody said and was answered."""

    event: Event


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A fact, with the ids that it and its source have in the file."""

    fact: Fact


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """An event of memory: for reading, it is not brought in."""

    owner: Owner


@dataclass(frozen=True, kw_only=True, slots=True)
class End:
    """The last line, without which the file was cut off."""

    lines: int


type Line = Header | Exchange | Told | History | End


def header(owners: tuple[Owner, ...], at: datetime) -> dict[str, Json]:
    """Return the first line."""
    return {
        "type": "header",
        "format": FORMAT,
        "version": VERSION,
        "exported_at": at.isoformat(),
        "owners": list(owners),
    }


def exchange(event: Event) -> dict[str, Json]:
    """Return the line of an exchange."""
    told = {name: event.payload[name] for name in _PAYLOAD if name in event.payload}
    return {**_event("exchange", event), "payload": told}


def history(event: Event) -> dict[str, Json]:
    """Return the line of an event of memory."""
    return {**_event("event", event), "payload": dict(event.payload)}


def told(fact: Fact) -> dict[str, Json]:
    """Return the line of a fact."""
    return {
        "type": "fact",
        "id": fact.id,
        "owner": fact.owner,
        "key": fact.key,
        "value": fact.value,
        "confidence": fact.confidence,
        "first_seen_at": fact.first_seen_at.isoformat(),
        "last_confirmed_at": fact.last_confirmed_at.isoformat(),
        "source": fact.source_audit_id,
        "quote": fact.quote,
        "origin": fact.origin.value,
        "pinned": fact.pinned,
        "language": fact.language,
        "expires_at": fact.expires_at.isoformat() if fact.expires_at else None,
    }


def end(lines: int) -> dict[str, Json]:
    """Return the last line; ``lines`` are all before it."""
    return {"type": "end", "lines": lines}


def read(text: str) -> Line:
    """Return what a line says; raises MalformedLineError."""
    if len(text) > MAX_LINE:
        raise MalformedLineError("too_long")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise MalformedLineError("no_json") from err
    if not isinstance(raw, dict):
        raise MalformedLineError("no_object")
    return _Fields(raw).line()


def _event(kind: str, event: Event) -> dict[str, Json]:
    return {
        "type": kind,
        "id": event.id,
        "owner": event.owner,
        "at": event.at.isoformat(),
        "kind": event.kind,
        "actor": event.actor,
        "conversation_id": event.conversation_id,
        "device_id": event.device_id,
        "area_id": event.area_id,
        "language": event.language,
        "user_text": event.user_text,
        "assistant_text": event.assistant_text,
    }


class _Fields:
    """One line's fields, each taken with a check."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._raw = raw

    def line(self) -> Line:
        match self._raw.get("type"):
            case "header":
                return self._header()
            case "exchange":
                return Exchange(event=self._exchange())
            case "fact":
                return Told(fact=self._fact())
            case "event":
                return History(owner=self._name("owner"))
            case "end":
                return End(lines=self._number("lines"))
        raise MalformedLineError("unknown_type")

    def _header(self) -> Header:
        if self._raw.get("format") != FORMAT:
            raise MalformedLineError("unknown_format")
        if self._raw.get("version") != VERSION:
            raise MalformedLineError("unknown_version")
        owners = self._raw.get("owners")
        if not isinstance(owners, list) or not all(
            isinstance(one, str) for one in owners
        ):
            raise MalformedLineError("owners")
        return Header(owners=tuple(owners))

    def _exchange(self) -> Event:
        kind = self._name("kind")
        if kind not in EXCHANGE_KINDS:
            raise MalformedLineError("kind")
        return Event(
            id=self._number("id"),
            at=self._moment("at"),
            kind=kind,
            owner=self._name("owner"),
            conversation_id=self._text("conversation_id", _MAX_NAME),
            device_id=self._text("device_id", _MAX_NAME),
            area_id=self._text("area_id", _MAX_NAME),
            language=self._text("language", _MAX_NAME),
            user_text=self._text("user_text", MAX_TEXT),
            assistant_text=self._text("assistant_text", MAX_TEXT),
            payload=self._payload(),
        )

    def _fact(self) -> Fact:
        origin = self._name("origin")
        if origin not in (Origin.TOLD.value, Origin.EDITED.value):
            raise MalformedLineError("origin")
        confidence = self._raw.get("confidence")
        if isinstance(confidence, bool) or not isinstance(confidence, int | float):
            raise MalformedLineError("confidence")
        if not 0 <= confidence <= 1:
            raise MalformedLineError("confidence")
        pinned = self._raw.get("pinned")
        if not isinstance(pinned, bool):
            raise MalformedLineError("pinned")
        key, value = self._checked()
        source = self._raw.get("source")
        return Fact(
            id=self._number("id"),
            owner=self._name("owner"),
            key=key,
            value=value,
            confidence=float(confidence),
            first_seen_at=self._moment("first_seen_at"),
            last_confirmed_at=self._moment("last_confirmed_at"),
            source_audit_id=None if source is None else self._number("source"),
            quote=self._quote(),
            origin=Origin(origin),
            pinned=pinned,
            language=self._text("language", _MAX_NAME),
            expires_at=self._moment("expires_at")
            if self._raw.get("expires_at") is not None
            else None,
            revision=1,
        )

    def _checked(self) -> tuple[str, str]:
        key, value = self._name("key"), self._text("value", MAX_VALUE)
        try:
            return checked(Typed(key=key, value=value or ""))
        except SecretError as err:
            raise MalformedLineError("secret") from err
        except InvalidFactError as err:
            raise MalformedLineError("fact") from err

    def _quote(self) -> str | None:
        return self._text("quote", MAX_TEXT)

    def _payload(self) -> dict[str, Json]:
        payload = self._raw.get("payload")
        if not isinstance(payload, dict):
            raise MalformedLineError("payload")
        kept = {name: payload[name] for name in _PAYLOAD if name in payload}
        for value in kept.values():
            if isinstance(value, str) and len(value) > _MAX_NAME:
                raise MalformedLineError("payload")
            if not isinstance(value, str | bool | None):
                raise MalformedLineError("payload")
        return kept

    def _name(self, name: str) -> str:
        text = self._text(name, _MAX_NAME)
        if not text:
            raise MalformedLineError(name)
        return text

    def _text(self, name: str, longest: int) -> str | None:
        text = self._raw.get(name)
        if text is None:
            return None
        if not isinstance(text, str) or len(text) > longest:
            raise MalformedLineError(name)
        try:
            text.encode()
        except UnicodeEncodeError as err:
            raise MalformedLineError(name) from err
        return text

    def _number(self, name: str) -> int:
        number = self._raw.get(name)
        if type(number) is not int or not 0 <= number <= _LARGEST:
            raise MalformedLineError(name)
        return number

    def _moment(self, name: str) -> datetime:
        text = self._text(name, _MAX_NAME)
        try:
            moment = datetime.fromisoformat(text or "")
        except ValueError as err:
            raise MalformedLineError(name) from err
        if moment.tzinfo is None:
            raise MalformedLineError(name)
        return moment
