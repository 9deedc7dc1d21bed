"""What an observer must not do: hear uninvited, harm a turn, or outlive the entry."""

from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.conversation import chat_log as chat_logs
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
import pytest

from custom_components.caesar import chat_log_hook, observer

from .agents import LOCAL, OTHER, OtherAgent, add_other_agent
from .house import House, move_in
from .observed import Observed

DOG = "By the way, my dog's name is Beans."


@pytest.fixture
async def house(hass: HomeAssistant) -> House:
    return await move_in(hass, options={"learn_from_agents": True})


async def test_it_hears_nothing_unless_it_was_chosen(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, options={"share_with_agents": True})
    await add_other_agent(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin, agent_id=OTHER)
    await Observed(house, freezer).learn()
    assert await house.events(robin) == []


async def test_it_hears_nothing_with_facts_off(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    options = {"learn_from_agents": True, "facts_enabled": False}
    house = await move_in(hass, options=options)
    await add_other_agent(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin, agent_id=OTHER)
    await Observed(house, freezer).learn()
    assert await house.events(robin) == []


@pytest.mark.parametrize("method", ["_begin", "_identify", "_notice"])
async def test_an_error_of_ours_reaches_no_turn(
    house: House,
    other: OtherAgent,
    observed: Observed,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    method: str,
):
    def broken(*_: Any) -> None:
        raise RuntimeError(DOG)

    monkeypatch.setattr(observer.Observer, method, broken)
    robin = house.user("Robin")
    for agent_id in (OTHER, LOCAL, "conversation.caesar"):
        result = await house.say("Hello", robin, agent_id=agent_id)
        assert result.response.error_code in (None, "no_intent_match"), agent_id
    ours = [r for r in caplog.records if r.name == observer.__name__]
    assert [r.getMessage() for r in ours] == [
        "Learning from other agents failed: RuntimeError"
    ]


async def test_an_error_while_reading_is_told_once_without_words(
    house: House,
    other: OtherAgent,
    observed: Observed,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    def broken(*_: Any) -> None:
        raise RuntimeError(DOG)

    monkeypatch.setattr(chat_log_hook, "stored_log", broken)
    for _ in range(2):
        await house.ask(DOG, house.user("Robin"), agent_id=OTHER)
    await observed.wait()
    ours = [r for r in caplog.records if r.name == observer.__name__]
    assert [r.getMessage() for r in ours] == [
        "Learning from other agents failed: RuntimeError"
    ]


async def test_without_the_hook_it_says_so_and_all_else_works(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delattr(chat_logs, "async_subscribe_chat_logs")
    house = await move_in(hass, options={"learn_from_agents": True})
    issue = ir.async_get(hass).async_get_issue("caesar", "observer_unavailable")
    assert issue is not None
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    await house.learn()
    assert "Beans" in await house.ask("What's my dog's name?", robin)
    hass.config_entries.async_update_entry(
        house.entry, options={"learn_from_agents": False}
    )
    await hass.async_block_till_done()
    assert ir.async_get(hass).async_get_issue("caesar", "observer_unavailable") is None


async def test_it_stops_with_the_entry(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    assert await house.hass.config_entries.async_unload(house.entry.entry_id)
    await house.ask(DOG, robin, agent_id=OTHER)
    await observed.wait()
    assert await house.hass.config_entries.async_setup(house.entry.entry_id)
    assert await house.events(robin) == []
