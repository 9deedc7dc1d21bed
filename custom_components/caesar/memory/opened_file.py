"""Whether the database's file is still the one that was opened.

People delete a file, or copy another one over it, while Home Assistant runs. SQLite
goes on with what it has opened and tells nobody; all that is written then is lost.
"""

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Self


class FileState(Enum):
    """What has become of the file since this program wrote to it last."""

    SAME = auto()
    TOUCHED = auto()
    """The same file, which somebody else has written to."""
    REPLACED = auto()
    """Gone, empty, or another file in its place."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Mark:
    """What tells a file from another one, and from its changed self."""

    identity: tuple[int, int]
    size: int
    changed_at: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """Return the mark of a file, None where there is none."""
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        return cls(
            identity=(found.st_dev, found.st_ino),
            size=found.st_size,
            changed_at=found.st_mtime_ns,
        )


class OpenedFile:
    """A database's file and its log, as they were when they were last written to."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log_path = path.with_name(f"{path.name}-wal")
        self._index_path = path.with_name(f"{path.name}-shm")
        self._mark = _Mark.of(path)
        self._log = _Mark.of(self._log_path)

    def note(self) -> None:
        """Take what is there for our own work, unless it is another file."""
        mark = _Mark.of(self._path)
        if mark is None or self._mark is None or mark.identity != self._mark.identity:
            return
        self._mark = mark
        self._log = _Mark.of(self._log_path)

    def state(self) -> FileState:
        """Return what has become of the file."""
        mark = _Mark.of(self._path)
        if mark is None or self._mark is None or mark.size == 0:
            return FileState.REPLACED
        if mark.identity != self._mark.identity:
            return FileState.REPLACED
        return FileState.SAME if mark == self._mark else FileState.TOUCHED

    def remove_log(self) -> None:
        """Remove the log of the file that was opened, once nobody has it open.

        SQLite would apply it to whatever file stands in that place by then.
        """
        log = _Mark.of(self._log_path)
        if log is None or self._log is None or log.identity != self._log.identity:
            return
        self._log_path.unlink(missing_ok=True)
        self._index_path.unlink(missing_ok=True)
