"""What is a command to memory and, more important, what is none."""

from pathlib import Path

import pytest

from custom_components.caesar.gateway.commands import (
    Act,
    Choice,
    Command,
    CommandLanguage,
    Commands,
)
from custom_components.caesar.gateway.sentences import SentenceFileError

FOLDER = Path(__file__).parents[2] / "custom_components/caesar/sentences/commands"
ORDINARY = Path(__file__).parent / "ordinary"
ALL = Commands.load(FOLDER)


@pytest.fixture(params=ALL, ids=lambda language: language.code)
def language(request) -> CommandLanguage:
    shown: CommandLanguage = request.param
    return shown


def of(code: str) -> CommandLanguage:
    language = ALL.language(code)
    assert language is not None
    return language


def taken(language: CommandLanguage, text: str) -> Command | None:
    command = language.match(text)
    return None if command and command.act is Act.NOTHING else command


def test_each_example_is_the_command_it_shows(language):
    wrong = {
        text: found
        for text, wanted in language.examples.items()
        if (found := language.match(text)) != wanted
    }
    assert wrong == {}


def test_every_act_is_shown_in_every_language(language):
    assert {command.act for command in language.examples.values()} == set(Act)


def test_what_is_no_command_is_left_alone(language):
    assert [text for text in language.must_not if taken(language, text)] == []


def test_what_a_house_hears_all_day_is_left_alone(language):
    ordinary = (ORDINARY / f"{language.code}.txt").read_text("utf-8").splitlines()
    assert len(ordinary) >= 150
    assert [text for text in ordinary if taken(language, text)] == []


@pytest.mark.parametrize("extra", ["Hey Caesar, {}", "{}, please.", "Okay. {}!"])
def test_politeness_changes_nothing(extra):
    wanted = Command(Act.FORGET, "my shoe size")
    assert of("en").match(extra.format("forget my shoe size")) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Remember that my dog is Beans. Turn on the light.",
        "Remember that my dog is Beans and turn on the light",
        "Forget the lights, turn on the heating",
        "Forget my shoe size. What's the time?",
    ],
)
def test_a_second_wish_beside_it_is_not_lost(text):
    assert of("en").match(text) is None


@pytest.mark.parametrize(
    ("code", "text", "wanted"),
    [
        ("en", "The second one", Choice(numbers=(2,))),
        ("en", "number 3, please", Choice(numbers=(3,))),
        ("en", "the first and the third", Choice(numbers=(1, 3))),
        ("en", "the last one", Choice(numbers=(-1,))),
        ("en", "all of them", Choice(takes_all=True)),
        ("en", "Both!", Choice(takes_all=True)),
        ("en", "none", Choice(takes_none=True)),
        ("en", "Never mind.", Choice(takes_none=True)),
        ("en", "Yes, please.", Choice(confirms=True)),
        ("en", "the one with the oat milk", Choice(words="oat milk")),
        ("de", "die zweite", Choice(numbers=(2,))),
        ("de", "Nummer 3", Choice(numbers=(3,))),
        ("de", "alle beide", Choice(takes_all=True)),
        ("de", "keine davon", Choice(takes_none=True)),
        ("de", "Ja, bitte", Choice(confirms=True)),
        ("de", "das mit der Hafermilch", Choice(words="Hafermilch")),
        ("es", "la segunda", Choice(numbers=(2,))),
        ("es", "Sí, por favor", Choice(confirms=True)),
        ("es", "Todas", Choice(takes_all=True)),
        ("fr", "la deuxième", Choice(numbers=(2,))),
        ("fr", "Oui, s'il te plaît", Choice(confirms=True)),
        ("fr", "laisse tomber", Choice(takes_none=True)),
        ("nl", "de tweede", Choice(numbers=(2,))),
        ("nl", "Ja, graag", Choice(confirms=True)),
        ("nl", "geen van beide", Choice(takes_none=True)),
        ("pl", "pierwsze i trzecie", Choice(numbers=(1, 3))),
        ("pl", "Tak, proszę", Choice(confirms=True)),
        ("pl", "żadnego z nich", Choice(takes_none=True)),
        ("zh", "第一个和第三个", Choice(numbers=(1, 3))),
        ("zh", "全部忘掉", Choice(takes_all=True)),
        ("zh", "关于燕麦奶的那个", Choice(words="燕麦奶")),
        ("ja", "二番目", Choice(numbers=(2,))),
        ("ja", "はい、お願いします", Choice(confirms=True)),
        ("ja", "どれでもない", Choice(takes_none=True)),
    ],
)
def test_an_answer_to_which_one_is_read(code, text, wanted):
    if wanted.words:
        assert wanted.words in of(code).choice(text).words
    else:
        assert of(code).choice(text) == wanted


@pytest.mark.parametrize(
    ("code", "words", "mirrored"),
    [
        ("en", "my sister", "your sister"),
        ("pl", "mojej siostrze", "twojej siostrze"),
        ("zh", "我妹妹的猫", "你妹妹的猫"),
        ("ja", "私の妹の猫", "あなたの妹の猫"),
    ],
)
def test_words_are_said_back_from_the_other_side(code, words, mirrored):
    assert of(code).mirrored(words) == mirrored


def test_answers_are_the_same_in_every_language(language):
    english = of("en").replies
    assert language.replies.keys() == english.keys()
    for name, text in english.items():
        assert _places(text) == _places(language.replies[name]), name


def _places(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


def test_a_malformed_file_is_named(tmp_path):
    (tmp_path / "xx.yaml").write_text("commands: []", encoding="utf-8")
    with pytest.raises(SentenceFileError, match=r"xx\.yaml"):
        Commands.load(tmp_path).language("xx")


def test_an_unknown_language_has_no_commands():
    assert ALL.language("tlh") is None
    assert ALL.language("en-GB") is of("en")
