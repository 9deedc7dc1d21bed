"""What is unsure waits for a person, who accepts or rejects it once and for all."""

import json

import pytest

from custom_components.caesar.memory.errors import (
    SecretError,
    SuggestionNotFoundError,
)
from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    EventKind,
    Fact,
    Origin,
    Owner,
    Scope,
)
from custom_components.caesar.memory.suggestions import Suggestion
from tests.memory.conftest import TestClock, spoken
from tests.memory.replay import replay
from tests.memory.test_learning import Scripted

ROBIN = Scope(owner="user:robin")
SAM = Scope(owner="user:sam")

BAKERY = "I work in the bakery behind the old mill."
"""Of this a model makes a value with a word that nobody said."""


def found(who: str, what: str, value: str, holds: str = "true") -> str:
    fact = {"who": who, "what": what, "value": value, "holds": holds}
    return json.dumps({"kind": "lasting", "facts": [fact]})


async def hear(
    memory: Memory, text: str, answer: str, owner: Owner = ROBIN.owner, **parts: object
) -> int:
    """Let a person say something of which a model makes the answer."""
    exchange_id = await memory.finish(None, spoken(text, owner=owner, **parts))
    await Learning(memory, Scripted(lambda _: answer)).tick()
    return exchange_id


async def hear_of_bakery(memory: Memory) -> int:
    answer = found("me", "workplace", "Portuguese bakery behind old mill")
    return await hear(memory, BAKERY, answer)


async def only(memory: Memory, scope: Scope = ROBIN) -> Suggestion:
    (suggestion,) = await memory.suggestions(scope)
    return suggestion


def told(memory: Memory, owner: Owner = ROBIN.owner) -> dict[str, str]:
    return {fact.key: fact.value for fact in memory.facts_of(owner)}


async def kinds(memory: Memory, scope: Scope = ROBIN) -> list[str]:
    events = await memory.events(scope)
    return [event.kind for event in reversed(events) if event.kind.startswith("memory")]


async def rebuilt(memory: Memory, scope: Scope = ROBIN) -> dict[int, Fact]:
    events = [e for e in reversed(await memory.events(scope)) if e.owner == scope.owner]
    return replay(events)


async def test_what_was_partly_heard_is_suggested_with_its_sentence(memory: Memory):
    exchange_id = await hear_of_bakery(memory)

    suggestion = await only(memory)

    assert told(memory) == {}
    assert (suggestion.operation, suggestion.reason) == ("add", "partly_heard")
    assert (suggestion.key, suggestion.value) == (
        "workplace",
        "Portuguese bakery behind old mill",
    )
    assert (suggestion.quote, suggestion.exchange_id) == (BAKERY, exchange_id)
    assert await memory.suggestions(SAM) == ()


HEDGED = "I live in Oslo and maybe I like jazz."


async def test_what_somebody_is_not_sure_of_is_suggested_beside_what_they_are(
    memory: Memory,
):
    facts = [
        {"who": "me", "what": "like", "value": "jazz", "holds": "true"},
        {"who": "me", "what": "city", "value": "Oslo", "holds": "true"},
    ]
    await hear(memory, HEDGED, json.dumps({"kind": "lasting", "facts": facts}))

    assert told(memory) == {"address.city": "Oslo"}
    suggestion = await only(memory)
    assert (suggestion.key, suggestion.value, suggestion.reason) == (
        "preference.like",
        "jazz",
        "unsure",
    )


async def test_a_doubt_removes_nothing(memory: Memory):
    await memory.add_fact(ROBIN.owner, "preference.dislike", "jazz")
    await hear(
        memory, "I live in Oslo and maybe I like jazz.", found("me", "like", "jazz")
    )
    assert told(memory) == {"preference.dislike": "jazz"}


async def test_the_same_suggestion_twice_is_one(memory: Memory):
    await hear_of_bakery(memory)
    first = await only(memory)
    await hear_of_bakery(memory)
    assert await only(memory) == first
    assert (await kinds(memory)).count(EventKind.FACT_SUGGESTED) == 1


async def test_accepting_stores_the_fact_with_its_proof(
    memory: Memory, clock: TestClock
):
    exchange_id = await hear_of_bakery(memory)
    said_at = clock.now()
    clock.pass_time(days=2)

    fact = await memory.accept_suggestion(
        ROBIN, (await only(memory)).id, actor=ROBIN.owner
    )

    assert memory.facts_of(ROBIN.owner) == (fact,)
    assert fact is not None
    assert (fact.key, fact.value) == ("workplace", "Portuguese bakery behind old mill")
    assert (fact.quote, fact.source_audit_id) == (BAKERY, exchange_id)
    assert (fact.first_seen_at, fact.last_confirmed_at) == (said_at, clock.now())
    assert (fact.origin, fact.confidence, fact.language) == (Origin.TOLD, 1.0, "en")
    assert await memory.suggestions(ROBIN) == ()
    added, accepted = await memory.events(
        ROBIN, kinds=(EventKind.FACT_ADDED, EventKind.SUGGESTION_ACCEPTED)
    )
    assert added.actor == accepted.actor == ROBIN.owner
    assert await rebuilt(memory) == {fact.id: fact}


async def test_what_was_rejected_never_returns(memory: Memory):
    await hear_of_bakery(memory)
    await memory.reject_suggestion(ROBIN, (await only(memory)).id, actor=ROBIN.owner)
    await hear_of_bakery(memory)

    assert await memory.suggestions(ROBIN) == ()
    (rejected,) = await memory.events(ROBIN, kinds=(EventKind.FACT_REJECTED,))
    assert rejected.payload["reason"] == "rejected_before"
    assert "bakery" not in str(rejected.payload)


async def test_what_was_rejected_can_still_be_said_plainly(memory: Memory):
    await hear_of_bakery(memory)
    await memory.reject_suggestion(ROBIN, (await only(memory)).id)
    said = "I work in the Portuguese bakery behind the old mill."
    answer = found("me", "workplace", "Portuguese bakery behind old mill")
    await hear(memory, said, answer)
    assert set(told(memory)) == {"workplace"}


async def test_what_was_said_before_a_rejection_does_not_undo_it(memory: Memory):
    await hear_of_bakery(memory)
    said = "I work in the Portuguese bakery behind the old mill."
    await memory.finish(None, spoken(said))
    await memory.reject_suggestion(ROBIN, (await only(memory)).id)

    answer = found("me", "workplace", "Portuguese bakery behind old mill")
    await Learning(memory, Scripted(lambda _: answer)).tick()

    assert told(memory) == {}
    assert await memory.suggestions(ROBIN) == ()


@pytest.mark.parametrize("decision", ["accept", "reject"])
async def test_a_decision_is_made_once(memory: Memory, decision: str):
    await hear_of_bakery(memory)
    suggestion = await only(memory)
    decide = getattr(memory, f"{decision}_suggestion")
    await decide(ROBIN, suggestion.id)

    for again in (memory.accept_suggestion, memory.reject_suggestion):
        with pytest.raises(SuggestionNotFoundError):
            await again(ROBIN, suggestion.id)


async def test_nobody_decides_for_somebody_else(memory: Memory):
    await hear_of_bakery(memory)
    suggestion = await only(memory)

    for decide in (memory.accept_suggestion, memory.reject_suggestion):
        with pytest.raises(SuggestionNotFoundError):
            await decide(SAM, suggestion.id)

    assert await only(memory) == suggestion


async def contradict_an_edit(memory: Memory) -> Fact:
    fact = await memory.add_fact(ROBIN.owner, "address.city", "Ghent")
    await hear(memory, "I live in Oslo.", found("me", "city", "Oslo"))
    assert told(memory) == {"address.city": "Ghent"}
    return fact


async def test_a_contradiction_of_an_edit_can_be_accepted(memory: Memory):
    fact = await contradict_an_edit(memory)
    suggestion = await only(memory)
    assert (suggestion.operation, suggestion.fact_id) == ("replace", fact.id)

    await memory.accept_suggestion(ROBIN, suggestion.id)

    assert told(memory) == {"address.city": "Oslo"}
    assert {one.id for one in memory.facts_of(ROBIN.owner)} == {fact.id}
    await memory.restore_fact(ROBIN, fact.id)
    assert told(memory) == {"address.city": "Ghent"}
    assert await rebuilt(memory) == {f.id: f for f in memory.facts_of(ROBIN.owner)}


async def test_an_ending_of_what_was_typed_can_be_accepted(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "car", "Saab")
    await hear(memory, "My Saab is gone for good.", found("me", "car", "Saab", "ended"))
    suggestion = await only(memory)
    assert (suggestion.operation, suggestion.value) == ("remove", "")

    assert await memory.accept_suggestion(ROBIN, suggestion.id) is None

    assert told(memory) == {}
    assert await rebuilt(memory) == {}
    await memory.restore_fact(ROBIN, fact.id)
    assert told(memory) == {"car": "Saab"}


@pytest.mark.parametrize("change", ["edit", "delete", "type it"])
async def test_what_a_person_changes_settles_the_suggestion(
    memory: Memory, change: str
):
    fact = await contradict_an_edit(memory)
    if change == "edit":
        await memory.edit_fact(ROBIN, fact.id, Edit(value="Bruges"))
    elif change == "delete":
        await memory.delete_fact(ROBIN, fact.id)
    else:
        await memory.add_fact(ROBIN.owner, "address.city", "oslo")
    assert await memory.suggestions(ROBIN) == ()
    assert EventKind.SUGGESTION_SETTLED in await kinds(memory)


async def test_pinning_a_fact_settles_nothing(memory: Memory):
    fact = await contradict_an_edit(memory)
    await memory.edit_fact(ROBIN, fact.id, Edit(pinned=True))
    assert (await only(memory)).fact_id == fact.id


async def test_what_is_said_plainly_later_settles_the_suggestion(memory: Memory):
    await hear(memory, HEDGED, found("me", "like", "jazz"))
    assert (await only(memory)).value == "jazz"
    await hear(memory, "I like jazz.", found("me", "like", "jazz"))
    assert set(told(memory).values()) == {"jazz"}
    assert await memory.suggestions(ROBIN) == ()


async def test_what_an_unknown_voice_likes_is_theirs_who_say_so(memory: Memory):
    await hear(memory, "I like jazz.", found("me", "like", "jazz"), HOUSEHOLD)
    suggestion = await only(memory)
    assert (suggestion.owner, suggestion.reason) == (HOUSEHOLD, "unknown_voice")
    assert told(memory, HOUSEHOLD) == {}

    fact = await memory.accept_suggestion(ROBIN, suggestion.id, actor=ROBIN.owner)

    assert fact is not None
    assert (fact.owner, fact.value) == (ROBIN.owner, "jazz")
    assert told(memory, HOUSEHOLD) == {}
    assert await memory.suggestions(SAM) == ()
    assert await rebuilt(memory) == {fact.id: fact}


async def test_what_nobody_known_tells_of_the_home_stays_the_homes(memory: Memory):
    await hear(
        memory,
        "Our dog is called Beans.",
        found("dog", "name", "Beans"),
        HOUSEHOLD,
        payload={"tentative": True},
    )
    fact = await memory.accept_suggestion(ROBIN, (await only(memory)).id)
    assert fact is not None
    assert (fact.owner, fact.key) == (HOUSEHOLD, "dog.name")


async def test_it_can_be_said_whose_it_is(memory: Memory):
    await hear(memory, "I like jazz.", found("me", "like", "jazz"), HOUSEHOLD)
    suggestion = await only(memory)
    await memory.accept_suggestion(ROBIN, suggestion.id, owner=HOUSEHOLD)
    assert set(told(memory, HOUSEHOLD).values()) == {"jazz"}
    assert told(memory) == {}


async def test_an_accepted_second_town_takes_the_place_of_the_first(memory: Memory):
    await hear(memory, "I live in Oslo.", found("me", "city", "Oslo"), HOUSEHOLD)
    await hear(memory, "I live in Ghent.", found("me", "city", "Ghent"))
    await memory.accept_suggestion(ROBIN, (await only(memory)).id)
    assert told(memory) == {"address.city": "Oslo"}


async def test_a_suggestion_of_a_plan_ends_with_it(memory: Memory, clock: TestClock):
    said = "We're going to Madeira in May."
    await hear(memory, said, found("me", "plan", "Madeira in May"), HOUSEHOLD)
    assert (await only(memory)).expires_at is not None
    clock.pass_time(days=365)
    assert await memory.suggestions(ROBIN) == ()


async def test_an_unknown_voice_ends_nothing_that_is_not_stored(memory: Memory):
    said = "I don't like jazz any more."
    await hear(memory, said, found("me", "like", "jazz", "ended"), HOUSEHOLD)
    assert await memory.suggestions(ROBIN) == ()
    (event,) = await memory.events(ROBIN, kinds=(EventKind.FACT_REJECTED,))
    assert event.payload["reason"] == "unknown_voice"


async def test_suggestions_move_with_their_owner(memory: Memory):
    kim: Owner = "person:kim"
    await memory.add_fact(kim, "dog.name", "Beans")
    answer = found("me", "workplace", "Portuguese bakery behind old mill")
    await hear(memory, BAKERY, answer, kim)

    await memory.move_owner(kim, SAM.owner)

    fact = await memory.accept_suggestion(SAM, (await only(memory, SAM)).id)
    assert fact is not None
    assert fact.owner == SAM.owner


async def test_a_secret_is_not_accepted(memory: Memory):
    await hear_of_bakery(memory)
    suggestion = await only(memory)

    def tamper(connection):
        connection.exec_driver_sql(
            "UPDATE audit_log SET payload = json_set(payload, '$.value',"
            " 'my PIN is 4711') WHERE id = ?",
            (suggestion.id,),
        )

    await memory.database.write(tamper)
    with pytest.raises(SecretError):
        await memory.accept_suggestion(ROBIN, suggestion.id)
    assert told(memory) == {}
    assert (await only(memory)).id == suggestion.id
