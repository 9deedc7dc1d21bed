"""Setting up, stopping and failing leave nothing behind and lose nothing."""

import asyncio
import logging
from pathlib import Path
import sqlite3
import threading

from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_FINAL_WRITE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.caesar.memory.errors import DatabaseError
from tests.gateway.ollama_server import OllamaServer, Reply, says
from tests.ha.house import agent, move_in, ollama

DOG = "My dog's name is Beans."


def threads(prefix: str = "caesar") -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith(prefix)]


def database(hass: HomeAssistant) -> Path:
    return Path(hass.config.path("caesar.db"))


async def test_unloading_closes_the_file(hass: HomeAssistant):
    house = await move_in(hass)
    assert threads()
    await house.ask(DOG, house.user("Robin"))
    assert await hass.config_entries.async_unload(house.entry.entry_id)
    assert threads() == []
    assert not Path(f"{database(hass)}-wal").exists()


async def test_stopping_without_unloading_closes_it_too(hass: HomeAssistant):
    house = await move_in(hass)
    await house.ask(DOG, house.user("Robin"))
    await hass.async_stop(force=True)
    assert threads() == []
    rows = sqlite3.connect(database(hass)).execute(
        "SELECT kind, user_text FROM audit_log"
    )
    assert rows.fetchall() == [("chat.completed", DOG)]


async def test_stopping_waits_for_an_exchange_that_is_being_written(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
):
    house = await move_in(hass)
    disk_is_free = threading.Event()
    memory = house.runtime.memory
    busy = hass.async_create_background_task(
        memory.database.write(lambda _: disk_is_free.wait()), "busy disk"
    )
    await house.ask(DOG, house.user("Robin"))
    hass.bus.async_listen_once(
        EVENT_HOMEASSISTANT_FINAL_WRITE, lambda _: disk_is_free.set()
    )
    await hass.async_stop(force=True)
    assert busy.done()
    assert "CAESAR exchange" not in caplog.text
    rows = sqlite3.connect(database(hass)).execute("SELECT kind FROM audit_log")
    assert rows.fetchall() == [("chat.completed",)]


async def test_reloading_ten_times_leaves_one(hass: HomeAssistant):
    house = await move_in(hass)
    for _ in range(10):
        assert await hass.config_entries.async_reload(house.entry.entry_id)
    assert len(threads("caesar-database")) == 1


async def test_reloading_during_a_turn_keeps_the_words(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = house.user("Robin")
    hold = asyncio.Event()
    server.replies += (says("A", " B", hold=hold),)
    turn = asyncio.create_task(house.ask(DOG, robin))
    while not server.bodies:  # noqa: ASYNC110  the server has no event for it
        await asyncio.sleep(0.01)
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    hold.set()
    await asyncio.gather(turn, return_exceptions=True)
    events = await house.events(robin)
    assert [event.user_text for event in events] == [DOG]


async def test_a_newer_database_is_an_error_and_untouched(hass: HomeAssistant):
    house = await move_in(hass)
    await hass.config_entries.async_unload(house.entry.entry_id)
    raw = sqlite3.connect(database(hass))
    raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.commit()
    raw.close()
    before = database(hass).read_bytes()
    await hass.config_entries.async_setup(house.entry.entry_id)
    assert house.entry.state is ConfigEntryState.SETUP_ERROR
    assert house.entry.error_reason_translation_key == "database_newer"
    assert database(hass).read_bytes() == before
    assert threads() == []


async def test_a_damaged_database_is_an_error_and_untouched(hass: HomeAssistant):
    rubbish = b"no database " * 1000
    database(hass).write_bytes(rubbish)
    with pytest.raises(AssertionError):
        await move_in(hass)
    (entry,) = hass.config_entries.async_entries("caesar")
    assert entry.state is ConfigEntryState.SETUP_ERROR
    assert entry.error_reason_translation_key == "database_corrupt"
    assert database(hass).read_bytes() == rubbish


async def test_malformed_templates_are_reported_and_the_shipped_serve(
    hass: HomeAssistant,
):
    folder = Path(hass.config.path("caesar"))
    folder.mkdir()
    file = folder / "templates.yaml"
    file.write_text("cat.name: 'Your cat: {value}'\ndog.name: '{nothing}'\n")
    house = await move_in(hass)
    issue = ir.async_get(hass).async_get_issue("caesar", "templates_malformed")
    assert issue is not None
    assert issue.translation_placeholders == {
        "problem": "templates.yaml, line 2: unknown placeholder {nothing}"
    }
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    shown = await house.act(robin, "preview_section")
    assert "Your dog's name is Beans." in shown["text"]
    file.write_text("dog.name: 'The dog is {value}.'\n")
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    assert ir.async_get(hass).async_get_issue("caesar", "templates_malformed") is None
    shown = await house.act(robin, "preview_section")
    assert "The dog is Beans." in shown["text"]


async def test_removing_it_keeps_the_file_and_leaves_nothing_else(
    hass: HomeAssistant,
):
    folder = Path(hass.config.path("caesar"))
    folder.mkdir()
    (folder / "templates.yaml").write_text("nonsense")
    house = await move_in(hass)
    assert len(ir.async_get(hass).issues) == 1
    await hass.config_entries.async_remove(house.entry.entry_id)
    assert threads() == []
    assert database(hass).exists()
    assert not ir.async_get(hass).issues
    assert [state.entity_id for state in hass.states.async_all("conversation")] == [
        "conversation.home_assistant"
    ]


@pytest.mark.usefixtures("model_reads_alone")
async def test_a_model_that_is_down_for_an_hour_is_reported_until_it_is_back(
    hass: HomeAssistant, server: OllamaServer, freezer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = house.user("Robin")
    server.replies += (says("Nice."),)
    await house.ask(DOG, robin)
    await hass.async_block_till_done()
    registry, learn = ir.async_get(hass), house.runtime.legion._jobs["memory_extract"]
    server.replies += [Reply(status=500, lines=["{}"])] * 3
    await learn.run()
    assert registry.async_get_issue("caesar", "extraction_failing") is None
    freezer.tick(3700)
    await learn.run()
    assert registry.async_get_issue("caesar", "extraction_failing") is not None
    freezer.tick(3700)
    server.replies[:] = [says('{"kind": "noise", "facts": []}')]
    await learn.run()
    assert registry.async_get_issue("caesar", "extraction_failing") is None


async def test_what_the_disk_does_not_take_is_written_later(hass: HomeAssistant):
    house = await move_in(hass)
    robin, registry = house.user("Robin"), ir.async_get(hass)
    learn = house.runtime.legion._jobs["memory_extract"]
    size = await house.runtime.memory.database.write(
        lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one()
    )
    # As on a full disk: the file may not grow.
    await house.runtime.memory.database.write(
        lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {size}")
    )
    for number in range(40):
        await house.ask(f"{DOG} {'word ' * 100}{number}", robin)
    await house.ask(DOG, robin)
    await hass.async_block_till_done()
    assert house.runtime.turns.unwritten > 0
    with pytest.raises(DatabaseError):
        await learn.run()
    assert registry.async_get_issue("caesar", "cannot_write") is not None
    await house.runtime.memory.database.write(
        lambda c: c.exec_driver_sql("PRAGMA max_page_count = 100000")
    )
    await learn.run()
    assert house.runtime.turns.unwritten == 0
    assert registry.async_get_issue("caesar", "cannot_write") is None
    assert len(await house.events(robin, "chat.completed")) == 41


async def test_a_finished_exchange_wakes_learning(hass: HomeAssistant, freezer):
    from pytest_homeassistant_custom_component.common import (
        async_fire_time_changed,
    )

    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    await hass.async_block_till_done()
    assert house.runtime.memory.facts_of(f"user:{robin.id}") == ()
    freezer.tick(6)
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)
    (fact,) = house.runtime.memory.facts_of(f"user:{robin.id}")
    assert fact.value == "Beans"


async def test_fact_text_is_in_no_log_state_or_event(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
):
    seen: list[str] = []
    hass.bus.async_listen("*", lambda event: seen.append(str(event.as_dict())))
    caplog.set_level(logging.DEBUG, "custom_components.caesar")
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask("My dog's name is Xylophon.", robin)
    await house.learn()
    await house.ask("What's my dog's name?", robin)
    assert house.runtime.memory.facts_of(f"user:{robin.id}")[0].value == "Xylophon"
    ours = [r for r in caplog.records if r.name.startswith("custom_components.caesar")]
    assert "Xylophon" not in str([record.getMessage() for record in ours])
    alembic = [r for r in caplog.records if "sqlalchemy" in r.name]
    assert "Xylophon" not in str([record.getMessage() for record in alembic])
    assert "Xylophon" not in str([s.as_dict() for s in hass.states.async_all()])
    assert "Xylophon" not in str(seen)
