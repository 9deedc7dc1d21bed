"""The hint that no assistant uses CAESAR yet."""

from datetime import datetime, timedelta
import importlib
from typing import Any, Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from .const import DOMAIN

ISSUE_NO_ASSISTANT: Final = "no_assistant"

_ASSISTANTS_PAGE: Final = "homeassistant://config/voice-assistants/assistants"
# Nothing tells when an assistant changes. Looking costs microseconds.
_INTERVAL: Final = timedelta(minutes=1)
_PIPELINE: Final = "assist_pipeline"


@callback
def async_watch_assistants(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Keep the hint up to date for as long as the entry is loaded."""

    @callback
    def check(_: HomeAssistant | datetime) -> None:
        async_check_assistants(hass, entry)

    entry.async_on_unload(async_at_started(hass, check))
    entry.async_on_unload(
        async_track_time_interval(hass, check, _INTERVAL, cancel_on_shutdown=True)
    )


@callback
def async_check_assistants(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Show the hint while there are assistants and none uses one of our agents."""
    if _PIPELINE not in hass.config.components:
        return
    agents = {
        entity.entity_id
        for entity in er.async_entries_for_config_entry(
            er.async_get(hass), entry.entry_id
        )
        if entity.domain == CONVERSATION_DOMAIN and entity.disabled_by is None
    }
    if not agents or agents & _engines(hass):
        ir.async_delete_issue(hass, DOMAIN, ISSUE_NO_ASSISTANT)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        ISSUE_NO_ASSISTANT,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=ISSUE_NO_ASSISTANT,
        learn_more_url=_ASSISTANTS_PAGE,
    )


def _engines(hass: HomeAssistant) -> set[str]:
    # Assistants are optional: importing this where they are not loaded would block.
    pipeline = importlib.import_module(f"homeassistant.components.{_PIPELINE}")
    return {
        assistant.conversation_engine
        for assistant in pipeline.async_get_pipelines(hass)
    }
