"""The tables, as SQLAlchemy Core sees them; the migrations create them.

Ids use AUTOINCREMENT: a plain rowid is given out again once the newest row is deleted,
and a cursor that had passed it would skip the row that gets it next.
"""

from datetime import UTC, datetime
from typing import override

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment, stored in UTC without its zone."""

    impl = DateTime
    cache_ok = True

    @override
    def process_bind_param(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A moment without a time zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    @override
    def process_result_value(
        self, value: datetime | None, dialect: Dialect
    ) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


metadata = MetaData()

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("actor", Text),
    Column("conversation_id", Text),
    Column("device_id", Text),
    Column("area_id", Text),
    Column("language", Text),
    Column("user_text", Text),
    Column("assistant_text", Text),
    Column("payload", JSON, nullable=False),
    Index("ix_audit_log_owner_at", "owner", "at"),
    Index("ix_audit_log_kind", "kind", "id"),
    sqlite_autoincrement=True,
)

personal_facts = Table(
    "personal_facts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("confidence", Float, nullable=False, server_default="1.0"),
    Column("first_seen_at", UtcDateTime, nullable=False),
    Column("last_confirmed_at", UtcDateTime, nullable=False),
    Column("source_audit_id", ForeignKey("audit_log.id", ondelete="SET NULL")),
    Column("quote", Text),
    Column("origin", Text, nullable=False, server_default="told"),
    Column("pinned", Boolean, nullable=False, server_default="0"),
    Column("language", Text),
    Column("expires_at", UtcDateTime),
    Column("revision", Integer, nullable=False, server_default="1"),
    UniqueConstraint("owner", "key", name="uq_personal_facts_owner_key"),
    CheckConstraint("confidence BETWEEN 0.0 AND 1.0", name="ck_confidence"),
    Index("ix_personal_facts_source", "source_audit_id"),
    sqlite_autoincrement=True,
)

memory_extract_cursor = Table(
    "memory_extract_cursor",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("last_audit_id", Integer, nullable=False, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("next_try_at", UtcDateTime),
    CheckConstraint("id = 1", name="ck_one_row"),
)

semantic_memory = Table(
    "semantic_memory",
    metadata,
    Column("id", ForeignKey("audit_log.id", ondelete="CASCADE"), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("model", Text),
    Column("dimension", Integer),
    Column("vector", LargeBinary),
    Index("ix_semantic_memory_owner_at", "owner", "at"),
    Index("ix_semantic_memory_model", "model"),
)
"""What can be found again: one row for each exchange that a person may look up.

The vector is of unit length, in little-endian float16, made by the model; all three are
empty until then. The texts stand in the audit log alone.
"""

semantic_sketches = Table(
    "semantic_sketches",
    metadata,
    Column(
        "id", ForeignKey("semantic_memory.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("owner", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("bits", LargeBinary, nullable=False),
)
"""The signs of each vector, apart so that reading them all reads no vector's page."""
