"""Home Assistant's own Ollama and Anthropic integrations with real models behind them.

Asserted is what their models are sent; what a model of this size answers is not, only
that it does. It is asked for one word, and the proxy lets it write little more, so that
the answer comes soon.
"""

from typing import Any

from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from tests.ha.house import move_in

from .proxy import RecordingProxy

AGENT = "conversation.kitchen"
SENTENCE = "Your dog's name is Beans."
REMEMBER = "caesar__remember"

shared_or_not = pytest.mark.parametrize("shared", [True, False])


def kitchen(**data: Any) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id="kitchen",
        subentry_type="conversation",
        title="Kitchen",
        unique_id=None,
        data={
            "llm_hass_api": ["assist"],
            "prompt": "Answer in one word and call no tool.",
            **data,
        },
    )


async def ask_beside_caesar(
    hass: HomeAssistant, integration: MockConfigEntry, *, shared: bool
) -> None:
    """Ask another integration's agent something, in a house that knows a dog.

    There is no device in it, which keeps Assist's instructions and tools short.
    """
    house = await move_in(hass, options={"share_with_agents": shared})
    integration.add_to_hass(hass)
    assert await hass.config_entries.async_setup(integration.entry_id)
    await hass.async_block_till_done()
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    reply = await house.say("What is the capital of Italy?", robin, agent_id=AGENT)
    assert reply.response.error_code is None


def tools_of(body: dict[str, Any]) -> list[str]:
    tools = (tool.get("function", tool) for tool in body["tools"])
    return [tool["name"] for tool in tools]


@shared_or_not
async def test_ollama_carries_the_dog_only_where_facts_are_shared(
    hass: HomeAssistant, proxy: RecordingProxy, ollama_model: str, shared: bool
):
    agent = kitchen(model=ollama_model)
    await ask_beside_caesar(
        hass,
        MockConfigEntry(
            domain="ollama",
            version=3,
            minor_version=3,
            data={"url": proxy.url},
            subentries_data=[agent],
        ),
        shared=shared,
    )
    sent = proxy.chats[0]
    assert (SENTENCE in sent["messages"][0]["content"]) is shared
    assert ("Beans" in str(proxy.chats)) is shared
    assert "HassTurnOn" in str(tools_of(sent))
    assert (REMEMBER in tools_of(sent)) is shared


@shared_or_not
async def test_anthropic_carries_the_dog_only_where_facts_are_shared(
    hass: HomeAssistant,
    claude_proxy: RecordingProxy,
    monkeypatch: pytest.MonkeyPatch,
    shared: bool,
):
    # The integration asks for no address; its SDK takes one from here.
    monkeypatch.setenv("ANTHROPIC_BASE_URL", claude_proxy.url)
    await ask_beside_caesar(
        hass,
        MockConfigEntry(
            domain="anthropic",
            version=2,
            minor_version=4,
            data={"api_key": "no key"},
            subentries_data=[kitchen()],
        ),
        shared=shared,
    )
    sent = claude_proxy.chats[0]
    assert (SENTENCE in sent["system"][0]["text"]) is shared
    assert ("Beans" in str(claude_proxy.chats)) is shared
    assert "HassTurnOn" in str(tools_of(sent))
    assert (REMEMBER in tools_of(sent)) is shared
