"""Indexes that find exchanges by their meaning, all alike to who asks them.

``open_index`` is the one place that knows which there are.
"""

from enum import StrEnum
import importlib.util
from typing import Final

import aiohttp

from ..database import Database
from . import stored
from .base import VectorIndex
from .qdrant import QdrantIndex, QdrantServer
from .sketch import SketchIndex
from .sqlite_vec import PACKAGE, SqliteVecIndex

__all__ = [
    "DEFAULT_INDEX",
    "IndexKind",
    "QdrantServer",
    "VectorIndex",
    "heal",
    "is_available",
    "open_index",
]


class IndexKind(StrEnum):
    """Who finds what is near."""

    SKETCH = "sketch"
    SQLITE_VEC = "sqlite_vec"
    QDRANT = "qdrant"


DEFAULT_INDEX: Final = IndexKind.SKETCH


def is_available(kind: IndexKind) -> bool:
    """Return whether this machine has what an index needs; may read the disk."""
    if kind is not IndexKind.SQLITE_VEC:
        return True
    return importlib.util.find_spec(PACKAGE) is not None


def open_index(
    kind: IndexKind,
    database: Database,
    model: str,
    *,
    server: QdrantServer | None = None,
    session: aiohttp.ClientSession | None = None,
) -> VectorIndex:
    """Return an index of one model's vectors; Qdrant needs a server and a session.

    Nothing is read or asked before it is used first.
    """
    match kind:
        case IndexKind.SKETCH:
            return SketchIndex(database, model)
        case IndexKind.SQLITE_VEC:
            return SqliteVecIndex(database, model)
        case IndexKind.QDRANT:
            if server is None or session is None:
                raise ValueError("Qdrant needs a server and a session")
            return QdrantIndex(database, model, server=server, session=session)


async def heal(index: VectorIndex, database: Database, model: str) -> bool:
    """Rebuild an index that holds more or less than SQLite; return whether it had to.

    A crash after vectors were stored leaves it without them, and one who was not
    reachable has missed what came and went. Raises IndexUnavailableError.
    """
    if await index.count() == await database.read(stored.count, model):
        return False
    await index.rebuild()
    return True
