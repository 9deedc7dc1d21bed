"""Facts that a test makes up."""

from datetime import UTC, datetime
from typing import Any

from custom_components.caesar.memory.models import Fact, Origin

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
