"""The file is opened, written, read and closed as promised."""

import asyncio
from pathlib import Path
import sqlite3
import stat
import threading

import pytest
from sqlalchemy import Connection, text

from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.errors import (
    CorruptDatabaseError,
    DatabaseClosedError,
    DatabaseError,
    EventLoopError,
    NewerDatabaseError,
)


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def insert_event(connection: Connection, kind: str) -> None:
    connection.execute(
        text(
            "INSERT INTO audit_log (at, kind, owner, payload)"
            " VALUES ('2026-01-01', :kind, 'household', '{}')"
        ),
        {"kind": kind},
    )


def count_events(connection: Connection) -> int:
    count: int = connection.execute(text("SELECT count(*) FROM audit_log")).scalar_one()
    return count


@pytest.fixture
async def database(path: Path):
    database = Database(path)
    await database.open()
    yield database
    await database.close()


async def test_the_file_belongs_to_its_owner_alone(database: Database, path: Path):
    await database.write(insert_event, "x")
    for file in path.parent.glob("caesar.db*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


async def test_settings_of_the_connections(database: Database):
    for name, value in {
        "page_size": 8192,
        "journal_mode": "wal",
        "foreign_keys": 1,
        "secure_delete": 1,
        "synchronous": 2,
    }.items():
        assert await database.write(pragma, name) == value, name
    assert await database.read(pragma, "query_only") == 1


async def test_a_failing_write_leaves_nothing(database: Database):
    def half(connection: Connection) -> None:
        insert_event(connection, "first half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(half)
    assert await database.read(count_events) == 0


async def test_a_cancelled_caller_does_not_undo_the_write(database: Database):
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        insert_event(connection, "x")
        begun.set()
        go_on.wait(5)

    task = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(begun.wait, 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go_on.set()
    await database.write(lambda _: None)
    assert await database.read(count_events) == 1


async def test_a_reader_cannot_write(database: Database):
    with pytest.raises(DatabaseError):
        await database.read(insert_event, "x")


async def test_work_on_the_event_loop_is_refused(database: Database):
    with pytest.raises(EventLoopError):
        database._query(count_events)
    with pytest.raises(EventLoopError):
        database._transact(count_events)


async def test_closing_finishes_what_is_queued_and_ends_the_thread(path: Path):
    database = Database(path)
    await database.open()
    writes = [asyncio.create_task(database.write(insert_event, "x")) for _ in range(50)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes)
    await database.close()
    assert not [t for t in threading.enumerate() if t.name.startswith("caesar")]
    assert not path.with_name("caesar.db-wal").exists()
    with pytest.raises(DatabaseClosedError):
        await database.write(insert_event, "x")
    with pytest.raises(DatabaseClosedError):
        await database.read(count_events)
    assert (
        sqlite3.connect(path).execute("SELECT count(*) FROM audit_log").fetchone()[0]
        == 50
    )


async def test_a_read_under_way_leaves_no_connection_behind(path: Path):
    database = Database(path)
    await database.open()
    begun, go_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> int:
        begun.set()
        go_on.wait(5)
        return count_events(connection)

    read = asyncio.create_task(database.read(slow))
    await asyncio.to_thread(begun.wait, 5)
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    assert await read == 0
    # With no connection left, SQLite has put its log away.
    assert not path.with_name("caesar.db-wal").exists()


async def test_a_newer_database_is_refused_and_untouched(path: Path):
    database = Database(path)
    await database.open()
    await database.close()
    raw = sqlite3.connect(path)
    raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.commit()
    raw.close()
    before = path.read_bytes()
    with pytest.raises(NewerDatabaseError):
        await database.open()
    assert path.read_bytes() == before
    assert not [t for t in threading.enumerate() if t.name.startswith("caesar")]


async def test_a_file_that_is_no_database_is_refused_and_untouched(path: Path):
    path.write_bytes(b"These are my notes, and no database at all. " * 100)
    before = path.read_bytes()
    with pytest.raises(CorruptDatabaseError):
        await Database(path).open()
    assert path.read_bytes() == before


async def test_what_was_said_is_in_no_error(database: Database):
    def broken(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO audit_log (kind) VALUES (:said)"), {"said": "Beans"}
        )

    with pytest.raises(DatabaseError) as caught:
        await database.write(broken)
    assert "Beans" not in repr(caught.value)
    assert "Beans" not in repr(caught.value.__cause__)
