"""SQLite's errors as memory's own."""

from collections.abc import Iterator
import contextlib
import sqlite3
from typing import Final

from sqlalchemy.exc import DatabaseError as SqlAlchemyDatabaseError

from .errors import CorruptDatabaseError, DatabaseBusyError, DatabaseError

_PRIMARY_CODE: Final = 0xFF


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """Raise DatabaseError for whatever SQLite or SQLAlchemy raise inside."""
    try:
        yield
    except SqlAlchemyDatabaseError as err:
        if isinstance(err.orig, sqlite3.DatabaseError):
            raise _as_ours(err.orig) from err.orig
        raise DatabaseError(str(err.orig)) from err.orig
    except sqlite3.DatabaseError as err:
        # What goes wrong while a connection is prepared comes as it is.
        raise _as_ours(err) from err


def _as_ours(err: sqlite3.DatabaseError) -> DatabaseError:
    match getattr(err, "sqlite_errorcode", 0) & _PRIMARY_CODE:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return CorruptDatabaseError(str(err))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseBusyError(str(err))
    return DatabaseError(str(err))
