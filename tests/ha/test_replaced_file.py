"""A memory whose file is deleted or locked by others: people are told what to do."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
import sqlite3
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import (
    ClientSessionGenerator,
    WebSocketGenerator,
)

from custom_components.caesar import system_health
from custom_components.caesar.memory import database as databases

from .house import House, a_minute_later, move_in
from .texts import english

DOG = "My dog's name is Beans."
ASKED = "What's my dog's name?"


def is_reported(hass: HomeAssistant) -> bool:
    return ir.async_get(hass).async_get_issue("caesar", "file_replaced") is not None


async def told(hass: HomeAssistant) -> tuple[House, Any, Path]:
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    await house.learn()
    return house, robin, Path(hass.config.path("caesar.db"))


async def test_a_deleted_file_is_reported_within_a_minute_later(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    house, robin, file = await told(hass)
    await a_minute_later(hass, freezer)
    assert not is_reported(hass)

    file.unlink()
    await a_minute_later(hass, freezer)

    assert is_reported(hass)
    health = await system_health.async_system_health(hass)
    assert health["memory"] == {"type": "failed", "error": "DatabaseReplacedError"}
    assert await house.ask(ASKED, robin) == "Your dog's name is Beans."
    with pytest.raises(HomeAssistantError) as failure:
        await house.act(robin, "add_fact", key="cat.name", value="Tom")
    assert failure.value.translation_key == "database_replaced"

    assert await hass.config_entries.async_reload(house.entry.entry_id)
    await a_minute_later(hass, freezer)
    assert file.exists()
    assert not is_reported(hass)
    assert "Beans" not in await house.ask(ASKED, robin)
    await house.act(robin, "add_fact", key="cat.name", value="Tom")


async def test_a_file_that_is_put_back_is_used_on(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    house, robin, file = await told(hass)
    away = file.with_name("away.db")
    file.rename(away)
    await house.ask("My cat's name is Tom.", robin)
    await a_minute_later(hass, freezer)
    assert is_reported(hass)
    away.rename(file)
    await a_minute_later(hass, freezer)
    assert not is_reported(hass)
    # Nothing that was said meanwhile is lost.
    await house.learn()
    known = house.runtime.memory.facts_of(f"user:{robin.id}")
    assert {fact.value for fact in known} == {"Beans", "Tom"}


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the file as another program does that writes to it for long."""
    with closing(sqlite3.connect(file, isolation_level=None)) as program:
        program.execute("BEGIN IMMEDIATE")
        yield


async def test_a_locked_file_is_one_sentence_and_nothing_is_lost(
    hass: HomeAssistant,
    hass_ws_client: WebSocketGenerator,
    hass_client: ClientSessionGenerator,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(databases, "BUSY_TIMEOUT", 10)
    house, robin, file = await told(hass)
    (fact,) = house.runtime.memory.facts_of(f"user:{robin.id}")
    assert await async_setup_component(hass, "api", {})
    socket, client = await hass_ws_client(hass), await hass_client()
    # Home Assistant leaves out a sentence's last point.
    sentence = english()["exceptions"]["database_busy"]["message"].rstrip(".")
    with locked(file):
        for action, data in (
            ("add_fact", {"key": "cat.name", "value": "Tom"}),
            ("edit_fact", {"fact_id": fact.id, "value": "Rex"}),
            ("delete_fact", {"fact_id": fact.id}),
        ):
            with pytest.raises(HomeAssistantError) as failure:
                await house.act(robin, action, **data)
            assert failure.value.translation_key == "database_busy", action
        data = {"key": "note", "value": "x"}
        await socket.send_json_auto_id(
            {
                "type": "call_service",
                "domain": "caesar",
                "service": "add_fact",
                "service_data": data,
            }
        )
        assert (await socket.receive_json())["error"]["message"] == sentence
        answer = await client.post("/api/services/caesar/add_fact", json=data)
        assert (await answer.json())["message"] == sentence
        assert await house.ask("My cat's name is Tom.", robin)
        await hass.async_block_till_done()
    await house.learn()
    known = house.runtime.memory.facts_of(f"user:{robin.id}")
    assert {fact.value for fact in known} == {"Beans", "Tom"}


async def test_a_file_that_is_locked_at_the_start_is_tried_again(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(databases, "BUSY_TIMEOUT", 10)
    house, _, file = await told(hass)
    await hass.config_entries.async_unload(house.entry.entry_id)
    with locked(file):
        assert not await hass.config_entries.async_setup(house.entry.entry_id)
    assert house.entry.error_reason_translation_key == "database_busy"
    assert await hass.config_entries.async_reload(house.entry.entry_id)
