"""What is in CAESAR's file, read by SQLite itself and not by CAESAR's own code."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
import sqlite3

DATABASE_FILE = "caesar.db"
type Row = dict[str, object]


def facts(folder: Path) -> list[Row]:
    """Return all facts of everybody, oldest first."""
    return _read(folder, "SELECT * FROM personal_facts ORDER BY id")


def events(folder: Path, kind: str = "%") -> list[Row]:
    """Return all audit events whose kind is LIKE the given one, oldest first."""
    return _read(folder, "SELECT * FROM audit_log WHERE kind LIKE ? ORDER BY id", kind)


def integrity(folder: Path) -> str:
    """Return SQLite's own verdict about the file: ``ok``, or what is wrong."""
    (row,) = _read(folder, "PRAGMA integrity_check")
    return str(row["integrity_check"])


def _read(folder: Path, statement: str, *values: object) -> list[Row]:
    with _connection(folder) as connection:
        return [dict(row) for row in connection.execute(statement, values)]


@contextmanager
def _connection(folder: Path) -> Iterator[sqlite3.Connection]:
    address = (folder / DATABASE_FILE).resolve().as_uri()
    with closing(sqlite3.connect(f"{address}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        yield connection
