"""The story: told in the Assist dialog, seen in the panel, corrected, asked again."""

from playwright.sync_api import expect

from scripts.house.browser import PHONE
from scripts.house.panel import Panel

from .home import Home


def story(panel: Panel) -> None:
    # An empty panel says how to teach the first fact.
    expect(panel.root).to_contain_text("My dog's name is Beans.")
    assert "remember" in panel.ask("My dog's name is Beans.")

    # It arrives by itself, with its source one click away.
    expect(panel.row("Your dog's name is Beans.")).to_be_visible()
    panel.button("Source of dog.name").click()
    expect(panel.details.locator("mark")).to_have_text("My dog's name is Beans.")
    expect(panel.details).to_contain_text("Robin")
    panel.details.get_by_role("button", name="Close").click()

    # What is edited is what is answered from then on.
    panel.edit("dog.name", "Rex")
    expect(panel.row("Your dog's name is Rex.")).to_be_visible()
    expect(panel.notice).to_contain_text("dog.name was changed")
    assert "Rex" in panel.ask("What's my dog's name?")

    # A deletion is done at once, and undone as a whole.
    panel.button("Delete dog.name").click()
    expect(panel.rows).to_have_count(0)
    panel.notice.get_by_role("button", name="Undo").click()
    expect(panel.row("Your dog's name is Rex.")).to_be_visible()

    # Back to the value that was said.
    panel.row("Rex").get_by_role("button", name="Your dog's name is Rex.").click()
    learned = panel.details.locator("li", has_text="Learned")
    learned.get_by_role("button", name="Back to this value").click()
    expect(panel.row("Your dog's name is Beans.")).to_be_visible()
    expect(panel.details.locator("mark")).to_have_text("My dog's name is Beans.")

    # The source in the middle of what was said around it.
    panel.details.get_by_role("button", name="Open in conversations").click()
    said = panel.root.locator("caesar-conversations-tab article.open")
    expect(said.locator("mark")).to_have_text("My dog's name is Beans.")
    said.get_by_role("button", name="Your dog's name is Beans.").click()
    expect(panel.opened).to_be_visible()


async def test_told_seen_corrected_asked_again(home: Home):
    await home.look(story)


async def test_the_panel_works_on_a_phone(home: Home):
    await home.knows("dog.name", "Beans")

    def story(panel: Panel) -> None:
        panel.edit("dog.name", "Rex")
        card = panel.row("Your dog's name is Rex.")
        expect(card).to_be_visible()
        panel.root.get_by_role("button", name="Add").click()
        panel.root.get_by_label("What should be remembered?").fill("oat milk")
        panel.root.locator("input[name=key]").fill("preference.milk")
        panel.button("Save").click()
        expect(panel.row("oat milk")).to_be_visible()
        assert panel.page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth"
            " && document.documentElement.scrollHeight <= innerHeight"
        )
        panel.root.get_by_role("button", name="Menu").click()
        expect(panel.page.locator("ha-sidebar")).to_be_in_viewport()
        panel.open("/status")
        chosen = panel.root.get_by_role("tab", selected=True)
        expect(chosen).to_have_text("Status")
        expect(chosen).to_be_in_viewport(ratio=1)

    await home.look(story, look=PHONE)
