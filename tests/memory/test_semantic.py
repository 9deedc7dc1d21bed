"""Vectors of what was said: who waits for one, and what is kept."""

from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import event, func, select

from custom_components.caesar.memory import semantic
from custom_components.caesar.memory.errors import UnusableVectorsError
from custom_components.caesar.memory.events import remove
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.schema import semantic_memory, semantic_sketches
from custom_components.caesar.memory.semantic import Progress

from .conftest import spoken

OLD, NEW = "stub|a", "stub|b"


async def say(memory: Memory, *texts: str) -> list[int]:
    return [await memory.finish(None, spoken(text)) for text in texts]


async def waiting(memory: Memory, model: str, limit: int = 10, after: int = 0):
    found = await memory.database.read(semantic.waiting, model, limit, after)
    return [one.id for one in found]


async def store(memory: Memory, model: str, vectors):
    return await memory.database.write(semantic.store, model, vectors)


async def test_what_was_said_waits_with_its_texts_the_oldest_first(memory: Memory):
    first, second = await say(memory, "The boiler leaks", "It is mended")
    found = await memory.database.read(semantic.waiting, OLD, 10)
    assert [one.id for one in found] == [first, second]
    assert (found[0].user_text, found[0].assistant_text) == (
        "The boiler leaks",
        "Okay.",
    )
    assert (found[0].owner, found[0].language) == ("user:robin", "en")
    assert await waiting(memory, OLD, 1) == [first]
    assert await waiting(memory, OLD, 10, first) == [second]


async def test_a_new_model_has_all_still_before_it(memory: Memory):
    ids = await say(memory, "one", "two", "three")
    await store(memory, NEW, {ids[0]: [1, 2]})
    await store(memory, OLD, {ids[1]: [1, 2]})
    assert await waiting(memory, OLD) == [ids[0], ids[2]]
    assert await waiting(memory, NEW) == [ids[1], ids[2]]
    counted = await memory.database.read(semantic.count, OLD)
    assert counted == Progress(indexed=1, waiting=2)


async def test_what_is_gone_by_now_is_passed_over(memory: Memory):
    gone, there = await say(memory, "one", "two")
    await memory.database.write(remove, gone)
    rows = await store(memory, OLD, {gone: [1, 0], there: [0, 3]})
    (row,) = rows
    assert (row.id, row.owner, row.vector.tolist()) == (there, "user:robin", [0, 1])
    assert row.at.tzinfo is UTC
    assert isinstance(row.at, datetime)


async def test_vectors_go_with_the_exchange(memory: Memory):
    (one,) = await say(memory, "one")
    await store(memory, OLD, {one: [1, 0]})
    await memory.database.write(remove, one)

    def left(connection):
        return [
            connection.execute(select(func.count()).select_from(table)).scalar()
            for table in (semantic_memory, semantic_sketches)
        ]

    assert await memory.database.read(left) == [0, 0]


@pytest.mark.parametrize(
    "vectors",
    [
        [[]],
        [[0, 0]],
        [[1, float("nan")]],
        [[1, float("inf")]],
        [[1, 2], [1, 2, 3]],
        [["a", "b"]],
        [[1.0] * 20_000],
    ],
)
async def test_what_cannot_be_compared_is_not_kept(memory: Memory, vectors):
    ids = await say(memory, *("word" for _ in vectors))
    with pytest.raises(UnusableVectorsError):
        await store(memory, OLD, dict(zip(ids, vectors, strict=True)))
    assert await waiting(memory, OLD) == ids


async def test_a_model_keeps_to_one_dimension(memory: Memory):
    ids = await say(memory, "one", "two")
    await store(memory, OLD, {ids[0]: [1, 0]})
    with pytest.raises(UnusableVectorsError):
        await store(memory, OLD, {ids[1]: [1, 0, 0]})
    assert await memory.database.read(semantic.dimension, OLD) == 2
    assert await store(memory, OLD, {}) == ()


async def test_very_small_and_very_large_numbers_have_a_direction(memory: Memory):
    ids = await say(memory, "one", "two")
    rows = await store(memory, OLD, {ids[0]: [1e-30, 0], ids[1]: [3e30, 4e30]})
    found = [row.vector.tolist() for row in rows]
    assert np.allclose(np.array(found), np.array([[1, 0], [0.6, 0.8]]))


async def test_no_vector_is_read_to_see_what_waits(memory: Memory):
    asked: list[str] = []

    def plans(connection):
        event.listen(
            connection, "before_cursor_execute", lambda *told: asked.append(told[2])
        )
        semantic.waiting(connection, OLD, 5)
        semantic.count(connection, OLD)
        return [
            connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement.replace('?', '1')}"
            )
            .first()
            .detail
            for statement in tuple(asked)
            if "FROM semantic_memory" in statement
        ]

    found = await memory.database.read(plans)
    assert len(found) == 5
    for plan in found:
        assert "COVERING INDEX" in plan
