"""CAESAR: a memory for Assist. Tell the house something once, and it stays told."""

import logging

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import (
    EVENT_HOMEASSISTANT_CLOSE,
    EVENT_HOMEASSISTANT_FINAL_WRITE,
    Platform,
)
from homeassistant.core import Event, HomeAssistant
from homeassistant.exceptions import ConfigEntryError, ConfigEntryNotReady
from homeassistant.helpers import config_validation as cv, issue_registry as ir
from homeassistant.helpers.typing import ConfigType
from homeassistant.setup import async_setup_component

from .const import DOMAIN
from .errors import translation_key
from .hints import async_watch_hints
from .memory.errors import (
    CorruptDatabaseError,
    DatabaseError,
    NewerDatabaseError,
)
from .observer import async_observe
from .panel import async_remove_panel, async_setup_panel, async_show_panel
from .people import async_watch_people
from .repairs import async_watch_assistants
from .runtime import CaesarConfigEntry, async_create_runtime
from .satellites import async_keep_satellites
from .services import async_setup_services
from .websocket_api import async_serve, async_setup_websocket_api

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
PLATFORMS = (Platform.CONVERSATION,)

_LOGGER = logging.getLogger(__name__)


async def async_setup(hass: HomeAssistant, _: ConfigType) -> bool:
    """Register what stays, whether or not the entry is loaded."""
    async_setup_services(hass)
    async_setup_websocket_api(hass)
    async_setup_panel(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: CaesarConfigEntry) -> bool:
    """Open the memory and add the agents."""
    async_keep_satellites(hass, entry)
    try:
        runtime = entry.runtime_data = await async_create_runtime(hass, entry)
    except (NewerDatabaseError, CorruptDatabaseError) as err:
        raise ConfigEntryError(
            translation_domain=DOMAIN, translation_key=translation_key(err)
        ) from err
    except DatabaseError as err:
        raise ConfigEntryNotReady(
            translation_domain=DOMAIN, translation_key=translation_key(err)
        ) from err

    async def finish(_: Event) -> None:
        # Home Assistant cancels what had begun before it stopped, and waits for this.
        await runtime.turns.written()

    async def close(_: Event) -> None:
        await runtime.legion.async_stop()
        await runtime.close()

    # Home Assistant's stop does not unload entries.
    entry.async_on_unload(
        hass.bus.async_listen_once(EVENT_HOMEASSISTANT_FINAL_WRITE, finish)
    )
    entry.async_on_unload(hass.bus.async_listen_once(EVENT_HOMEASSISTANT_CLOSE, close))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    runtime.platforms.extend(PLATFORMS)
    await _async_add_ai_tasks(hass, entry)
    runtime.legion.async_start()
    async_watch_assistants(hass, entry)
    async_observe(hass, entry)
    async_watch_people(hass, entry, runtime.memory)
    async_watch_hints(hass, entry, runtime)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    async_serve(hass, entry)
    await async_show_panel(hass)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: CaesarConfigEntry) -> bool:
    """Remove the agents and close the memory."""
    platforms = entry.runtime_data.platforms
    if not await hass.config_entries.async_unload_platforms(entry, platforms):
        return False
    await entry.runtime_data.legion.async_stop()
    await entry.runtime_data.close()
    return True


async def async_remove_entry(hass: HomeAssistant, _: CaesarConfigEntry) -> None:
    """Take back the panel and what was reported; the file with the memory stays."""
    async_remove_panel(hass)
    for domain, issue_id in tuple(ir.async_get(hass).issues):
        if domain == DOMAIN:
            ir.async_delete_issue(hass, DOMAIN, issue_id)


async def _async_add_ai_tasks(hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
    """Add the AI Task entities, without which everything else works.

    AI tasks bring cameras and media along and are not set up in every house; as a
    dependency they would keep CAESAR from loading wherever those cannot be.
    """
    if not await async_setup_component(hass, Platform.AI_TASK, {}):
        _LOGGER.warning("AI tasks cannot be set up, so CAESAR offers none")
        return
    ai_tasks = (Platform.AI_TASK,)
    await hass.config_entries.async_forward_entry_setups(entry, ai_tasks)
    entry.runtime_data.platforms.extend(ai_tasks)


async def _async_reload(hass: HomeAssistant, entry: ConfigEntry) -> None:
    hass.config_entries.async_schedule_reload(entry.entry_id)
