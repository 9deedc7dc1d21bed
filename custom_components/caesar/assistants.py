"""Home Assistant's assistants, as far as they concern our agents."""

import importlib
from typing import Any, Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

_PIPELINE: Final = "assist_pipeline"


def has_assistants(hass: HomeAssistant) -> bool:
    """Return whether there can be assistants at all."""
    return _PIPELINE in hass.config.components


def agents_of(hass: HomeAssistant, entry: ConfigEntry[Any]) -> set[str]:
    """Return the entity ids of our agents that are enabled."""
    return {
        entity.entity_id
        for entity in er.async_entries_for_config_entry(
            er.async_get(hass), entry.entry_id
        )
        if entity.domain == CONVERSATION_DOMAIN and entity.disabled_by is None
    }


def engines(hass: HomeAssistant) -> set[str]:
    """Return the agents that the assistants use."""
    return {assistant.conversation_engine for assistant in _assistants(hass)}


def asking_locally_first(
    hass: HomeAssistant, entry: ConfigEntry[Any]
) -> tuple[str, ...]:
    """Return the names of assistants with our agents that the house answers before."""
    if not has_assistants(hass):
        return ()
    agents = agents_of(hass, entry)
    return tuple(
        assistant.name
        for assistant in _assistants(hass)
        if assistant.conversation_engine in agents and assistant.prefer_local_intents
    )


def _assistants(hass: HomeAssistant) -> list[Any]:
    # Assistants are optional: importing this where they are not loaded would block.
    pipeline = importlib.import_module(f"homeassistant.components.{_PIPELINE}")
    assistants: list[Any] = pipeline.async_get_pipelines(hass)
    return assistants
