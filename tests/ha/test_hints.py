"""Hints in the repairs: when they appear, what they say, and when they go."""

from typing import Any

from homeassistant.components.repairs import RepairsFlowManager, repairs_flow_manager
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.setup import async_setup_component
import pytest

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.gateway.errors import (
    ProviderRefusedError,
    ProviderTimeoutError,
)
from custom_components.caesar.memory.learning import MAX_ATTEMPTS
from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.gateway.ollama_server import OllamaServer, Reply, says
from tests.ha.assistants import Assistants
from tests.ha.house import (
    AGENT,
    House,
    a_minute_later,
    agent,
    move_in,
    ollama,
)

FACT = (
    '{"kind": "lasting", "facts": [{"who": "me", "what": "allergy", '
    '"value": "nuts", "holds": "true"}]}'
)
WORDS = "I'm allergic to nuts."


def issue(hass: HomeAssistant, issue_id: str) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, issue_id)


def filled(hass: HomeAssistant, issue_id: str) -> dict[str, str]:
    found = issue(hass, issue_id)
    assert found is not None
    return found.translation_placeholders or {}


def add_satellite(hass: HomeAssistant, name: str) -> str:
    entity = er.async_get(hass).async_get_or_create(
        "assist_satellite", "test", name, suggested_object_id=name
    )
    hass.states.async_set(entity.entity_id, "idle", {"friendly_name": name.title()})
    return entity.id


async def options(house: House, **changes: Any) -> None:
    house.hass.config_entries.async_update_entry(
        house.entry, options={**house.entry.options, **changes}
    )
    await house.hass.async_block_till_done()


async def set_people(hass: HomeAssistant, *people: dict[str, Any]) -> None:
    assert await async_setup_component(hass, "person", {"person": list(people)})
    await hass.async_block_till_done()


async def test_satellites_that_know_nobody_while_people_have_facts(
    hass: HomeAssistant, freezer: Any
):
    kitchen, nook = add_satellite(hass, "kitchen"), add_satellite(hass, "nook")
    house = await move_in(hass)
    robin = house.user("Robin")
    await a_minute_later(hass, freezer)
    assert issue(hass, "satellites_unmapped") is None

    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    await a_minute_later(hass, freezer)
    assert filled(hass, "satellites_unmapped") == {"satellites": "Kitchen, Nook"}

    await options(house, satellites={kitchen: HOUSEHOLD})
    await a_minute_later(hass, freezer)
    assert filled(hass, "satellites_unmapped") == {"satellites": "Nook"}

    await options(house, satellites={kitchen: HOUSEHOLD, nook: "person:kim"})
    await a_minute_later(hass, freezer)
    assert issue(hass, "satellites_unmapped") is None


async def test_all_facts_in_the_household_while_people_have_none(
    hass: HomeAssistant, freezer: Any
):
    add_satellite(hass, "kitchen")
    await set_people(hass, {"id": "kim", "name": "Kim"})
    house = await move_in(hass)
    await house.ask("My dog's name is Beans.", satellite_id="assist_satellite.kitchen")
    await house.learn()
    await a_minute_later(hass, freezer)
    assert filled(hass, "facts_in_household") == {"satellites": "Kitchen"}
    assert issue(hass, "satellites_unmapped") is None

    await options(house, one_person="person:kim")
    await a_minute_later(hass, freezer)
    assert issue(hass, "facts_in_household") is None


async def test_facts_with_a_login_that_is_nobodys(hass: HomeAssistant, freezer: Any):
    house = await move_in(hass)
    tablet, robin = house.user("Wall tablet"), house.user("Robin")
    await set_people(hass, {"id": "robin", "name": "Robin", "user_id": robin.id})
    await house.act(tablet, "add_fact", key="dog.name", value="Beans")
    await a_minute_later(hass, freezer)
    assert filled(hass, "facts_in_account") == {
        "logins": "Wall tablet",
        "people": "Robin",
    }

    await options(house, accounts={tablet.id: user_owner(robin.id)})
    await a_minute_later(hass, freezer)
    assert issue(hass, "facts_in_account") is None


async def test_an_assistant_that_lets_the_house_answer_first(
    hass: HomeAssistant, freezer: Any
):
    assistants = await Assistants.begin(hass)
    await assistants.add("Ours", AGENT, prefer_local_intents=True)
    await assistants.add("Other", "conversation.other", prefer_local_intents=True)
    await move_in(hass)
    await a_minute_later(hass, freezer)
    assert filled(hass, "local_intents_first") == {"assistants": "Ours"}

    await assistants.change("Ours", prefer_local_intents=False)
    await a_minute_later(hass, freezer)
    assert issue(hass, "local_intents_first") is None


@pytest.fixture
async def unread(
    hass: HomeAssistant, server: OllamaServer, freezer: Any, model_reads_alone: None
) -> House:
    """A house in which a model could not read three things that were said."""
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = house.user("Robin")
    for number in range(3):
        server.replies += (says("Okay."),)
        await house.ask(f"{WORDS} {number}.", robin)
        await hass.async_block_till_done()
        server.replies += [says("Certainly!")] * MAX_ATTEMPTS
        for _ in range(MAX_ATTEMPTS):
            await house.runtime.learn_now()
    await a_minute_later(hass, freezer)
    return house


async def open_repair(hass: HomeAssistant) -> tuple[RepairsFlowManager, Any]:
    assert await async_setup_component(hass, "repairs", {})
    manager = repairs_flow_manager(hass)
    assert manager is not None
    data = {"issue_id": "exchanges_set_aside"}
    return manager, await manager.async_init(DOMAIN, data=data)


async def fix(house: House, choice: str) -> Any:
    manager, menu = await open_repair(house.hass)
    assert menu["menu_options"] == ["retry", "dismiss"]
    assert menu["description_placeholders"] == {"count": "3"}
    return await manager.async_configure(menu["flow_id"], {"next_step_id": choice})


async def test_a_model_that_gives_no_usable_answer_is_named(
    unread: House, hass: HomeAssistant
):
    assert filled(hass, "exchanges_set_aside") == {"count": "3"}
    found = issue(hass, "exchanges_set_aside")
    assert found is not None
    assert found.is_fixable
    assert filled(hass, "model_without_json") == {"count": "3"}


async def test_the_repair_reads_again_what_was_set_aside(
    unread: House, hass: HomeAssistant, server: OllamaServer
):
    server.replies += [says(FACT)] * 3
    assert (await fix(unread, "retry"))["type"] == "create_entry"
    facts = unread.runtime.memory.facts_of
    (owner,) = unread.runtime.memory.owners
    assert [fact.value for fact in facts(owner)] == ["nuts"]
    assert issue(hass, "exchanges_set_aside") is None
    assert issue(hass, "model_without_json") is None


async def test_the_repair_says_what_still_cannot_be_read(
    unread: House, hass: HomeAssistant, server: OllamaServer
):
    server.replies += [says(FACT), says("Sure!"), says("Sure!")]
    result = await fix(unread, "retry")
    assert (result["type"], result["reason"]) == ("abort", "still_unreadable")
    assert result["description_placeholders"] == {"count": "2"}
    assert filled(hass, "exchanges_set_aside") == {"count": "2"}


async def test_the_repair_says_that_the_model_is_down(
    unread: House, hass: HomeAssistant, server: OllamaServer
):
    server.replies += [Reply(status=500)]
    assert (await fix(unread, "retry"))["reason"] == "unavailable"
    assert filled(hass, "exchanges_set_aside") == {"count": "3"}


async def test_what_cannot_be_read_can_be_left(unread: House, hass: HomeAssistant):
    assert (await fix(unread, "dismiss"))["type"] == "create_entry"
    assert issue(hass, "exchanges_set_aside") is None
    assert await unread.runtime.memory.set_aside(None) == ()


async def test_nothing_is_repaired_while_caesar_is_not_loaded(
    unread: House, hass: HomeAssistant
):
    await hass.config_entries.async_unload(unread.entry.entry_id)
    # Home Assistant keeps what was reported until CAESAR is loaded again.
    _, result = await open_repair(hass)
    assert result["reason"] == "not_loaded"


@pytest.mark.parametrize("status", [401, 403])
async def test_a_rejected_key_is_told_until_it_is_accepted(
    hass: HomeAssistant, server: OllamaServer, status: int
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    server.replies += (Reply(status=status, lines=['{"error": "unauthorized"}']),)
    await house.ask("Hello there", house.user("Robin"))
    assert filled(hass, "key_rejected_ollama") == {"provider": "Ollama"}

    server.replies += (says("Hello."),)
    await house.ask("Hello there", house.user("Robin"))
    assert issue(hass, "key_rejected_ollama") is None


async def test_only_a_refusal_is_a_rejected_key(hass: HomeAssistant):
    house = await move_in(hass)
    refusals = house.runtime.refusals
    refusals.failed(ProviderTimeoutError("slow", provider="ollama"))
    assert issue(hass, "key_rejected_ollama") is None
    refusals.failed(ProviderRefusedError("no", provider="gone"))
    assert filled(hass, "key_rejected_gone") == {"provider": "gone"}
