"""Create the audit log, the facts and the extraction cursor."""

from alembic.operations import Operations
import sqlalchemy as sa

revision = "0001"
down_revision = None


def upgrade(operations: Operations) -> None:
    """Create the three tables and the cursor's one row."""
    operations.create_table(
        "audit_log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("actor", sa.Text),
        sa.Column("conversation_id", sa.Text),
        sa.Column("device_id", sa.Text),
        sa.Column("area_id", sa.Text),
        sa.Column("language", sa.Text),
        sa.Column("user_text", sa.Text),
        sa.Column("assistant_text", sa.Text),
        sa.Column("payload", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    operations.create_index("ix_audit_log_owner_at", "audit_log", ["owner", "at"])
    operations.create_index("ix_audit_log_kind", "audit_log", ["kind", "id"])
    operations.create_table(
        "personal_facts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("confidence", sa.Float, nullable=False, server_default="1.0"),
        sa.Column("first_seen_at", sa.DateTime, nullable=False),
        sa.Column("last_confirmed_at", sa.DateTime, nullable=False),
        sa.Column(
            "source_audit_id",
            sa.Integer,
            sa.ForeignKey("audit_log.id", ondelete="SET NULL"),
        ),
        sa.Column("quote", sa.Text),
        sa.Column("origin", sa.Text, nullable=False, server_default="told"),
        sa.Column("pinned", sa.Boolean, nullable=False, server_default="0"),
        sa.Column("language", sa.Text),
        sa.Column("expires_at", sa.DateTime),
        sa.Column("revision", sa.Integer, nullable=False, server_default="1"),
        sa.UniqueConstraint("owner", "key", name="uq_personal_facts_owner_key"),
        sa.CheckConstraint("confidence BETWEEN 0.0 AND 1.0", name="ck_confidence"),
        sqlite_autoincrement=True,
    )
    operations.create_index(
        "ix_personal_facts_source", "personal_facts", ["source_audit_id"]
    )
    cursor = operations.create_table(
        "memory_extract_cursor",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("last_audit_id", sa.Integer, nullable=False, server_default="0"),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next_try_at", sa.DateTime),
        sa.CheckConstraint("id = 1", name="ck_one_row"),
    )
    operations.bulk_insert(cursor, [{"id": 1, "last_audit_id": 0, "attempts": 0}])
