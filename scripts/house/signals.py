"""Ending in good order: Ctrl-C and SIGTERM cancel, so that no hass process stays."""

import asyncio
from collections.abc import Coroutine
import os
import signal
import sys

INTERRUPTED = 130


def until_ended(work: Coroutine[object, object, int]) -> int:
    """Run the work and return its exit code.

    That is 130 where somebody ended it early, or no longer reads what it prints.
    """
    try:
        return asyncio.run(_cancelled_by_signals(work))
    except asyncio.CancelledError, KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED


async def _cancelled_by_signals(work: Coroutine[object, object, int]) -> int:
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    return await task
