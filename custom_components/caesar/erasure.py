"""A person is erased: from the file, from our copies of it, and from RAM."""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant

from .chat_log_hook import clear_stored
from .const import TRANSFER_FOLDER
from .issues import async_report_unpurged
from .memory.errors import IndexUnavailableError
from .memory.models import Owner
from .memory.transfer.folder import remove_of
from .runtime import CaesarRuntime


async def async_erase(
    hass: HomeAssistant, runtime: CaesarRuntime, owner: Owner
) -> dict[str, Any]:
    """Remove an owner everywhere; return how much there was. Raises DatabaseError.

    Repeating it does no harm: where it was cut short, that finishes it.
    """
    memory = runtime.memory
    folder = Path(hass.config.path(TRANSFER_FOLDER))
    # Before the rows: where this is cut short, repeating it begins with these again.
    exports = await hass.async_add_executor_job(remove_of, folder, owner)
    # What was answered by now is written first, so that it goes with the rest.
    await runtime.turns.written()
    unwritten = runtime.turns.forget(owner)
    for forget in runtime.forgetting:
        await forget(owner)
    conversations = await memory.conversations(owner)
    traces = await memory.traces(owner)
    await memory.erase_owner(owner)
    runtime.commands.forget(owner)
    if runtime.meaning is not None:
        with suppress(IndexUnavailableError):
            await runtime.meaning.index.rebuild()
    clear_stored(hass, conversations)
    is_purged = await memory.database.purge()
    async_report_unpurged(hass, is_purged=is_purged)
    return {
        **asdict(traces),
        "unwritten": unwritten,
        "exports": exports,
        "file_cleaned": is_purged,
    }
