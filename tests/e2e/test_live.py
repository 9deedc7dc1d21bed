"""Open panels follow what happens in the house, and say when they cannot."""

from pathlib import Path

from playwright.sync_api import expect
import pytest

from custom_components.caesar import panel as panel_code
from custom_components.caesar.memory.models import HOUSEHOLD
from scripts.house.browser import Look
from scripts.house.panel import Panel

from .home import Home
from .wire import Wire


async def test_two_panels_see_each_others_changes_and_nobody_elses_facts(home: Home):
    await home.knows("dog.name", "Beans", HOUSEHOLD)
    await home.knows("favourite.film", "The Third Man")

    def story(robin: Panel, kim: Panel) -> None:
        expect(robin.rows).to_have_count(2)
        expect(kim.rows).to_have_count(1)
        kim.edit("dog.name", "Rex")
        expect(robin.row("Rex")).to_be_visible()
        robin.button("Delete dog.name").click()
        expect(kim.rows).to_have_count(0)
        robin.notice.get_by_role("button", name="Undo").click()
        expect(kim.row("Rex")).to_be_visible()
        robin.row("Rex").locator(".open").click()
        robin.details.get_by_role("button", name="Make it mine").click()
        expect(kim.rows).to_have_count(0)

    await home.look(story, home.robin, home.kim)


async def test_a_lost_connection_is_told_and_made_up_for(home: Home):
    await home.knows("dog.name", "Beans")

    def story(panel: Panel) -> None:
        wire = Wire(panel)
        expect(panel.row("Beans")).to_be_visible()
        wire.cut()
        banner = panel.root.locator(".banner")
        expect(banner).to_contain_text("connection is lost")
        panel.button("Delete dog.name").click()
        expect(panel.notice).to_contain_text("Nothing was changed")
        home.do(home.knows("cat.name", "Tom"))
        expect(panel.rows).to_have_count(1)
        wire.mend()
        expect(panel.row("Tom")).to_be_visible()
        expect(banner).to_have_count(0)

    await home.look(story)


async def test_a_memory_that_reloads_comes_back_by_itself(home: Home):
    await home.knows("dog.name", "Beans")
    entry_id = home.house.entry.entry_id

    def story(panel: Panel) -> None:
        expect(panel.row("Beans")).to_be_visible()
        home.do(home.hass.config_entries.async_unload(entry_id))
        expect(panel.root.locator(".banner")).to_contain_text("loading anew")
        home.do(home.hass.config_entries.async_setup(entry_id))
        expect(panel.root.locator(".banner")).to_have_count(0)
        expect(panel.row("Beans")).to_be_visible()

    await home.look(story)


async def test_a_tab_of_before_an_update_asks_to_be_reloaded(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    updated = tmp_path / "caesar-panel.js"
    updated.write_bytes(panel_code._FILE.read_bytes() + b"\n")

    def story(panel: Panel) -> None:
        banner = panel.root.locator(".banner")
        expect(banner).to_have_count(0)
        monkeypatch.setattr(panel_code, "_FILE", updated)
        entry_id = home.house.entry.entry_id
        home.do(home.hass.config_entries.async_reload(entry_id))
        expect(banner).to_contain_text("CAESAR was updated")
        panel.button("Reload").click()
        expect(panel.root.locator("caesar-facts-tab")).to_be_visible()
        expect(banner).to_have_count(0)

    await home.look(story)


async def test_whoever_speaks_german_reads_german(home: Home):
    await home.knows("dog.name", "Beans")
    await home.knows("cat.name", "Tom")

    def story(panel: Panel) -> None:
        expect(panel.count).to_have_text("2 Fakten")
        expect(panel.row("Beans")).to_contain_text("Dein Hund heißt Beans.")
        expect(panel.root.get_by_role("tab")).to_have_text(
            [
                "Fakten",
                "Vorschläge",
                "Gespräche",
                "Verlauf",
                "Was der Agent sieht",
                "Personen und Räume",
                "Zustand",
            ]
        )
        panel.search("Bohne")
        expect(panel.root.locator(".empty")).to_contain_text("Kein Fakt passt")

    await home.look(story, look=Look(language="de-DE"))
