"""Every tab can be read and used by everybody: axe finds nothing."""

from dataclasses import replace
from typing import Any

from axe_playwright_python.sync_playwright import (  # type: ignore[import-untyped]
    Axe,
)
from playwright.sync_api import expect
import pytest

from custom_components.caesar.memory.models import HOUSEHOLD
from scripts.house.browser import DESKTOP, PHONE
from scripts.house.panel import Panel

from .home import Home

TABS = (
    "facts",
    "suggestions",
    "conversations",
    "history",
    "section",
    "people",
    "status",
)
PANEL: dict[str, Any] = {
    "include": [
        {"fromShadowDom": ["home-assistant", "home-assistant-main", "caesar-panel"]}
    ]
}
# How small a finger's target may be on a phone.
SMALLEST = 44
SMALL_TARGETS = """
(smallest) => {
  const found = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (!element.matches("button, select, input, a, textarea")) continue;
      const target = element.closest("label.target") ?? element;
      const { width, height } = target.getBoundingClientRect();
      if (width && (height < smallest || width < smallest)) {
        found.push(`${element.outerHTML.slice(0, 80)} ${width}x${height}`);
      }
    }
  };
  const panel = document.querySelector("home-assistant").shadowRoot
    .querySelector("home-assistant-main").shadowRoot.querySelector("caesar-panel");
  walk(panel.shadowRoot);
  return found;
}
"""


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("is_phone", [False, True], ids=["desktop", "phone"])
async def test_axe_finds_nothing(home: Home, is_phone: bool, is_dark: bool):
    await home.knows("dog.name", "Beans")
    await home.knows("home.bin_day", "Thursday", HOUSEHOLD)
    await home.house.say("My sister's name is Anna.", home.robin)
    await home.house.say("I like olives.")
    await home.house.learn()

    def story(panel: Panel) -> None:
        expect(panel.row("Anna")).to_be_visible()
        for tab in TABS:
            panel.go(tab)
            expect(panel.root.locator(".skeleton")).to_have_count(0)
            check(panel, tab)
        panel.go("facts")
        panel.rows.first.locator(".open").click()
        expect(panel.details.locator(".event").first).to_be_visible()
        check(panel, "an open fact")
        panel.details.get_by_role("button", name="Close").click()
        panel.root.get_by_role("button", name="Add").click()
        check(panel, "adding a fact")
        panel.page.keyboard.press("Escape")
        panel.root.get_by_label("Select dog.name").check()
        check(panel, "several at once")
        panel.root.get_by_role("toolbar").get_by_role("button", name="Delete").click()
        expect(panel.notice).to_contain_text("was deleted")
        check(panel, "an undo")
        panel.go("conversations")
        panel.button("Delete this conversation").first.click()
        check(panel, "deleting a conversation")
        panel.page.keyboard.press("Escape")
        panel.go("people")
        move = panel.root.locator("caesar-move-memory")
        move.get_by_label("From").select_option("The household")
        move.get_by_label("To").select_option("Robin")
        move.get_by_role("button", name="Preview").click()
        expect(move).to_contain_text("It would move")
        check(panel, "moving a memory")

    def check(panel: Panel, place: str) -> None:
        results = Axe().run(panel.page, context=PANEL)
        found = [(one["id"], one["nodes"]) for one in results.response["violations"]]
        assert not found, place
        assert len(results.response["passes"]) > 20, place
        if is_phone:
            small = panel.page.evaluate(SMALL_TARGETS, SMALLEST)
            assert not small, (place, small)

    look = replace(PHONE if is_phone else DESKTOP, is_dark=is_dark)
    await home.look(story, look=look)
