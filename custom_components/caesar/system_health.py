"""What System information says about CAESAR."""

from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN, JOB_AUDIT
from .memory.audit import Counts
from .memory.errors import DatabaseError, DatabaseReplacedError
from .runtime import CaesarConfigEntry

_MEBIBYTE = 1024 * 1024


@callback
def async_register(_hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Register what is told."""
    register.async_register_info(async_system_health)


async def async_system_health(hass: HomeAssistant) -> dict[str, Any]:
    """Return the state of the memory in a few numbers."""
    entries: list[CaesarConfigEntry] = hass.config_entries.async_entries(DOMAIN)
    for entry in entries:
        if entry.state is ConfigEntryState.LOADED:
            return await _async_state(entry)
    return {"memory": {"type": "failed", "error": "not loaded"}}


async def _async_state(entry: CaesarConfigEntry) -> dict[str, Any]:
    memory = entry.runtime_data.memory
    try:
        if await memory.database.is_replaced():
            raise DatabaseReplacedError
        counted = await memory.statistics()
    except DatabaseError as err:
        kind = type(err).__name__
        return {"memory": {"type": "failed", "error": kind}}
    return {
        "memory": "ok",
        "schema_revision": counted.schema_revision,
        "size": f"{counted.bytes / _MEBIBYTE:.1f} MiB",
        "facts": counted.facts,
        "waiting": counted.waiting,
        "set_aside": counted.set_aside,
        "suggestions": counted.suggestions,
        "findings": _findings(entry),
        **await _meaning(entry),
    }


async def _meaning(entry: CaesarConfigEntry) -> dict[str, Any]:
    """Return how far embedding is, None where nobody embeds."""
    meaning = entry.runtime_data.meaning
    if meaning is None:
        return {"embedded": None, "to_embed": None}
    standing = await meaning.indexing.standing()
    return {"embedded": standing.indexed, "to_embed": standing.waiting}


def _findings(entry: CaesarConfigEntry) -> int | None:
    """Return how much the last audit found to look at, None where there was none."""
    last = entry.runtime_data.legion.reports.get(JOB_AUDIT)
    counts = last.outcome if last is not None else None
    return counts.findings if isinstance(counts, Counts) else None
