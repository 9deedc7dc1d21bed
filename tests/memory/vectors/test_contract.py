"""What every index promises, whoever finds what is near."""

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest

from custom_components.caesar.memory import semantic
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.models import HOUSEHOLD
from custom_components.caesar.memory.vectors import heal

from .archive import MODEL, Archive, random_vectors
from .conftest import Open

ANN, BOB, CLEO = "user:ann", "user:bob", "person:cleo"
OWNERS = (ANN, BOB, CLEO, HOUSEHOLD)
START = datetime(2026, 1, 1, tzinfo=UTC)
DIMENSION = 96


def day(number: float) -> datetime:
    return START + timedelta(days=number)


async def find(archive: Archive, vector, count=10, **more) -> list[int]:
    hits = await archive.index.search(vector, count, **more)
    return [hit.id for hit in hits]


async def test_the_nearest_come_first_with_their_cosines(archive: Archive):
    vectors = random_vectors(50, DIMENSION)
    ids = await archive.learn([(ANN, day(i), v) for i, v in enumerate(vectors)])
    hits = await archive.index.search(vectors[7], 3, owners=[ANN])
    assert hits[0].id == ids[7]
    assert hits[0].score == pytest.approx(1, abs=1e-3)
    assert [hit.score for hit in hits] == pytest.approx(
        archive.exactly(vectors[7], 3, [ANN]), abs=1e-3
    )


async def test_nothing_is_found_of_anybody_else(archive: Archive):
    (vector,) = random_vectors(1, DIMENSION)
    (of_ann,) = await archive.learn([(ANN, day(1), vector)])
    (of_bob,) = await archive.learn([(BOB, day(1), vector)])
    assert await find(archive, vector, owners=[ANN]) == [of_ann]
    assert await find(archive, vector, owners=[BOB]) == [of_bob]
    assert set(await find(archive, vector, owners=[ANN, BOB])) == {of_ann, of_bob}
    assert await find(archive, vector, owners=[CLEO]) == []
    assert await find(archive, vector, owners=[]) == []


async def test_a_time_begins_with_its_first_moment_and_ends_before_its_last(
    archive: Archive,
):
    vectors = random_vectors(6, DIMENSION)
    ids = await archive.learn([(ANN, day(i), v) for i, v in enumerate(vectors)])

    async def within(**bounds: datetime) -> set[int]:
        return set(await find(archive, vectors[0], owners=[ANN], **bounds))

    assert await within(since=day(2)) == set(ids[2:])
    assert await within(until=day(2)) == set(ids[:2])
    assert await within(since=day(2), until=day(4)) == set(ids[2:4])
    assert await within(since=day(2.5), until=day(2.7)) == set()


async def test_what_was_said_earlier_may_come_later(archive: Archive):
    vectors = random_vectors(4, DIMENSION)
    new = await archive.learn([(ANN, day(9), vectors[0]), (ANN, day(10), vectors[1])])
    old = await archive.learn([(ANN, day(2), vectors[2]), (ANN, day(1), vectors[3])])
    assert set(await find(archive, vectors[0], owners=[ANN], until=day(5))) == set(old)
    assert set(await find(archive, vectors[0], owners=[ANN], since=day(5))) == set(new)


async def test_what_is_removed_is_not_found_again(archive: Archive, open_one: Open):
    vectors = random_vectors(20, DIMENSION)
    ids = await archive.learn([(ANN, day(i), v) for i, v in enumerate(vectors)])
    await archive.forget(ids[:5])
    await archive.index.remove([*ids[:5], 999_999])
    found = await find(archive, vectors[0], 20, owners=[ANN])
    assert sorted(found) == ids[5:]
    await archive.index.close()
    archive.index = open_one()
    assert sorted(await find(archive, vectors[0], 20, owners=[ANN])) == ids[5:]


async def test_what_is_deleted_takes_nobodys_place_though_the_index_is_not_told(
    archive: Archive,
):
    vectors = random_vectors(40, DIMENSION)
    ids = await archive.learn([(ANN, day(i), v) for i, v in enumerate(vectors)])
    nearest = await find(archive, vectors[0], 15, owners=[ANN])
    await archive.forget(nearest)
    found = await find(archive, vectors[0], 10, owners=[ANN])
    assert len(found) == 10
    assert not set(found) & set(nearest)
    assert set(found) < set(ids)
    assert await archive.index.count() <= 40 - 15 + 15


async def test_what_becomes_another_s_is_no_longer_its_owner_s(archive: Archive):
    (vector,) = random_vectors(1, DIMENSION)
    (moved,) = await archive.learn([(CLEO, day(1), vector)])
    await archive.database.write(
        lambda connection: connection.exec_driver_sql(
            "UPDATE audit_log SET owner = ? WHERE id = ?", (ANN, moved)
        )
    )
    assert await find(archive, vector, owners=[CLEO]) == []
    await archive.index.rebuild()
    assert await find(archive, vector, owners=[CLEO]) == []
    assert await find(archive, vector, owners=[ANN]) == [moved]


async def test_a_row_that_is_added_again_is_there_once(archive: Archive):
    old, new = random_vectors(2, DIMENSION)
    (one,) = await archive.learn([(ANN, day(1), old)])
    await archive.index.add(await archive.embed({one: new}))
    (hit,) = await archive.index.search(new, 10, owners=[ANN])
    assert hit.id == one
    assert hit.score == pytest.approx(1, abs=1e-3)
    assert await archive.index.count() == 1


async def test_it_finds_the_same_after_it_was_opened_again(
    archive: Archive, open_one: Open
):
    vectors = random_vectors(300, DIMENSION)
    await archive.learn([(ANN, day(i / 9), v) for i, v in enumerate(vectors)])
    before = await archive.index.search(vectors[3], 10, owners=[ANN])
    await archive.index.close()
    archive.index = open_one()
    assert await archive.index.search(vectors[3], 10, owners=[ANN]) == before


async def test_a_crash_before_the_index_knew_is_healed(
    archive: Archive, open_one: Open, database: Database
):
    vectors = random_vectors(3, DIMENSION)
    known = await archive.learn([(ANN, day(1), vectors[0])])
    await archive.index.close()
    (lost,) = await archive.say((ANN, day(2)))
    await archive.embed({lost: vectors[1]})
    archive.index = open_one()
    await heal(archive.index, database, MODEL)
    assert set(await find(archive, vectors[1], owners=[ANN])) == {*known, lost}
    assert await heal(archive.index, database, MODEL) is False


async def test_another_model_s_vectors_are_nobody_s(archive: Archive):
    vectors = random_vectors(2, DIMENSION)
    (ours,) = await archive.learn([(ANN, day(1), vectors[0])])
    (other,) = await archive.say((ANN, day(1)))
    await archive.database.write(semantic.store, "stub|other", {other: vectors[0]})
    await archive.index.rebuild()
    assert await find(archive, vectors[0], owners=[ANN]) == [ours]


async def test_a_house_that_has_said_nothing(archive: Archive):
    (vector,) = random_vectors(1, DIMENSION)
    assert await find(archive, vector, owners=[ANN]) == []
    assert await archive.index.count() == 0
    await archive.index.remove([1])
    await archive.index.add([])
    await archive.index.rebuild()


steps = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), st.integers(1, 9), st.sampled_from(OWNERS)),
        st.tuples(st.just("forget"), st.integers(0, 99), st.booleans()),
        st.tuples(st.just("reopen"), st.none(), st.none()),
        st.tuples(st.just("rebuild"), st.none(), st.none()),
    ),
    min_size=1,
    max_size=12,
)
bounds = st.integers(-1, 21).map(day)


questions = st.fixed_dictionaries(
    {"owners": st.sets(st.sampled_from(OWNERS)), "count": st.integers(1, 12)},
    optional={"since": bounds, "until": bounds},
)


@given(steps=steps, seed=st.integers(0, 2**16), question=questions)
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_it_finds_what_looking_at_everything_finds(
    archive: Archive, open_one: Open, steps, seed, question
):
    await archive.forget(list(archive.rows))
    await archive.index.rebuild()
    numbers = np.random.default_rng(seed)
    vectors = iter(random_vectors(200, DIMENSION, seed))
    for what, amount, how in steps:
        if what == "learn":
            days = numbers.integers(0, 20, amount).tolist()
            await archive.learn([(how, day(n), next(vectors)) for n in days])
        elif what == "forget" and archive.rows:
            gone = sorted(archive.rows)[amount % len(archive.rows) :][:3]
            await archive.forget(gone)
            if how:
                await archive.index.remove(gone)
        elif what == "reopen":
            await archive.index.close()
            archive.index = open_one()
        elif what == "rebuild":
            await archive.index.rebuild()
    query = next(vectors)
    hits = await archive.index.search(query, **question)
    assert all(archive.rows[hit.id].owner in question["owners"] for hit in hits)
    assert len({hit.id for hit in hits}) == len(hits)
    assert [hit.score for hit in hits] == pytest.approx(
        archive.exactly(query, **question), abs=2e-3
    )
