"""What code reads, mends and keeps beside a model's answer."""

from dataclasses import replace
from datetime import date
import json

import pytest

from custom_components.caesar.memory.extraction.confirmation import confirmed
from custom_components.caesar.memory.extraction.extract import changes_of, extract
from custom_components.caesar.memory.extraction.language import find
from custom_components.caesar.memory.extraction.plain_statements import passed_over
from custom_components.caesar.memory.extraction.self_repair import repaired
from custom_components.caesar.memory.extraction.speech import Speech
from custom_components.caesar.memory.extraction.union import last_of_each, united
from custom_components.caesar.memory.models import Exchange, Fact
from custom_components.caesar.memory.ports import ExtractionRequest, Generation

from .builders import ALICE, NOW, brief, candidate, fact

ENGLISH = find("en")


def exchange(text: str, answer: str = "", language: str = "en") -> Exchange:
    return Exchange(
        id=1, at=NOW, owner=ALICE, language=language, user_text=text, answer=answer
    )


@pytest.mark.parametrize(
    ("language", "said", "meant"),
    [
        (
            "en",
            "my brother lives in Leeds, no what am I saying, Derby, he moved",
            "my brother lives in Derby, he moved",
        ),
        ("en", "I'm forty, forty-one I mean.", "I'm forty-one,"),
        ("de", "Mein Bruder heißt Tom, nein quatsch, Tim.", "Mein Bruder heißt Tim,"),
        ("es", "mi médico es Robledo, digo Rosado", "mi médico es Rosado,"),
        # A new thought is no other word for the last one.
        ("en", "I like tea, I mean, it's warm.", "I like tea, I mean, it's warm."),
        ("en", "I love dogs, I mean Labradors.", "I love dogs, I mean Labradors."),
        ("xx", "I'm forty, forty-one I mean.", "I'm forty, forty-one I mean."),
    ],
)
def test_a_slip_of_the_tongue_is_read_as_it_was_meant(language, said, meant):
    assert repaired(said, find(language)) == meant


@pytest.mark.parametrize(
    ("language", "said", "answer", "meant"),
    [
        (
            "en",
            "yep, exactly",
            "You're diabetic then. I'll remember that.",
            "I'm diabetic then.",
        ),
        (
            "de",
            "Ja genau.",
            "Gut, ich merke mir: Freitags ist bei euch Kino.",
            "Freitags ist bei uns Kino",
        ),
        ("zh", "对对对", "好的,我记住:您每周一游泳。", "我每周一游泳"),
    ],
)
def test_a_confirmation_tells_what_was_confirmed(language, said, answer, meant):
    assert confirmed(exchange(said, answer, language), find(language)) == meant


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Hmm, maybe.", "I'll remember that you like tea."),
        ("Yes, and what about the weather?", "Noted: you like tea."),
        ("Yes.", "I've switched your lamp on."),
        ("", "I'll remember that you like tea."),
    ],
)
def test_nothing_else_makes_an_answer_evidence(said, answer):
    assert not confirmed(exchange(said, answer), ENGLISH)


def test_what_was_read_stands_and_the_model_adds_what_is_new():
    read = [candidate("me", "routine", "choir on Tuesdays")]
    written = [
        candidate("me", "hobby", "choir"),
        candidate("home", "wish", "choir on Tuesdays at eight"),
        candidate("partner", "name", "Ruben"),
    ]
    assert united(read, written, ENGLISH) == (*read, written[2])


def test_of_what_one_has_once_the_last_word_counts():
    first, last = candidate("me", "city", "Bath"), candidate("me", "city", "Leeds")
    cats = [candidate("cat", "age", "two"), candidate("cat", "age", "nine")]
    text = "Bath, well, Leeds, and the cats are two and nine"
    assert last_of_each([last, first, *cats], text) == (last, *cats)


@pytest.mark.parametrize(
    ("text", "known", "kept"),
    [
        (
            "what's on, we always have soup on Sundays",
            (),
            ["we always have soup on Sundays"],
        ),
        ("it's electric now, the boiler", (fact("boiler", "oil"),), None),
        ("we've swapped, the boiler's electric now", (fact("boiler", "oil"),), None),
        ("Sundays are always loud around here", (), []),
        ("another Monday, my absolute favourite", (), []),
        ("forget my birthday, I never want it kept", (fact("birthday", "9 May"),), []),
        ("Rex, that's our dog, is barking again", (fact("dog.name", "Rex"),), []),
    ],
)
def test_what_a_model_takes_for_a_joke_is_kept_where_it_plainly_lasts(
    text: str, known: tuple[Fact, ...], kept: list[str] | None
):
    found = passed_over("joke", Speech.of(text, ENGLISH), known)
    values = [one.value for one in found]
    assert values == (kept if kept is not None else [text])
    assert not passed_over("pretend", Speech.of(text, ENGLISH), known)


class Reads:
    """A model that knows of no fact, beside sentence files that read one."""

    def is_costly(self, heard_by: str | None) -> bool:
        return True

    async def generate(self, request: ExtractionRequest) -> Generation:
        row = {"who": "dog", "what": "name", "value": "Beans", "holds": "true"}
        return Generation(
            text='{"kind": "joke", "facts": []}',
            model="small",
            reading=json.dumps({"kind": "lasting", "facts": [row]}),
        )


async def test_what_was_read_is_learned_though_the_model_saw_nothing():
    said = replace(exchange("My dog's name is Beans, ha ha."))
    done = await extract(said, [], Reads(), date(2026, 11, 30))
    assert brief(changes_of(done, said, [])) == [("add", "dog.name", "Beans")]
