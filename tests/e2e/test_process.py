"""The story once more, in a real Home Assistant process that is restarted."""

from functools import partial
from pathlib import Path

from playwright.sync_api import expect
import pytest

from scripts.house.browser import Browser, Tokens
from scripts.house.folder import ASSIST, STAND_INS
from scripts.house.house import OWNER, House
from scripts.house.panel import Panel

pytestmark = pytest.mark.usefixtures("socket_enabled")


def monday(panel: Panel) -> None:
    panel.page.get_by_role("link", name="CAESAR").click()
    expect(panel.root).to_contain_text("Nothing is remembered yet")
    panel.ask("My dog's name is Beans.")
    expect(panel.row("Your dog's name is Beans.")).to_be_visible()
    panel.edit("dog.name", "Rex")
    expect(panel.row("Your dog's name is Rex.")).to_be_visible()


def thursday(panel: Panel) -> None:
    panel.open()
    expect(panel.row("Your dog's name is Rex.")).to_be_visible()
    assert "Rex" in panel.ask("What's my dog's name?")
    panel.button("Delete dog.name").click()
    panel.notice.get_by_role("button", name="Undo").click()
    panel.row("Rex").locator(".open").click()
    panel.details.get_by_role("button", name="Back to this value").click()
    expect(panel.details.locator("mark")).to_have_text("My dog's name is Beans.")
    expect(panel.details).to_contain_text(OWNER.name)


async def test_the_story_outlives_a_restart(browser: Browser, tmp_path: Path):
    house = House(tmp_path, configuration_extra=ASSIST, modules=STAND_INS)
    async with house:
        await house.start()
        await house.talk_through_assist(await house.add_caesar("builtin", {}))
        await browser.run(partial(look, browser, house, monday))
        await house.stop()
        await house.start()
        await browser.run(partial(look, browser, house, thursday))
    assert house.process.complaints() == []
    assert "Beans" not in house.process.log()


def look(browser: Browser, house: House, story) -> None:
    tokens = Tokens(
        address=house.address,
        access=house.client.access_token,
        refresh=house.client.refresh_token,
    )
    with browser.visit(tokens) as visit:
        visit.page.goto(house.address)
        story(Panel(visit.page, house.address))
        assert not visit.problems
