"""The values that memory is made of: owners, exchanges, events, facts and changes.

Everything here is immutable and knows no database, model or Home Assistant.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

type Json = bool | int | float | str | list[Json] | dict[str, Json] | None

type Owner = str
"""Whose memory: ``household``, ``user:<id>`` or ``person:<id>``."""

HOUSEHOLD: Owner = "household"

UNKNOWN_VOICE = "unknown_voice"
"""Nobody knows who spoke, so what was said is only suggested."""
ADMINS_ONLY = "admins_only"
"""Only administrators change what is stored of the home; others suggest."""


def user_owner(user_id: str) -> Owner:
    """Return the owner that stands for a Home Assistant user."""
    return f"user:{user_id}"


def person_owner(person_id: str) -> Owner:
    """Return the owner that stands for a person without a login."""
    return f"person:{person_id}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scope:
    """What one speaker may see, and to whom the speaker's words belong."""

    owner: Owner
    teaches: bool = True
    """False for turns that nobody spoke, such as an automation's."""

    @property
    def visible(self) -> tuple[Owner, ...]:
        """Return the owners whose facts may be read, the speaker's own first."""
        if self.owner == HOUSEHOLD:
            return (HOUSEHOLD,)
        return (self.owner, HOUSEHOLD)


class EventKind(StrEnum):
    """What an audit event tells."""

    CHAT_RECEIVED = "chat.received"
    CHAT_COMPLETED = "chat.completed"
    CHAT_FAILED = "chat.failed"
    FACT_ADDED = "memory.fact.added"
    FACT_CONFIRMED = "memory.fact.confirmed"
    FACT_UPDATED = "memory.fact.updated"
    FACT_REMOVED = "memory.fact.removed"
    FACT_USER_EDITED = "memory.fact.user_edited"
    FACT_USER_DELETED = "memory.fact.user_deleted"
    FACT_RESTORED = "memory.fact.restored"
    FACT_SUGGESTED = "memory.fact.suggested"
    FACT_REJECTED = "memory.fact.rejected"
    SUGGESTION_ACCEPTED = "memory.suggestion.accepted"
    SUGGESTION_REJECTED = "memory.suggestion.rejected"
    SUGGESTION_SETTLED = "memory.suggestion.settled"
    EXTRACTION_ANSWERED = "memory.extraction.answered"
    FACT_MOVED = "memory.fact.moved"
    FACT_HANDED_OVER = "memory.fact.handed_over"
    EXTRACTION_SET_ASIDE = "memory.extraction.set_aside"
    REMEMBER_ASKED = "memory.remember.asked"
    EXTRACTION_RETRIED = "memory.extraction.retried"
    EXTRACTION_DISMISSED = "memory.extraction.dismissed"
    EXCHANGE_DELETED = "memory.exchange.deleted"
    FACTS_OPENED = "memory.facts.opened"
    OWNER_MOVED = "memory.owner.moved"
    OWNER_MOVE_UNDONE = "memory.owner.move_undone"
    SEMANTIC_CHECKED = "memory.semantic.checked"
    VOICE_MAPPED = "memory.voice.mapped"
    MEMORY_EXPORTED = "memory.exported"
    MEMORY_IMPORTED = "memory.imported"
    RETENTION_SWEEP = "memory.retention_sweep"
    SEMANTIC_INDEXED = "memory.semantic.indexed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One row of the append-only audit log."""

    id: int
    at: datetime
    kind: str
    owner: Owner
    actor: str | None = None
    """The owner who caused it, where that is not the owner itself."""
    conversation_id: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    language: str | None = None
    user_text: str | None = None
    assistant_text: str | None = None
    payload: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewEvent:
    """An event before it has an id and a time."""

    kind: EventKind
    owner: Owner
    actor: str | None = None
    conversation_id: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    language: str | None = None
    user_text: str | None = None
    assistant_text: str | None = None
    payload: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What a person said in one turn, as learning sees it."""

    id: int
    """The id of the audit event, which is the cursor's unit."""
    at: datetime
    owner: Owner
    language: str
    user_text: str
    teaches: bool = True
    """False where nothing may be learned from it."""
    heard_by: str | None = None
    """The route that answered, so that learning can use the same; opaque here."""
    replies: tuple[str, ...] = ()
    """What was answered right before, where a microphone may have heard it."""
    answer: str = ""
    """What was answered to it: no evidence but where the person confirmed it."""
    tentative: str | None = None
    """Why what it teaches is suggested and never stored, in a word, if it is so."""


class Origin(StrEnum):
    """How the present value of a fact came to be."""

    TOLD = "told"
    EDITED = "edited"
    SECRET = "secret"  # noqa: S105  a word of the file
    """Typed although it looks like a secret: kept for its person, told to nobody."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One statement about an owner, with the words that taught it."""

    id: int
    owner: Owner
    key: str
    """Dot-namespaced English, with a number for siblings: ``dog.2.name``."""
    value: str
    """In the speaker's own words and language."""
    confidence: float
    first_seen_at: datetime
    last_confirmed_at: datetime
    source_audit_id: int | None
    quote: str | None
    origin: Origin
    pinned: bool
    language: str | None
    expires_at: datetime | None
    revision: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """A fact as extracted from one exchange, before code decides what it changes."""

    who: str
    what: str
    value: str
    ended: bool = False
    topic: str = ""
    """What a preference is about, as in ``favourite.colour``; empty where unknown."""
    key: str = ""
    """A key that the generator chose itself and that no slot covers; mostly empty."""
    quote: str = ""
    """The person's own sentence that holds the value."""
    confidence: float = 1.0
    expires_at: datetime | None = None
    doubt: str = ""
    """Why it is not sure enough to be stored; a word, empty where it is."""


type Operation = Literal["add", "confirm", "replace", "remove", "suggest", "reject"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One decided change of an owner's facts."""

    operation: Operation
    key: str
    value: str
    fact_id: int | None = None
    """The stored fact that is confirmed, replaced or removed."""
    quote: str = ""
    confidence: float = 1.0
    expires_at: datetime | None = None
    correction: bool = False
    """The person explicitly corrected: this may replace a value they edited."""
    reason: str = ""
    """Why it was suggested or rejected; a word, never the text itself."""
