"""Who hears whose facts: everybody who can speak, to every agent that can answer."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from tests.gateway.ollama_server import OllamaServer, says

from .agents import LOCAL, OTHER, mcp_api
from .town import Town, heard


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
