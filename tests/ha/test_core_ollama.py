"""Home Assistant's own Ollama integration, with and without CAESAR's facts."""

from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.gateway.ollama_server import MODEL, OllamaServer, calls, says

from .house import House, move_in

CORE = "conversation.kitchen"


async def with_core_ollama(
    hass: HomeAssistant, server: OllamaServer, **options: bool
) -> House:
    house = await move_in(hass, options=options)
    entry = MockConfigEntry(
        domain="ollama",
        version=3,
        minor_version=3,
        data={"url": server.url},
        subentries_data=[
            ConfigSubentryDataWithId(
                subentry_id="kitchen",
                subentry_type="conversation",
                title="Kitchen",
                unique_id=None,
                data={"model": MODEL, "llm_hass_api": ["assist"]},
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return house


@pytest.mark.parametrize("shared", [True, False])
async def test_it_carries_the_speakers_facts_only_where_they_are_shared(
    hass: HomeAssistant, server: OllamaServer, shared: bool
):
    house = await with_core_ollama(hass, server, share_with_agents=shared)
    robin, sam = house.user("Robin"), house.user("Sam")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    await house.act(sam, "add_fact", key="allergy", value="peanuts")
    for user in (robin, sam):
        server.replies += (says("A ball."),)
        await house.ask("What should I get Beans?", user, agent_id=CORE)
    of_robin, of_sam = (body["messages"][0]["content"] for body in server.bodies)
    assert ("Your dog's name is Beans." in of_robin) is shared
    assert ("peanuts" in of_sam) is shared
    assert "peanuts" not in of_robin
    assert "Beans" not in of_sam
    assert ("caesar__remember" in str(server.bodies[0]["tools"])) is shared


async def test_its_model_remembers(hass: HomeAssistant, server: OllamaServer):
    house = await with_core_ollama(hass, server, share_with_agents=True)
    robin = house.user("Robin")
    wish = {"value": "Beans", "who": "dog", "what": "name"}
    server.replies += (calls(("caesar__remember", wish)), says("Noted."))
    assert await house.ask("Remember my dog Beans", robin, agent_id=CORE) == "Noted."
    facts = (await house.act(robin, "list_facts", include_text=True))["facts"]
    assert [fact["sentence"] for fact in facts] == ["Your dog's name is Beans."]
