"""Whatever a model wraps its answer in, all of it is read or none."""

import pytest

from custom_components.caesar.memory.errors import UnusableAnswerError
from custom_components.caesar.memory.extraction.answer import parse_answer

FACT = '{"who": "dog", "what": "name", "value": "Beans", "holds": "true"}'
WHOLE = f'{{"kind": "lasting", "facts": [{FACT}]}}'
LISTED = '[{"key": "dog.name", "value": "Beans", "confidence": 0.9}]'


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        LISTED,
        FACT,
        LISTED[1:-1],
        f"```json\n{WHOLE}\n```",
        f"<think>The user [dog] {{has}} a dog.</think>\n{WHOLE}",
        f"<think>{{}}</think>{LISTED}",
        f"{WHOLE}\nI hope this helps! [end]",
        f"Here you are: {LISTED} That is all.",
        '[{"key": "hund_name", "value": "Beans"}]',
        '{"facts": [{"who": "puppy", "what": "called", "value": "Beans"}]}',
    ],
)
def test_one_fact_is_read(text: str) -> None:
    (found,) = parse_answer(text).candidates

    assert (found.who, found.what, found.value) == ("dog", "name", "Beans")
    assert not found.ended


@pytest.mark.parametrize(
    "text", ["[]", '{"kind": "order", "facts": []}', "{}", '{"kind": "noise"}']
)
def test_nothing_is_a_normal_answer(text: str) -> None:
    assert parse_answer(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I found no facts.",
        '{"error": "overloaded"}',
        WHOLE[:-5],
        f'{{"kind": "lasting", "facts": [{FACT}, {{"who": "dog", "wh',
        f"[{FACT}, 7]",
        '["Beans"]',
        "[1]",
        '{"kind": 3, "facts": []}',
        '{"kind": "lasting", "facts": "none"}',
        "<think>I should answer",
        "[" * 5000,
    ],
)
def test_anything_else_is_unusable(text: str) -> None:
    with pytest.raises(UnusableAnswerError):
        parse_answer(text)


def test_facts_under_another_kind_are_not_believed() -> None:
    text = WHOLE.replace("lasting", "pretend")

    answer = parse_answer(text)

    assert answer.kind == "pretend"
    assert answer.candidates == ()


@pytest.mark.parametrize(
    "item",
    [
        '{"who": "martian", "what": "name", "value": "Zog"}',
        '{"who": "dog", "what": "name", "value": ""}',
        '{"who": "dog", "what": "name", "value": null}',
        '{"who": "dog", "what": "name"}',
    ],
)
def test_an_item_without_a_known_person_or_a_value_is_left_out(item: str) -> None:
    (found,) = parse_answer(f"[{item}, {FACT}]").candidates

    assert found.value == "Beans"


def test_a_key_that_is_no_slot_is_kept_as_it_is() -> None:
    (found,) = parse_answer('[{"key": "Movie Time", "value": "dim"}]').candidates

    assert found.key == "movie_time"


def test_a_favourite_keeps_its_topic() -> None:
    (found,) = parse_answer('[{"key": "favourite_colour", "value": "teal"}]').candidates

    assert (found.what, found.topic) == ("favourite", "colour")


def test_an_ending_is_read() -> None:
    (found,) = parse_answer(WHOLE.replace("true", "ended")).candidates

    assert found.ended
