"""Exchanges played through the product, and what is read back from its file."""

from dataclasses import replace
import json

import pytest

from scripts.evaluation.items import Labels
from scripts.evaluation.playing import UnansweredError
from scripts.evaluation.providers import Choice
from scripts.evaluation.running import Cost, run
from tests.gateway.ollama_server import MODEL, OllamaServer, fails, says

from .builders import entries, item, pattern, written

BUILTIN = Choice()
NOTHING = json.dumps({"kind": "order", "facts": []})


def fact(who: str, what: str, value: str) -> dict[str, str]:
    return {"who": who, "what": what, "value": value, "holds": "true"}


def answer(*facts: dict[str, str]) -> str:
    return json.dumps({"kind": "lasting", "facts": list(facts)})


def by_ollama(server: OllamaServer) -> Choice:
    return Choice(provider="ollama", url=server.url, model=MODEL)


async def test_what_was_said_is_written_and_stored():
    done = await run([item(user="My dog's name is Beans.")], BUILTIN)
    (fact,) = done.played[0].prediction.facts
    assert (fact.key, fact.value) == ("dog.name", "Beans")
    assert done.played[0].prediction.store == entries(**{"dog.name": "Beans"})


async def test_what_is_known_is_told_and_can_be_changed_by_words():
    known = entries(**{"dog.name": "Beans", "job": "baker"})
    items = [
        item(name="1", user="My dog's name is Rex now.", known=known),
        item(name="2", user="My dog's name is Beans.", known=known),
    ]
    changed, repeated = (await run(items, BUILTIN)).played
    assert [f.value for f in changed.prediction.facts] == ["Rex"]
    assert {e.value for e in changed.prediction.store} == {"Rex", "baker"}
    assert repeated.prediction.facts == ()
    assert repeated.prediction.store == known


async def test_an_ending_is_told_as_a_deletion():
    known = entries(car="Saab")
    (played,) = (await run([item(user="I sold my Saab.", known=known)], BUILTIN)).played
    assert played.prediction.facts == written(car=None)
    assert played.prediction.store == ()


async def test_labels_change_no_prediction():
    labels = Labels(category="nothing_joke", forbidden=("Beans",))
    known = entries(**{"cat.name": "Tom"})
    bare = item(user="My dog's name is Beans.", known=known)
    with_labels = await run([replace(bare, labels=labels)], BUILTIN)
    without = await run([bare], BUILTIN)
    assert with_labels.played[0].prediction == without.played[0].prediction


async def test_each_exchange_has_a_memory_of_its_own():
    items = [item(name=name, user="My dog's name is Beans.") for name in "12"]
    for played in (await run(items, BUILTIN)).played:
        assert len(played.prediction.facts) == len(played.prediction.store) == 1


async def test_a_model_is_asked_as_in_a_house(server: OllamaServer):
    server.replies = [says(answer(fact("dog", "name", "Beans")))]
    (played,) = (
        await run(
            [item(user="The dog that chews my shoes answers to Beans.")],
            by_ollama(server),
        )
    ).played
    assert [f.value for f in played.prediction.facts] == ["Beans"]
    (body,) = server.bodies
    assert (
        body["messages"][-1]["content"]
        == "The dog that chews my shoes answers to Beans."
    )
    assert body["options"]["temperature"] == 0
    assert played.asked[0].generation.output_tokens


async def test_what_sentence_files_read_as_a_whole_needs_no_model(server: OllamaServer):
    said = item(user="My dog's name is Beans.")
    done = await run([said], by_ollama(server))
    assert [f.value for f in done.played[0].prediction.facts] == ["Beans"]
    assert server.bodies == []
    assert Cost.of(done).spared.count == 1


async def test_what_sentence_files_read_in_part_stands_beside_the_model(
    server: OllamaServer,
):
    server.replies = [says(NOTHING)]
    said = item(user="My dog's name is Beans, and the sofa grew legs.")
    (played,) = (await run([said], by_ollama(server))).played
    assert [f.value for f in played.prediction.facts] == ["Beans"]
    assert len(server.bodies) == 1


async def test_an_answer_without_sense_is_an_error_and_the_run_goes_on(
    server: OllamaServer,
):
    server.replies = [*(says("no idea") for _ in range(5)), says(NOTHING)]
    items = [
        item(name=name, user="The dog that chews my shoes answers to Beans.")
        for name in "12"
    ]
    broken, fine = (await run(items, by_ollama(server))).played
    assert broken.prediction.error
    assert fine.prediction.error is None


async def test_a_server_in_trouble_ends_the_run(server: OllamaServer):
    server.replies = [fails(500, "out of memory")]
    with pytest.raises(UnansweredError, match="Unavailable"):
        await run(
            [item(user="The dog that chews my shoes answers to Beans.")],
            by_ollama(server),
        )


async def test_what_was_asked_before_is_answered_from_the_folder(
    server: OllamaServer, tmp_path
):
    server.replies = [says(answer(fact("dog", "name", "Beans"))), says(NOTHING)]
    said = item(user="The dog that chews my shoes answers to Beans.")
    first = await run([said], by_ollama(server), cache=tmp_path)
    again = await run([said], by_ollama(server), cache=tmp_path)
    assert len(server.bodies) == 1
    assert again.played[0].prediction == first.played[0].prediction
    assert again.played[0].asked == first.played[0].asked
    other = Choice(provider="ollama", url=server.url, model="other:1b")
    await run([said], other, cache=tmp_path)
    assert len(server.bodies) == 2


async def test_a_failure_is_not_kept(server: OllamaServer, tmp_path):
    server.replies = [fails(500, "out of memory"), says(NOTHING)]
    said = item(user="The dog that chews my shoes answers to Beans.")
    with pytest.raises(UnansweredError):
        await run([said], by_ollama(server), cache=tmp_path)
    await run([said], by_ollama(server), cache=tmp_path)
    assert len(server.bodies) == 2


async def test_the_cost_tells_what_the_gate_spared_and_lost(server: OllamaServer):
    server.replies = [says(NOTHING)]
    items = [
        item(
            name="1",
            user="The dog that chews my shoes answers to Beans.",
            labels=Labels(category="statement", expected=(pattern("beans"),)),
        ),
        item(
            name="2",
            user="Turn on the light.",
            labels=Labels(category="nothing_command"),
        ),
        item(
            name="3",
            user="Turn on the light.",
            labels=Labels(
                category="statement", expected=(pattern("light"), pattern("lamp"))
            ),
        ),
    ]
    cost = Cost.of(await run(items, by_ollama(server)))
    assert (cost.spared.count, cost.spared.of) == (2, 3)
    assert (cost.empty_spared.count, cost.empty_spared.of) == (1, 1)
    assert (cost.lost_at_gate.count, cost.lost_at_gate.of) == (2, 3)
    assert cost.output_tokens


async def test_a_sentence_that_is_not_passed_on_is_lost(server: OllamaServer):
    server.replies = [says(NOTHING)]
    said = item(
        user="The dog that chews my shoes answers to Beans. Is the front door locked?",
        labels=Labels(
            category="statement", expected=(pattern("beans"), pattern("door"))
        ),
    )
    cost = Cost.of(await run([said], by_ollama(server)))
    assert (cost.lost_at_gate.count, cost.lost_at_gate.of) == (1, 2)


async def test_the_built_in_provider_needs_no_model():
    cost = Cost.of(await run([item(user="My dog's name is Beans.")], BUILTIN))
    assert (cost.spared.count, cost.spared.of) == (1, 1)


async def test_what_is_unsure_is_a_suggestion_and_not_stored(server: OllamaServer):
    value = "Portuguese bakery behind old mill"
    server.replies = [says(answer(fact("me", "workplace", value)))]
    said = item(
        user="I work in the bakery behind the old mill.",
        labels=Labels(category="statement", expected=(pattern("bakery"),)),
    )
    done = await run([said], by_ollama(server))
    (suggested,) = done.played[0].suggested
    assert suggested.key == "workplace"
    assert done.played[0].prediction.store == ()
    cost = Cost.of(done)
    assert (cost.suggestions.count, cost.suggestions.of) == (1, 1)
    assert cost.idle_suggestions.of == 0
