"""The hint that no assistant uses CAESAR, and the repair of what was not read."""

from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from .assistants import agents_of, engines, has_assistants
from .const import DOMAIN
from .hints import async_check_hints
from .memory.errors import DatabaseError
from .runtime import CaesarConfigEntry, CaesarRuntime

ISSUE_NO_ASSISTANT: Final = "no_assistant"

_ASSISTANTS_PAGE: Final = "homeassistant://config/voice-assistants/assistants"
# Nothing tells when an assistant changes. Looking costs microseconds.
_INTERVAL: Final = timedelta(minutes=1)


async def async_create_fix_flow(
    hass: HomeAssistant,
    _issue_id: str,
    _data: dict[str, str | int | float | None] | None,
) -> RepairsFlow:
    """Return the flow for the one issue that can be fixed: exchanges set aside."""
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    return SetAsideFlow(entry)


class SetAsideFlow(RepairsFlow):
    """Read again what no model could read, or leave it."""

    def __init__(self, entry: CaesarConfigEntry) -> None:
        self._entry = entry

    async def async_step_init(
        self, _user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Offer both."""
        if self._entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="not_loaded")
        try:
            count = len(await self._runtime.memory.set_aside(None))
        except DatabaseError:
            return self.async_abort(reason="not_loaded")
        return self.async_show_menu(
            step_id="init",
            menu_options=["retry", "dismiss"],
            description_placeholders={"count": str(count)},
        )

    async def async_step_retry(
        self, _user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask the model again."""
        report = await self._runtime.learning.retry(await self._exchange_ids())
        await async_check_hints(self.hass, self._entry, self._runtime)
        if report.problem is not None:
            return self.async_abort(reason="unavailable")
        if report.set_aside:
            return self.async_abort(
                reason="still_unreadable",
                description_placeholders={"count": str(report.set_aside)},
            )
        return self.async_create_entry(data={})

    async def async_step_dismiss(
        self, _user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Leave them unread."""
        await self._runtime.memory.dismiss(await self._exchange_ids())
        await async_check_hints(self.hass, self._entry, self._runtime)
        return self.async_create_entry(data={})

    @property
    def _runtime(self) -> CaesarRuntime:
        return self._entry.runtime_data

    async def _exchange_ids(self) -> tuple[int, ...]:
        found = await self._runtime.memory.set_aside(None)
        return tuple(one.exchange_id for one in found)


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
    if not has_assistants(hass):
        return
    agents = agents_of(hass, entry)
    if not agents or agents & engines(hass):
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
