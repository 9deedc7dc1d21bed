"""A file that somebody deletes, replaces or locks while it is in use."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
import shutil
import sqlite3

import pytest

from custom_components.caesar.memory import database as databases
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.errors import (
    DatabaseBusyError,
    DatabaseReplacedError,
)

from .test_database import count_events, insert_event


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    database = Database(path)
    await database.open()
    await database.write(insert_event, "x")
    yield database
    await database.close()


@pytest.fixture
async def other(path: Path) -> Path:
    """Another database, as from a backup, with three events."""
    other = path.with_name("other.db")
    backup = Database(other)
    await backup.open()
    for _ in range(3):
        await backup.write(insert_event, "x")
    await backup.close()
    return other


def files(path: Path) -> set[str]:
    return {file.name for file in path.parent.glob("caesar.db*")}


async def test_a_deleted_file_is_noticed_and_a_new_one_begun(
    database: Database, path: Path
):
    assert not await database.is_replaced()
    path.unlink()
    assert await database.is_replaced()
    with pytest.raises(DatabaseReplacedError):
        await database.write(insert_event, "lost")
    # What it knew, it still knows.
    assert await database.read(count_events) == 1
    await database.close()
    assert files(path) == set()
    await database.open()
    assert not await database.is_replaced()
    assert await database.read(count_events) == 0


async def test_a_file_that_comes_back_is_used_on(database: Database, path: Path):
    away = path.with_name("away.db")
    path.rename(away)
    assert await database.is_replaced()
    away.rename(path)
    assert not await database.is_replaced()
    await database.write(insert_event, "x")
    assert await database.read(count_events) == 2


@pytest.mark.parametrize("in_place", [True, False])
async def test_a_file_put_in_its_place_is_noticed_and_stays_as_it_is(
    database: Database, path: Path, other: Path, in_place: bool
):
    put = other.read_bytes()
    if in_place:
        shutil.copyfile(other, path)
    else:
        other.replace(path)
    assert await database.is_replaced()
    with pytest.raises(DatabaseReplacedError):
        await database.write(insert_event, "lost")
    await database.close()
    assert path.read_bytes() == put
    assert files(path) == {"caesar.db"}
    await database.open()
    assert await database.read(count_events) == 3


@pytest.mark.parametrize("copies", ["older", "foreign"])
async def test_what_is_copied_over_a_file_whose_log_is_full_is_noticed(
    database: Database, path: Path, copies: str
):
    backup = path.with_name("backup.db")
    with closing(sqlite3.connect(path)) as program:
        program.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copyfile(path, backup)
    if copies == "foreign":
        backup.write_bytes(b"These are my notes, and no database at all. " * 1000)
    await database.write(insert_event, "after the backup")
    shutil.copyfile(backup, path)
    assert await database.is_replaced()
    await database.close()
    assert path.read_bytes() == backup.read_bytes()


async def test_an_emptied_file_is_noticed(database: Database, path: Path):
    path.write_bytes(b"")
    assert await database.is_replaced()


async def test_another_program_that_tidies_the_file_is_no_trouble(
    database: Database, path: Path
):
    with closing(sqlite3.connect(path)) as program:
        program.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not await database.is_replaced()
    await database.write(insert_event, "x")
    assert await database.read(count_events) == 2


async def test_a_lock_that_another_program_holds_is_told_as_such(
    database: Database, path: Path, monkeypatch: pytest.MonkeyPatch
):
    with closing(sqlite3.connect(path, isolation_level=None)) as program:
        await database.write(lambda it: it.exec_driver_sql("PRAGMA busy_timeout = 1"))
        program.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError):
            await database.write(insert_event, "x")
        program.execute("ROLLBACK")
    await database.write(insert_event, "x")
    assert await database.read(count_events) == 2


async def test_opening_under_a_lock_takes_the_file_for_busy_not_for_damaged(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(databases, "BUSY_TIMEOUT", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as program:
        program.execute("CREATE TABLE lock (id)")
        program.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseBusyError):
            await Database(path).open()
