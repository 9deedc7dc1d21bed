"""What our own agents' models are offered: one tool, and only where they need it."""

from homeassistant.core import HomeAssistant

from custom_components.caesar.memory.models import user_owner
from tests.gateway.ollama_server import OllamaServer, calls, says

from .house import House, agent, move_in, ollama
from .test_tools import FORGET, RECALL, REMEMBER, facts


async def own_agent(hass: HomeAssistant, server: OllamaServer) -> House:
    return await move_in(
        hass,
        ollama(server.url),
        agent("ollama", "qwen3:4b", llm_hass_api=["assist"]),
        options={"share_with_agents": True},
    )


async def test_our_own_agent_has_facts_once_and_no_tool_that_it_does_not_need(
    hass: HomeAssistant, server: OllamaServer
):
    house = await own_agent(hass, server)
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    server.replies += (says("Okay."),)
    await house.ask("Hello", robin)
    (body,) = server.bodies
    names = [tool["function"]["name"] for tool in body["tools"]]
    assert "intent__HassTurnOn" in names
    assert not {REMEMBER, RECALL, FORGET} & set(names)
    assert body["messages"][0]["content"].count("Beans") == 1


async def test_our_own_agent_can_look_up_what_the_caps_hide(
    hass: HomeAssistant, server: OllamaServer
):
    house = await own_agent(hass, server)
    hass.config_entries.async_update_entry(house.entry, options={"max_facts": 1})
    await hass.async_block_till_done()
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    await house.act(robin, "add_fact", key="cat.name", value="Tom")
    server.replies += (calls((RECALL, {})), says("Okay."))
    await house.ask("Hello", robin)
    first, second = server.bodies
    names = [tool["function"]["name"] for tool in first["tools"]]
    assert RECALL in names
    assert not {REMEMBER, FORGET} & set(names)
    assert "Beans" in second["messages"][-1]["content"]
    assert "Tom" in second["messages"][-1]["content"]


async def test_our_own_model_cannot_remember_nonsense(
    hass: HomeAssistant, server: OllamaServer
):
    house = await own_agent(hass, server)
    robin = house.user("Robin")
    server.replies += (
        calls((REMEMBER, {"value": "Beans for a dog's name", "what": "name"})),
        says("Noted."),
    )
    await house.ask("My dog's name is Beans.", robin)
    assert await facts(house, user_owner(robin.id)) == {}


async def test_an_agent_that_controls_nothing_gets_no_tools(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    server.replies += (says("Okay."),)
    await house.ask("Hello", house.user("Robin"))
    assert not server.bodies[0].get("tools")
