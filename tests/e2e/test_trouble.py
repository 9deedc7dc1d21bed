"""What goes wrong between people, browsers and houses, and what comes of it."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import expect

from scripts.house.browser import PHONE
from scripts.house.panel import Panel

from .home import Home
from .wire import Wire

NARROW = replace(PHONE, width=320, height=568)
LONG = 4_000
UNWIELDY = {
    "note.word": "V" * LONG,
    "note.markup": "<b onclick=alert(1)>" * (LONG // 20),
    "note.turned": "\u05e9\u05dc\u05d5\u05dd " * (LONG // 5),
    "note.lines": "one\n" * (LONG // 4),
    "note.emoji": "\U0001f469\u200d\U0001f467" * (LONG // 3),
    "note.nothing": "\u200b\u2060\ufeff",
    "k" * 64: "a key without an end",
}
# Elements that reach out of the window; the tabs and choices may be scrolled.
TOO_WIDE = """
() => {
  const found = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      const { width, right } = element.getBoundingClientRect();
      if (width && right > innerWidth + 1 && !element.closest("nav, .choices")) {
        found.push(`${element.outerHTML.slice(0, 80)} ${right}`);
      }
    }
  };
  const panel = document.querySelector("home-assistant").shadowRoot
    .querySelector("home-assistant-main").shadowRoot.querySelector("caesar-panel");
  walk(panel.shadowRoot);
  return found;
}
"""


def row(owner: str, key: str, value: str) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "owner": owner,
        "key": key,
        "value": value,
        "quote": value,
        "confidence": 0.5,
        "first_seen_at": now,
        "last_confirmed_at": now,
        "origin": "told",
        "pinned": False,
        "language": "en",
        "revision": 1,
    }


async def test_unwieldy_facts_fit_into_the_smallest_phone(home: Home):
    await home.knows_all([row(home.me, *fact) for fact in UNWIELDY.items()])

    def story(panel: Panel) -> None:
        expect(panel.rows).to_have_count(len(UNWIELDY))
        assert not panel.page.evaluate(TOO_WIDE)
        panel.row("VVVV").locator(".open").click()
        expect(panel.opened).to_be_visible()
        assert not panel.page.evaluate(TOO_WIDE)
        # However long it is, what can be done with it is within reach.
        edit = panel.details.get_by_role("button", name="Edit")
        expect(edit).to_be_visible()
        edit.scroll_into_view_if_needed()
        expect(edit).to_be_in_viewport()
        edit.click()
        panel.root.get_by_label("What should be remembered?").fill("short")
        panel.button("Save").click()
        expect(panel.notice).to_contain_text("was changed")
        for tab in ("history", "section", "conversations", "people", "status"):
            panel.go(tab)
            expect(panel.root.locator(".skeleton")).to_have_count(0)
            assert not panel.page.evaluate(TOO_WIDE), tab

    await home.look(story, look=NARROW)


async def test_the_second_click_of_a_double_click_hits_nothing_else(home: Home):
    for animal in ("dog", "cat", "horse"):
        await home.knows(f"{animal}.name", animal.title())

    def story(panel: Panel) -> None:
        expect(panel.rows).to_have_count(3)
        box = panel.button("Delete horse.name").bounding_box()
        assert box is not None
        mouse = panel.page.mouse
        mouse.move(box["x"] + 10, box["y"] + 10)
        mouse.down()
        mouse.up()
        # By now another fact stands below the pointer.
        expect(panel.rows).to_have_count(2)
        mouse.down(click_count=2)
        mouse.up(click_count=2)
        panel.button("Delete dog.name").click()
        expect(panel.rows).to_have_count(1)
        expect(panel.row("Cat")).to_be_visible()

    await home.look(story)


async def test_impatience_on_a_slow_connection_does_things_once(home: Home):
    for animal in ("dog", "cat"):
        await home.knows(f"{animal}.name", animal.title())

    def story(panel: Panel) -> None:
        wire = Wire(panel)
        expect(panel.rows).to_have_count(2)
        wire.hold()
        for _ in range(3):
            panel.button("Delete cat.name").click(delay=10)
            panel.page.mouse.move(0, 0)
        wire.release()
        expect(panel.rows).to_have_count(1)
        expect(panel.notice).to_contain_text("cat.name was deleted")
        panel.page.keyboard.press("Control+z")
        expect(panel.row("Cat")).to_be_visible()

        wire.hold()
        panel.button("Edit dog.name").click()
        editor = panel.root.get_by_label("Value of dog.name", exact=True)
        editor.fill("Rex")
        editor.press("Enter")
        editor.press("Enter")
        wire.release()
        expect(panel.row("Rex")).to_be_visible()
        expect(panel.details).to_have_count(0)

        panel.root.locator(".add").click()
        value = panel.root.get_by_label("What should be remembered?")
        value.fill("oat milk")
        panel.root.locator("input[name=key]").fill("preference.milk")
        wire.hold()
        value.press("Enter")
        value.press("Enter")
        wire.release()
        expect(panel.row("oat milk")).to_be_visible()
        expect(panel.root.locator("caesar-fact-form")).to_have_count(0)
        panel.row("oat milk").locator(".open").click()
        expect(panel.details.locator(".event")).to_have_count(1)

    await home.look(story)


async def test_everything_can_be_done_with_keys_alone(home: Home):
    await home.knows("dog.name", "Beans")

    def story(panel: Panel) -> None:
        keys = panel.page.keyboard
        # Letters that are typed before a field has the focus go nowhere.
        writing = panel.root.locator(":is(input, textarea):focus")
        expect(panel.rows).to_have_count(1)
        panel.root.locator("[role=tab]#facts").focus()
        add = panel.root.locator(".add")
        while not add.evaluate("(button) => button.matches(':focus')"):
            keys.press("Tab")
        keys.press("Enter")
        expect(writing).to_have_count(1)
        keys.type("oat milk")
        keys.press("Tab")
        keys.type("preference.milk")
        keys.press("Enter")
        expect(panel.row("oat milk")).to_be_visible()
        expect(add).to_be_focused()

        panel.button("Edit dog.name").focus()
        keys.press("Enter")
        expect(writing).to_have_count(1)
        keys.type("Rex")
        keys.press("Escape")
        expect(panel.button("Edit dog.name")).to_be_focused()
        keys.press("Enter")
        expect(writing).to_have_count(1)
        keys.type("Bello")
        keys.press("Enter")
        expect(panel.row("Bello")).to_be_visible()
        expect(panel.button("Edit dog.name")).to_be_focused()

        keys.press("Tab")
        expect(panel.button("Delete dog.name")).to_be_focused()
        keys.press("Enter")
        expect(panel.rows).to_have_count(1)
        keys.press("Control+z")
        expect(panel.row("Bello")).to_be_visible()

    await home.look(story)


async def test_a_panel_that_is_opened_too_early_waits_for_the_memory(home: Home):
    await home.knows("dog.name", "Beans")
    entries, entry_id = home.hass.config_entries, home.house.entry.entry_id
    await entries.async_unload(entry_id)

    def story(panel: Panel) -> None:
        expect(panel.root).to_contain_text("CAESAR is not loaded")
        home.do(entries.async_setup(entry_id))
        expect(panel.row("Beans")).to_be_visible()
        expect(panel.root.locator(".banner")).to_have_count(0)

    await home.look(story)
