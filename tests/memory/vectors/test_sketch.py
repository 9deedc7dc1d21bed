"""The sketches: what they find of much, what they cost, how they check themselves."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.errors import UnusableVectorsError
from custom_components.caesar.memory.vectors.block import Block, Sketches
from custom_components.caesar.memory.vectors.check import TARGET, SelfCheck, check
from custom_components.caesar.memory.vectors.numbers import as_units, sketch
from custom_components.caesar.memory.vectors.sketch import MAX_WIDTH, WIDTH, SketchIndex

from .archive import MODEL, Archive, random_vectors

ANN = "user:ann"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
async def archive(database: Database) -> AsyncIterator[Archive]:
    archive = Archive(database, SketchIndex(database, MODEL))
    yield archive
    await archive.index.close()


def topics(count: int, dimension: int) -> np.ndarray:
    """Vectors as models make them: near to others that are about the same thing."""
    centres = random_vectors(30, dimension, seed=1)
    numbers = np.random.default_rng(2)
    noise = random_vectors(count, dimension, seed=3)
    mixed = centres[numbers.integers(0, 30, count)] + 0.6 * noise
    return as_units(mixed.astype(np.float32))


async def learn(archive: Archive, vectors: np.ndarray) -> None:
    times = [NOW + timedelta(hours=hour) for hour in range(len(vectors))]
    await archive.learn(
        [(ANN, at, vector) for at, vector in zip(times, vectors, strict=True)]
    )


async def recall(archive: Archive, queries: np.ndarray) -> float:
    found = 0
    for query in queries:
        least = archive.exactly(query, 10, [ANN])[-1] - 1e-5
        hits = await archive.index.search(query, 10, owners=[ANN])
        found += sum(hit.score >= least for hit in hits)
    return found / len(queries) / 10


async def test_of_much_it_finds_nearly_all_that_is_nearest(archive: Archive):
    vectors = topics(3000, 384)
    await learn(archive, vectors[:2900])
    assert await recall(archive, vectors[2900:2930]) >= TARGET


async def test_a_check_widens_until_enough_is_found_and_that_is_kept(
    archive: Archive, database: Database
):
    # Noise has no neighbours worth the name: the hardest thing to choose among.
    await learn(archive, random_vectors(1500, 64))
    index = archive.index
    assert isinstance(index, SketchIndex)
    result = await check(index, database, MODEL, NOW)
    assert result.sampled == 50
    assert result.recall >= TARGET
    assert WIDTH < result.width <= MAX_WIDTH
    assert index.width == result.width
    again = SketchIndex(database, MODEL)
    await again.count()
    assert again.width == result.width
    other = SketchIndex(database, "stub|other")
    await other.count()
    assert other.width == WIDTH


async def test_it_is_checked_again_only_once_it_has_grown(
    archive: Archive, database: Database, clock
):
    def self_check() -> SelfCheck:
        return SelfCheck(archive.index, database, MODEL, clock)

    vectors = topics(1000, 384)
    await learn(archive, vectors[:150])
    first = self_check()
    await first.run_if_grown()
    assert [first.last] == [None]
    await learn(archive, vectors[150:600])
    await first.run_if_grown()
    assert first.last is not None
    assert first.last.recall >= TARGET
    assert first.last.width == WIDTH
    second = self_check()
    await second.run_if_grown()
    assert [second.last] == [None]
    await learn(archive, vectors[600:])
    await second.run_if_grown()
    assert second.last is not None


async def test_a_check_of_a_house_that_has_said_nothing(database: Database):
    index = SketchIndex(database, MODEL)
    result = await check(index, database, MODEL, NOW)
    assert (result.sampled, result.recall, result.width) == (0, 1, WIDTH)


async def test_it_takes_a_twentieth_of_the_vectors_ram(archive: Archive):
    vectors = topics(1500, 1024)
    for start in range(0, len(vectors), 100):
        await archive.index.count()
        await learn(archive, vectors[start : start + 100])
    index = archive.index
    assert isinstance(index, SketchIndex)
    assert await index.count() == 1500
    assert index.nbytes <= vectors.astype(np.float32).nbytes / 20


async def test_a_vector_of_another_length_is_refused(archive: Archive):
    await learn(archive, topics(5, 64))
    for length in (60, 65, 128):
        with pytest.raises(UnusableVectorsError):
            await archive.index.search(random_vectors(1, length)[0], 5, owners=[ANN])


def test_who_searches_a_block_is_not_disturbed_by_who_changes_it():
    vectors = random_vectors(900, 64).astype(np.float32)
    (query,) = sketch(vectors[:1])
    before = Block.of(part(vectors, 0, 300))
    after = before
    for start in range(300, 900, 50):
        after = after.with_more(part(vectors, start, start + 50))
    after = after.without(np.arange(0, 700))
    ids, distances = before.distances(query, None, None)
    assert ids.tolist() == list(range(300))
    assert distances[0] == 0
    ids, _ = after.distances(query, None, None)
    assert ids.tolist() == list(range(700, 900))
    assert len(after) == 200
    assert after.nbytes < before.nbytes * 2


def part(vectors: np.ndarray, start: int, stop: int) -> Sketches:
    ids = np.arange(start, stop)
    moments = np.datetime64("2026-01-01", "us") + ids * np.timedelta64(1, "h")
    return Sketches(ids=ids, moments=moments, words=sketch(vectors[start:stop]).T)
