"""Create the tables of long memory, with a row for each exchange there is."""

from alembic.operations import Operations
import sqlalchemy as sa

revision = "0002"
down_revision = "0001"


def upgrade(operations: Operations) -> None:
    """Create both tables and the rows of what was said until now."""
    operations.create_table(
        "semantic_memory",
        sa.Column(
            "id",
            sa.Integer,
            sa.ForeignKey("audit_log.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("dimension", sa.Integer),
        sa.Column("vector", sa.LargeBinary),
    )
    operations.create_index(
        "ix_semantic_memory_owner_at", "semantic_memory", ["owner", "at"]
    )
    operations.create_index("ix_semantic_memory_model", "semantic_memory", ["model"])
    operations.create_table(
        "semantic_sketches",
        sa.Column(
            "id",
            sa.Integer,
            sa.ForeignKey("semantic_memory.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("bits", sa.LargeBinary, nullable=False),
    )
    # Whoever gives an exchange to another owner gives away all that it is found by.
    operations.execute(
        "CREATE TRIGGER semantic_memory_owner AFTER UPDATE OF owner ON audit_log"
        " BEGIN"
        " UPDATE semantic_memory SET owner = new.owner WHERE id = new.id;"
        " UPDATE semantic_sketches SET owner = new.owner WHERE id = new.id;"
        " END"
    )
    operations.execute(
        "INSERT INTO semantic_memory (id, owner, at)"
        " SELECT id, owner, at FROM audit_log"
        " WHERE kind IN ('chat.completed', 'chat.failed')"
        " AND coalesce(json_extract(payload, '$.teaches'), 1) != 0"
    )
