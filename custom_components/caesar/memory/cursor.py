"""How far learning has read, and what holds it up."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from .schema import memory_extract_cursor


@dataclass(frozen=True, kw_only=True, slots=True)
class Cursor:
    """The position in the audit log and the tries at what comes next."""

    last_audit_id: int
    attempts: int
    next_try_at: datetime | None


def load(connection: Connection) -> Cursor:
    """Return the cursor."""
    row = connection.execute(
        select(
            memory_extract_cursor.c.last_audit_id,
            memory_extract_cursor.c.attempts,
            memory_extract_cursor.c.next_try_at,
        )
    ).one()
    return Cursor(**row._mapping)


def save(connection: Connection, cursor: Cursor) -> None:
    """Put the cursor where it says."""
    connection.execute(
        update(memory_extract_cursor).values(
            last_audit_id=cursor.last_audit_id,
            attempts=cursor.attempts,
            next_try_at=cursor.next_try_at,
        )
    )


def advance(connection: Connection, audit_id: int) -> None:
    """Move past an exchange, which clears the tries at it."""
    save(connection, Cursor(last_audit_id=audit_id, attempts=0, next_try_at=None))
