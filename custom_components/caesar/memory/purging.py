"""The bytes of rows that are gone leave the file too.

SQLite overwrites what it deletes, but not what it has moved from one page to another
before, and the index of words keeps what was deleted until it is merged. So the file is
written anew. Its ``user_version`` tells how far that has come, also after a crash.
"""

from enum import IntEnum
import sqlite3

from sqlalchemy import Engine

from . import words
from .holding import truncate_log


class Purge(IntEnum):
    """What is left to do, as the file itself tells."""

    DONE = 0
    ERASED = 1
    """Rows were erased; their bytes may be anywhere."""
    REWRITTEN = 2
    """The file was written anew, and what was before it may be beneath the log."""


def purge(engine: Engine, writer: sqlite3.Connection) -> bool:
    """Do what is left; return whether that is all.

    A reader that stays in its transaction keeps the log from being brought in.
    """
    left = _left(writer)
    if left is Purge.DONE:
        return True
    if left is Purge.ERASED:
        with engine.begin() as connection:
            words.optimize(connection)
        writer.execute("VACUUM")
        mark(writer, Purge.REWRITTEN)
    if not truncate_log(writer):
        return False
    mark(writer, Purge.DONE)
    return True


def mark(writer: sqlite3.Connection, left: Purge) -> None:
    """Note in the file what is left to do."""
    writer.execute(f"PRAGMA user_version = {left.value}")


def _left(writer: sqlite3.Connection) -> Purge:
    (version,) = writer.execute("PRAGMA user_version").fetchone()
    return Purge(version)
