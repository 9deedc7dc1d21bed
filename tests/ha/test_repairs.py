"""The hint that no assistant uses CAESAR: when it appears, and when it goes."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, issue_registry as ir
import pytest

from custom_components.caesar.const import DOMAIN

from .assistants import Assistants
from .house import AGENT, a_minute_later, move_in


@pytest.fixture
async def assistants(hass: HomeAssistant) -> Assistants:
    assistants = await Assistants.begin(hass)
    await assistants.add("Other", "conversation.other")
    return assistants


def _hint(hass: HomeAssistant) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, "no_assistant")


async def test_the_hint_goes_when_an_assistant_uses_caesar(
    hass: HomeAssistant, assistants: Assistants, freezer: Any
) -> None:
    await move_in(hass)
    hint = _hint(hass)
    assert hint is not None
    assert hint.severity is ir.IssueSeverity.WARNING
    assert not hint.is_fixable

    await assistants.change("Other", conversation_engine=AGENT)
    await a_minute_later(hass, freezer)
    assert _hint(hass) is None

    await assistants.change("Other", conversation_engine="conversation.other")
    await a_minute_later(hass, freezer)
    assert _hint(hass) is not None


async def test_no_hint_where_an_assistant_uses_caesar_already(
    hass: HomeAssistant, assistants: Assistants
) -> None:
    await assistants.add("Ours", AGENT)
    await move_in(hass)
    assert _hint(hass) is None


async def test_no_hint_where_there_are_no_assistants(hass: HomeAssistant) -> None:
    await move_in(hass)
    assert _hint(hass) is None


async def test_no_hint_while_the_only_agent_is_disabled(
    hass: HomeAssistant, assistants: Assistants, freezer: Any
) -> None:
    await move_in(hass)
    er.async_get(hass).async_update_entity(
        AGENT, disabled_by=er.RegistryEntryDisabler.USER
    )
    await a_minute_later(hass, freezer)
    assert _hint(hass) is None
