"""What a person does with facts in the panel."""

from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import expect

from custom_components.caesar.memory.models import HOUSEHOLD
from scripts.house.panel import Panel

from .home import Home

MANY = 10_000
TURNED = "\u202eright to left\u202c \u0634\u0631\u0642"
HOSTILE = {
    "<img src=x onerror=alert(1)>": "<img src=x onerror=alert(1)>",
    "{{ states('sun.sun') }} ${7*7}": "{{ states('sun.sun') }} ${7*7}",
    # What turns the text around it is not kept.
    TURNED: "right to left \u0634\u0631\u0642",
    "<script>alert(2)</script>": "<script>alert(2)</script>",
}


def many(owner: str) -> list[dict[str, Any]]:
    now = datetime.now(UTC)
    return [
        {
            "owner": owner,
            "key": f"note.{number}",
            "value": "a needle" if number == 4711 else f"hay number {number}",
            "confidence": 0.9,
            "first_seen_at": now - timedelta(minutes=number),
            "last_confirmed_at": now - timedelta(minutes=number),
            "origin": "edited",
            "pinned": False,
            "language": "en",
            "revision": 1,
        }
        for number in range(MANY)
    ]


async def test_ten_thousand_facts_are_found_and_scrolled(home: Home):
    await home.knows_all(many(home.me))

    def story(panel: Panel) -> None:
        expect(panel.count).to_have_text("10,000 facts")
        assert 5 < panel.rows.count() < 60
        panel.rows.first.get_by_role("checkbox").focus()
        panel.page.keyboard.press("End")
        expect(panel.row("hay number 9999")).to_be_visible()
        assert panel.rows.count() < 60
        panel.page.keyboard.press("Home")
        expect(panel.row("hay number 0")).to_be_visible()
        panel.search("needle")
        expect(panel.rows).to_have_count(1)
        expect(panel.row("a needle")).to_be_visible()
        assert panel.page.evaluate(
            "document.documentElement.scrollHeight <= innerHeight"
        )

    await home.look(story)


async def test_what_people_said_is_shown_as_text(home: Home):
    for number, text in enumerate(HOSTILE):
        await home.knows(f"note.{number}", text)

    def story(panel: Panel) -> None:
        for number, text in enumerate(HOSTILE.values()):
            expect(panel.value_of(f"note.{number}")).to_have_text(text)
        panel.rows.first.locator(".open").click()
        expect(panel.opened).to_be_visible()
        panel.go("history")
        expect(panel.root.locator(".event")).to_have_count(len(HOSTILE))
        panel.go("section")
        expect(panel.root.locator("pre")).to_contain_text(next(iter(HOSTILE)))
        assert not panel.root.locator("img, script").count()

    # Anything that popped up fails the look.
    await home.look(story)


async def test_filters_and_sorting(home: Home):
    await home.knows("dog.name", "Beans")
    await home.knows("cat.name", "Tom")
    await home.knows("home.bin_day", "Thursday", HOUSEHOLD)

    def story(panel: Panel) -> None:
        expect(panel.rows).to_have_count(3)
        panel.root.get_by_label("Whose").select_option("Household")
        expect(panel.rows).to_have_count(1)
        expect(panel.row("Thursday")).to_be_visible()
        panel.root.get_by_label("Whose").select_option("Everybody's")
        panel.root.get_by_label("Subject").select_option("cat (1)")
        expect(panel.count).to_have_text("1 of 3 facts")
        panel.root.get_by_label("Subject").select_option("All subjects")
        head = panel.root.get_by_role("columnheader", name="Key")
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", "ascending")
        expect(panel.rows.locator(".key")).to_have_text(
            ["cat.name", "dog.name", "home.bin_day"]
        )
        panel.search("nowhere")
        panel.button("Clear filters").click()
        expect(panel.rows).to_have_count(3)

    await home.look(story)


async def test_several_at_once_are_pinned_moved_and_deleted(home: Home):
    for animal in ("dog", "cat", "horse"):
        await home.knows(f"{animal}.name", animal.title())

    def story(panel: Panel) -> None:
        panel.root.get_by_label("Select dog.name").check()
        panel.root.get_by_label("Select cat.name").check()
        bulk = panel.root.get_by_role("toolbar")
        expect(bulk).to_contain_text("2 facts selected")
        bulk.get_by_role("button", name="Pin", exact=True).click()
        pressed = panel.root.locator('[data-control=pin][aria-pressed="true"]')
        expect(pressed).to_have_count(2)
        panel.root.get_by_label("Select all").check()
        bulk.get_by_role("button", name="Give to household").click()
        expect(panel.notice).to_contain_text("3 facts are the household's now")
        expect(panel.rows.get_by_label("Household")).to_have_count(3)
        panel.notice.get_by_role("button", name="Undo").click()
        expect(panel.rows.get_by_label("Household")).to_have_count(0)
        panel.root.get_by_label("Select all").check()
        bulk.get_by_role("button", name="Delete").click()
        expect(panel.rows).to_have_count(0)
        panel.notice.get_by_role("button", name="Undo").click()
        expect(panel.rows).to_have_count(3)
        expect(pressed).to_have_count(2)

    await home.look(story)


async def test_a_secret_is_warned_about_and_then_masked(home: Home):
    def story(panel: Panel) -> None:
        panel.button("Add").first.click()
        panel.root.get_by_label("What should be remembered?").fill("Hunter2!x9")
        panel.root.locator("input[name=key]").fill("wifi.password")
        panel.button("Save").click()
        expect(panel.root.get_by_role("alert")).to_contain_text("no safe")
        panel.button("Keep it all the same").click()
        row = panel.row("wifi.password")
        expect(row).to_be_visible()
        expect(row).not_to_contain_text("Hunter2")
        row.locator(".open").click()
        panel.details.get_by_role("button", name="Show").click()
        expect(panel.details).to_contain_text("Hunter2!x9")
        panel.go("section")
        expect(panel.root.locator("caesar-section-tab .empty")).to_be_visible()

    await home.look(story)


async def test_who_edits_what_somebody_changed_meanwhile_is_told(home: Home):
    fact = await home.knows("dog.name", "Beans", HOUSEHOLD)

    def story(mine: Panel, theirs: Panel) -> None:
        mine.button("Edit dog.name").click()
        mine.root.get_by_label("Value of dog.name").fill("Rex")
        theirs.edit("dog.name", "Bello")
        expect(theirs.row("Bello")).to_be_visible()
        mine.root.get_by_label("Value of dog.name").press("Enter")
        expect(mine.details.get_by_role("alert")).to_contain_text("Bello")
        mine.details.get_by_role("button", name="Save").click()
        expect(theirs.row("Rex")).to_be_visible()

    await home.look(story, home.robin, home.kim)
    (now,) = home.house.runtime.memory.facts_of(HOUSEHOLD)
    assert (now.id, now.value) == (fact.id, "Rex")


async def test_keys_alone_go_through_the_table(home: Home):
    await home.knows("dog.name", "Beans")
    await home.knows("cat.name", "Tom")

    def story(panel: Panel) -> None:
        first, last = "Your cat's name is Tom.", "Your dog's name is Beans."
        keys = panel.page.keyboard
        panel.button(first).focus()
        keys.press("ArrowDown")
        expect(panel.button(last)).to_be_focused()
        keys.press("Enter")
        expect(panel.opened).to_be_visible()
        keys.press("Escape")
        expect(panel.details).to_have_count(0)
        expect(panel.button(last)).to_be_focused()
        panel.root.locator("[role=tab]#facts").focus()
        keys.press("ArrowRight")
        expect(panel.root.locator("[role=tab]#suggestions")).to_be_focused()
        expect(panel.root.locator("caesar-suggestions-tab")).to_be_visible()

    await home.look(story)
