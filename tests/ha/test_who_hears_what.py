"""Who hears whose facts: everybody who can speak, to every agent that can answer."""

from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.gateway.ollama_server import OllamaServer, says

from .agents import (
    BEDROOM,
    KITCHEN,
    LOCAL,
    OTHER,
    OtherAgent,
    Voice,
    add_other_agent,
    add_satellite,
    mcp_api,
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


async def test_caesars_agent(town: Town, server: OllamaServer):
    for name, voice in town.voices.items():
        server.replies += (says("Okay."),)
        reply = await town.house.ask("What do you know?", **voice.parts())
        assert reply == "Okay.", name
        assert heard(server.bodies[-1]["messages"][0]) == voice.hears, name


async def test_another_agent_with_the_switch_on(town: Town, hass: HomeAssistant):
    town.turn_on(share_with_agents=True)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        town.other.calls = [("caesar__recall_facts", {})]
        await town.house.ask("Hello", agent_id=OTHER, **voice.parts())
        assert heard(town.other.prompt) == voice.hears, name
        assert heard(town.other.result) == voice.hears, name


async def test_another_agent_with_the_switch_off(town: Town, hass: HomeAssistant):
    town.turn_on(share_with_mcp=True)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        await town.house.ask("Hello", agent_id=OTHER, **voice.parts())
        assert heard(town.other.prompt) == frozenset(), name
        assert not [tool for tool in town.other.tools if tool.integration == "caesar"]


async def test_the_local_agent(town: Town, hass: HomeAssistant):
    town.turn_on(share_with_agents=True, share_with_mcp=True, learn_from_agents=True)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        for words in ("What do you know about me?", "What time is it?"):
            result = await town.house.say(words, agent_id=LOCAL, **voice.parts())
            assert heard(result.as_dict()) == frozenset(), name


async def test_an_mcp_client(town: Town, hass: HomeAssistant):
    for name, voice in town.voices.items():
        api = await mcp_api(hass, voice)
        assert heard(api.api_prompt) == frozenset(), name
        assert not [tool for tool in api.tools if tool.integration == "caesar"]
    town.turn_on(share_with_agents=True)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        assert heard((await mcp_api(hass, voice)).api_prompt) == frozenset(), name
    town.turn_on(share_with_agents=False, share_with_mcp=True)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        api = await mcp_api(hass, voice)
        told = await api.async_call_tool(llm.ToolInput("caesar__recall_facts", {}))
        assert heard(api.api_prompt) == voice.hears, name
        assert heard(told.data) == voice.hears, name


async def test_with_facts_off_nobody_hears_any(
    town: Town, hass: HomeAssistant, server: OllamaServer
):
    town.turn_on(share_with_agents=True, share_with_mcp=True, facts_enabled=False)
    await hass.async_block_till_done()
    for name, voice in town.voices.items():
        server.replies += (says("Okay."),)
        await town.house.ask("Hello", **voice.parts())
        await town.house.ask("Hello", agent_id=OTHER, **voice.parts())
        api = await mcp_api(hass, voice)
        assert heard(server.bodies[-1], town.other.prompt, api.api_prompt) == set()
        offered = [*town.other.tools, *api.tools]
        assert not [tool for tool in offered if tool.integration == "caesar"], name
        assert "caesar__" not in str(server.bodies[-1]["tools"])
