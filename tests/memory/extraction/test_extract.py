"""One exchange from the person's words to the changes of their facts."""

from dataclasses import dataclass, field
from datetime import date
import json

import pytest

from custom_components.caesar.memory.errors import UnusableAnswerError
from custom_components.caesar.memory.extraction.extract import (
    MAX_CANDIDATES,
    Extraction,
    changes_of,
    extract,
)
from custom_components.caesar.memory.models import Change, Exchange, Fact
from custom_components.caesar.memory.ports import (
    ExtractionRequest,
    Generation,
    GeneratorUnavailableError,
)

from .builders import ALICE, NOW, brief, fact


@dataclass
class Scripted:
    """A generator that answers what it was given and keeps what it was asked."""

    answer: str = '{"kind": "noise", "facts": []}'
    asked: list[ExtractionRequest] = field(default_factory=list)
    costly: bool = True

    def is_costly(self, heard_by: str | None) -> bool:
        return self.costly

    async def generate(self, request: ExtractionRequest) -> Generation:
        self.asked.append(request)
        return Generation(text=self.answer, model="scripted")


class Down(Scripted):
    async def generate(self, request: ExtractionRequest) -> Generation:
        raise GeneratorUnavailableError


def facts(*rows: tuple[str, str, str]) -> str:
    listed = [{"who": w, "what": a, "value": v, "holds": "true"} for w, a, v in rows]
    return json.dumps({"kind": "lasting", "facts": listed})


def exchange(text: str, language: str = "en-GB", *, teaches: bool = True) -> Exchange:
    return Exchange(
        id=1, at=NOW, owner=ALICE, language=language, user_text=text, teaches=teaches
    )


async def run(
    text: str,
    generator: Scripted,
    stored: list[Fact] | None = None,
    language: str = "en-GB",
) -> tuple[Extraction, tuple[Change, ...]]:
    said, known = exchange(text, language), stored or []
    done = await extract(said, known, generator, date(2026, 11, 30))
    return done, changes_of(done, said, known)


async def test_a_statement_becomes_a_fact() -> None:
    generator = Scripted(facts(("dog", "name", "Beans")))

    done, changes = await run(
        "Hey CAESAR, by the way my dog's name is Beans.", generator
    )

    assert brief(changes) == [("add", "dog.name", "Beans")]
    assert done.skipped_by is None
    assert done.generation is not None
    assert "Beans" in changes[0].quote


async def test_a_command_asks_nobody() -> None:
    generator = Scripted()

    done, _ = await run("Turn off the kitchen lights.", generator)

    assert done.skipped_by == "order"
    assert generator.asked == []


async def test_what_costs_nothing_is_asked_about_everything() -> None:
    generator = Scripted(costly=False)

    await run("The bins go out on Tuesday.", generator)

    assert generator.asked[0].text == "The bins go out on Tuesday."


async def test_what_nobody_spoke_teaches_nothing() -> None:
    generator = Scripted()

    done = await extract(
        exchange("My dog is called Beans.", teaches=False), [], generator, NOW.date()
    )

    assert done.skipped_by == "teaches_nothing"
    assert generator.asked == []


async def test_an_invented_profile_leaves_only_reasons() -> None:
    generator = Scripted(facts(("me", "job", "nurse"), ("me", "city", "Ghent")))

    _, changes = await run("I love my garden.", generator)

    assert [(change.operation, change.reason) for change in changes] == [
        ("reject", "not_grounded"),
        ("reject", "not_grounded"),
    ]
    assert all(not change.value and not change.quote for change in changes)


async def test_no_secret_reaches_the_model() -> None:
    generator = Scripted()

    await run("My daughter is called Ida. My alarm code is 4711.", generator)

    assert "4711" not in generator.asked[0].text
    assert "Ida" in generator.asked[0].text


async def test_a_question_about_somebody_else_is_no_name() -> None:
    generator = Scripted(facts(("me", "name", "Malik")))

    _, changes = await run("When does Malik's train arrive?", generator)

    assert changes == ()


@pytest.mark.parametrize(
    ("text", "language", "row"),
    [
        ("I'm allergic to peanuts.", "en", ("me", "allergy", "peanuts")),
        ("我对花生过敏", "zh", ("me", "allergy", "花生")),
    ],
)
async def test_a_short_fact_is_kept(
    text: str, language: str, row: tuple[str, str, str]
) -> None:
    _, changes = await run(text, Scripted(facts(row)), language=language)

    assert brief(changes) == [("add", "allergy", row[2])]


async def test_a_change_of_a_stored_fact_in_other_words() -> None:
    generator = Scripted(facts(("me", "routine", "bedtime is now 22:30")))
    stored = [fact("routine", "bedtime is 23:00")]

    _, changes = await run("My bedtime is now 22:30.", generator, stored)

    assert brief(changes) == [("replace", "routine", "bedtime is now 22:30")]


async def test_text_that_looks_like_a_template_is_kept_literally() -> None:
    value = "{assistant_response} and it costs $& 5"
    generator = Scripted(facts(("me", "note", value)))

    _, changes = await run(f"My tag is {value}.", generator)

    assert generator.asked[0].text == f"My tag is {value}."
    assert changes[0].value == value


async def test_an_unusable_answer_is_the_callers_to_handle() -> None:
    with pytest.raises(UnusableAnswerError):
        await run("My dog is called Beans.", Scripted("I cannot help with that."))


async def test_a_generator_that_is_down_is_the_callers_to_handle() -> None:
    with pytest.raises(GeneratorUnavailableError):
        await extract(exchange("My dog is called Beans."), [], Down(), NOW.date())


async def test_a_careful_reader_is_given_no_name_that_it_refused() -> None:
    text = "My doctor told me 'my name is Otto'."

    _, changes = await run(text, Scripted(costly=False))

    assert changes == ()


async def test_a_flood_of_facts_is_held() -> None:
    rows = [("me", "like", f"tea {number}") for number in range(200)]
    text = " and ".join(f"I like tea {number}" for number in range(200))

    done, _ = await run(text, Scripted(facts(*rows, *rows), costly=False))

    assert len(done.accepted) + len(done.rejected) == MAX_CANDIDATES
