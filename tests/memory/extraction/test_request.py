"""The question for facts: kind first, closed lists, nobody real in the examples."""

from datetime import date
import json

from custom_components.caesar.memory.extraction.answer import parse_answer
from custom_components.caesar.memory.extraction.request import (
    build_request,
    example_words,
)
from custom_components.caesar.memory.extraction.text import words
from custom_components.caesar.memory.models import Exchange
from custom_components.caesar.memory.ports import ExtractionRequest

from .builders import ALICE, NOW


def request() -> ExtractionRequest:
    exchange = Exchange(
        id=1,
        at=NOW,
        owner=ALICE,
        language="en",
        user_text="My dog is called Beans.",
        heard_by="ollama",
    )
    return build_request(exchange, date(2026, 11, 30))


def test_only_the_persons_own_words_are_sent() -> None:
    asked = request()

    assert asked.text == "My dog is called Beans."
    assert asked.heard_by == "ollama"
    assert "Beans" not in asked.instructions


def test_the_kind_is_answered_first() -> None:
    schema = json.loads(json.dumps(request().answer_schema))

    assert list(schema["properties"]) == ["kind", "facts"]
    fields = schema["properties"]["facts"]["items"]["properties"]
    assert list(fields) == ["who", "what", "value", "holds"]


def test_half_of_the_examples_hold_no_fact() -> None:
    answers = [parse_answer(answer) for _text, answer in request().examples]
    empty = [answer for answer in answers if not answer.candidates]

    assert 0.45 <= len(empty) / len(answers) <= 0.6


def test_every_made_up_word_stands_in_an_example() -> None:
    said = {word for text, _answer in request().examples for word in words(text)}

    assert example_words() <= said


def test_what_the_examples_answer_is_in_their_text() -> None:
    for text, answer in request().examples:
        for found in parse_answer(answer).candidates:
            assert set(words(found.value)) <= set(words(text))
