"""Moving all of one owner to another, shown before and undone after."""

import pytest

from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.errors import MoveNotFoundError
from custom_components.caesar.memory.facts import Edit, Seen
from custom_components.caesar.memory.ledger import load
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Scope
from tests.memory.conftest import spoken
from tests.memory.replay import replay

KIM, USER, ADMIN = "person:kim", "user:kim", "user:admin"


def told(memory: Memory, owner: str) -> dict[str, str]:
    return {fact.key: fact.value for fact in memory.facts_of(owner)}


async def log(memory: Memory, owner: str) -> list[tuple[str, str | None, str]]:
    events = await memory.events(Scope(owner=owner), limit=1000)
    return [
        (event.kind, event.actor, str(event.payload))
        for event in reversed(events)
        if event.owner == owner
    ]


async def assert_rebuilt(memory: Memory) -> None:
    for owner in (KIM, USER):
        events = await memory.events(Scope(owner=owner), limit=1000)
        own = [event for event in reversed(events) if event.owner == owner]
        stored = await memory.database.read(load, [owner])
        assert replay(own) == {fact.id: fact for fact in stored}, owner


@pytest.fixture
async def archive(memory: Memory) -> Archive:
    await memory.add_fact(USER, "dog.name", "Rex")
    await memory.add_fact(USER, "allergy", "nuts")
    await memory.add_fact(KIM, "dog.name", "Beans", actor=KIM)
    await memory.finish(None, spoken("I like tea", KIM))
    await memory.add_fact(KIM, "allergy", "Nuts")
    await memory.add_fact(KIM, "coffee", "black")
    return Archive(memory=memory)


async def test_the_preview_tells_what_the_move_then_does(
    memory: Memory, archive: Archive
):
    shown = await archive.preview_move(KIM, USER)

    assert (shown.facts, shown.exchanges) == (3, 1)
    assert [fact.value for fact in shown.merged] == ["Nuts"]
    assert [(fact.value, key) for fact, key in shown.renamed] == [
        ("Beans", "dog.2.name")
    ]
    assert told(memory, KIM)["dog.name"] == "Beans"
    await archive.move(KIM, USER, actor=ADMIN)
    assert told(memory, USER) == {
        "dog.name": "Rex",
        "dog.2.name": "Beans",
        "allergy": "nuts",
        "coffee": "black",
    }


async def test_undo_puts_everything_back_where_it_was(memory: Memory, archive: Archive):
    before = {owner: told(memory, owner) for owner in (KIM, USER)}
    logged = {owner: await log(memory, owner) for owner in (KIM, USER)}
    move = await archive.move(KIM, USER, actor=ADMIN)

    assert await archive.undo_move(move, actor=ADMIN) == 3

    assert {owner: told(memory, owner) for owner in (KIM, USER)} == before
    for owner in (KIM, USER):
        assert (await log(memory, owner))[: len(logged[owner])] == logged[owner]
    assert {kind for kind, *_ in (await log(memory, USER))[len(logged[USER]) :]} == {
        "memory.owner.moved",
        "memory.owner.move_undone",
    }
    await assert_rebuilt(memory)
    with pytest.raises(MoveNotFoundError):
        await archive.undo_move(move, actor=ADMIN)


async def test_what_changed_since_and_what_is_new_stays(
    memory: Memory, archive: Archive
):
    move = await archive.move(KIM, USER, actor=ADMIN)
    user = Editor(memory=memory, owners=[USER], actor=USER)
    coffee = next(fact for fact in memory.facts_of(USER) if fact.key == "coffee")
    await user.edit(Seen(fact_id=coffee.id), Edit(value="with milk"))
    await memory.add_fact(USER, "tea", "green")

    await archive.undo_move(move, actor=ADMIN)

    assert told(memory, KIM) == {"dog.name": "Beans", "allergy": "Nuts"}
    assert told(memory, USER) == {
        "dog.name": "Rex",
        "allergy": "nuts",
        "coffee": "with milk",
        "tea": "green",
    }
    await assert_rebuilt(memory)


async def test_an_id_that_is_no_move_undoes_nothing(memory: Memory, archive: Archive):
    (event, *_) = await memory.events(Scope(owner=USER))
    for wrong in (event.id, 4711):
        with pytest.raises(MoveNotFoundError):
            await archive.undo_move(wrong, actor=ADMIN)
