"""Others' facts: closed to administrators, and opened only with a trace."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.caesar.const import (
    CONF_ADMINS_OPEN_FACTS,
    CONF_HOUSEHOLD_ADMIN_ONLY,
)
from custom_components.caesar.memory.models import user_owner

from .belongings import SECRET, WORD, furnish
from .house import House, move_in
from .panel import CommandError, Open, Tab


async def refusal(tab: Tab, name: str, **request: Any) -> str:
    with pytest.raises(CommandError) as caught:
        await tab.ask(name, **request)
    return str(caught.value.code)


@pytest.fixture
async def open_house(hass: HomeAssistant) -> House:
    return await move_in(hass, options={CONF_ADMINS_OPEN_FACTS: True})


async def test_an_opening_is_in_the_persons_history_and_in_their_panel(
    open_house: House, panel_of: Open
):
    ann, admin = open_house.user("Ann"), open_house.admin("Eve")
    owner = user_owner(ann.id)
    await furnish(open_house.runtime, owner)
    anns, tab = await panel_of(ann), await panel_of(admin)
    changes = await anns.subscribe("changes")
    await changes.next()
    listed = await tab.ask("people/list")
    assert [one["may_open"] for one in listed["people"] if one["id"] == owner] == [True]

    snapshot = await (await tab.subscribe("facts", owner=owner)).next()

    assert {fact["owner"] for fact in snapshot["facts"]} == {owner}
    assert WORD in str(snapshot)
    assert SECRET not in str(snapshot)
    await changes.until("changed")
    (opening,) = (await anns.ask("people/list"))["me"]["openings"]
    assert opening["by"]["name"] == "Eve"
    history = await anns.ask("events/list", kinds=["memory.facts.opened"])
    assert [event["actor"]["name"] for event in history["events"]] == ["Eve"]

    # Looking again right away, as after a reconnection, is no news.
    await (await tab.subscribe("facts", owner=owner)).next()
    assert len((await anns.ask("people/list"))["me"]["openings"]) == 1


async def test_what_is_open_can_be_changed_until_it_is_closed(
    open_house: House, panel_of: Open
):
    ann, admin = open_house.user("Ann"), open_house.admin()
    anns = await furnish(open_house.runtime, user_owner(ann.id))
    tab = await panel_of(admin)
    edit = {"fact_id": anns.fact, "revision": anns.revision, "value": "eels"}
    assert await refusal(tab, "facts/edit", **edit) == "not_found"
    facts = await tab.subscribe("facts", owner=anns.owner)
    await facts.next()

    await tab.ask("facts/edit", **edit)

    assert (await facts.next())["put"][0]["value"] == "eels"
    source = await tab.ask("facts/source", fact_id=anns.fact)
    assert (source["state"], source["exchange"]) == ("closed", None)
    assert await refusal(tab, "facts/reveal", fact_id=anns.secret) == "not_permitted"
    assert WORD not in str(await tab.ask("exchanges/list"))
    assert WORD not in str(await tab.ask("suggestions/list"))
    other = await panel_of(admin)
    assert await refusal(other, "facts/history", fact_id=anns.fact) == "not_found"

    await tab.command("unsubscribe_events", subscription=facts.id)
    assert await refusal(tab, "facts/history", fact_id=anns.fact) == "not_found"


async def test_nothing_is_opened_without_the_option_or_by_others(
    open_house: House, panel_of: Open
):
    ann, admin = open_house.user("Ann"), open_house.admin()
    anns = await furnish(open_house.runtime, user_owner(ann.id))
    bobs, tab = await panel_of(open_house.user("Bob")), await panel_of(admin)
    wanted = {"owner": anns.owner}
    assert await refusal(bobs, "facts/subscribe", **wanted) == "not_permitted"
    assert await refusal(tab, "facts/subscribe", owner="user:x") == "not_permitted"
    facts = await tab.subscribe("facts", **wanted)
    await facts.next()

    open_house.hass.config_entries.async_update_entry(open_house.entry, options={})
    await open_house.hass.async_block_till_done()

    assert (await facts.next())["type"] == "unavailable"
    assert (await facts.next())["translation_key"] == "foreign_owner"
    assert await refusal(tab, "facts/subscribe", **wanted) == "not_permitted"
    assert await refusal(tab, "facts/history", fact_id=anns.fact) == "not_found"


async def test_who_is_no_administrator_any_more_hears_nothing_more(
    open_house: House, panel_of: Open
):
    ann, admin = open_house.user("Ann"), open_house.admin()
    anns = await furnish(open_house.runtime, user_owner(ann.id))
    tab = await panel_of(admin)
    facts = await tab.subscribe("facts", owner=anns.owner)
    await facts.next()

    admin.groups = open_house.user("Bob").groups
    admin.invalidate_cache()
    await open_house.act(ann, "add_fact", key="dog.name", value="Beans")

    assert await facts.nothing()
    assert await refusal(tab, "facts/history", fact_id=anns.fact) == "not_found"


async def test_the_household_can_be_for_administrators_to_change(
    hass: HomeAssistant, panel_of: Open
):
    house = await move_in(hass, options={CONF_HOUSEHOLD_ADMIN_ONLY: True})
    homes = await furnish(house.runtime, "household")
    tab = await panel_of(house.user("Ann"))
    mine = await tab.ask("facts/add", owner="me", key="dog.name", value="Beans")
    fact = [{"fact_id": homes.fact, "revision": None}]

    async def several(name: str, **request: Any) -> str:
        answer = await tab.ask(name, **request)
        assert not answer["done"]
        return str(answer["failed"][0]["code"])

    denied = "not_permitted"
    one = {"fact_id": homes.fact, "revision": homes.revision}
    adding = {"owner": "household", "key": "x", "value": "y"}
    ids = {"suggestion_ids": [homes.suggestion]}
    moved = [{"fact_id": mine["fact"]["id"], "revision": None}]
    exchange = {"exchange_id": homes.exchange, "facts": "keep"}
    aside = {"exchange_ids": [homes.set_aside]}
    assert await refusal(tab, "facts/add", **adding) == denied
    assert await refusal(tab, "facts/edit", **one, value="z") == denied
    assert await refusal(tab, "facts/revert", **one, event_id=homes.event) == denied
    assert await several("facts/pin", facts=fact, pinned=True) == denied
    assert await several("facts/delete", facts=fact) == denied
    assert await several("facts/move", facts=fact, owner="me") == denied
    assert await refusal(tab, "facts/move", facts=moved, owner="household") == denied
    assert await several("suggestions/reject", **ids) == denied
    assert await several("suggestions/accept", **ids, owner="household") == denied
    assert await refusal(tab, "exchanges/delete", **exchange) == denied
    assert await refusal(tab, "status/dismiss", **aside) == denied
    assert await refusal(tab, "status/retry", **aside) == denied

    admins = await panel_of(house.admin())
    assert (await admins.ask("facts/delete", facts=fact))["done"] == [homes.fact]
    restore = {"facts": fact}
    assert await several("facts/restore", **restore) == "not_found"
    assert (await admins.ask("facts/restore", **restore))["done"] == [homes.fact]
