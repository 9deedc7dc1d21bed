"""The panel's conversations, suggestions, history and section."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.helpers import (
    entity_registry as er,
)
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.caesar.memory.ledger import Cause, add
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Scope,
    user_owner,
)
from tests.memory.made import fact

from .belongings import WORD, furnish
from .house import House
from .panel import CommandError, Open

HOUR = timedelta(hours=1)


async def test_what_was_said_stands_with_person_area_and_answer(
    house: House, panel_of: Open, satellite: er.RegistryEntry
):
    ann = house.user("Ann")
    await house.say("My dog's name is Beans", ann)
    await house.say("The boiler is in the attic", satellite_id=satellite.entity_id)
    await house.hass.async_block_till_done()
    tab = await panel_of(ann)

    page = await tab.ask("exchanges/list")

    homes, mine = page["exchanges"]
    assert homes["area"]["name"] == "Kitchen"
    assert homes["owner"]["id"] == HOUSEHOLD
    assert page["areas"] == [homes["area"]]
    assert mine["owner"]["name"] == "Ann"
    assert mine["user_text"] == "My dog's name is Beans"
    assert mine["assistant_text"]
    assert mine["learning"] == "waiting"
    only = await tab.ask("exchanges/list", owner="me")
    assert [one["id"] for one in only["exchanges"]] == [mine["id"]]
    found = await tab.ask("exchanges/list", text="BOILER attic")
    assert [one["id"] for one in found["exchanges"]] == [homes["id"]]
    found = await tab.ask("exchanges/list", area_id=homes["area"]["id"], limit=1)
    assert ([one["id"] for one in found["exchanges"]], found["next"]) == (
        [homes["id"]],
        None,
    )


async def test_pages_are_asked_for_one_after_the_other(house: House, panel_of: Open):
    ann = house.user("Ann")
    anns = await furnish(house.runtime, user_owner(ann.id))
    tab = await panel_of(ann)
    everything = await tab.ask("events/list", limit=200)
    found: list[int] = []
    before: dict[str, Any] = {}
    while True:
        page = await tab.ask("events/list", limit=3, **before)
        found += [event["id"] for event in page["events"]]
        if page["next"] is None:
            break
        before = {"before": page["next"]}
    assert found == [event["id"] for event in everything["events"]]
    kinds = {event["kind"] for event in everything["events"]}
    assert {"memory.fact.suggested", "memory.owner.moved"} < kinds
    assert anns.event in found


@pytest.mark.parametrize("fate", ["keep", "delete"])
async def test_an_exchange_goes_and_its_facts_stay_or_go(
    house: House, panel_of: Open, fate: str
):
    ann = house.user("Ann")
    anns = await furnish(house.runtime, user_owner(ann.id))
    tab = await panel_of(ann)
    facts = await tab.subscribe("facts")
    await facts.next()
    exchange = {"exchange_id": anns.exchange}

    answer = await tab.ask("exchanges/delete", **exchange, facts=fate)

    assert (anns.fact in answer["deleted_fact_ids"]) == (fate == "delete")
    event = await facts.next()
    if fate == "keep":
        assert [fact["quote"] for fact in event["put"]] == [None, None]
    else:
        assert set(event["del"]) == set(answer["deleted_fact_ids"])
    page = await tab.ask("exchanges/list")
    assert anns.exchange not in [one["id"] for one in page["exchanges"]]
    with pytest.raises(CommandError):
        await tab.ask("exchanges/delete", **exchange, facts=fate)


async def test_an_accepted_suggestion_is_a_fact_in_every_panel(
    house: House, panel_of: Open
):
    ann = house.user("Ann")
    anns = await furnish(house.runtime, user_owner(ann.id))
    tab, other = await panel_of(ann), await panel_of(ann)
    facts, changes = await other.subscribe("facts"), await other.subscribe("changes")
    await facts.next()
    assert await changes.next() == {"type": "loaded"}
    (waiting,) = (await tab.ask("suggestions/list"))["suggestions"]
    assert (waiting["operation"], waiting["reason"]) == ("add", "unknown_speaker")
    assert WORD in waiting["sentence"]

    done = await tab.ask("suggestions/accept", suggestion_ids=[waiting["id"]])

    assert done["done"] == [anns.suggestion]
    assert (await facts.next())["put"] == done["facts"]
    assert (await changes.next())["type"] == "changed"
    assert (await tab.ask("suggestions/list"))["suggestions"] == []
    again = await tab.ask("suggestions/accept", suggestion_ids=[waiting["id"]])
    assert again["failed"][0]["code"] == "not_found"


async def test_a_rejected_suggestion_changes_no_fact(house: House, panel_of: Open):
    ann = house.user("Ann")
    anns = await furnish(house.runtime, user_owner(ann.id))
    tab = await panel_of(ann)
    before = await tab.facts()

    done = await tab.ask("suggestions/reject", suggestion_ids=[anns.suggestion, 4711])

    assert done["done"] == [anns.suggestion]
    assert [one["suggestion_id"] for one in done["failed"]] == [4711]
    assert await tab.facts() == before
    assert (await tab.ask("suggestions/list"))["suggestions"] == []


async def test_what_others_do_is_no_news(house: House, panel_of: Open):
    changes = await (await panel_of(house.user("Ann"))).subscribe("changes")
    await changes.next()
    bob = house.user("Bob")

    await house.act(bob, "add_fact", key="dog.name", value="Rex")
    async_fire_time_changed(house.hass, dt_util.utcnow() + timedelta(seconds=1))
    await house.hass.async_block_till_done(wait_background_tasks=True)
    assert await changes.nothing()
    await house.act(bob, "add_fact", key="gate", value="blue", owner=HOUSEHOLD)

    assert (await changes.next())["type"] == "changed"


async def test_the_section_is_the_one_of_the_next_turn(house: House, panel_of: Open):
    ann = house.user("Ann")
    tab = await panel_of(ann)
    section = await tab.subscribe("section", text="dog")
    assert (await section.next())["text"] == ""

    await house.act(ann, "add_fact", key="dog.name", value="Beans")

    shown = await section.next()
    told = house.runtime.section(Scope(owner=user_owner(ann.id)), "dog", "en")
    assert shown["text"] == told.text
    assert "Beans" in shown["text"]
    assert shown["characters"] == len(told.text) <= shown["max_characters"]
    assert (len(shown["fact_ids"]), shown["facts_total"]) == (1, 1)
    await house.act(house.user("Bob"), "add_fact", key="cat.name", value="Tom")
    assert await section.nothing()


async def test_a_plan_goes_out_of_the_section_when_it_ends(
    house: House, panel_of: Open, freezer: FrozenDateTimeFactory
):
    ann, memory = house.user("Ann"), house.runtime.memory
    owner = user_owner(ann.id)
    now = memory.now()
    plan = replace(
        fact("plan", "to the dentist"), id=0, owner=owner, expires_at=now + HOUR
    )
    cause = Cause(at=now)
    await memory.change(lambda connection: (add(connection, plan, cause),))
    section = await (await panel_of(ann)).subscribe("section")
    assert "dentist" in (await section.next())["text"]

    freezer.tick(HOUR + timedelta(seconds=1))
    async_fire_time_changed(house.hass, dt_util.utcnow())
    await house.hass.async_block_till_done()
    async_fire_time_changed(house.hass, dt_util.utcnow() + timedelta(seconds=1))

    assert (await section.next())["text"] == ""
