"""How long a server wants to be left alone."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

LONGEST_WAIT: Final = 24 * 3600
"""Seconds; a server that wants to be left alone for longer is asked after these."""


def retry_after(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header names, as a number or a moment."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = (moment.astimezone(UTC) - datetime.now(UTC)).total_seconds()
    return min(max(seconds, 0), LONGEST_WAIT)
