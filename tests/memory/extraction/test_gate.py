"""The gate spares the calls that cannot bring a fact, and hardly any other."""

import pytest

from custom_components.caesar.memory.extraction.gate import gate, judge

from .builders import fact


def test_a_stored_name_makes_a_sentence_personal() -> None:
    stored = [fact("plan", "trip to Madeira in May")]

    assert gate("The trip to Madeira is cancelled.", "en", []) == "nothing_personal"
    assert gate("The trip to Madeira is cancelled.", "en", stored) is None


@pytest.mark.parametrize(
    "text",
    [
        "What wine goes with fish? I'm allergic to shellfish, so no prawns.",
        "Turn off the light. My daughter is called Ida.",
        "Play some tango because I love it, it's my favourite music.",
        "Could you lower the blinds, I have sensitive eyes.",
    ],
)
def test_a_fact_beside_a_question_or_an_order_passes(text: str) -> None:
    assert gate(text, "en", []) is None


def test_a_pretence_spreads_to_what_follows() -> None:
    text = "Pretend you are a waiter. I am a customer and I am allergic to nuts."

    assert gate(text, "en", []) == "pretend"


def test_by_the_way_ends_a_pretence() -> None:
    text = "Imagine a dragon. By the way, my son is called Emil."

    assert gate(text, "en", []) is None


def test_in_a_long_utterance_a_marker_costs_only_its_clause() -> None:
    text = (
        "So the thing is I was at the shop and it was full and then it hit me that, "
        "imagine that, nobody here knows it, I am allergic to penicillin and have been "
        "for many years"
    )

    assert gate(text, "en", []) is None


def test_only_the_sentences_worth_asking_about_are_kept() -> None:
    verdict = judge("Is it raining? My dog is called Beans. Lock the door.", "en", [])

    assert verdict.text == "My dog is called Beans."


def test_a_masked_secret_beside_a_fact_costs_only_its_clause() -> None:
    text = "My daughter is called Ida and the alarm code is [secret]."

    assert gate(text, "en", []) is None


def test_words_in_quotation_marks_are_not_the_persons() -> None:
    assert gate("What film is the line 'I see dead people' from?", "en", []) is not None
