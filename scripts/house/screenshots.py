"""The command behind scripts/screenshots."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
import sys
import tempfile

from playwright.sync_api import Page, expect

from .browser import Browser, Look, Tokens
from .errors import HouseError
from .folder import ASSIST, REPOSITORY, STAND_INS
from .house import House
from .panel import Panel
from .signals import until_ended

FOLDER = REPOSITORY / "docs" / "images"
DESK = Look(width=1280, height=760, pixel_ratio=1.5)
NIGHT = Look(width=1280, height=760, pixel_ratio=1.5, is_dark=True)
HAND = Look(width=390, height=780, is_phone=True, pixel_ratio=2)

TOLD = (
    "By the way, my dog's name is Beans.",
    "My sister's name is Anna.",
    "I'm allergic to walnuts.",
    "I live in Utrecht.",
    "I work as a carpenter.",
    "My favourite colour is green.",
    "My daughter Mia is seven.",
    "I play the cello.",
)
TYPED = (
    ("home.bin_day", "Thursday", "household"),
    ("home.guest_room", "upstairs, on the left", "household"),
    ("home.heating_at_night", "17 degrees", "household"),
)


def main() -> int:
    """Take all pictures."""
    return until_ended(_take())


async def _take() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        house = House(Path(folder), configuration_extra=ASSIST, modules=STAND_INS)
        try:
            async with house:
                await _furnish(house)
                for name, look, act in _PICTURES:
                    take = partial(_picture, browser, house, name, look, act)
                    await browser.run(take)
        except HouseError as error:
            print(f"FAILED: {error}\n{house.process.trouble()}", file=sys.stderr)
            return 1
    return 0


async def _furnish(house: House) -> None:
    """Let somebody live in a house."""
    await house.start()
    agent = await house.add_caesar("builtin", {})
    await house.talk_through_assist(agent)
    for words in TOLD:
        await house.client.converse(words, agent)
    for key, value, owner in TYPED:
        await house.client.act(
            "caesar.add_fact", {"key": key, "value": value, "owner": owner}
        )
    await house.client.act("caesar.learn_now")


def _picture(
    browser: Browser, house: House, name: str, look: Look, act: Callable[[Panel], None]
) -> None:
    tokens = Tokens(
        address=house.address,
        access=house.client.access_token,
        refresh=house.client.refresh_token,
    )
    with browser.visit(tokens, look) as visit:
        panel = Panel(visit.page, house.address)
        panel.open()
        expect(panel.row("Beans")).to_be_visible()
        act(panel)
        _rest(visit.page)
        visit.page.screenshot(path=FOLDER / f"panel-{name}.png")
    print(f"docs/images/panel-{name}.png")


def _rest(page: Page) -> None:
    """Wait until nothing moves any more."""
    page.mouse.move(0, 0)
    page.wait_for_function(
        "document.getAnimations().every((one) => one.playState !== 'running')"
    )


def _facts(_panel: Panel) -> None:
    """Look at the facts as they are."""


def _source(panel: Panel) -> None:
    panel.button("Source of dog.name").click()
    expect(panel.details.locator("mark")).to_be_visible()


_PICTURES = (
    ("light", DESK, _facts),
    ("dark", NIGHT, _source),
    ("phone", HAND, _facts),
)

if __name__ == "__main__":
    sys.exit(main())
