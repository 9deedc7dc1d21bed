"""What was said is embedded by whom the options name, and by nobody else."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.caesar.diagnostics import async_get_config_entry_diagnostics
from custom_components.caesar.erasure import async_erase
from custom_components.caesar.meaning import Meaning
from custom_components.caesar.memory.ports import EmbeddingKind
from custom_components.caesar.memory.recall import Question
from custom_components.caesar.memory.vectors.numbers import as_units
from custom_components.caesar.system_health import async_system_health
from tests.gateway.anthropic_server import CLAUDE, AnthropicServer, says as claude_says
from tests.gateway.ollama_server import (
    EMBEDDING_MODEL,
    MODEL,
    OllamaServer,
    Reply,
    says,
)
from tests.gateway.voyage_server import VOYAGE, VoyageServer, fails

from .house import House, agent, claude as account, move_in, ollama, voyage as voyager
from .panel import Open

DOG = "My dog's name is Beans"
TEA = "I like green tea"

NOTHING = '{"kind": "noise", "facts": []}'

WITH_OLLAMA = {"embed_provider": "ollama", "embed_model": EMBEDDING_MODEL}
WITH_VOYAGE = {"embed_provider": "voyage", "embed_model": VOYAGE}


def meaning(house: House) -> Meaning:
    found = house.runtime.meaning
    assert found is not None
    return found


async def later(house: House, freezer: FrozenDateTimeFactory, **parts: float) -> None:
    """Let time pass, and all that is due happen."""
    await house.hass.async_block_till_done()
    freezer.tick(timedelta(**parts))
    async_fire_time_changed(house.hass)
    await house.hass.async_block_till_done(wait_background_tasks=True)


async def soon(house: House) -> None:
    """Let happen what an exchange wakes, in the time that really is."""
    await house.hass.async_block_till_done()
    async_fire_time_changed(house.hass, dt_util.utcnow() + timedelta(minutes=2))
    await house.hass.async_block_till_done(wait_background_tasks=True)


def issue(house: House, name: str) -> ir.IssueEntry | None:
    return ir.async_get(house.hass).async_get_issue("caesar", name)


async def test_without_a_choice_nobody_embeds(
    hass: HomeAssistant, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, ollama(server.url), agent())
    await house.say(DOG, house.user("Ann"))
    await later(house, freezer, minutes=5)
    assert house.runtime.meaning is None
    assert server.embedded == []


def documents(server: OllamaServer) -> list[Mapping[str, Any]]:
    """Return what was embedded to be found, without what turns looked for."""
    return [
        body
        for body in server.embedded
        if body["input"][0].startswith("search_document")
    ]


async def test_what_was_said_is_embedded_soon_and_told_of(
    hass: HomeAssistant,
    server: OllamaServer,
    panel_of: Open,
    freezer: FrozenDateTimeFactory,
):
    freezer.move_to("2026-11-30T23:30:00+00:00")
    await hass.config.async_set_time_zone("Europe/Berlin")
    house = await move_in(
        hass,
        ollama(server.url),
        agent("ollama", MODEL),
        options=WITH_OLLAMA,
    )
    await hass.async_block_till_done(wait_background_tasks=True)
    ann = house.user("Ann")
    server.replies = [says("Nice name!"), says("Noted."), says(NOTHING), says(NOTHING)]
    await house.ask(DOG, ann)
    await house.ask("The alarm code is 4711, by the way", ann)
    assert documents(server) == []
    await later(house, freezer, seconds=16)

    # The day is the house's, which is tomorrow already.
    (body,) = documents(server)
    assert body["model"] == EMBEDDING_MODEL
    first, second = body["input"]
    assert first == f"search_document: 2026-12-01: {DOG}\nNice name!"
    assert "4711" not in second
    # Nor was it in what either turn looked for.
    assert "4711" not in str(server.embedded)
    (event,) = await house.events("household", "memory.semantic.indexed")
    assert event.payload["count"] == 2
    assert event.payload["model"] == f"ollama|{EMBEDDING_MODEL}"
    assert event.payload["input_tokens"]

    status = await (await (await panel_of(ann)).subscribe("status")).next()
    assert status["meaning"] == {
        "model": f"ollama|{EMBEDDING_MODEL}",
        "indexed": 2,
        "waiting": 0,
        "withheld": 0,
        "set_aside": 0,
        "failing_since": None,
        "budget_exhausted": False,
    }
    (job,) = (one for one in status["jobs"] if one["name"] == "semantic_index")
    assert job["last"]["outcome"]["read"] == 2
    told = await async_system_health(hass)
    assert (told["embedded"], told["to_embed"]) == (2, 0)
    report = await async_get_config_entry_diagnostics(hass, house.entry)
    assert report["meaning"]["indexed"] == 2
    assert "Beans" not in str(report)


async def test_a_question_is_near_what_it_is_about(
    hass: HomeAssistant, voyage: VoyageServer, freezer: FrozenDateTimeFactory
):
    options = WITH_VOYAGE | {"learn_hosted": True}
    house = await move_in(hass, voyager(voyage.url), agent(), options=options)
    ann = house.user("Ann")
    for text in (DOG, TEA, "My sister's name is Anna"):
        await house.say(text, ann)
    await later(house, freezer, seconds=16)
    found = meaning(house)
    made = await found.embedder.embed(["green tea"], EmbeddingKind.QUERY)
    (best, *_) = await found.index.search(
        as_units(made.vectors)[0], 3, owners=[f"user:{ann.id}"]
    )
    events = await house.events(ann, "chat.completed")
    assert next(e.user_text for e in events if e.id == best.id) == TEA
    assert voyage.bodies[-1]["input_type"] == "query"


async def test_words_said_in_the_house_do_not_leave_it_unless_that_was_allowed(
    hass: HomeAssistant,
    voyage: VoyageServer,
    claude: AnthropicServer,
):
    house = await move_in(
        hass,
        voyager(voyage.url),
        account(claude.url),
        agent("claude", CLAUDE, title="Claude"),
        agent(title="CAESAR"),
        options=WITH_VOYAGE | {"learn_provider": "builtin"},
    )
    ann = house.user("Ann")
    claude.replies = [claude_says("Fine.")]
    await house.ask(TEA, ann, agent_id="conversation.claude")
    await house.ask(DOG, ann)
    await soon(house)
    (sent,) = voyage.documents
    assert TEA in sent
    standing = await meaning(house).indexing.standing()
    assert (standing.indexed, standing.waiting, standing.withheld) == (1, 0, 1)

    hass.config_entries.async_update_entry(
        house.entry, options={**house.entry.options, "learn_hosted": True}
    )
    await hass.async_block_till_done()
    await soon(house)
    assert len(voyage.documents) == 2
    assert DOG in voyage.documents[1]


async def test_a_server_that_is_down_is_reported_after_an_hour_until_it_is_back(
    hass: HomeAssistant, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, ollama(server.url), agent(), options=WITH_OLLAMA)
    server.embeddings = [Reply(status=500, lines=["{}"])] * 2
    await house.say(DOG, house.user("Ann"))
    await later(house, freezer, seconds=16)
    assert issue(house, "embedding_failing") is None
    await later(house, freezer, minutes=61)
    assert issue(house, "embedding_failing") is not None
    await later(house, freezer, minutes=20)
    assert issue(house, "embedding_failing") is None
    assert (await meaning(house).indexing.standing()).indexed == 1


async def test_a_refused_key_asks_for_a_new_one(
    hass: HomeAssistant, voyage: VoyageServer, freezer: FrozenDateTimeFactory
):
    options = WITH_VOYAGE | {"learn_hosted": True}
    house = await move_in(hass, voyager(voyage.url), agent(), options=options)
    voyage.refuses = True
    await house.say(DOG, house.user("Ann"))
    await later(house, freezer, seconds=16)
    assert issue(house, "key_rejected_voyage") is not None
    flow = next(
        flow
        for flow in hass.config_entries.flow.async_progress()
        if flow["context"]["source"] == "reauth"
    )
    form = await hass.config_entries.flow.async_configure(
        flow["flow_id"], {"api_key": "wrong"}
    )
    assert form["errors"] == {"api_key": "invalid_key"}
    voyage.refuses = False
    await hass.config_entries.flow.async_configure(flow["flow_id"], {"api_key": "new"})
    await later(house, freezer, minutes=2)
    assert voyage.keys[-1] == "Bearer new"
    assert (await meaning(house).indexing.standing()).indexed == 1


async def test_who_is_asked_too_often_is_left_alone_as_long_as_it_says(
    hass: HomeAssistant, voyage: VoyageServer, freezer: FrozenDateTimeFactory
):
    options = WITH_VOYAGE | {"learn_hosted": True}
    house = await move_in(hass, voyager(voyage.url), agent(), options=options)
    voyage.replies = [fails(429, "slow", retry_after="1800")]
    await house.say(DOG, house.user("Ann"))
    await later(house, freezer, seconds=16)
    await later(house, freezer, minutes=29)
    assert len(voyage.bodies) == 1
    await later(house, freezer, minutes=2)
    assert (await meaning(house).indexing.standing()).indexed == 1


async def test_a_budget_holds_until_the_next_day(
    hass: HomeAssistant, voyage: VoyageServer, freezer: FrozenDateTimeFactory
):
    freezer.move_to("2026-11-30T20:00:00+00:00")
    options = WITH_VOYAGE | {"learn_hosted": True, "embed_daily_tokens": 1}
    house = await move_in(hass, voyager(voyage.url), agent(), options=options)
    ann = house.user("Ann")
    await house.say(DOG, ann)
    await later(house, freezer, seconds=16)
    await house.say(TEA, ann)
    await later(house, freezer, seconds=16)
    reached = issue(house, "embed_budget_reached")
    assert reached is not None
    assert reached.translation_placeholders is not None
    assert reached.translation_placeholders["budget"] == "1"
    assert len(voyage.bodies) == 1
    await later(house, freezer, hours=12)
    assert issue(house, "embed_budget_reached") is None
    assert len(voyage.bodies) == 2


async def test_another_model_embeds_everything_again_in_the_background(
    hass: HomeAssistant, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, ollama(server.url), agent(), options=WITH_OLLAMA)
    ann = house.user("Ann")
    await house.say(DOG, ann)
    await house.say(TEA, ann)
    await later(house, freezer, seconds=16)
    server.dimension = 48
    hass.config_entries.async_update_entry(
        house.entry, options={**house.entry.options, "embed_model": "bge-m3:latest"}
    )
    await later(house, freezer, minutes=2)
    *before, after = server.embedded
    assert {body["model"] for body in before} == {EMBEDDING_MODEL}
    assert (after["model"], len(after["input"])) == ("bge-m3:latest", 2)
    *_, event = await house.events("household", "memory.semantic.indexed")
    assert dict(event.payload) == {
        "count": 2,
        "model": "ollama|bge-m3:latest",
        "input_tokens": event.payload["input_tokens"],
    }
    found = meaning(house)
    made = await found.embedder.embed(["tea"], EmbeddingKind.QUERY)
    assert await found.index.search(
        as_units(made.vectors)[0], 1, owners=[f"user:{ann.id}"]
    )


async def test_a_restart_goes_on_where_it_stopped(
    hass: HomeAssistant, voyage: VoyageServer, freezer: FrozenDateTimeFactory
):
    options = WITH_VOYAGE | {"learn_hosted": True}
    house = await move_in(hass, voyager(voyage.url), agent(), options=options)
    ann = house.user("Ann")
    await house.say(DOG, ann)
    await later(house, freezer, seconds=16)
    voyage.poison = "never"
    await house.say(TEA, ann)
    await hass.async_block_till_done()
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    await later(house, freezer, minutes=2)
    assert [DOG in text for text in voyage.texts] == [True, False]
    assert (await meaning(house).indexing.standing()).indexed == 2


async def test_a_removed_provider_is_reported_and_all_else_works(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, agent(), options=WITH_VOYAGE)
    assert issue(house, "embedder_removed") is not None
    assert house.runtime.meaning is None
    await house.say(DOG, house.user("Ann"))
    hass.config_entries.async_update_entry(
        house.entry, options={"embed_provider": "none"}
    )
    await later(house, freezer, minutes=1)
    assert issue(house, "embedder_removed") is None


async def test_a_question_asked_in_the_house_does_not_leave_it_either(
    hass: HomeAssistant, voyage: VoyageServer
):
    house = await move_in(hass, voyager(voyage.url), agent(), options=WITH_VOYAGE)
    ann = house.user("Ann")
    await house.say(TEA, ann)
    await hass.async_block_till_done()
    asked = Question(text="green tea", owners=(f"user:{ann.id}",), language="en")
    for heard_by in (None, "builtin|", "ollama|qwen3:4b"):
        question = replace(asked, heard_by=heard_by)
        (found,) = await house.runtime.recall.search(question)
        assert found.exchange.user_text == TEA
    assert voyage.texts == []
    code = replace(asked, text="tea, code 4711", heard_by="voyage|")
    await house.runtime.recall.search(code)
    (sent,) = voyage.texts
    assert "tea" in sent
    assert "4711" not in sent


async def test_who_is_erased_leaves_no_sketch_behind(
    hass: HomeAssistant, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass, ollama(server.url), agent(), options=WITH_OLLAMA)
    await hass.async_block_till_done(wait_background_tasks=True)
    ann, bob = house.user("Ann"), house.user("Bob")
    await house.say(DOG, ann)
    await house.say(TEA, bob)
    await house.runtime.turns.written()
    await later(house, freezer, seconds=16)
    assert await meaning(house).index.count() == 2
    await async_erase(hass, house.runtime, f"user:{ann.id}")
    assert await meaning(house).index.count() == 1
