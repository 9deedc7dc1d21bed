"""Every kind of index, each on a real file."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import pytest

from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.vectors import (
    IndexKind,
    QdrantServer as Server,
    open_index,
)
from custom_components.caesar.memory.vectors.base import VectorIndex

from .archive import MODEL, Archive
from .qdrant_server import QdrantServer

type Open = Callable[[], VectorIndex]


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    database = Database(path)
    await database.open()
    yield database
    await database.close()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
async def qdrant(socket_enabled: None) -> AsyncIterator[QdrantServer]:
    server = QdrantServer()
    runner = await server.start()
    yield server
    await runner.cleanup()


@pytest.fixture(params=list(IndexKind))
def open_one(
    request: pytest.FixtureRequest,
    database: Database,
    session: aiohttp.ClientSession,
    qdrant: QdrantServer,
) -> Open:
    """Open an index of the kind, again and again where a test wishes."""
    server = Server(url=qdrant.url, home="home1", api_key=qdrant.api_key)
    return lambda: open_index(
        request.param, database, MODEL, server=server, session=session
    )


@pytest.fixture
async def archive(database: Database, open_one: Open) -> AsyncIterator[Archive]:
    archive = Archive(database, open_one())
    yield archive
    await archive.index.close()
