"""A copy of the file that is made while it is held is whole, whatever is written."""

import asyncio
from pathlib import Path
import shutil
import sqlite3

import pytest

from custom_components.caesar.memory import holding
from custom_components.caesar.memory.errors import DatabaseClosedError
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Scope

from .conftest import spoken

SCOPE = Scope(owner="user:robin")


def restored(path: Path, folder: Path) -> list[str]:
    """Return what was said, as far as the copies of the files hold it."""
    folder.mkdir()
    for file in path.parent.glob("caesar.db*"):
        # As Home Assistant's backups do, without the file that SQLite makes anew.
        if not file.name.endswith("-shm"):
            shutil.copy(file, folder / file.name)
    with sqlite3.connect(folder / path.name) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = copy.execute("SELECT user_text FROM audit_log ORDER BY id").fetchall()
    copy.close()
    return [text for (text,) in rows]


async def say(memory: Memory, *texts: str) -> None:
    for text in texts:
        await memory.finish(None, spoken(text))


async def test_nothing_is_written_while_it_is_held_and_all_of_it_after(
    memory: Memory, path: Path, tmp_path: Path
) -> None:
    await say(memory, "One.", "Two.")
    await memory.database.hold(60)
    before = path.read_bytes()
    waiting = asyncio.create_task(say(memory, "Three.", "Four."))
    # Reads go on, and what waits is written in order.
    assert len(await memory.events(SCOPE)) == 2

    assert restored(path, tmp_path / "copy") == ["One.", "Two."]
    assert not waiting.done()
    assert path.read_bytes() == before
    assert memory.database.release() is False
    await waiting

    assert [e.user_text for e in await memory.events(SCOPE)][:2] == ["Four.", "Three."]
    assert memory.database.release() is False


async def test_the_file_stays_as_it_is_when_the_writers_go_on(
    memory: Memory, path: Path, tmp_path: Path
) -> None:
    await say(memory, "One.")
    await memory.database.hold(0)
    before = path.read_bytes()
    # Far more than SQLite would keep in its log.
    texts = [f"{number} {'long ' * 500}" for number in range(600)]
    await say(memory, *texts)

    assert path.read_bytes() == before
    log = path.with_name("caesar.db-wal")
    assert log.stat().st_size > holding.USUAL_PAGES * 8192
    said = restored(path, tmp_path / "copy")
    assert (said[0], len(said)) == ("One.", 601)
    assert memory.database.release() is True
    await say(memory, "Last.")
    assert path.read_bytes() != before


async def test_closing_does_not_wait_for_the_backup(
    memory: Memory, path: Path, tmp_path: Path
) -> None:
    await memory.database.hold(3600)
    waiting = asyncio.create_task(say(memory, "One."))
    await asyncio.sleep(0)
    await memory.close()
    await waiting

    assert restored(path, tmp_path / "copy") == ["One."]
    with pytest.raises(DatabaseClosedError):
        await memory.database.hold(60)
