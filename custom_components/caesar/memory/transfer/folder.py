"""The only folder in which files are written and from which they are brought in."""

import os
from pathlib import Path
from typing import TextIO

from ..models import Owner
from . import lines
from .lines import Header, MalformedLineError


def create(folder: Path, name: str) -> TextIO:
    """Open a new file that its owner alone may read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW
    return os.fdopen(os.open(folder / name, flags, mode=0o600), "w", encoding="utf-8")


def find(folder: Path, name: str) -> Path | None:
    """Return a file of the folder; None where it is none, or only points to one."""
    path = folder / name
    if path.parent != folder or path.is_symlink() or not path.is_file():
        return None
    return path


def remove_of(folder: Path, owner: Owner) -> int:
    """Delete the files that hold anything of an owner; return how many."""
    found = [path for path in folder.glob("*.jsonl") if owner in _owners(path)]
    for path in found:
        path.unlink()
    return len(found)


def _owners(path: Path) -> tuple[Owner, ...]:
    with path.open(encoding="utf-8", errors="replace") as file:
        try:
            line = lines.read(file.readline(lines.MAX_LINE))
        except MalformedLineError:
            return ()
    return line.owners if isinstance(line, Header) else ()
