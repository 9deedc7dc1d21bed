"""Home Assistant's backup holds a whole memory, and people are answered meanwhile."""

from pathlib import Path
import shutil
import sqlite3

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar import backup
from custom_components.caesar.backup import async_post_backup, async_pre_backup
from custom_components.caesar.memory.events import EXCHANGE_KINDS

from .house import House


def _said(copy: Path) -> list[str]:
    with sqlite3.connect(copy) as restored:
        assert restored.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = restored.execute(
            "SELECT user_text FROM audit_log WHERE user_text IS NOT NULL ORDER BY id"
        ).fetchall()
    restored.close()
    return [text for (text,) in rows]


async def test_what_was_said_before_is_in_it_and_what_is_said_meanwhile_is_kept(
    hass: HomeAssistant, house: House, ann: MockUser, tmp_path: Path
) -> None:
    before = [f"Number {number} is said." for number in range(5)]
    for text in before:
        await house.ask(text, ann)
    await house.runtime.turns.written()
    path = house.runtime.memory.database.path

    await async_pre_backup(hass)
    assert await house.ask("This is said meanwhile.", ann)
    copy = tmp_path / "restored.db"
    await hass.async_add_executor_job(shutil.copy, path, copy)
    await async_post_backup(hass)

    assert await hass.async_add_executor_job(_said, copy) == before
    said = [event.user_text for event in await house.events(ann, *EXCHANGE_KINDS)]
    assert said == [*before, "This is said meanwhile."]


async def test_a_backup_is_made_whatever_is_wrong_with_the_memory(
    hass: HomeAssistant,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(backup, "PATIENCE", 0.01)
    database = house.runtime.memory.database
    # Somebody writes for longer than a backup waits.
    await database.hold(60)
    hold = database._hold
    assert hold is not None
    monkeypatch.setattr(hold, "let_go", lambda: None)
    await async_pre_backup(hass)
    assert "was not made ready for a backup: TimeoutError" in caplog.text
    await async_post_backup(hass)
    hold._let_go.set()

    await database.close()
    await async_pre_backup(hass)
    await async_post_backup(hass)
    assert "was not made ready for a backup: DatabaseClosedError" in caplog.text

    assert await hass.config_entries.async_unload(house.entry.entry_id)
    await async_pre_backup(hass)
    await async_post_backup(hass)
