"""What the assistant says aloud is not learned when a microphone hears it."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.caesar.memory.extraction.echo import without_echo
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.memory import Memory
from tests.memory.conftest import TestClock, spoken
from tests.memory.test_learning import Scripted
from tests.memory.test_suggestions import found, told

REPLY = "I like jazz a lot, too. Shall I play some?"


def likes_jazz(_: str) -> str:
    return found("me", "like", "jazz")


async def answered(memory: Memory, reply: str, **parts: Any) -> None:
    event = replace(spoken("What is on?"), assistant_text=reply, **parts)
    await memory.finish(None, event)


@pytest.mark.parametrize(
    "place", [{"conversation_id": "c"}, {"device_id": "kitchen"}], ids=str
)
async def test_a_reply_that_is_heard_teaches_nothing(
    memory: Memory, place: dict[str, Any]
):
    await answered(memory, REPLY, **place)
    generator = Scripted(likes_jazz)
    await memory.finish(None, replace(spoken("I like jazz a lot, too"), **place))
    await Learning(memory, generator).tick()
    assert told(memory) == {}
    assert generator.asked == []


async def test_what_the_person_says_beside_it_counts(memory: Memory):
    await answered(memory, REPLY, conversation_id="c")
    said = "I like jazz a lot, too. I like tea."
    await memory.finish(None, replace(spoken(said), conversation_id="c"))
    generator = Scripted(lambda _: found("me", "like", "tea"))
    await Learning(memory, generator).tick()
    assert generator.asked == ["I like tea."]
    assert set(told(memory).values()) == {"tea"}


async def test_elsewhere_and_later_the_words_are_the_persons(
    memory: Memory, clock: TestClock
):
    await answered(memory, REPLY, conversation_id="c")
    said = "I like jazz a lot, too"
    await memory.finish(None, replace(spoken(said), conversation_id="other"))
    await Learning(memory, Scripted(likes_jazz)).tick()
    assert set(told(memory).values()) == {"jazz"}

    await answered(memory, "I like tea a lot. Enjoy!", conversation_id="c")
    clock.pass_time(minutes=3)
    await memory.finish(None, replace(spoken("I like tea a lot"), conversation_id="c"))
    await Learning(memory, Scripted(lambda _: found("me", "like", "tea"))).tick()
    assert set(told(memory).values()) == {"jazz", "tea"}


@pytest.mark.parametrize(
    ("said", "reply", "left"),
    [
        ("Yes, jazz.", "You like jazz.", "Yes, jazz."),
        ("I live in Ghent.", "Do you live in Ghent?", "I live in Ghent."),
        (
            "ピーナッツアレルギーです",
            "ピーナッツアレルギーですか?",
            "ピーナッツアレルギーです",
        ),
        ("私は魚が好きです", "私は魚が好きです。", ""),
        ("the sky is blue", "Well, the sky is blue.", ""),
        ("The sky is blue and I am Robin.", "The sky is blue.", None),
    ],
)
def test_only_a_whole_statement_is_an_echo(said: str, reply: str, left: str | None):
    assert without_echo(said, [reply]) == (said if left is None else left)
