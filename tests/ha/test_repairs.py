"""The hint that no assistant uses CAESAR: when it appears, and when it goes."""

from dataclasses import dataclass
from datetime import timedelta
import sys
from types import ModuleType
from typing import Any

from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.caesar.const import DOMAIN


@dataclass
class Assistant:
    """As much of a pipeline as the hint looks at."""

    conversation_engine: str
    name: str = "Assistant"
    prefer_local_intents: bool = False


class Assistants(ModuleType):
    """Stands in for assist_pipeline, which cannot be installed without a compiler."""

    def __init__(self, *engines: str) -> None:
        super().__init__("homeassistant.components.assist_pipeline")
        self.all = [Assistant(engine) for engine in engines]

    def async_get_pipelines(self, _hass: HomeAssistant) -> list[Assistant]:
        return self.all


@pytest.fixture
def assistants(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> Assistants:
    module = Assistants("conversation.home_assistant", "conversation.other")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    hass.config.components.add("assist_pipeline")
    return module


async def _set_up(hass: HomeAssistant) -> str:
    """Set CAESAR up and return its agent."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="CAESAR",
        subentries_data=[
            ConfigSubentryDataWithId(
                subentry_id="agent",
                subentry_type="conversation",
                title="CAESAR",
                unique_id=None,
                data={"provider": "builtin", "model": ""},
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    agent = er.async_get(hass).async_get_entity_id("conversation", DOMAIN, "agent")
    assert agent is not None
    return agent


async def _a_minute_later(hass: HomeAssistant, freezer: Any) -> None:
    freezer.tick(timedelta(minutes=1, seconds=1))
    async_fire_time_changed(hass)
    await hass.async_block_till_done()


def _hint(hass: HomeAssistant) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, "no_assistant")


async def test_the_hint_goes_when_an_assistant_uses_caesar(
    hass: HomeAssistant, assistants: Assistants, freezer: Any
) -> None:
    agent = await _set_up(hass)
    hint = _hint(hass)
    assert hint is not None
    assert hint.severity is ir.IssueSeverity.WARNING
    assert not hint.is_fixable

    assistants.all[1].conversation_engine = agent
    await _a_minute_later(hass, freezer)
    assert _hint(hass) is None

    assistants.all[1].conversation_engine = "conversation.other"
    await _a_minute_later(hass, freezer)
    assert _hint(hass) is not None


async def test_no_hint_where_an_assistant_uses_caesar_already(
    hass: HomeAssistant, assistants: Assistants
) -> None:
    assistants.all.append(Assistant("conversation.caesar"))

    assert await _set_up(hass) == "conversation.caesar"

    assert _hint(hass) is None


async def test_no_hint_where_there_are_no_assistants(hass: HomeAssistant) -> None:
    await _set_up(hass)

    assert _hint(hass) is None


async def test_no_hint_while_the_only_agent_is_disabled(
    hass: HomeAssistant, assistants: Assistants, freezer: Any
) -> None:
    agent = await _set_up(hass)

    er.async_get(hass).async_update_entity(
        agent, disabled_by=er.RegistryEntryDisabler.USER
    )
    await _a_minute_later(hass, freezer)

    assert _hint(hass) is None
