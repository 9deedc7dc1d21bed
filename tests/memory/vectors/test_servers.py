"""What may happen to those who keep the vectors elsewhere."""

from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest

from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.errors import (
    DatabaseClosedError,
    IndexUnavailableError,
)
from custom_components.caesar.memory.vectors import (
    IndexKind,
    QdrantServer as Server,
    heal,
    open_index,
)
from custom_components.caesar.memory.vectors.base import VectorIndex
from custom_components.caesar.memory.vectors.sqlite_vec import SUFFIX

from .archive import MODEL, Archive, random_vectors
from .qdrant_server import QdrantServer

ANN = "user:ann"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
VECTORS = random_vectors(3, 32)


@pytest.fixture
def remote(
    database: Database, session: aiohttp.ClientSession, qdrant: QdrantServer
) -> VectorIndex:
    server = Server(url=f"{qdrant.url}/", home="home1", api_key=qdrant.api_key)
    return open_index(IndexKind.QDRANT, database, MODEL, server=server, session=session)


async def test_a_server_that_fails_or_refuses_is_told_apart_from_finding_nothing(
    database: Database,
    remote: VectorIndex,
    session: aiohttp.ClientSession,
    qdrant: QdrantServer,
):
    await Archive(database, remote).learn([(ANN, NOW, VECTORS[0])])
    stranger = open_index(
        IndexKind.QDRANT,
        database,
        MODEL,
        server=Server(url=qdrant.url, home="home1"),
        session=session,
    )
    with pytest.raises(IndexUnavailableError):
        await stranger.search(VECTORS[0], 5, owners=[ANN])
    qdrant.broken = True
    with pytest.raises(IndexUnavailableError):
        await remote.search(VECTORS[0], 5, owners=[ANN])
    with pytest.raises(IndexUnavailableError):
        await remote.count()


async def test_a_server_that_is_not_there(
    database: Database,
    session: aiohttp.ClientSession,
    socket_enabled: None,
    unused_tcp_port: int,
):
    gone = open_index(
        IndexKind.QDRANT,
        database,
        MODEL,
        server=Server(url=f"http://127.0.0.1:{unused_tcp_port}", home="home1"),
        session=session,
    )
    with pytest.raises(IndexUnavailableError):
        await gone.search(VECTORS[0], 5, owners=[ANN])


async def test_what_came_while_the_server_was_away_is_healed(
    database: Database, remote: VectorIndex, qdrant: QdrantServer
):
    archive = Archive(database, remote)
    await archive.learn([(ANN, NOW, VECTORS[0])])
    qdrant.broken = True
    with pytest.raises(IndexUnavailableError):
        await archive.learn([(ANN, NOW, VECTORS[1])])
    qdrant.broken = False
    assert await heal(remote, database, MODEL)
    assert len(await remote.search(VECTORS[1], 5, owners=[ANN])) == 2


async def test_a_server_learns_nothing_but_owner_and_time(
    database: Database, remote: VectorIndex, qdrant: QdrantServer
):
    await Archive(database, remote).learn([(ANN, NOW, VECTORS[0])])
    (collection,) = qdrant.collections.values()
    (point,) = collection.points.values()
    assert set(point) == {"id", "vector", "payload"}
    assert point["payload"] == {"owner": ANN, "at": 1_767_225_600_000_000}
    assert collection.indexed == {"owner", "at"}


async def test_the_vectors_of_other_models_go_and_those_of_other_homes_stay(
    database: Database,
    remote: VectorIndex,
    session: aiohttp.ClientSession,
    qdrant: QdrantServer,
):
    await Archive(database, remote).learn([(ANN, NOW, VECTORS[0])])
    (old,) = qdrant.collections
    qdrant.collections["caesar_home2_ffff"] = qdrant.collections[old]
    server = Server(url=qdrant.url, home="home1", api_key=qdrant.api_key)
    newer = open_index(
        IndexKind.QDRANT, database, "stub|new", server=server, session=session
    )
    await newer.rebuild()
    assert list(qdrant.collections) == ["caesar_home2_ffff"]


async def test_a_damaged_file_of_vectors_is_made_anew(database: Database, path: Path):
    index = open_index(IndexKind.SQLITE_VEC, database, MODEL)
    await Archive(database, index).learn([(ANN, NOW, VECTORS[0])])
    await index.close()
    beside = path.with_name(f"{path.name}{SUFFIX}")
    assert beside.stat().st_mode & 0o777 == 0o600
    beside.write_bytes(b"no database at all" * 1000)
    index = open_index(IndexKind.SQLITE_VEC, database, MODEL)
    assert await heal(index, database, MODEL)
    assert len(await index.search(VECTORS[0], 5, owners=[ANN])) == 1
    await index.close()
    with pytest.raises(DatabaseClosedError):
        await index.count()


async def test_a_removed_vector_is_in_no_byte_of_the_file(
    database: Database, path: Path
):
    index = open_index(IndexKind.SQLITE_VEC, database, MODEL)
    archive = Archive(database, index)
    gone, left, _ = await archive.learn([(ANN, NOW, vector) for vector in VECTORS])
    stored = {one: archive.rows[one].vector.tobytes() for one in (gone, left)}
    beside = path.with_name(f"{path.name}{SUFFIX}")
    assert stored[gone] in beside.read_bytes()
    await index.remove([gone])
    await index.close()
    assert stored[gone] not in beside.read_bytes()
    assert stored[left] in beside.read_bytes()
