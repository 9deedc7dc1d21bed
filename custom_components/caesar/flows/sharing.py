"""The form that says who else is told facts, and who else is listened to."""

from collections.abc import Mapping
from typing import Any

from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)
import voluptuous as vol

from custom_components.caesar import chat_log_hook
from custom_components.caesar.const import (
    CONF_CONSENTS,
    CONF_LEARN_FROM_AGENTS,
    CONF_SHARE_CONVERSATIONS,
    CONF_SHARE_WITH_AGENTS,
    CONF_SHARE_WITH_MCP,
)
from custom_components.caesar.memory.models import HOUSEHOLD, Owner

NOTHING_SHARED: Mapping[str, Any] = {
    CONF_SHARE_WITH_AGENTS: False,
    CONF_SHARE_WITH_MCP: False,
    CONF_SHARE_CONVERSATIONS: False,
    CONF_LEARN_FROM_AGENTS: False,
    CONF_CONSENTS: [],
}


def sharing_schema(owners: Mapping[Owner, str]) -> vol.Schema:
    """Return the fields; the owners are everybody with a memory, with their names."""
    people = [
        SelectOptionDict(value=owner, label=name)
        for owner, name in owners.items()
        if owner != HOUSEHOLD
    ]
    return vol.Schema(
        {
            vol.Required(CONF_SHARE_WITH_AGENTS): BooleanSelector(),
            vol.Required(CONF_SHARE_WITH_MCP): BooleanSelector(),
            vol.Required(CONF_SHARE_CONVERSATIONS): BooleanSelector(),
            vol.Required(CONF_LEARN_FROM_AGENTS): BooleanSelector(),
            vol.Required(CONF_CONSENTS): SelectSelector(
                SelectSelectorConfig(
                    options=people, multiple=True, mode=SelectSelectorMode.LIST
                )
            ),
        }
    )


def sharing_errors(user_input: Mapping[str, Any]) -> dict[str, str]:
    """Return what cannot be had, by field."""
    if user_input[CONF_LEARN_FROM_AGENTS] and not chat_log_hook.is_available():
        return {CONF_LEARN_FROM_AGENTS: "observer_unavailable"}
    return {}
