"""People and rooms: whose words land where, by the options of the house."""

from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.ha.house import House, move_in

DOG = "My dog's name is Beans."
QUESTION = "What's my dog's name?"
BEDROOM, KITCHEN = "assist_satellite.bedroom", "assist_satellite.kitchen"


def register(hass: HomeAssistant, name: str, unique_id: str = "1") -> er.RegistryEntry:
    return er.async_get(hass).async_get_or_create(
        "assist_satellite", "test", unique_id, suggested_object_id=name
    )


def keys(house: House, owner: str) -> set[str]:
    return {fact.key for fact in house.runtime.memory.facts_of(owner)}


async def options(house: House, **changes: Any) -> None:
    entry = house.entry
    house.hass.config_entries.async_update_entry(
        entry, options={**entry.options, **changes}
    )
    await house.hass.async_block_till_done()


async def test_a_wall_tablet_speaks_for_the_home(house: House):
    tablet, robin = house.user("Wall tablet"), house.user("Robin")
    await options(house, accounts={tablet.id: HOUSEHOLD})

    await house.ask(DOG, tablet)
    await house.learn()

    assert keys(house, user_owner(tablet.id)) == set()
    assert keys(house, HOUSEHOLD) == {"dog.name"}
    assert "Beans" in await house.ask(QUESTION, robin)
    # Its actions are the home's too.
    await house.act(tablet, "add_fact", key="note", value="bins on Tuesday")
    assert keys(house, HOUSEHOLD) == {"dog.name", "note"}


async def test_a_second_login_speaks_for_its_person(house: House):
    robin, phone = house.user("Robin"), house.user("Robin's phone")
    await options(house, accounts={phone.id: user_owner(robin.id)})
    await house.ask(DOG, phone)
    await house.learn()
    assert keys(house, user_owner(robin.id)) == {"dog.name"}


async def test_in_a_one_person_home_unknown_voices_are_theirs(
    house: House, hass: HomeAssistant
):
    robin = house.user("Robin")
    owner = user_owner(robin.id)
    await options(house, one_person=owner, satellites={BEDROOM: "person:kim"})

    await house.ask(DOG, satellite_id=KITCHEN)
    phone = await hass.auth.async_create_system_user("Phone line")
    await house.ask("I'm allergic to peanuts.", context=Context(user_id=phone.id))
    await house.ask("My cat's name is Mia.", satellite_id=BEDROOM)
    await house.ask("My son's name is Tom.")
    await house.learn()

    assert keys(house, owner) == {"dog.name", "allergy"}
    # Whoever is mapped is known, and an automation is nobody's voice.
    assert keys(house, "person:kim") == {"cat.name"}
    assert keys(house, HOUSEHOLD) == set()


@pytest.mark.parametrize("told_before", ["registering", "renaming"])
async def test_a_satellite_keeps_its_person_when_it_is_renamed(
    hass: HomeAssistant, told_before: str
):
    if told_before == "renaming":
        register(hass, "bedroom")
    house = await move_in(hass, options={"satellites": {BEDROOM: "person:kim"}})
    await house.ask(DOG, satellite_id=BEDROOM)
    await house.learn()
    if told_before == "registering":
        register(hass, "bedroom")
        assert "Beans" in await house.ask(QUESTION, satellite_id=BEDROOM)
        await hass.config_entries.async_reload(house.entry.entry_id)

    er.async_get(hass).async_update_entity(BEDROOM, new_entity_id=f"{BEDROOM}_upstairs")
    other = register(hass, "bedroom", "2")

    assert other.entity_id == BEDROOM
    again = await house.ask(QUESTION, satellite_id=f"{BEDROOM}_upstairs")
    assert "Beans" in again
    assert "Beans" not in await house.ask(QUESTION, satellite_id=BEDROOM)


async def set_people(hass: HomeAssistant, *people: dict[str, Any]) -> None:
    assert await async_setup_component(hass, "person", {"person": list(people)})
    await hass.async_block_till_done()


async def test_a_person_who_gets_a_login_keeps_what_is_theirs(hass: HomeAssistant):
    await set_people(hass, {"id": "kim", "name": "Kim"})
    given = {"satellites": {BEDROOM: "person:kim"}, "consents": ["person:kim"]}
    house = await move_in(hass, options=given)
    await house.ask(DOG, satellite_id=BEDROOM)
    await house.learn()
    kim = house.user("Kim")

    state = hass.states.get("person.kim")
    assert state is not None
    hass.states.async_set("person.kim", "home", {**state.attributes, "user_id": kim.id})
    await hass.async_block_till_done()

    assert keys(house, "person:kim") == set()
    assert keys(house, user_owner(kim.id)) == {"dog.name"}
    assert house.entry.options["satellites"] == {BEDROOM: user_owner(kim.id)}
    assert house.entry.options["consents"] == [user_owner(kim.id)]
    assert "Beans" in await house.ask(QUESTION, kim)
    assert "Beans" in await house.ask(QUESTION, satellite_id=BEDROOM)


async def test_a_login_that_was_linked_while_caesar_was_off_is_seen_at_the_start(
    hass: HomeAssistant,
):
    house = await move_in(hass, options={"satellites": {BEDROOM: "person:kim"}})
    await house.ask(DOG, satellite_id=BEDROOM)
    await house.learn()
    kim = house.user("Kim")
    assert await hass.config_entries.async_unload(house.entry.entry_id)
    await set_people(hass, {"id": "kim", "name": "Kim", "user_id": kim.id})

    assert await hass.config_entries.async_setup(house.entry.entry_id)
    await hass.async_block_till_done()

    assert keys(house, user_owner(kim.id)) == {"dog.name"}


async def test_facts_do_not_follow_into_an_account_that_others_use(
    hass: HomeAssistant,
):
    house = await move_in(hass, options={"satellites": {BEDROOM: "person:kim"}})
    tablet = house.user("Tablet")
    await options(house, accounts={tablet.id: HOUSEHOLD})
    await house.ask(DOG, satellite_id=BEDROOM)
    await house.learn()

    await set_people(hass, {"id": "kim", "name": "Kim", "user_id": tablet.id})

    assert keys(house, "person:kim") == {"dog.name"}


async def where(house: House, user: MockUser | None, **asked: str) -> dict[str, Any]:
    return await house.act(user, "where_would_this_land", **asked)


async def test_the_action_tells_where_words_land_and_why(
    hass: HomeAssistant, area_registry
):
    area = area_registry.async_create("Bedroom")
    entity = register(hass, "bedroom")
    er.async_get(hass).async_update_entity(BEDROOM, area_id=area.id)
    house = await move_in(hass, options={"satellites": {entity.id: "person:kim"}})
    await set_people(hass, {"id": "kim", "name": "Kim"})
    admin, tablet = house.user("Admin"), house.user("Wall Tablet")
    admin.groups = [hass.auth._store._groups[GROUP_ID_ADMIN]]

    bedroom = await where(house, admin, satellite=BEDROOM)
    assert bedroom["owner"] == "person:kim"
    assert bedroom["owner_name"] == "Kim"
    assert bedroom["rule"] == "satellite_mapped"
    assert bedroom["reason"].endswith("mapped in CAESAR's options.")
    assert bedroom["area"] == "Bedroom"
    assert bedroom["teaches"]

    kitchen = await where(house, admin, satellite=KITCHEN)
    assert (kitchen["owner"], kitchen["rule"]) == (HOUSEHOLD, "unknown_voice")
    assert kitchen["owner_name"] == "The household"
    assert kitchen["area"] is None

    own = await where(house, admin)
    assert (own["owner"], own["rule"]) == (user_owner(admin.id), "account")
    nobody = await where(house, None)
    assert (nobody["rule"], nobody["teaches"]) == ("nobody", False)

    named = await where(house, admin, account="wall tablet", satellite=BEDROOM)
    assert named["owner"] == user_owner(tablet.id)
    await options(house, accounts={tablet.id: HOUSEHOLD}, one_person="person:kim")
    named = await where(house, admin, account=tablet.id)
    assert (named["owner"], named["rule"]) == (HOUSEHOLD, "account_mapped")
    kitchen = await where(house, admin, satellite=KITCHEN)
    assert (kitchen["owner"], kitchen["rule"]) == ("person:kim", "one_person")


async def test_only_administrators_ask_about_others(house: House):
    robin, sam = house.user("Robin"), house.user("Sam")
    assert (await where(house, robin, account="Robin"))["rule"] == "account"
    with pytest.raises(ServiceValidationError) as caught:
        await where(house, robin, account=sam.id)
    assert caught.value.translation_key == "admin_only"
    with pytest.raises(ServiceValidationError) as caught:
        await where(house, robin, account="Nobody")
    assert caught.value.translation_key == "account_not_found"
