"""A person is erased: from the file, from our copies of it, and from RAM."""

from dataclasses import asdict
from typing import Any

from homeassistant.core import HomeAssistant

from .chat_log_hook import clear_stored
from .issues import async_report_unpurged
from .memory.models import Owner
from .runtime import CaesarRuntime


async def async_erase(
    hass: HomeAssistant, runtime: CaesarRuntime, owner: Owner
) -> dict[str, Any]:
    """Remove an owner everywhere; return how much there was. Raises DatabaseError.

    Repeating it does no harm: where it was cut short, that finishes it.
    """
    memory = runtime.memory
    # What was answered by now is written first, so that it goes with the rest.
    await runtime.turns.written()
    unwritten = runtime.turns.forget(owner)
    for forget in runtime.forgetting:
        await forget(owner)
    conversations = await memory.conversations(owner)
    traces = await memory.traces(owner)
    await memory.erase_owner(owner)
    runtime.commands.forget(owner)
    clear_stored(hass, conversations)
    is_purged = await memory.database.purge()
    async_report_unpurged(hass, is_purged=is_purged)
    return {**asdict(traces), "unwritten": unwritten, "file_cleaned": is_purged}
