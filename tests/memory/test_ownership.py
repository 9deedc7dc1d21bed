"""A person gets a login: all that was theirs moves, and nothing is mixed up."""

from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Scope
from tests.memory.conftest import spoken
from tests.memory.replay import replay

KIM, USER = "person:kim", "user:kim"
SCOPE = Scope(owner=USER)


def told(memory: Memory, owner: str) -> dict[str, str]:
    return {fact.key: fact.value for fact in memory.facts_of(owner)}


async def test_facts_events_and_what_waits_move_in_one_go(memory: Memory, path, clock):
    await memory.add_fact(KIM, "dog.name", "Beans")
    waiting = await memory.finish(None, spoken("I like tea", KIM, actor=KIM))

    assert await memory.move_owner(KIM, USER)

    assert told(memory, KIM) == {}
    assert told(memory, USER) == {"dog.name": "Beans"}
    assert await memory.events(Scope(owner=KIM)) == ()
    events = await memory.events(SCOPE)
    assert [event.kind for event in events] == [
        "memory.fact.moved",
        "chat.completed",
        "memory.fact.added",
    ]
    assert events[1].id == waiting
    assert {event.actor for event in events} == {None, USER}
    await memory.close()

    again = Memory(path, clock=clock)
    await again.open()
    assert told(again, USER) == {"dog.name": "Beans"}
    await again.close()


async def test_what_is_in_the_way_gets_a_number_and_keeps_its_company(memory: Memory):
    await memory.add_fact(USER, "dog.name", "Rex")
    await memory.add_fact(USER, "note", "one")
    await memory.add_fact(KIM, "dog.name", "Beans")
    await memory.add_fact(KIM, "dog.age", "five")
    await memory.add_fact(KIM, "note", "two")

    await memory.move_owner(KIM, USER)

    assert told(memory, USER) == {
        "dog.name": "Rex",
        "note": "one",
        "dog.2.name": "Beans",
        # Else Rex would be five.
        "dog.2.age": "five",
        "note.2": "two",
    }


async def test_what_both_knew_stays_once(memory: Memory):
    await memory.add_fact(USER, "dog.name", "Rex")
    await memory.add_fact(USER, "dog.2.name", "Beans")
    await memory.add_fact(USER, "allergy", "nuts")
    await memory.add_fact(KIM, "dog.name", "beans")
    await memory.add_fact(KIM, "dog.age", "five")
    await memory.add_fact(KIM, "allergy", "Nuts")

    await memory.move_owner(KIM, USER)

    assert told(memory, USER) == {
        "dog.name": "Rex",
        "dog.2.name": "Beans",
        "dog.2.age": "five",
        "allergy": "nuts",
    }


async def test_what_was_done_before_can_be_undone_after(memory: Memory):
    fact = await memory.add_fact(KIM, "dog.name", "Beans")
    await memory.edit_fact(Scope(owner=KIM), fact.id, Edit(value="Benny"))
    gone = await memory.add_fact(KIM, "note", "gone")
    await memory.delete_fact(Scope(owner=KIM), gone.id)

    await memory.move_owner(KIM, USER)
    await memory.restore_fact(SCOPE, gone.id)
    await memory.restore_fact(SCOPE, fact.id)

    assert told(memory, USER) == {"dog.name": "Beans", "note": "gone"}
    assert told(memory, KIM) == {}


async def test_the_events_rebuild_what_was_moved(memory: Memory):
    await memory.add_fact(USER, "dog.name", "Rex")
    await memory.add_fact(KIM, "dog.name", "Beans")
    await memory.add_fact(KIM, "dog.2.name", "Rex")

    await memory.move_owner(KIM, USER)

    events = [e for e in reversed(await memory.events(SCOPE)) if e.owner == USER]
    assert replay(events) == {fact.id: fact for fact in memory.facts_of(USER)}


async def test_nothing_to_move_changes_nothing(memory: Memory):
    assert not await memory.move_owner(KIM, USER)
    assert await memory.events(SCOPE) == ()
