"""A vendor's package kept from writing people's words into the log.

At debug level some packages log whole requests, and at info level what a server says to
them. The person who turned that on wanted to see what a package does, and others may
read the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
import logging
from typing import override

_asking: ContextVar[bool] = ContextVar("caesar_asking", default=False)


class _WithoutOurs(logging.Filter):
    """Drops what is logged below a warning while CAESAR sends a request."""

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING or not _asking.get()


_FILTER = _WithoutOurs()


@contextmanager
def quiet(logger: str) -> Iterator[None]:
    """Keep a logger from telling about requests that are sent in here."""
    # Other integrations use the same package: their requests are theirs to log.
    logging.getLogger(logger).addFilter(_FILTER)
    token = _asking.set(True)
    try:
        yield
    finally:
        _asking.reset(token)
