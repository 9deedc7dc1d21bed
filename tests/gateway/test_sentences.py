"""The sentence files: their own examples, their errors, and their keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from custom_components.caesar.gateway.answers import Answerer
from custom_components.caesar.gateway.language import Language
from custom_components.caesar.gateway.patterns import slot_key
from custom_components.caesar.gateway.sentences import SentenceFileError, Sentences
from custom_components.caesar.gateway.statements import StatementReader
from custom_components.caesar.memory.slots import WHAT, WHO, base_key
from tests.gateway.written import written

FOLDER = Path(__file__).parents[2] / "custom_components/caesar/sentences"
ALL = tuple(Sentences.load(FOLDER))
LEAST = {
    "en": (150, 80, 150),
    "de": (200, 90, 130),
    "es": (200, 90, 130),
    "fr": (200, 90, 130),
    "nl": (200, 90, 130),
    "ja": (200, 90, 170),
    "pl": (240, 110, 170),
    "zh": (200, 100, 180),
}
"""How many statements, questions and refusals a language has to show."""


def examples(part: str) -> Iterator[tuple[Language, str, list[str]]]:
    for language in ALL:
        for sentence, wanted in language.examples[part].items():  # type: ignore[index]
            yield language, sentence, list(wanted)


def test_each_statement_example_teaches_what_it_says():
    wrong = {}
    for language, sentence, wanted in examples("statements"):
        read = StatementReader(language).read(sentence).statements
        if [written(statement) for statement in read] != wanted:
            wrong[sentence] = [written(statement) for statement in read]
    assert wrong == {}


def test_a_value_is_a_piece_of_what_was_said():
    for language, sentence, _ in examples("statements"):
        for statement in StatementReader(language).read(sentence).statements:
            assert statement.value in sentence
            assert sentence[statement.start : statement.end] == statement.value


def test_statements_name_only_slots_that_memory_knows():
    for language, sentence, _ in examples("statements"):
        for statement in StatementReader(language).read(sentence).statements:
            assert statement.who in WHO
            assert statement.what in WHAT


def test_each_question_example_asks_for_its_keys():
    wrong = {}
    for language, sentence, wanted in examples("questions"):
        asked = Answerer(language).keys(sentence)
        if asked != tuple(wanted):
            wrong[sentence] = asked
    assert wrong == {}


def test_what_must_teach_nothing_teaches_nothing():
    refused = [
        (language, sentence) for language in ALL for sentence in language.must_not
    ]
    asked = [(language, sentence) for language, sentence, _ in examples("questions")]
    wrong = {}
    for language, sentence in refused + asked:
        read = StatementReader(language).read(sentence).statements
        if read:
            wrong[sentence] = [written(statement) for statement in read]
    assert wrong == {}


def test_no_example_statement_is_answered_as_a_question():
    for language, sentence, wanted in examples("statements"):
        if "?" not in sentence and wanted:
            assert Answerer(language).keys(sentence) == (), sentence


@pytest.mark.parametrize("language", ALL)
def test_a_language_shows_enough_of_what_it_does(language):
    statements, questions, refused = LEAST[language.code]
    assert len(language.examples["statements"]) >= statements
    assert len(language.examples["questions"]) >= questions
    assert len(language.must_not) >= refused


def test_replies_are_the_same_in_every_language():
    english = next(language.replies for language in ALL if language.code == "en")
    for language in ALL:
        assert language.replies.keys() == english.keys()
        for name, text in language.replies.items():
            assert ("{" in text) == ("{" in english[name]), (language.code, name)


@pytest.mark.parametrize("topic", ["", "colour", "Ice cream", "oat-milk"])
def test_keys_are_those_of_memory(topic):
    for who in WHO:
        for what in WHAT:
            assert slot_key(who, what, topic) == base_key(who, what, topic)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("words: [unclosed", "xx.yaml"),
        ("- a list", "no mapping"),
        ("statements: [{sentences: ['my {nobody} is'], facts: []}]", "nobody"),
        ("statements: [{sentences: ['my (dog is'], facts: []}]", "my (dog is"),
        ("statements: [{sentences: ['a'], facts: [{wat: name}]}]", "wat"),
        ("lists: {a: {wildcard: true, refuse: ['@missing']}}", "missing"),
    ],
)
def test_a_malformed_file_is_named(tmp_path, text, told):
    (tmp_path / "xx.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SentenceFileError, match="xx") as caught:
        Sentences.load(tmp_path).language("xx")
    assert told in str(caught.value)


def test_the_parts_of_a_language_are_one(tmp_path):
    (tmp_path / "xx.yaml").write_text(
        "lists: {name: {wildcard: true}}", encoding="utf-8"
    )
    (tmp_path / "xx.more.yaml").write_text(
        "statements: [{sentences: ['ik heet {name}'], "
        "facts: [{what: name, value: name}]}]",
        encoding="utf-8",
    )
    language = Sentences.load(tmp_path).language("xx-YY")
    assert language is not None
    read = StatementReader(language).read("Ik heet Piet").statements
    assert [written(statement) for statement in read] == ["me name Piet"]


def test_an_unknown_language_has_no_sentences():
    assert Sentences.load(FOLDER).language("tlh") is None
