"""What people do in the panel: several facts at once, moving, undo, and secrets."""

import pytest

from custom_components.caesar.memory import learned
from custom_components.caesar.memory.composer import Caps
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.errors import (
    ConflictError,
    FactNotFoundError,
    KeyTakenError,
    SecretError,
)
from custom_components.caesar.memory.facts import Edit, Seen, Typed
from custom_components.caesar.memory.ledger import Cause, load
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Change,
    EventKind,
    Exchange,
    Fact,
    Scope,
)
from tests.memory.conftest import spoken
from tests.memory.replay import replay

ANN, BOB = "user:ann", "user:bob"


@pytest.fixture
def ann(memory: Memory) -> Editor:
    return Editor(memory=memory, owners=(ANN, HOUSEHOLD), actor=ANN)


@pytest.fixture
def bob(memory: Memory) -> Editor:
    return Editor(memory=memory, owners=(BOB, HOUSEHOLD), actor=BOB)


async def add(editor: Editor, key: str, value: str, owner: str | None = None) -> Fact:
    return await editor.add(owner or editor.actor, Typed(key=key, value=value))


def seen(fact: Fact) -> Seen:
    return Seen(fact_id=fact.id, revision=fact.revision)


def told(memory: Memory, owner: str) -> dict[str, str]:
    return {fact.key: fact.value for fact in memory.facts_of(owner)}


async def kinds(memory: Memory, owner: str) -> list[str]:
    events = await memory.events(Scope(owner=owner))
    return [event.kind for event in reversed(events) if event.owner == owner]


async def test_of_several_each_is_done_or_fails_by_itself(
    memory: Memory, ann: Editor, bob: Editor
):
    dog, cat = await add(ann, "dog.name", "Beans"), await add(ann, "cat.name", "Tom")
    bobs = await add(bob, "dog.name", "Rex")
    stale = Seen(fact_id=cat.id, revision=cat.revision + 1)

    done = await ann.delete([seen(dog), stale, seen(bobs)])

    assert done.ids == (dog.id,)
    assert [(one.fact_id, type(one.error)) for one in done.failed] == [
        (cat.id, ConflictError),
        (bobs.id, FactNotFoundError),
    ]
    assert told(memory, ANN) == {"cat.name": "Tom"}
    assert told(memory, BOB) == {"dog.name": "Rex"}


async def test_several_are_deleted_and_all_come_back(memory: Memory, ann: Editor):
    facts = [await add(ann, "note", text) for text in ("one", "two", "three")]
    before = told(memory, ANN)
    assert (await ann.delete([seen(fact) for fact in facts])).ids
    assert told(memory, ANN) == {}

    done = await ann.restore([Seen(fact_id=fact.id) for fact in facts])

    assert told(memory, ANN) == before
    assert {fact.id for fact in done.facts} == {fact.id for fact in facts}
    assert not (await ann.restore([Seen(fact_id=facts[0].id)])).ids


async def test_undo_of_a_change_that_somebody_changed_since_is_a_conflict(
    memory: Memory, ann: Editor, bob: Editor
):
    fact = await add(ann, "gate", "opens at eight", HOUSEHOLD)
    anns = await ann.edit(seen(fact), Edit(value="opens at nine"))
    await bob.edit(seen(anns), Edit(value="opens at ten"))

    done = await ann.restore([seen(anns)])

    assert isinstance(done.failed[0].error, ConflictError)
    assert told(memory, HOUSEHOLD) == {"gate": "opens at ten"}


async def test_a_moved_fact_is_in_both_histories_and_comes_back_by_undo(
    memory: Memory, ann: Editor
):
    fact = await add(ann, "dog.name", "Beans")
    await add(ann, "dog.name", "Rex", HOUSEHOLD)

    moved = (await ann.move([seen(fact)], HOUSEHOLD)).facts[-1]

    assert told(memory, ANN) == {}
    assert told(memory, HOUSEHOLD) == {"dog.name": "Rex", "dog.2.name": "Beans"}
    assert (await kinds(memory, ANN))[-1] == EventKind.FACT_HANDED_OVER
    assert (await kinds(memory, HOUSEHOLD))[-1] == EventKind.FACT_HANDED_OVER
    await ann.restore([seen(moved)])
    assert told(memory, ANN) == {"dog.name": "Beans"}
    assert told(memory, HOUSEHOLD) == {"dog.name": "Rex"}


async def test_a_fact_that_the_new_owner_knows_is_confirmed_there(
    memory: Memory, ann: Editor, clock
):
    mine = await add(ann, "wifi.name", "Nest")
    homes = await add(ann, "wifi.name", "nest", HOUSEHOLD)
    clock.pass_time(days=1)

    await ann.move([seen(mine)], HOUSEHOLD)

    (left,) = memory.facts_of(HOUSEHOLD)
    assert (left.id, left.last_confirmed_at) == (homes.id, clock.now())
    assert told(memory, ANN) == {}
    await ann.restore([Seen(fact_id=mine.id)])
    assert told(memory, ANN) == {"wifi.name": "Nest"}


async def test_nobody_takes_back_what_went_to_somebody_else(
    memory: Memory, ann: Editor, bob: Editor
):
    fact = await add(ann, "gate", "blue", HOUSEHOLD)
    edited = await ann.edit(seen(fact), Edit(value="green"))
    await bob.move([seen(edited)], BOB)

    done = await ann.restore([Seen(fact_id=fact.id)])

    assert isinstance(done.failed[0].error, FactNotFoundError)
    assert told(memory, BOB) == {"gate": "green"}


async def test_what_was_said_before_a_move_does_not_bring_the_fact_back(
    memory: Memory, ann: Editor, clock
):
    fact = await add(ann, "dog.name", "Beans")
    said = await memory.finish(None, spoken("My dog is called Beans", ANN))
    exchange = Exchange(
        id=said, at=clock.now(), owner=ANN, language="en", user_text="Beans"
    )
    await ann.move([seen(fact)], HOUSEHOLD)
    change = Change(operation="add", key="dog.name", value="Beans")

    patches = await memory.change(
        lambda connection: learned.apply(
            connection, [change], exchange, Cause(at=clock.now(), exchange=exchange)
        )
    )

    assert patches == ()
    assert (await kinds(memory, ANN))[-1] == EventKind.FACT_REJECTED


async def test_a_fact_goes_back_to_any_value_of_its_history(
    memory: Memory, ann: Editor
):
    fact = await add(ann, "coffee", "black")
    edited = await ann.edit(seen(fact), Edit(value="with milk"))
    edited = await ann.edit(seen(edited), Edit(key="coffee_taste", value="with sugar"))
    first, second, _ = reversed(await memory.events(Scope(owner=ANN)))

    back = await ann.revert(seen(edited), second.id)
    assert (back.key, back.value) == ("coffee_taste", "with milk")
    back = await ann.revert(seen(back), first.id)
    assert back.value == "black"
    with pytest.raises(ConflictError):
        await ann.revert(seen(edited), second.id)
    with pytest.raises(FactNotFoundError):
        await ann.revert(seen(back), 4711)

    await ann.restore([seen(back)])
    assert told(memory, ANN) == {"coffee_taste": "with milk"}


async def test_a_value_that_comes_back_brings_the_words_that_taught_it(
    memory: Memory, ann: Editor, clock
):
    said = await memory.finish(None, spoken("I drink my coffee black", ANN))
    exchange = Exchange(
        id=said, at=clock.now(), owner=ANN, language="en", user_text="black"
    )
    change = Change(
        operation="add", key="coffee", value="black", quote="I drink my coffee black"
    )
    (patch,) = await memory.change(
        lambda connection: learned.apply(
            connection, [change], exchange, Cause(at=clock.now(), exchange=exchange)
        )
    )
    assert patch.fact is not None
    learned_event, _ = await memory.events(Scope(owner=ANN))
    edited = await ann.edit(seen(patch.fact), Edit(value="with milk"))

    back = await ann.revert(seen(edited), learned_event.id)

    assert (back.value, back.source_audit_id) == ("black", said)
    assert back.quote == "I drink my coffee black"
    # Nothing that was said before may change it again.
    assert back.origin == "edited"


async def test_a_key_that_is_taken_is_told_apart_from_a_conflict(
    memory: Memory, ann: Editor
):
    await add(ann, "dog.name", "Beans")
    fact = await add(ann, "note", "Rex")
    with pytest.raises(KeyTakenError):
        await ann.edit(seen(fact), Edit(key="dog.name"))


@pytest.mark.parametrize(
    ("key", "value"), [("note", "my password is tree house"), ("alarm.code", "1234")]
)
async def test_a_secret_is_kept_only_for_who_was_warned_and_told_to_nobody(
    memory: Memory, ann: Editor, path, clock, key: str, value: str
):
    with pytest.raises(SecretError):
        await ann.add(ANN, Typed(key=key, value=value))
    await add(ann, "dog.name", "Beans")

    secret = await ann.add(ANN, Typed(key=key, value=value, secret_wanted=True))

    await memory.close()
    again = Memory(path, clock=clock)
    await again.open()
    for opened in (memory, again):
        scope = Scope(owner=ANN)
        assert [fact.key for fact in opened.facts(scope)] == ["dog.name"]
        assert value not in opened.section(scope, value, Caps()).text
        assert secret in opened.stored([ANN, HOUSEHOLD])
    await again.close()


async def test_a_secret_that_becomes_harmless_is_told_again(
    memory: Memory, ann: Editor
):
    wanted = Typed(key="alarm.code", value="1234", secret_wanted=True)
    secret = await ann.add(ANN, wanted)
    with pytest.raises(SecretError):
        await ann.edit(seen(secret), Edit(value="5678"))

    plain = await ann.edit(seen(secret), Edit(value="ask Bob"))

    assert told(memory, ANN) == {"alarm.code": "ask Bob"}
    await ann.restore([seen(plain)])
    assert told(memory, ANN) == {}


async def test_the_events_alone_rebuild_all_facts(
    memory: Memory, ann: Editor, bob: Editor
):
    dog, cat = await add(ann, "dog.name", "Beans"), await add(ann, "cat.name", "Tom")
    gate = await add(bob, "gate", "blue", HOUSEHOLD)
    await add(bob, "gate", "blue")
    moved = (await ann.move([seen(dog), seen(cat)], HOUSEHOLD)).facts
    await bob.move([seen(gate)], BOB)
    await ann.restore([seen(moved[0])])
    await ann.pin([seen(moved[1])], Edit(pinned=True))
    secret = Typed(key="alarm.code", value="1234", secret_wanted=True)
    await ann.delete([seen(await ann.add(ANN, secret))])
    await ann.add(ANN, secret)

    for owner in (ANN, BOB, HOUSEHOLD):
        events = await memory.events(Scope(owner=owner), limit=1000)
        own = [event for event in reversed(events) if event.owner == owner]
        stored = await memory.database.read(load, [owner])
        assert replay(own) == {fact.id: fact for fact in stored}, owner
        assert set(memory.stored([owner])) == set(stored)
