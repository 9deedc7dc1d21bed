"""Words of texts in which nothing parts them."""

import pytest

from custom_components.caesar.memory.extraction.checks import check
from custom_components.caesar.memory.extraction.text import same_word, words
from custom_components.caesar.memory.models import Candidate


def test_a_foreign_word_between_chinese_letters_stays_whole() -> None:
    assert words("叫我Tom") == ("叫我", "tom")


def test_a_single_letter_is_the_word_it_stands_in() -> None:
    assert same_word("茶", "喝茶")
    assert not same_word("茶", "咖啡")
    assert not same_word("a", "an")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("我对花生、虾和鸡蛋过敏。", "花生"),
        ("我对花生、虾和鸡蛋过敏。", "虾"),
        ("我老婆对猫过敏", "猫"),
    ],
)
def test_each_item_of_a_chinese_list_is_an_allergy(text: str, value: str) -> None:
    accepted, _ = check([Candidate(who="me", what="allergy", value=value)], text, "zh")
    assert [(one.what, one.value) for one in accepted] == [("allergy", value)]


def test_a_word_of_time_is_no_part_of_a_japanese_value() -> None:
    candidate = Candidate(who="me", what="city", value="福岡")
    accepted, _ = check([candidate], "現在福岡に住んでいます", "ja")
    assert [one.value for one in accepted] == ["福岡"]


def test_a_japanese_value_keeps_the_letters_that_belong_to_it() -> None:
    candidate = Candidate(who="me", what="workplace", value="図書館")
    accepted, _ = check([candidate], "今は市立図書館で働いています", "ja")
    assert [one.value for one in accepted] == ["市立図書館"]
