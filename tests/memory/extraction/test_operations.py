"""The store after an exchange says what the person said, no more and no less."""

from collections.abc import Sequence

import pytest

from custom_components.caesar.memory.extraction.operations import decide
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Candidate,
    Change,
    Fact,
    Origin,
)

from .builders import ALICE, applied, brief, candidate, fact


def decided(
    text: str,
    candidates: Sequence[Candidate],
    stored: Sequence[Fact] = (),
    owner: str = ALICE,
    language: str = "en",
) -> tuple[Change, ...]:
    quoted = [
        candidate(
            one.who, one.what, one.value, ended=one.ended, topic=one.topic, quote=text
        )
        for one in candidates
    ]
    return decide(quoted, owner=owner, stored=stored, text=text, language=language)


STORIES: dict[str, tuple[str, list[Candidate], list[Fact], dict[str, str]]] = {
    "first": (
        "My dog's name is Beans.",
        [candidate("dog", "name", "Beans")],
        [],
        {"dog.name": "Beans"},
    ),
    "a second dog joins": (
        "We got a second dog, her name is Luna.",
        [candidate("dog", "name", "Luna")],
        [fact("dog.name", "Beans")],
        {"dog.name": "Beans", "dog.2.name": "Luna"},
    ),
    "another name is another child": (
        "My daughter Ida sings.",
        [candidate("daughter", "name", "Ida")],
        [fact("daughter.name", "Mia")],
        {"daughter.name": "Mia", "daughter.2.name": "Ida"},
    ),
    "a named sibling's attribute goes to it": (
        "Luna is three.",
        [candidate("dog", "age", "three")],
        [fact("dog.name", "Beans"), fact("dog.2.name", "Luna", number=2)],
        {"dog.name": "Beans", "dog.2.name": "Luna", "dog.2.age": "three"},
    ),
    "names that differ in a letter are two people": (
        "My sister's name is Christine.",
        [candidate("sister", "name", "Christine")],
        [fact("sister.name", "Christina")],
        {"sister.name": "Christina", "sister.2.name": "Christine"},
    ),
    "no, he's called something else": (
        "No, he's called Rex now.",
        [candidate("dog", "name", "Rex")],
        [fact("dog.name", "Beans")],
        {"dog.name": "Rex"},
    ),
    "a dog that is gone takes all about it along": (
        "We don't have a dog any more.",
        [candidate("dog", "have", "dog", ended=True)],
        [fact("dog.name", "Beans"), fact("dog.breed", "beagle", number=2)],
        {},
    ),
    "one of two dogs is gone, nobody knows which": (
        "We don't have a dog any more.",
        [candidate("dog", "have", "dog", ended=True)],
        [fact("dog.name", "Beans"), fact("dog.2.name", "Luna", number=2)],
        {"dog.name": "Beans", "dog.2.name": "Luna"},
    ),
    "what one does not like any more": (
        "I don't like oat milk any more.",
        [candidate("me", "dislike", "oat milk any more")],
        [fact("preference.like", "oat milk")],
        {},
    ),
    "actually another name": (
        "Actually, my dog is called Rex.",
        [candidate("dog", "name", "Rex")],
        [fact("dog.name", "Beans")],
        {"dog.name": "Rex"},
    ),
    "a newcomer's attribute goes to it": (
        "Our new dog Luna is three.",
        [candidate("dog", "age", "three"), candidate("dog", "name", "Luna")],
        [fact("dog.name", "Beans")],
        {"dog.name": "Beans", "dog.2.name": "Luna", "dog.2.age": "three"},
    ),
    "one has one town": (
        "We live in Antwerp now.",
        [candidate("me", "city", "Antwerp")],
        [fact("address.city", "Ghent")],
        {"address.city": "Antwerp"},
    ),
    "a second allergy joins": (
        "I'm allergic to kiwis.",
        [candidate("me", "allergy", "kiwis")],
        [fact("allergy", "nuts")],
        {"allergy": "nuts", "allergy.2": "kiwis"},
    ),
    "sold and bought": (
        "I sold the Saab, I drive a Kia now.",
        [candidate("me", "car", "Saab", ended=True), candidate("me", "car", "Kia")],
        [fact("car", "Saab 900")],
        {"car": "Kia"},
    ),
    "a second car": (
        "We also have a Fiat.",
        [candidate("me", "car", "Fiat")],
        [fact("car", "Saab")],
        {"car": "Saab", "car.2": "Fiat"},
    ),
    "corrected name": (
        "Actually her name is Sanna, not Sara.",
        [candidate("me", "name", "Sanna")],
        [fact("daughter.name", "Sara")],
        {"daughter.name": "Sanna"},
    ),
    "corrected without a model": (
        "It's Catherine, not Katherine.",
        [],
        [fact("name", "Katherine")],
        {"name": "Catherine"},
    ),
    "a key of one's own is over": (
        "I stopped smoking two years ago.",
        [],
        [fact("smoking", "smokes")],
        {},
    ),
    "not but": (
        "She is not Sara but Sanna.",
        [],
        [fact("daughter.name", "Sara")],
        {"daughter.name": "Sanna"},
    ),
    "the pet died": (
        "Balu died in spring.",
        [],
        [fact("dog.name", "Balu"), fact("cat.name", "Mimi", number=2)],
        {"cat.name": "Mimi"},
    ),
    "denied": (
        "I never said I live in Turku.",
        [],
        [fact("address.city", "Turku")],
        {},
    ),
    "cancelled": (
        "The trip to Madeira is cancelled.",
        [],
        [fact("plan", "trip to Madeira in May")],
        {},
    ),
    "instead of": (
        "I play on Wednesdays now instead of Tuesdays.",
        [candidate("me", "routine", "play on Wednesdays")],
        [fact("routine", "play on Tuesdays")],
        {"routine": "play on Wednesdays"},
    ),
    "a shorter correction wins": (
        "Bedtime is 22:30.",
        [candidate("me", "routine", "Bedtime is 22:30")],
        [fact("routine", "Bedtime is 23:00 on weekdays and midnight at weekends")],
        {"routine": "Bedtime is 22:30"},
    ),
    "weekends beside weekdays": (
        "For weekends the wake-up time is nine.",
        [candidate("me", "routine", "wake-up at nine on weekends")],
        [fact("routine", "wake-up at 5:30 on weekdays")],
        {
            "routine": "wake-up at 5:30 on weekdays",
            "routine.2": "wake-up at nine on weekends",
        },
    ),
    "a negative fact is a fact": (
        "I don't have a car, I take the bus.",
        [candidate("me", "car", "a car", ended=True)],
        [],
        {"car": "I don't have a car"},
    ),
    "no longer liked": (
        "I don't like jazz.",
        [candidate("me", "dislike", "jazz")],
        [fact("preference.like", "jazz")],
        {"preference.dislike": "jazz"},
    ),
    "a dislike of what one is allergic to": (
        "No hazelnuts for me.",
        [candidate("me", "dislike", "hazelnuts")],
        [fact("allergy", "hazelnuts")],
        {"allergy": "hazelnuts"},
    ),
    "forget what is named": (
        "Delete my birthday.",
        [],
        [fact("birthday", "9 October"), fact("job", "nurse", number=2)],
        {"job": "nurse"},
    ),
    "a vague forget forgets nothing": (
        "Forget my allergies.",
        [],
        [fact("allergy", "nuts"), fact("allergy.2", "eggs", number=2)],
        {"allergy": "nuts", "allergy.2": "eggs"},
    ),
    "don't forget is no forget": (
        "Don't forget my birthday.",
        [],
        [fact("birthday", "9 October")],
        {"birthday": "9 October"},
    ),
    "mentioned is not ended": (
        "Beans is barking and I don't know why.",
        [],
        [fact("dog.name", "Beans")],
        {"dog.name": "Beans"},
    ),
    "what is disliked is not denied": (
        "I don't like olives.",
        [],
        [fact("preference.dislike", "olives")],
        {"preference.dislike": "olives"},
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_the_store_afterwards(name: str) -> None:
    text, candidates, stored, expected = STORIES[name]

    after = applied(stored, decided(text, candidates, stored))

    assert {one.key: one.value for one in after} == expected


@pytest.mark.parametrize("name", STORIES)
def test_deciding_again_only_confirms(name: str) -> None:
    text, candidates, stored, _expected = STORIES[name]
    after = applied(stored, decided(text, candidates, stored))

    again = decided(text, candidates, after)

    assert {change.operation for change in again} <= {"confirm"}


@pytest.mark.parametrize("value", ["oat milk", "Oat Milk", "oat-milk"])
def test_the_same_said_again_is_one_confirmation(value: str) -> None:
    stored = [fact("preference.like", "oat milk", number=7)]

    (change,) = decided("I like oat milk.", [candidate("me", "like", value)], stored)

    assert (change.operation, change.fact_id) == ("confirm", 7)
    assert change.value == "oat milk"


def test_the_same_under_another_label_is_no_second_fact() -> None:
    stored = [fact("preference.like", "oat milk")]

    changes = decided(
        "I take oat milk.", [candidate("me", "routine", "oat milk")], stored
    )

    assert [change.operation for change in changes] == ["confirm"]


def test_an_unknown_voice_only_suggests_about_itself() -> None:
    changes = decided(
        "I like tea and our dog is called Beans.",
        [candidate("me", "like", "tea"), candidate("dog", "name", "Beans")],
        owner=HOUSEHOLD,
    )

    assert sorted(brief(changes)) == [
        ("add", "dog.name", "Beans"),
        ("suggest", "preference.like", "tea"),
    ]
    (suggested,) = (change for change in changes if change.operation == "suggest")
    assert suggested.reason == "unknown_voice"


def test_an_edited_fact_is_not_contradicted_in_passing() -> None:
    stored = [fact("address.city", "Ghent", origin=Origin.EDITED)]

    (change,) = decided(
        "I live in Bruges.", [candidate("me", "city", "Bruges")], stored
    )

    assert (change.operation, change.reason) == ("suggest", "contradicts_edit")
    assert (change.value, change.fact_id) == ("Bruges", 1)


def test_an_explicit_correction_replaces_an_edited_fact() -> None:
    stored = [fact("dog.name", "Rax", origin=Origin.EDITED)]

    (change,) = decided(
        "No, he's called Rex now, not Rax.", [candidate("dog", "name", "Rex")], stored
    )

    assert (change.operation, change.value) == ("replace", "Rex")
    assert change.correction


def test_other_peoples_facts_are_never_changed() -> None:
    stored = [fact("address.city", "Ghent", owner="user:bob")]

    changes = decided("I live in Bruges.", [candidate("me", "city", "Bruges")], stored)

    assert brief(changes) == [("add", "address.city", "Bruges")]


def test_german_words_work_the_same() -> None:
    stored = [fact("dog.name", "Balu")]

    changes = decided(
        "Wir haben keinen Hund mehr, Balu ist gestorben.", [], stored, language="de"
    )

    assert brief(changes) == [("remove", "dog.name", "")]
