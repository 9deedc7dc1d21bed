"""Facts change together with their events, for the right people only."""

import asyncio
import contextlib

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.caesar.memory import learned, ledger
from custom_components.caesar.memory.errors import (
    ConflictError,
    FactNotFoundError,
    InvalidFactError,
    SecretError,
)
from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.ledger import Cause
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Change,
    Exchange,
    Fact,
    Origin,
    Owner,
    Scope,
)
from tests.memory.conftest import TestClock, spoken
from tests.memory.replay import replay

ROBIN, SAM = Scope(owner="user:robin"), Scope(owner="user:sam")


async def kinds(memory: Memory, scope: Scope = ROBIN) -> list[str]:
    return [event.kind for event in reversed(await memory.events(scope))]


async def exchange(memory: Memory, text: str, owner: Owner = ROBIN.owner) -> Exchange:
    audit_id = await memory.finish(None, spoken(text, owner))
    return Exchange(
        id=audit_id, at=memory.now(), owner=owner, language="en", user_text=text
    )


async def teach(memory: Memory, said: Exchange, *changes: Change) -> list[Fact | None]:
    cause = Cause(at=memory.now(), exchange=said)
    patches = await memory.change(
        lambda connection: learned.apply(connection, changes, said, cause)
    )
    return [patch.fact for patch in patches]


def addition(key: str, value: str) -> Change:
    return Change(operation="add", key=key, value=value, quote=f"… {value} …")


async def test_what_was_told_keeps_its_proof(memory: Memory):
    said = await exchange(memory, "My dog's name is Beans.")
    (fact,) = await teach(memory, said, addition("dog.name", "Beans"))
    assert fact == memory.facts(ROBIN)[0]
    assert (fact.source_audit_id, fact.quote, fact.origin) == (
        said.id,
        "… Beans …",
        Origin.TOLD,
    )
    assert fact.first_seen_at == said.at


async def test_a_second_dog_joins_the_first(memory: Memory):
    said = await exchange(memory, "…")
    await teach(
        memory, said, addition("dog.name", "Beans"), addition("dog.name", "Rex")
    )
    assert {f.key: f.value for f in memory.facts(ROBIN)} == {
        "dog.name": "Beans",
        "dog.2.name": "Rex",
    }


async def test_typed_facts_can_be_added_edited_deleted_and_restored(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "Dog.Name", "  Beans ")
    assert (fact.key, fact.value, fact.origin) == ("dog.name", "Beans", Origin.EDITED)
    edited = await memory.edit_fact(ROBIN, fact.id, Edit(value="Bowser"))
    assert (edited.value, edited.revision) == ("Bowser", 2)
    undone = await memory.restore_fact(ROBIN, fact.id)
    assert undone.value == "Beans"
    await memory.delete_fact(ROBIN, fact.id)
    assert memory.facts(ROBIN) == ()
    back = await memory.restore_fact(ROBIN, fact.id)
    assert (back.id, back.key, back.value) == (fact.id, "dog.name", "Beans")
    assert await kinds(memory) == [
        "memory.fact.added",
        "memory.fact.user_edited",
        "memory.fact.restored",
        "memory.fact.user_deleted",
        "memory.fact.restored",
    ]


async def test_restoring_twice_or_nothing_is_refused(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    with pytest.raises(FactNotFoundError):
        await memory.restore_fact(ROBIN, fact.id)
    await memory.delete_fact(ROBIN, fact.id)
    await memory.restore_fact(ROBIN, fact.id)
    with pytest.raises(FactNotFoundError):
        await memory.restore_fact(ROBIN, fact.id)


async def test_a_restored_fact_does_not_push_out_its_successor(memory: Memory):
    first = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    await memory.delete_fact(ROBIN, first.id)
    await memory.add_fact(ROBIN.owner, "dog.name", "Rex")
    await memory.restore_fact(ROBIN, first.id)
    assert {f.key: f.value for f in memory.facts(ROBIN)} == {
        "dog.name": "Rex",
        "dog.2.name": "Beans",
    }


async def test_adding_the_same_again_confirms_it(memory: Memory, clock: TestClock):
    first = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    clock.pass_time(days=3)
    again = await memory.add_fact(ROBIN.owner, "dog.name", "BEANS ")
    assert again.id == first.id
    assert again.last_confirmed_at == clock.now()
    assert len(memory.facts(ROBIN)) == 1


async def test_a_stale_revision_is_a_conflict(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    await memory.edit_fact(ROBIN, fact.id, Edit(value="Bowser"), revision=1)
    with pytest.raises(ConflictError) as caught:
        await memory.edit_fact(ROBIN, fact.id, Edit(value="Rex"), revision=1)
    assert caught.value.revision == 2
    with pytest.raises(ConflictError):
        await memory.delete_fact(ROBIN, fact.id, revision=1)
    assert memory.facts(ROBIN)[0].value == "Bowser"


async def test_a_key_that_is_taken_is_a_conflict(memory: Memory):
    await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    cat = await memory.add_fact(ROBIN.owner, "cat.name", "Tom")
    with pytest.raises(ConflictError):
        await memory.edit_fact(ROBIN, cat.id, Edit(key="dog.name"))


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("", "Beans", InvalidFactError),
        ("dog name", "Beans", InvalidFactError),
        ("dog..name", "Beans", InvalidFactError),
        ("k" * 81, "Beans", InvalidFactError),
        ("dog.name", "   ", InvalidFactError),
        ("dog.name", "B" * 501, InvalidFactError),
        ("door.code", "the door code is 4711", SecretError),
    ],
)
async def test_bad_input_changes_nothing(memory: Memory, key, value, error):
    with pytest.raises(error):
        await memory.add_fact(ROBIN.owner, key, value)
    fact = await memory.add_fact(ROBIN.owner, "cat.name", "Tom")
    with pytest.raises(error):
        await memory.edit_fact(ROBIN, fact.id, Edit(key=key, value=value))
    assert memory.facts(ROBIN) == (fact,)
    assert await kinds(memory) == ["memory.fact.added"]


async def test_signs_that_are_no_text_are_left_out(memory: Memory):
    value = "Be\x00a\x1bn\u202es \ud800\u200b👩\u200d🚀"
    fact = await memory.add_fact(ROBIN.owner, "dog.name", value)
    assert fact.value == "Beans 👩\u200d🚀"
    with pytest.raises(InvalidFactError):
        await memory.add_fact(ROBIN.owner, "dog.name", "\u200b\u202e")


async def test_another_persons_fact_does_not_exist(memory: Memory):
    fact = await memory.add_fact(SAM.owner, "dog.name", "Beans")
    for attempt in (
        memory.edit_fact(ROBIN, fact.id, Edit(value="Rex")),
        memory.delete_fact(ROBIN, fact.id),
        memory.restore_fact(ROBIN, fact.id),
    ):
        with pytest.raises(FactNotFoundError):
            await attempt
    await memory.delete_fact(SAM, fact.id)
    with pytest.raises(FactNotFoundError):
        await memory.restore_fact(ROBIN, fact.id)


async def test_an_edit_bars_older_words(memory: Memory):
    said = await exchange(memory, "My dog's name is Beans.")
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    await memory.edit_fact(ROBIN, fact.id, Edit(value="Bowser"))
    replacing = Change(
        operation="replace", key="dog.name", value="Beans", fact_id=fact.id
    )
    assert await teach(memory, said, addition("dog.name", "Beans"), replacing) == []
    assert [f.value for f in memory.facts(ROBIN)] == ["Bowser"]
    assert (await kinds(memory))[-2:] == ["memory.fact.rejected"] * 2


async def test_a_deletion_bars_older_words_but_not_newer(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    older = await exchange(memory, "My dog's name is Beans.")
    await memory.delete_fact(ROBIN, fact.id)
    newer = await exchange(memory, "My dog's name is Beans.")
    assert await teach(memory, older, addition("dog.name", "Beans")) == []
    await teach(memory, newer, addition("dog.name", "Beans"))
    assert [f.value for f in memory.facts(ROBIN)] == ["Beans"]


async def test_a_change_of_a_fact_that_is_gone_is_told_as_rejected(memory: Memory):
    said = await exchange(memory, "…")
    change = Change(operation="remove", key="dog.name", value="Beans", fact_id=99)
    assert await teach(memory, said, change) == []
    (event,) = await memory.events(ROBIN, kinds=("memory.fact.rejected",))
    assert event.payload["reason"] == "fact_gone"


async def test_a_rejected_event_never_holds_what_was_said(memory: Memory):
    said = await exchange(memory, "…")
    change = Change(
        operation="reject",
        key="note",
        value="hunter2",
        quote="hunter2",
        reason="secret",
    )
    await teach(memory, said, change)
    (event,) = await memory.events(ROBIN, kinds=("memory.fact.rejected",))
    assert "hunter2" not in str(event)


async def test_ram_follows_although_the_caller_is_cancelled(memory: Memory):
    task = asyncio.create_task(memory.add_fact(ROBIN.owner, "dog.name", "Beans"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await memory.add_fact(ROBIN.owner, "cat.name", "Tom")
    assert {f.value for f in memory.facts(ROBIN)} == {"Beans", "Tom"}


async def test_listeners_hear_of_changes_until_they_leave(memory: Memory):
    heard: list[tuple[ledger.Patch, ...]] = []
    leave = memory.on_change(heard.append)
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
    await memory.delete_fact(ROBIN, fact.id)
    leave()
    await memory.add_fact(ROBIN.owner, "cat.name", "Tom")
    assert [patch.fact for (patch,) in heard] == [fact, None]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["teach", "type", "edit", "pin", "delete", "restore", "end"]),
        st.sampled_from([ROBIN, SAM, Scope(owner=HOUSEHOLD)]),
        st.sampled_from(["dog.name", "cat.name", "preference.tea"]),
        st.text(alphabet="abcäß字 {}%<\n", min_size=1, max_size=8).filter(str.strip),
        st.integers(1, 6),
    ),
    max_size=25,
)


async def act(memory: Memory, step) -> None:
    verb, scope, key, value, fact_id = step
    if verb == "teach":
        said = await exchange(memory, value, scope.owner)
        await teach(memory, said, addition(key, value.strip()))
    elif verb == "end":
        said = await exchange(memory, value, scope.owner)
        await teach(
            memory,
            said,
            Change(operation="remove", key=key, value=value, fact_id=fact_id),
        )
    elif verb == "type":
        await memory.add_fact(scope.owner, key, value)
    elif verb == "edit":
        await memory.edit_fact(scope, fact_id, Edit(value=value))
    elif verb == "pin":
        await memory.edit_fact(scope, fact_id, Edit(pinned=True))
    elif verb == "delete":
        await memory.delete_fact(scope, fact_id)
    else:
        await memory.restore_fact(scope, fact_id)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_events_alone_rebuild_the_facts(tmp_path_factory, steps):
    async def run() -> None:
        memory = Memory(
            tmp_path_factory.mktemp("replay") / "caesar.db", clock=TestClock()
        )
        await memory.open()
        for step in steps:
            with contextlib.suppress(FactNotFoundError):
                await act(memory, step)
        for owner in (ROBIN.owner, SAM.owner, HOUSEHOLD):
            scope = Scope(owner=owner)
            events = await memory.events(scope, limit=1000)
            told = replay(e for e in reversed(events) if e.owner == owner)
            stored = await memory.database.read(ledger.load, [owner])
            assert sorted(told.values(), key=lambda f: f.id) == list(stored)
            assert memory.facts_of(owner) == stored
        await memory.close()

    asyncio.run(run())
