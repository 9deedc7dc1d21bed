"""Each language file's own sentences are its test."""

import pytest

from custom_components.caesar.memory.extraction.gate import gate
from custom_components.caesar.memory.extraction.language import find, load

PASSING = [(code, text) for code, data in load().items() for text in data.must_pass]
SKIPPED = [
    (code, rule, text)
    for code, data in load().items()
    for rule, texts in data.must_skip.items()
    for text in texts
]


@pytest.mark.parametrize(("code", "text"), PASSING)
def test_a_sentence_with_a_fact_reaches_the_model(code: str, text: str) -> None:
    assert gate(text, code, []) is None


@pytest.mark.parametrize(("code", "rule", "text"), SKIPPED)
def test_a_sentence_without_a_fact_is_skipped(code: str, rule: str, text: str) -> None:
    assert gate(text, code, []) == rule


def test_eight_languages_have_words() -> None:
    assert set(load()) == {"en", "de", "fr", "es", "nl", "pl", "zh", "ja"}


def test_a_regional_code_means_its_language() -> None:
    assert find("en-GB") is find("en")
    assert find("de_AT") is find("de")


def test_a_language_without_data_is_not_gated() -> None:
    assert gate("Sammuta valot keittiöstä.", "fi", []) is None


def test_a_language_without_data_still_has_its_secrets_kept_out() -> None:
    assert gate("PIN 4711", "fi", []) == "secret"


@pytest.mark.parametrize(
    ("code", "text", "whos"),
    [
        ("zh", "我妈今年八十了", ["mother"]),
        ("zh", "我姑妈住在厦门", ["family"]),
        ("zh", "我的狗五岁", ["dog"]),
        ("ja", "母の猫は三歳です", ["mother", "cat"]),
        ("en", "my dog is five", ["me", "dog"]),
    ],
)
def test_whom_a_text_names_is_found_without_spaces_too(code, text, whos) -> None:
    assert find(code).whos(text) == whos
