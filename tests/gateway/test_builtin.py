"""The built-in provider: what a person hears and what learning gets."""

from collections.abc import Sequence
from datetime import date
import json
from pathlib import Path
from typing import Any

import pytest

from custom_components.caesar.gateway.base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    HandOff,
    KnownFact,
    Message,
    Task,
    TextDelta,
)
from custom_components.caesar.gateway.builtin import BuiltinProvider
from custom_components.caesar.gateway.sentences import Sentences

FOLDER = Path(__file__).parents[2] / "custom_components/caesar/sentences"
BEANS = KnownFact(key="dog.name", value="Beans", sentence="Your dog's name is Beans.")


@pytest.fixture(scope="module")
def provider() -> BuiltinProvider:
    return BuiltinProvider(Sentences.load(FOLDER))


async def facts(
    provider: BuiltinProvider, text: str, language: str = "en"
) -> dict[str, Any]:
    result = await provider.generate(
        GenerationRequest(
            task=Task.MEMORY_EXTRACT,
            model="",
            instructions="",
            examples=(),
            text=text,
            language=language,
            local_date=date(2026, 11, 30),
            answer_schema={},
            max_tokens=100,
        )
    )
    answer: dict[str, Any] = json.loads(result.text)
    return answer


async def reply(
    provider: BuiltinProvider,
    text: str,
    known: Sequence[KnownFact] = (),
    **more: Any,
) -> Delta:
    request = ChatRequest(
        model="",
        system="",
        section="",
        messages=[Message(role="user", text=text)],
        tools=(),
        language=more.pop("language", "en"),
        known=known,
        **more,
    )
    deltas = [delta async for delta in provider.stream(request)]
    assert len(deltas) == 1
    return deltas[0]


async def test_a_statement_becomes_a_fact_in_the_persons_own_words(provider):
    answer = await facts(provider, "Hey CAESAR, by the way my dog's name is Beans.")
    assert answer == {
        "kind": "lasting",
        "facts": [
            {
                "who": "dog",
                "what": "name",
                "value": "Beans",
                "holds": "true",
                "topic": "",
            }
        ],
    }


async def test_a_statement_is_acknowledged(provider):
    said = await reply(provider, "By the way, my dog's name is Beans.")
    assert said == TextDelta(text="Okay, I'll remember that.")


async def test_a_question_is_answered_from_what_was_told(provider):
    said = await reply(provider, "What's my dog's name?", [BEANS])
    assert said == TextDelta(text="Your dog's name is Beans.")


async def test_what_was_not_told_is_admitted(provider):
    said = await reply(provider, "What's my dog's name?")
    assert said == TextDelta(
        text="I don't know your dog's name yet. Tell me, and I'll remember it."
    )


async def test_the_house_gets_its_orders(provider):
    assert await reply(provider, "Turn on the kitchen light", [BEANS]) == HandOff()


@pytest.mark.parametrize(
    "order",
    [
        "what's the temperature in the living room",
        "is the front door locked",
        "turn on the kitchen light",
        "set a timer for five minutes",
        "what time is it",
        "turn my lamp off",
        "where is my phone",
        "what's on my shopping list",
        "what's the weather like",
        "how much time is left on my timer",
        "add milk to my shopping list",
        "is my garage door open",
        "what's the humidity in my bedroom",
        "play my favourite playlist",
        "stop",
    ],
)
async def test_the_houses_own_words_are_left_to_it(provider, order):
    known = [BEANS, fact("address.city", "Ghent", "You live in Ghent.")]
    assert await reply(provider, order, known) == HandOff()


def fact(key: str, value: str, sentence: str) -> KnownFact:
    return KnownFact(key=key, value=value, sentence=sentence)


async def test_all_siblings_are_named(provider):
    known = [BEANS, fact("dog.2.name", "Luna", "Your dog's name is Luna.")]
    said = await reply(provider, "What are my dogs called?", known)
    assert said == TextDelta(text="Your dog's name is Beans. Your dog's name is Luna.")


async def test_of_several_likes_the_one_asked_about_is_told(provider):
    known = [
        fact("preference.like", "tea", "You like tea."),
        fact("preference.like", "jazz", "You like jazz."),
    ]
    said = await reply(provider, "Do I like jazz?", known)
    assert said == TextDelta(text="You like jazz.")


async def test_no_answer_tells_more_than_can_be_listened_to(provider):
    known = [
        fact("preference.like", f"tea {n}", f"You like tea {n}.") for n in range(14)
    ]
    said = await reply(provider, "What do I like?", known)
    assert isinstance(said, TextDelta)
    assert said.text.count("You like tea") == 10
    assert said.text.endswith("And 4 more.")


async def test_a_fact_is_found_among_many_by_another_word_or_apostrophe(provider):
    known = [fact("note", f"thing {n}", f"You told me: thing {n}.") for n in range(99)]
    known.append(fact("note", "the neighbour’s vet is Anna", "The vet is Anna."))  # noqa: RUF001
    said = await reply(provider, "Who is the neighbor's vet?", known)
    assert said == TextDelta(text="The vet is Anna.")


async def test_all_that_is_known_is_listed_up_to_a_bound(provider):
    known = [fact("note", f"thing {n}", f"You told me: thing {n}.") for n in range(14)]
    said = await reply(provider, "What do you know about me?", known)
    assert isinstance(said, TextDelta)
    assert said.text.count("You told me") == 10
    assert "4" in said.text


async def test_all_about_one_pet_is_told(provider):
    known = [
        BEANS,
        fact("dog.2.age", "five", "Your dog's age: five."),
        fact("cat.name", "Mia", "Your cat's name is Mia."),
    ]
    said = await reply(provider, "What do you know about my dog?", known)
    assert said == TextDelta(text="Your dog's name is Beans. Your dog's age: five.")


async def test_nothing_known_is_said_so(provider):
    said = await reply(provider, "What have I told you?")
    assert said == TextDelta(text="You haven't told me anything yet.")
    said = await reply(provider, "What do you know about my dog?")
    assert said == TextDelta(text="You haven't told me anything about your dog yet.")


SISTER = (
    fact("sister.name", "Anna", "Your sister's name is Anna."),
    fact("sister.city", "Lisbon", "Your sister's city: Lisbon."),
)


async def test_a_sister_is_found_by_her_kind_and_by_her_name(provider):
    said = await reply(provider, "Where does my sister live?", SISTER)
    assert said == TextDelta(text="Your sister's city: Lisbon.")
    said = await reply(provider, "Where does Anna live?", [BEANS, *SISTER])
    assert isinstance(said, HandOff)
    assert "Lisbon" in (said.fallback or "")
    assert "Beans" not in (said.fallback or "")


async def test_the_best_known_facts_are_the_fallback_for_other_questions(provider):
    beans = "Your dog's name is Beans."
    known = [BEANS, *SISTER]
    assert await reply(provider, "Who is Beans?", known) == TextDelta(text=beans)
    said = await reply(provider, "What should I get Beans for his birthday?", known)
    assert said == HandOff(fallback=beans)
    said = await reply(provider, "How far is it to the moon?", known)
    assert said == HandOff()


async def test_an_order_has_no_facts_as_fallback(provider):
    assert await reply(provider, "Turn on the light of Beans", [BEANS]) == HandOff()


async def test_a_statement_beside_an_order_lets_the_house_act_first(provider):
    said = await reply(provider, "My dog is called Beans and turn on the light")
    assert said == HandOff(fallback="Okay, I'll remember that.")


async def test_a_statement_only_half_understood_lets_the_house_answer_first(provider):
    said = await reply(provider, "My son Emil wants the lamp in his tent fixed")
    assert said == HandOff(fallback="Okay, I'll remember that.")


@pytest.mark.parametrize(
    "text",
    [
        "I'm vegan, what can I cook?",
        "What can I cook, I'm vegan?",
        "What can I cook because I'm vegan",
    ],
)
async def test_a_statement_beside_a_question_is_learned_and_the_house_answers(
    provider, text
):
    values = [found["value"] for found in (await facts(provider, text))["facts"]]
    assert values == ["vegan"]
    assert await reply(provider, text) == HandOff(fallback="Okay, I'll remember that.")


@pytest.mark.parametrize(
    "text",
    [
        "My dog's called Rex, isn't he?",
        "Is my dog called Rex, or is my cat called Rex?",
        "If I'm vegan, what can I eat?",
        "Who told you that my name is Bob, or was it my wife?",
    ],
)
async def test_what_is_only_asked_is_not_learned(provider, text):
    assert (await facts(provider, text))["facts"] == []


async def test_a_note_keeps_its_brackets(provider):
    answer = await facts(provider, "Remember that {value} {key}")
    assert [found["value"] for found in answer["facts"]] == ["{value} {key}"]


async def test_what_is_not_remembered_is_not_promised(provider):
    said = await reply(provider, "My dog's name is Beans.", remembers=False)
    assert said == TextDelta(text="I'm not allowed to remember things at the moment.")
    said = await reply(provider, "What's my dog's name?", remembers=False)
    assert said == TextDelta(text="I don't know your dog's name.")


async def test_what_is_over_is_acknowledged_as_forgotten(provider):
    said = await reply(provider, "Forget that my dog is called Beans")
    assert said == TextDelta(text="Okay, if I knew that, I'll no longer count on it.")
    answer = await facts(provider, "Forget that my dog is called Beans")
    assert [found["holds"] for found in answer["facts"]] == ["ended"]


SECRET = (
    "I don't keep passwords, codes or numbers of cards and documents, "
    "so I haven't stored that."
)


async def test_a_secret_is_refused_aloud_but_an_order_still_reaches_the_house(
    provider,
):
    said = await reply(
        provider, "Remember that my wifi password is BlueHeron!92.", withheld=True
    )
    assert said == TextDelta(text=SECRET)
    said = await reply(provider, "Disarm the alarm with code 1234", withheld=True)
    assert said == HandOff(fallback=SECRET)


async def test_a_secret_is_named_as_such_and_teaches_nothing(provider):
    answer = await facts(provider, "Remember that my wifi password is BlueHeron!92.")
    assert answer == {"kind": "secret", "facts": []}


async def test_a_language_without_sentences_learns_nothing_and_leaves_all_to_the_house(
    provider,
):
    answer = await facts(provider, "Koirani nimi on Beans.", "fi")
    assert answer == {"kind": "noise", "facts": []}
    said = await reply(provider, "Koirani nimi on Beans.", [BEANS], language="fi")
    assert said == HandOff()


async def test_long_noise_is_no_burden(provider):
    text = "and then the weather was nice and my aunt went to the shop again, " * 40
    assert (await facts(provider, text))["facts"] == []


@pytest.mark.parametrize("text", ["", "   ", "?!", "…", "''", "my", "I", "🙂", "\x00"])
async def test_odd_words_do_no_harm(provider, text):
    assert (await facts(provider, text))["facts"] == []
    assert isinstance(await reply(provider, text, [BEANS]), HandOff)
