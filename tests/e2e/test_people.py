"""Whose memory is whose, and what one person may not see of another's."""

import re

from homeassistant.helpers import area_registry as ar, entity_registry as er
from playwright.sync_api import expect

from custom_components.caesar.const import CONF_ADMINS_OPEN_FACTS
from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from scripts.house.panel import Panel

from .home import Home


async def test_a_memory_is_merged_after_a_look_and_parted_again_later(home: Home):
    await home.knows("gate", "blue")
    await home.knows("dog.name", "Beans")
    await home.knows("gate", "blue", HOUSEHOLD)
    await home.knows("dog.name", "Rex", HOUSEHOLD)

    def story(panel: Panel) -> None:
        move = panel.root.locator("caesar-move-memory")
        move.get_by_label("From").select_option("The household")
        move.get_by_label("To").select_option("Robin")
        move.get_by_role("button", name="Preview").click()
        expect(move).to_contain_text("facts 2, conversations 0")
        expect(move).to_contain_text("1 fact is known to both")
        expect(move).to_contain_text("dog.name → dog.2.name")
        expect(panel.root.locator("caesar-people-tab")).to_contain_text("2 facts")

        move.get_by_role("button", name="Move", exact=True).click()
        expect(panel.notice).to_contain_text("were moved")
        panel.go("facts")
        expect(panel.rows).to_have_count(3)
        expect(panel.value_of("dog.2.name")).to_have_text("Rex")

        # Long after, in another tab, it can still be undone.
        panel.open("/people")
        moved = move.locator(".moved")
        expect(moved).to_contain_text("The household → Robin")
        moved.get_by_role("button", name="Undo").click()
        expect(panel.notice).to_contain_text("2 facts are back")
        expect(moved).to_have_count(0)
        panel.go("facts")
        expect(panel.rows).to_have_count(4)
        panel.go("history")
        undone = "The move of 2 facts from The household was undone"
        expect(panel.root.locator(".event", has_text=undone)).to_be_visible()

    await home.look(story, path="/people")


async def test_an_administrator_maps_a_satellite_and_its_person_sees_it(home: Home):
    entities = er.async_get(home.hass)
    entity = entities.async_get_or_create("assist_satellite", "test", "1")
    area = ar.async_get(home.hass).async_create("Kitchen")
    entities.async_update_entity(entity.entity_id, area_id=area.id)
    name = entity.entity_id

    def story(robin: Panel, kim: Panel) -> None:
        voice = robin.page.get_by_label(f"Whose words come from {name}")
        mapped = robin.root.locator("li", has=voice)
        expect(mapped).to_contain_text("Kitchen")
        expect(mapped).to_contain_text("goes to: The household")
        voice.select_option("Kim")
        expect(mapped).to_contain_text("goes to: Kim")

        # Kim can look at it, and change nothing.
        expect(kim.root.locator("li", has_text=name)).to_contain_text("goes to: Kim")
        expect(kim.root.get_by_role("combobox")).to_have_count(0)
        expect(kim.root.locator("caesar-move-memory")).to_have_count(0)
        expect(kim.root).not_to_contain_text("Robin")
        kim.go("history")
        kim.root.get_by_label("Kind").select_option("People")
        event = kim.root.locator(".event")
        expect(event).to_contain_text(f"The words of {name} belong to Kim now")
        expect(event).to_contain_text("by Robin")

        voice.select_option("Not mapped")
        expect(event).to_have_count(2)
        expect(event.first).to_contain_text("no longer belong to Kim")
        kim.go("status")
        expect(kim.root).to_contain_text("Administrators can start it.")

    await home.look(story, home.robin, home.kim, path="/people")


async def test_others_facts_are_open_for_as_long_as_the_house_lets_them(home: Home):
    kims = await home.knows("dog.name", "Rex", user_owner(home.kim.id))
    await home.knows("cat.name", "Tom")
    await home.option(CONF_ADMINS_OPEN_FACTS, True)

    def story(robin: Panel, kim: Panel) -> None:
        row = robin.root.locator("li", has_text="Kim")
        row.get_by_role("button", name="Open facts").click()
        expect(robin.row("Rex")).to_be_visible()
        expect(robin.rows).to_have_count(1)
        expect(robin.root.locator(".banner")).to_contain_text("somebody else's facts")
        # What is added would be Robin's own.
        expect(robin.root.get_by_role("button", name="Add")).to_have_count(0)
        opened = re.compile("Robin opened your facts")
        expect(kim.root.locator("caesar-people-tab")).to_contain_text(opened)

        home.do(home.option(CONF_ADMINS_OPEN_FACTS, False))
        expect(robin.row("Tom")).to_be_visible()
        expect(robin.rows).to_have_count(1)
        expect(robin.notice).to_contain_text("nobody else's")
        expect(robin.root.locator(".banner")).to_have_count(0)

    await home.look(story, home.robin, home.kim, path="/people")
    assert home.house.runtime.memory.facts_of(kims.owner) == (kims,)
