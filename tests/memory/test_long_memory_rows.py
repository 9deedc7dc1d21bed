"""What can be found again comes and goes with the exchange, whoever takes it away."""

from pathlib import Path
import shutil
import sqlite3

import pytest

from custom_components.caesar.memory import migrations, words
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    EventKind,
    Json,
    NewEvent,
    user_owner,
)

ANN = user_owner("ann")
BOB = user_owner("bob")


def said(text: str, reply: str = "I see.", **payload: Json) -> NewEvent:
    return NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=ANN,
        user_text=text,
        assistant_text=reply,
        payload=payload,
    )


async def found(memory: Memory, word: str) -> list[int]:
    def work(connection):
        match = words.searchable(word)
        return list(
            connection.exec_driver_sql(
                "SELECT rowid FROM semantic_words WHERE semantic_words MATCH ?",
                (f'"{match}"',),
            ).scalars()
        )

    return await memory.database.read(work)


async def rows(memory: Memory) -> list[tuple[int, str]]:
    def work(connection):
        found = connection.exec_driver_sql("SELECT id, owner FROM semantic_memory")
        return [tuple(row) for row in found]

    return await memory.database.read(work)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The boiler leaks", "BOILER"),
        ("Der Ofen heißt Bärbel", "barbel"),
        ("猫の名前はタマです", "名前"),
        ("我的狗叫豆豆", "豆豆"),
        ("Zażółć gęślą jaźń", "gesla"),
    ],
)
async def test_an_exchange_is_found_by_its_words_at_once(
    memory: Memory, text: str, word: str
):
    exchange_id = await memory.finish(None, said(text))
    assert await found(memory, word) == [exchange_id]
    assert await rows(memory) == [(exchange_id, ANN)]


async def test_a_reply_is_found_too_and_a_masked_secret_is_not(memory: Memory):
    exchange_id = await memory.finish(
        None, said("My PIN is 4711", "The geyser is ready")
    )
    assert await found(memory, "geyser") == [exchange_id]
    assert await found(memory, "4711") == []


async def test_what_teaches_nothing_cannot_be_found(memory: Memory):
    await memory.finish(None, said("What do you know?", "Your dog", teaches=False))
    assert await rows(memory) == []
    assert await found(memory, "dog") == []


async def test_it_goes_with_the_exchange(memory: Memory):
    exchange_id = await memory.finish(None, said("The boiler leaks"))
    await memory.database.write(
        lambda connection: connection.exec_driver_sql(
            "DELETE FROM audit_log WHERE id = ?", (exchange_id,)
        )
    )
    assert await rows(memory) == []
    assert await found(memory, "boiler") == []


async def test_it_moves_with_the_exchange(memory: Memory):
    exchange_id = await memory.finish(None, said("The boiler leaks"))
    await memory.move_owner(ANN, BOB)
    assert await rows(memory) == [(exchange_id, BOB)]


async def test_an_interrupted_exchange_is_found(path: Path, memory: Memory, clock):
    await memory.receive(said("The boiler leaks"))
    await memory.close()
    again = Memory(path, clock=clock)
    await again.open()
    assert len(await rows(again)) == 1
    assert len(await found(again, "boiler")) == 1
    await again.close()


async def test_an_older_file_gets_rows_for_what_was_said(
    path: Path, tmp_path: Path, clock, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, folder)
    (folder / "versions" / "0002_create_long_memory.py").unlink()
    with monkeypatch.context() as patched:
        patched.setattr(migrations.upgrade, "__defaults__", (folder,))
        patched.setattr(words, "prepare", lambda _: None)
        database = Database(path)
        await database.open()
        await database.close()
    with sqlite3.connect(path) as raw:
        raw.executemany(
            "INSERT INTO audit_log (at, kind, owner, user_text, payload)"
            " VALUES ('2026-01-01 10:00:00.000000', ?, 'user:ann', ?, ?)",
            [
                ("chat.completed", "The boiler leaks", "{}"),
                ("chat.completed", "What of the boiler?", '{"teaches": false}'),
                ("chat.failed", "Boiler again", '{"teaches": true}'),
                ("memory.fact.added", "boiler", "{}"),
            ],
        )
    memory = Memory(path, clock=clock)
    await memory.open()
    assert await found(memory, "boiler") == [1, 3]
    assert await rows(memory) == [(1, ANN), (3, ANN)]
    await memory.close()


async def test_without_fts5_exchanges_are_kept_and_deleted_all_the_same(
    path: Path, memory: Memory, clock, monkeypatch: pytest.MonkeyPatch
):
    first = await memory.finish(None, said("The boiler leaks"))
    await memory.close()
    with monkeypatch.context() as patched:
        patched.setattr(words, "_has_fts5", lambda _: False)
        poorer = Memory(path, clock=clock)
        await poorer.open()
        second = await poorer.finish(None, said("The boiler is mended"))
        await poorer.database.write(
            lambda connection: connection.exec_driver_sql(
                "DELETE FROM audit_log WHERE id = ?", (first,)
            )
        )
        assert await rows(poorer) == [(second, ANN)]
        await poorer.close()
    again = Memory(path, clock=clock)
    await again.open()
    assert await found(again, "boiler") == [second]
    await again.close()
