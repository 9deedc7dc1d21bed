"""What leaves the house in a report: counts and settings, nothing of anybody."""

import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import json_dumps
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import get_system_health_info

from custom_components.caesar import system_health
from custom_components.caesar.const import DOMAIN
from custom_components.caesar.diagnostics import async_get_config_entry_diagnostics
from custom_components.caesar.memory.models import user_owner
from tests.ha.house import House, agent, move_in, ollama
from tests.ha.texts import english


async def full_house(hass: HomeAssistant) -> tuple[House, list[str]]:
    """Return a house that knows things, and what may not get out of it."""
    house = await move_in(
        hass,
        agent(),
        ollama("http://192.168.7.9:11434", "secret-provider-id"),
        agent("secret-provider-id", "house-model", "Talker of Robin"),
    )
    robin = house.user("Robin Private")
    hass.config_entries.async_update_entry(
        house.entry,
        options={
            "max_facts": 7,
            "satellites": {"assist_satellite.nook": user_owner(robin.id)},
            "accounts": {robin.id: "person:kim"},
            "one_person": user_owner(robin.id),
            "consents": [user_owner(robin.id), "person:kim"],
        },
    )
    await hass.async_block_till_done()
    await house.ask("My dog's name is Beans.", satellite_id="assist_satellite.nook")
    await house.learn()
    await house.act(
        None, "add_fact", key="note.cellar", value="wine", owner="household"
    )
    private = ["Beans", "wine", "cellar", "Robin", robin.id, "kim", "nook", "192.168"]
    return house, [*private, "secret-provider-id", "My dog"]


async def test_diagnostics_count_and_tell_nothing(hass: HomeAssistant):
    house, private = await full_house(hass)

    report = await async_get_config_entry_diagnostics(hass, house.entry)

    assert report["memory"]["facts"] == 2
    assert report["memory"]["owners"] == 2
    assert report["memory"]["events"]["memory.fact.added"] == 2
    assert report["memory"]["schema_revision"].isdigit()
    assert report["memory"]["bytes"] > 0
    assert report["options"]["max_facts"] == 7
    assert report["options"]["satellites"] == 1
    assert report["options"]["one_person"] is True
    assert report["options"]["consents"] == 2
    assert report["providers"] == ["builtin", "ollama"]
    assert {"provider": "ollama", "has_model": True} in report["agents"]
    assert report["jobs"]["memory_extract"]["error"] is None
    written = json_dumps(report)
    assert json.loads(written)
    for word in private:
        assert word not in written, word


async def test_system_information_says_how_memory_is(hass: HomeAssistant):
    house, private = await full_house(hass)

    assert await async_setup_component(hass, "system_health", {})
    told = await get_system_health_info(hass, DOMAIN)

    assert told["memory"] == "ok"
    assert told["facts"] == 2
    assert told["waiting"] == 0
    assert set(told) == set(english()["system_health"]["info"])
    assert not any(word in str(told) for word in private)

    assert await hass.config_entries.async_unload(house.entry.entry_id)
    assert (await system_health.async_system_health(hass))["memory"] == {
        "type": "failed",
        "error": "not loaded",
    }


async def test_system_information_says_that_the_file_cannot_be_read(
    hass: HomeAssistant,
):
    house, _ = await full_house(hass)
    await house.runtime.memory.close()
    told = await system_health.async_system_health(hass)
    assert told["memory"] == {"type": "failed", "error": "DatabaseClosedError"}
