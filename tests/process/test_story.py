"""The main job, in a real Home Assistant process."""

import argparse
import asyncio
from pathlib import Path

import pytest

from scripts.house import database, demo
from scripts.house.folder import REPOSITORY
from scripts.house.house import House
from scripts.house.narrator import Narrator
from scripts.house.story import Story, play

STORY = Story(
    teach=demo.TEACH,
    ask="What's my dog's name?",
    expect="Beans",
    patience=30,
)


async def test_what_was_told_is_known_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path)
    async with house:
        reply = await play(STORY, house, Narrator())

    assert STORY.is_fulfilled_by(reply.text)
    (fact,) = database.facts(tmp_path)
    assert (fact["key"], fact["value"]) == ("dog.name", "Beans")
    told = database.events(tmp_path, "chat.completed")
    assert [event["user_text"] for event in told] == [STORY.teach, STORY.ask]
    assert len(database.events(tmp_path, "memory.fact.added")) == 1
    assert house.process.complaints() == []
    assert "Beans" not in house.process.log()


async def test_the_demo_fails_where_nothing_was_told() -> None:
    process = await asyncio.create_subprocess_exec(
        REPOSITORY / "scripts" / "demo",
        "--no-teach",
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()

    assert process.returncode == 1
    assert "FAILED: the reply does not hold 'Beans'" in output.decode()


def test_a_question_that_holds_the_answer_is_no_story() -> None:
    with pytest.raises(ValueError, match="already holds"):
        Story(teach=None, ask="Is Beans my dog?", expect="beans", patience=1)


@pytest.mark.parametrize("reply", ["", "Beanstalks grow.", "He is called Rex."])
def test_a_part_of_another_word_is_not_the_answer(reply: str) -> None:
    assert not STORY.is_fulfilled_by(reply)


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ({"ask": "Who?"}, "--expect"),
        ({"teach": "I like tea."}, "--ask"),
        ({"provider": "ollama", "model": "some"}, "--url"),
    ],
)
def test_half_a_story_is_refused(options: dict[str, str], missing: str) -> None:
    given = {
        "teach": None,
        "ask": None,
        "expect": None,
        "provider": "builtin",
        "url": None,
        "model": None,
        "no_teach": False,
    }
    with pytest.raises(ValueError, match=missing):
        demo.story_of(argparse.Namespace(**(given | options)))
