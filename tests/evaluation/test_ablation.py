"""What each stage is worth can only be seen where it can be taken out."""

from collections.abc import Iterator
import json

import pytest

from custom_components.caesar.memory.extraction import extract, operations
from scripts.evaluation import ablation
from scripts.evaluation.items import Item
from scripts.evaluation.playing import Played
from scripts.evaluation.providers import Choice
from scripts.evaluation.running import run
from tests.gateway.ollama_server import MODEL, OllamaServer, says

from .builders import entries, item
from .test_running import answer, fact


async def play(server: OllamaServer, said: Item, reply: str) -> Played:
    server.replies = [says(reply)]
    choice = Choice(provider="ollama", url=server.url, model=MODEL)
    return (await run([said], choice)).played[0]


def values(played: Played) -> list[str | None]:
    return [fact.value for fact in played.prediction.facts]


async def test_without_the_gate_everything_is_asked(server):
    order = item(user="Turn on the light.")
    reply = json.dumps({"kind": "order", "facts": []})
    assert not (await play(server, order, reply)).asked
    with ablation.without_gate():
        (asked,) = (await play(server, order, reply)).asked
    assert asked.text == "Turn on the light."


async def test_without_grounding_any_value_is_taken(server):
    said = item(user="My allergy flares up around peanuts.")
    reply = answer(fact("me", "allergy", "walnuts"))
    assert values(await play(server, said, reply)) == []
    with ablation.without_grounding():
        assert values(await play(server, said, reply)) == ["walnuts"]


async def test_without_types_a_birthday_needs_no_number(server):
    said = item(user="My birthday is a lovely party.")
    reply = answer(fact("me", "birthday", "a lovely party"))
    assert values(await play(server, said, reply)) == []
    with ablation.without_types():
        assert values(await play(server, said, reply)) == ["a lovely party"]


async def test_without_any_check_the_model_is_believed(server):
    said = item(user="My allergy flares up around peanuts.")
    reply = answer(fact("me", "birthday", "walnuts"))
    with ablation.without_checks():
        assert values(await play(server, said, reply)) == ["walnuts"]


async def test_without_names_found_by_code_the_model_has_to_find_them(server):
    said = item(user="Just call me Karvo, not Morbino.")
    reply = answer()
    assert values(await play(server, said, reply)) == ["Karvo"]
    with ablation.without_names():
        assert values(await play(server, said, reply)) == []


async def test_upsert_takes_the_place_of_a_sibling(server):
    said = item(
        user="We also have a dog called Rex.", known=entries(**{"dog.name": "Beans"})
    )
    reply = answer(fact("dog", "name", "Rex"))
    joined = await play(server, said, reply)
    assert {one.value for one in joined.prediction.store} == {"Beans", "Rex"}
    with ablation.with_upsert():
        replaced = await play(server, said, reply)
    assert {one.value for one in replaced.prediction.store} == {"Rex"}


@pytest.mark.parametrize("stage", list(ablation.stages()))
async def test_every_stage_can_be_taken_out_and_comes_back(server, stage):
    said = item(user="The dog that chews my shoes answers to Beans.")
    reply = answer(fact("dog", "name", "Beans"))
    with ablation.stages()[stage]:
        assert values(await play(server, said, reply)) == ["Beans"]
    assert vars(extract)["decide"] is operations.decide


def test_a_check_that_does_not_exist_cannot_be_left_out() -> None:
    def left_out() -> Iterator[None]:
        with ablation.without_rules("_is_nice"):
            yield

    with pytest.raises(LookupError, match="_is_nice"):
        next(left_out())
