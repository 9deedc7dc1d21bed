"""Ending in good order: Ctrl-C and SIGTERM cancel, so that no hass process stays."""

import asyncio
from collections.abc import Coroutine
import signal

INTERRUPTED = 130


def until_ended(work: Coroutine[object, object, int]) -> int:
    """Run the work; return its exit code, or 130 where somebody ended it early."""
    try:
        return asyncio.run(_cancelled_by_signals(work))
    except asyncio.CancelledError, KeyboardInterrupt:
        return INTERRUPTED


async def _cancelled_by_signals(work: Coroutine[object, object, int]) -> int:
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    return await task
