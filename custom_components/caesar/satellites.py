"""Voice satellites, named so that a rename of their entity loses nobody's voice."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er

from .const import CONF_SATELLITES
from .memory.models import Owner

_DOMAIN = "assist_satellite"


def key_of(hass: HomeAssistant, satellite_id: str) -> str:
    """Return what a satellite is filed under: its registry id, where it has one."""
    entity = er.async_get(hass).async_get(satellite_id)
    return satellite_id if entity is None else entity.id


def owner_of(
    hass: HomeAssistant, satellites: Mapping[str, Owner], satellite_id: str
) -> Owner | None:
    """Return whose voice a satellite carries, None where nobody said so."""
    # One that was mapped before it was registered is still filed by its entity id.
    return satellites.get(key_of(hass, satellite_id)) or satellites.get(satellite_id)


def name_of(hass: HomeAssistant, key: str) -> str:
    """Return what a filed satellite is called."""
    entity = er.async_get(hass).async_get(key)
    entity_id = key if entity is None else entity.entity_id
    state = hass.states.get(entity_id)
    return entity_id if state is None else state.name


def with_lasting_keys(
    hass: HomeAssistant, satellites: Mapping[str, Owner]
) -> dict[str, Owner]:
    """Return the mapping with each satellite filed under what outlives a rename."""
    return {key_of(hass, satellite): owner for satellite, owner in satellites.items()}


def in_use(hass: HomeAssistant) -> tuple[er.RegistryEntry, ...]:
    """Return the satellites that are registered and not disabled."""
    return tuple(
        entity
        for entity in er.async_get(hass).entities.values()
        if entity.domain == _DOMAIN and entity.disabled_by is None
    )


def unmapped(hass: HomeAssistant, satellites: Mapping[str, Owner]) -> tuple[str, ...]:
    """Return the keys of the satellites in use that nobody's voice is mapped to."""
    known = with_lasting_keys(hass, satellites)
    return tuple(entity.id for entity in in_use(hass) if entity.id not in known)


@callback
def async_keep_satellites(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """File the satellites of the options under what outlives a rename."""
    satellites: Mapping[str, Owner] = entry.options.get(CONF_SATELLITES, {})
    lasting = with_lasting_keys(hass, satellites)
    if lasting != satellites:
        hass.config_entries.async_update_entry(
            entry, options={**entry.options, CONF_SATELLITES: lasting}
        )
