"""Only what the person said, and only as what they said it."""

import pytest

from custom_components.caesar.memory.extraction.checks import (
    CLEAN,
    DOUBTFUL_LABEL,
    PARTLY_GROUNDED,
    check,
)
from custom_components.caesar.memory.models import Candidate

from .builders import candidate


def accepted(
    text: str, *candidates: Candidate, language: str = "en"
) -> list[Candidate]:
    return list(check(candidates, text, language)[0])


def reasons(text: str, *candidates: Candidate, language: str = "en") -> list[str]:
    return [reason for _one, reason in check(candidates, text, language)[1]]


def test_a_grounded_value_gets_its_sentence_as_quote() -> None:
    (found,) = accepted(
        "It rains. My dog is called Beans. Good night.",
        candidate("dog", "name", "Beans", confidence=0.2),
    )

    assert found.quote == "My dog is called Beans."
    assert found.confidence == CLEAN


@pytest.mark.parametrize(
    ("text", "one", "reason"),
    [
        ("My dog is lovely.", candidate("dog", "name", "Rex"), "not_grounded"),
        ("I live in Ghent.", candidate("me", "job", "nurse"), "not_grounded"),
        ("I like it.", candidate("me", "hobby", "glimball"), "example"),
        ("The code is 4711.", candidate("me", "note", "code is 4711"), "secret"),
        ("My PIN is 4711.", candidate("me", "note", "4711"), "not_grounded"),
        ("My dog is called it.", candidate("dog", "name", "it"), "not_a_name"),
        ("My son Emil sings.", candidate("son", "name", "sings"), "not_a_name"),
        ("I work in a big town.", candidate("me", "city", "big town"), "not_a_place"),
        ("My birthday is soon.", candidate("me", "birthday", "soon"), "not_a_date"),
        ("My son is small.", candidate("son", "age", "small"), "not_an_age"),
        (
            "Warm up the car at six, I work nights.",
            candidate("me", "car", "warm up the car"),
            "order",
        ),
        (
            "I moved, it is now cancelled.",
            candidate("me", "plan", "cancelled"),
            "empty",
        ),
    ],
)
def test_what_is_not_supported_is_rejected(
    text: str, one: Candidate, reason: str
) -> None:
    assert reasons(text, one) == [reason]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My dog's name is R2D2.", "R2D2"),
        ("My dog's name is beans.", "beans"),
        ("I have a cat called tom.", "tom"),
    ],
)
def test_an_odd_name_is_a_name(text: str, name: str) -> None:
    (found,) = accepted(text, candidate("dog", "name", name))

    assert found.value == name


def test_a_value_as_long_as_a_speech_is_rejected() -> None:
    text = "I like " + "very " * 60 + "much tea."

    assert reasons(text, candidate("me", "like", text)) == ["too_long"]


@pytest.mark.parametrize(
    ("text", "one", "language"),
    [
        ("My son is six.", candidate("son", "age", "6"), "en"),
        (
            "Our day is the 21st of June.",
            candidate("me", "anniversary", "June 21"),
            "en",
        ),
        (
            "Mein Geburtstag ist am dritten Mai.",
            candidate("me", "birthday", "dritten Mai"),
            "de",
        ),
        (
            "Sprzedałam skodę, teraz jeżdżę toyotą.",
            candidate("me", "car", "toyota"),
            "pl",
        ),
        ("我对花生过敏,记住了。", candidate("me", "allergy", "花生"), "zh"),
        ("my dog is called beans", candidate("dog", "name", "beans"), "en"),
    ],
)
def test_other_spellings_of_the_same_words_are_grounded(
    text: str, one: Candidate, language: str
) -> None:
    assert len(accepted(text, one, language=language)) == 1


def test_a_half_grounded_value_keeps_the_half_that_was_said() -> None:
    (found,) = accepted(
        "I drive an old Kia now.", candidate("me", "car", "Kia Sorento")
    )

    assert found.value == "Kia"
    assert found.confidence == PARTLY_GROUNDED


@pytest.mark.parametrize(
    ("text", "one", "what"),
    [
        ("I can't stand olives.", candidate("me", "allergy", "olives"), "dislike"),
        ("I'm allergic to kiwis.", candidate("me", "diet", "kiwis"), "allergy"),
        ("I don't like jazz.", candidate("me", "like", "jazz"), "dislike"),
        ("I love jazz.", candidate("me", "dislike", "jazz"), "like"),
        ("Fado is my favourite music.", candidate("me", "hobby", "Fado"), "favourite"),
    ],
)
def test_the_persons_words_decide_between_confusable_labels(
    text: str, one: Candidate, what: str
) -> None:
    (found,) = accepted(text, one)

    assert found.what == what


def test_two_labels_in_one_sentence_are_told_apart_by_clause() -> None:
    found = accepted(
        "I'm lactose intolerant and I can't stand olives.",
        candidate("me", "allergy", "lactose"),
        candidate("me", "allergy", "olives"),
    )

    assert [one.what for one in found] == ["allergy", "dislike"]


def test_each_of_a_list_of_allergies_is_one() -> None:
    text = "I'm allergic to peanuts, shellfish and eggs."
    things = ("peanuts", "shellfish", "eggs")

    found = accepted(text, *(candidate("me", "allergy", thing) for thing in things))

    assert [(one.what, one.value) for one in found] == [
        ("allergy", thing) for thing in things
    ]


def test_an_allergy_that_nobody_called_one_is_a_doubtful_note() -> None:
    (found,) = accepted("I had celery.", candidate("me", "allergy", "celery"))

    assert found.what == "note"
    assert found.confidence == DOUBTFUL_LABEL


def test_a_sisters_town_is_not_the_speakers() -> None:
    found = accepted(
        "No, it's my sister who lives in Porto, I live in Braga.",
        candidate("me", "city", "Porto"),
        candidate("sister", "city", "Braga"),
    )

    assert [(one.who, one.value) for one in found] == [
        ("sister", "Porto"),
        ("me", "Braga"),
    ]


@pytest.mark.parametrize(
    ("text", "one", "topic"),
    [
        (
            "My favourite colour is teal.",
            candidate("me", "favourite", "teal"),
            "colour",
        ),
        ("My favorite color is teal.", candidate("me", "favourite", "teal"), "colour"),
        ("I like my coffee black.", candidate("me", "like", "black"), "coffee"),
        (
            "Play fado, it's my favourite kind of music.",
            candidate("me", "favourite", "fado"),
            "music",
        ),
    ],
)
def test_a_favourites_topic_comes_from_the_sentence(
    text: str, one: Candidate, topic: str
) -> None:
    (found,) = accepted(text, one)

    assert found.topic == topic


def test_a_routine_keeps_the_days_it_is_about() -> None:
    (found,) = accepted(
        "For weekends the wake-up time is nine.",
        candidate("me", "routine", "wake-up time is nine"),
    )

    assert found.value == "For weekends the wake-up time is nine"


def test_a_translated_wish_is_kept_in_the_persons_words() -> None:
    (found,) = accepted(
        "Nachts will ich es im Schlafzimmer immer bei 16 Grad haben.",
        candidate("me", "wish", "always 16 degrees in the bedroom at night"),
        language="de",
    )

    assert found.value == "Nachts will ich es im Schlafzimmer immer bei 16 Grad haben"
    assert found.confidence == PARTLY_GROUNDED


def test_what_was_sold_is_over() -> None:
    (found,) = accepted("I sold the Saab.", candidate("me", "car", "Saab"))

    assert found.ended


@pytest.mark.parametrize(
    ("text", "one", "reason"),
    [
        (
            "Biscuit is barking again.",
            candidate("dog", "breed", "barking"),
            "transient",
        ),
        (
            "Is there a yoga class? I live here.",
            candidate("me", "hobby", "yoga"),
            "question",
        ),
        ("My parents live here.", candidate("me", "origin", "parents"), "empty"),
        ("Forget my shoe size.", candidate("me", "note", "shoe size"), "forget"),
        ("From now on you are Jarvis.", candidate("me", "name", "Jarvis"), "assistant"),
        (
            "I've cooked for ten years.",
            candidate("me", "age", "ten years"),
            "not_an_age",
        ),
    ],
)
def test_a_value_is_judged_by_the_clause_it_stands_in(
    text: str, one: Candidate, reason: str
) -> None:
    assert reasons(text, one) == [reason]


@pytest.mark.parametrize(
    ("text", "one", "doubt"),
    [
        ("Maybe I'll learn chess.", candidate("me", "hobby", "chess"), "unsure"),
        (
            "I work in the bakery behind the old mill.",
            candidate("me", "workplace", "Portuguese bakery behind old mill"),
            "partly_heard",
        ),
        (
            "Peanuts make my throat itch.",
            candidate("me", "allergy", "peanuts"),
            "doubtful_label",
        ),
        (
            "I'm colour blind, red and green look the same to me.",
            candidate("me", "dislike", "red and green"),
            "doubtful_label",
        ),
        (
            "I'm hard of hearing on the right side.",
            candidate("me", "dislike", "hard of hearing on the right side"),
            "",
        ),
        ("I'm allergic to peanuts.", candidate("me", "allergy", "peanuts"), ""),
    ],
)
def test_what_is_not_sure_says_why(text: str, one: Candidate, doubt: str) -> None:
    (found,) = accepted(text, one)
    assert found.doubt == doubt


def test_half_a_common_phrase_is_not_the_phrase() -> None:
    assert reasons("I play in a band.", candidate("me", "job", "band leader")) == [
        "not_grounded"
    ]


def test_a_dislike_needs_a_word_of_dislike() -> None:
    assert reasons("Balu came in spring.", candidate("me", "dislike", "Balu")) == [
        "unsupported"
    ]


def test_a_phrase_that_is_no_dislike_becomes_a_doubtful_note() -> None:
    (found,) = accepted(
        "I'm hard of hearing on the right side.",
        candidate("me", "dislike", "hard of hearing on the right side"),
    )

    assert (found.what, found.confidence) == ("note", DOUBTFUL_LABEL)


def test_an_order_that_tells_a_habit_is_a_routine() -> None:
    text = "Set the office to 22 when I work from home, that's every Monday and Friday."

    (found,) = accepted(text, candidate("me", "routine", text))

    assert found.value == text.rstrip(".")


def test_a_strangers_name_does_not_rename_the_speaker() -> None:
    assert reasons("My plumber is called Bo.", candidate("me", "name", "Bo")) == [
        "whose_name"
    ]


def test_he_is_the_one_spoken_of_before() -> None:
    found = accepted(
        "My grandson is called Otis and he's three.",
        candidate("me", "name", "Otis"),
        candidate("me", "age", "three"),
    )

    assert [(one.who, one.what) for one in found] == [
        ("family", "name"),
        ("family", "age"),
    ]


def test_a_favourite_needs_its_word() -> None:
    (found,) = accepted(
        "I take sugar in my tea.", candidate("me", "favourite", "sugar")
    )

    assert found.what == "like"
