"""The panel's side of CAESAR: its websocket commands, one file for each area.

A command is thin: its schema, who may send it, one call of memory, and the answer as
``docs/panel-protocol.md`` promises it. Fact text goes to its own person's connection
and nowhere else.
"""

from typing import Final

from homeassistant.core import HomeAssistant, callback

from custom_components.caesar.runtime import CaesarConfigEntry

from . import (
    changes,
    events,
    exchanges,
    facts,
    people,
    section,
    status,
    suggestions,
)
from .caller import async_set_loaded
from .command import Command, Subscription, async_register
from .feed import async_feed

COMMANDS: Final[tuple[Command | Subscription, ...]] = (
    *facts.COMMANDS,
    *suggestions.COMMANDS,
    *events.COMMANDS,
    *exchanges.COMMANDS,
    *section.COMMANDS,
    *people.COMMANDS,
    *status.COMMANDS,
    *changes.COMMANDS,
)


@callback
def async_setup_websocket_api(hass: HomeAssistant) -> None:
    """Register the commands, once and for as long as Home Assistant runs."""
    for command in COMMANDS:
        async_register(hass, command)


@callback
def async_serve(hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
    """Let commands and subscriptions use a memory, for as long as it is loaded."""
    async_set_loaded(hass, entry)
    async_feed(hass, entry)
