"""Home Assistant's backups: the memory's file is whole in each of them.

Home Assistant calls this before and after it copies the configuration folder. Whatever
is wrong with the memory, the backup is made.
"""

import asyncio
import logging
from typing import Final

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant

from .const import DOMAIN
from .memory.database import Database
from .memory.errors import DatabaseError

_LOGGER = logging.getLogger(__name__)

PATIENCE: Final = 10
"""Seconds that a backup waits for what is being written at the moment."""
HELD: Final = 10
"""Seconds for which nothing is written, unless the backup is over before.

Commands to memory wait that long. After it what is new goes into SQLite's log alone,
so that the file itself can still be copied.
"""


async def async_pre_backup(hass: HomeAssistant) -> None:
    """Let the file be copied: whole, and unchanged until the backup is over."""
    for database in _databases(hass):
        try:
            async with asyncio.timeout(PATIENCE):
                await database.hold(HELD)
        except (DatabaseError, TimeoutError) as err:
            database.release()
            kind = type(err).__name__
            _LOGGER.warning("The memory was not made ready for a backup: %s", kind)


async def async_post_backup(hass: HomeAssistant) -> None:
    """Write what has waited."""
    for database in _databases(hass):
        if database.release():
            _LOGGER.info(
                "The backup took longer than %s seconds, so what was new meanwhile went"
                " into the log beside the memory's file",
                HELD,
            )


def _databases(hass: HomeAssistant) -> list[Database]:
    return [
        entry.runtime_data.memory.database
        for entry in hass.config_entries.async_entries(DOMAIN)
        if entry.state is ConfigEntryState.LOADED
    ]
