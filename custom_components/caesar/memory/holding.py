"""The file at rest, for as long as somebody copies it.

SQLite keeps what is new in a log beside the file and brings it in now and then. Whoever
copies the two one after the other gets a torn copy if that happens in between. While
the file is held it does not, however long it takes; and for a while nobody writes.
"""

from collections.abc import Callable
from concurrent.futures import Future
import sqlite3
import threading
from typing import Final

LONGEST: Final = 6 * 3600
"""Seconds after which the log is brought in again, should nobody say it is over."""
USUAL_PAGES: Final = 1000
"""Pages of the log after which SQLite brings it into the file; its own default."""


class Hold:
    """One time at rest: the writer's thread waits in it until it is let go."""

    def __init__(self, seconds: float) -> None:
        """Take for how long writers wait at most."""
        self._seconds = seconds
        self._let_go = threading.Event()
        self._reached = threading.Event()
        self.expired = False
        """Whether writers went on before anybody let them."""

    def rest(self, connection: sqlite3.Connection, note: Callable[[], None]) -> None:
        """Bring the log into the file, and let nothing be written for a while.

        ``note`` is called once the file is as it will stay.
        """
        if self._let_go.is_set():
            return
        truncate_log(connection)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        note()
        self._reached.set()
        self.expired = not self._let_go.wait(self._seconds)

    def wait(self, resting: Future[None]) -> None:
        """Wait until the file is at rest; raises what kept it from that."""
        resting.add_done_callback(lambda _: self._reached.set())
        self._reached.wait()
        if resting.done():
            resting.result()

    def let_go(self) -> None:
        """Let the writers go on."""
        self._let_go.set()


def end_rest(connection: sqlite3.Connection) -> None:
    """Let SQLite bring its log into the file again."""
    connection.execute(f"PRAGMA wal_autocheckpoint = {USUAL_PAGES}")


def truncate_log(connection: sqlite3.Connection) -> bool:
    """Bring the log into the file and empty it; return whether nobody kept it."""
    busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
