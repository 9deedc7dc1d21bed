"""Facts and exchanges that a test makes up."""

from datetime import UTC, datetime
from typing import Any

from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    EventKind,
    Fact,
    NewEvent,
    Origin,
    Owner,
    user_owner,
)

ANN = user_owner("ann")
BOB = user_owner("bob")
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def fact(key: str, value: str, **parts: Any) -> Fact:
    return Fact(
        **{
            "id": 1,
            "owner": "user:robin",
            "key": key,
            "value": value,
            "confidence": 1.0,
            "first_seen_at": NOON,
            "last_confirmed_at": NOON,
            "source_audit_id": None,
            "quote": None,
            "origin": Origin.TOLD,
            "pinned": False,
            "language": "en",
            "expires_at": None,
            "revision": 1,
            **parts,
        }
    )


async def say(
    memory: Memory,
    text: str,
    reply: str = "I see.",
    *,
    owner: Owner = ANN,
    conversation: str = "one",
    area: str | None = None,
    device: str | None = None,
) -> int:
    """Keep an exchange that was finished now; return its id."""
    return await memory.finish(
        None,
        NewEvent(
            kind=EventKind.CHAT_COMPLETED,
            owner=owner,
            user_text=text,
            assistant_text=reply,
            conversation_id=conversation,
            area_id=area,
            device_id=device,
        ),
    )
