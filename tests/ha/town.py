"""A house with everybody in it who can speak, and everything that listens."""

from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.gateway.ollama_server import OllamaServer

from .agents import (
    BEDROOM,
    KITCHEN,
    OtherAgent,
    Voice,
    add_other_agent,
    add_satellite,
)
from .house import House, agent, move_in, ollama

WORDS = {"ann": "Annsword", "bob": "Bobsword", "home": "Homesword"}


@dataclass
class Town:
    """A house with everybody in it, and everything that listens."""

    house: House
    other: OtherAgent
    voices: dict[str, Voice]

    def turn_on(self, **options: Any) -> Any:
        return self.house.hass.config_entries.async_update_entry(
            self.house.entry, options={**self.house.entry.options, **options}
        )


@pytest.fixture
async def town(hass: HomeAssistant, server: OllamaServer) -> Town:
    ann, bob, tablet = [
        await hass.auth.async_create_user(name) for name in ("Ann", "Bob", "Tablet")
    ]
    phone = await hass.auth.async_create_system_user("Phone line")
    bedroom, kitchen = (add_satellite(hass, each) for each in (BEDROOM, KITCHEN))
    options: dict[str, Any] = {
        "satellites": {BEDROOM: user_owner(ann.id)},
        "accounts": {tablet.id: HOUSEHOLD},
    }
    house = await move_in(
        hass,
        ollama(server.url),
        agent("ollama", "qwen3:4b", llm_hass_api=["assist"]),
        options=options,
    )
    for owner, word in (
        (user_owner(ann.id), WORDS["ann"]),
        (user_owner(bob.id), WORDS["bob"]),
        (HOUSEHOLD, WORDS["home"]),
    ):
        await house.runtime.memory.add_fact(owner, "note", word)
    ann_hears, bob_hears = frozenset({"ann", "home"}), frozenset({"bob", "home"})
    home = frozenset({"home"})
    voices = {
        "ann": Voice(user=ann, hears=ann_hears),
        "bob": Voice(user=bob, hears=bob_hears),
        "ann's satellite": Voice(
            satellite_id=BEDROOM, device_id=bedroom, hears=ann_hears
        ),
        "the kitchen's satellite": Voice(
            satellite_id=KITCHEN, device_id=kitchen, hears=home
        ),
        "an unknown voice on the phone": Voice(
            user=phone, satellite_id=BEDROOM, device_id=bedroom, hears=home
        ),
        "a device that is no satellite": Voice(device_id="unknown", hears=home),
        "an automation": Voice(hears=home),
        "bob, who names ann's satellite": Voice(
            user=bob, satellite_id=BEDROOM, device_id=bedroom, hears=bob_hears
        ),
        "ann, who names the kitchen": Voice(
            user=ann, satellite_id=KITCHEN, device_id=kitchen, hears=ann_hears
        ),
        "the wall tablet": Voice(user=tablet, hears=home),
        "the wall tablet, naming ann's satellite": Voice(
            user=tablet, satellite_id=BEDROOM, device_id=bedroom, hears=home
        ),
    }
    return Town(house, await add_other_agent(hass), voices)


def heard(*texts: object) -> frozenset[str]:
    """Return whose facts stand in the texts."""
    text = " ".join(map(str, texts))
    return frozenset(owner for owner, word in WORDS.items() if word in text)
