"""How long to leave somebody alone who does not answer."""

from datetime import timedelta
from typing import Final

FIRST_PAUSE: Final = timedelta(seconds=30)
"""The pause after the first failure; it doubles with each further one."""
LONGEST_PAUSE: Final = timedelta(minutes=15)


def pause_after(failures: int, retry_after: float | None = None) -> timedelta:
    """Return the pause after so many failures in a row, or the one that was asked for.

    ``retry_after`` is in seconds.
    """
    if retry_after is not None:
        return timedelta(seconds=retry_after)
    # 2 to the 10th is beyond the longest pause already.
    doubled: int = 2 ** min(failures - 1, 10)
    return min(LONGEST_PAUSE, FIRST_PAUSE * doubled)
