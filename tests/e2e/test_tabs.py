"""What else there is: suggestions, conversations, history, the section, the status."""

from playwright.sync_api import expect

from custom_components.caesar.const import CONF_MAX_FACTS
from custom_components.caesar.memory import cursor, set_aside
from custom_components.caesar.memory.learning import Progress
from custom_components.caesar.memory.models import Change, Exchange
from scripts.house.panel import Panel
from tests.ha.belongings import furnish, say, teach

from .home import Home

MANY = 120


async def said(home: Home, *texts: str) -> list[Exchange]:
    """Let Robin have said something that learning has passed over."""
    memory = home.house.runtime.memory
    exchanges = [await say(memory, home.me, text) for text in texts]
    await memory.database.write(cursor.advance, exchanges[-1].id)
    return exchanges


async def test_suggestions_are_accepted_and_rejected(home: Home):
    await furnish(home.house.runtime, home.me)
    memory = home.house.runtime.memory
    for animal in ("newts", "toads", "frogs"):
        (exchange,) = await said(home, f"The {animal} live in the pond")
        noted = Change(operation="suggest", key="note", value=animal, reason="unsure")
        await teach(memory, exchange, noted)

    def story(panel: Panel) -> None:
        cards = panel.root.locator("caesar-suggestions-tab article")
        expect(cards).to_have_count(4)
        expect(panel.root.locator("#suggestions .badge")).to_have_text("4")
        # Twice, as impatient people do: the next one is not meant.
        frogs = cards.filter(has_text="frogs")
        frogs.get_by_role("button", name="No").dblclick()
        expect(cards).to_have_count(3)
        newts = cards.filter(has_text="newts")
        newts.get_by_role("button", name="Yes, remember it").click()
        expect(panel.notice).to_contain_text("1 suggestion was accepted")
        expect(cards).to_have_count(2)
        toads = cards.filter(has_text="toads")
        toads.get_by_role("button", name="Source").click()
        expect(panel.root.locator("article.open")).to_contain_text("toads live")
        panel.go("suggestions")
        panel.button("Reject all").click()
        expect(panel.root.locator("caesar-suggestions-tab .empty")).to_be_visible()
        panel.go("facts")
        expect(panel.row("newts")).to_be_visible()
        expect(panel.row("toads")).to_have_count(0)

    await home.look(story, path="/suggestions")


async def test_conversations_are_searched_paged_and_deleted(home: Home):
    await home.house.say("My sister's name is Anna.", home.robin)
    await home.house.learn()
    await said(home, *["Something about otters"] * MANY)
    await home.house.say("The boiler is in the attic.")
    await home.house.learn()

    def story(panel: Panel) -> None:
        tab = panel.root.locator("caesar-conversations-tab")
        shown = tab.locator("article")
        expect(shown).to_have_count(50)
        panel.button("Show more").dblclick()
        expect(shown).to_have_count(100)
        tab.get_by_label("Whose").select_option("Household")
        expect(shown).to_have_count(1)
        tab.get_by_label("Whose").select_option("Everybody's")
        panel.search("anna")
        expect(shown).to_have_count(1)
        tab.get_by_label("From this day").fill("2100-01-01")
        expect(tab.locator(".empty")).to_contain_text("No conversations")
        tab.get_by_label("From this day").fill("")

        # What becomes of the facts is asked; both ways the words are gone.
        shown.get_by_role("button", name="Delete this conversation").click()
        dialog = panel.root.locator("caesar-dialog")
        expect(dialog).to_contain_text("One fact was learned from them")
        dialog.get_by_role("button", name="Delete the words and the fact").click()
        expect(shown).to_have_count(0)
        panel.notice.get_by_role("button", name="Undo").click()
        expect(panel.notice).to_contain_text("as before")
        panel.go("facts")
        panel.row("Anna").locator(".open").click()
        expect(panel.details).to_contain_text("The conversation that taught this was")

    await home.look(story, path="/conversations")


async def test_an_old_source_is_found_without_loading_all_that_came_after(home: Home):
    await home.house.say("My sister's name is Anna.", home.robin)
    await home.house.learn()
    await said(home, *["Something about otters"] * MANY)

    def story(panel: Panel) -> None:
        panel.button("Source of sister.name").click()
        panel.button("Open in conversations").click()
        opened = panel.root.locator("article.open")
        expect(opened).to_contain_text("My sister's name is Anna.")
        expect(opened).to_be_in_viewport()
        shown = panel.root.locator("caesar-conversations-tab article")
        assert shown.count() < MANY
        home.do(said(home, "And something new"))
        panel.button("Show the newest").click()
        expect(shown.first).to_contain_text("And something new")

    await home.look(story)


async def test_the_history_is_filtered_and_brings_back_what_was_deleted(home: Home):
    fact = await home.knows("dog.name", "Beans")
    await home.knows("cat.name", "Tom")

    def story(panel: Panel) -> None:
        panel.button("Delete dog.name").click()
        expect(panel.notice).to_contain_text("dog.name was deleted")
        # The notice is gone with the panel.
        panel.open("/history")
        events = panel.root.locator(".event")
        expect(events).to_have_count(3)
        panel.root.get_by_label("Kind").select_option("Deleted")
        expect(events).to_have_count(1)
        events.get_by_role("button", name="Bring it back").click()
        expect(panel.notice).to_contain_text("1 fact is as before")
        panel.root.get_by_label("Kind").select_option("All kinds")
        panel.search("TOM")
        expect(events).to_have_count(1)
        panel.go("facts")
        expect(panel.row("Beans")).to_be_visible()

    await home.look(story)
    assert fact.id in {one.id for one in home.house.runtime.memory.facts_of(home.me)}


async def test_the_section_has_its_size_live_and_follows_what_would_be_said(home: Home):
    await home.option(CONF_MAX_FACTS, 1)
    await home.knows("dog.name", "Beans")

    def story(panel: Panel) -> None:
        text = panel.root.locator("pre")
        expect(text).to_contain_text("Beans")
        sizes = panel.root.get_by_role("meter")
        expect(sizes.first).to_have_attribute("aria-valuenow", "1")
        home.do(home.knows("cat.name", "Tom"))
        expect(panel.root).to_contain_text("1 of 2 facts fit")
        panel.root.get_by_label("What would you say?").fill("What is my dog called?")
        expect(text).to_contain_text("Beans")
        panel.root.get_by_label("What would you say?").fill("What is my cat called?")
        expect(text).to_contain_text("Tom")
        expect(text).not_to_contain_text("Beans")
        characters = len(text.inner_text())
        expect(sizes.nth(1)).to_have_attribute("aria-valuenow", str(characters))

    await home.look(story, path="/section")


async def test_the_status_shows_work_and_what_was_set_aside(home: Home):
    await furnish(home.house.runtime, home.me)
    runtime = home.house.runtime
    (other,) = await said(home, "The otters are gone")
    await runtime.memory.database.write(set_aside.put, other, runtime.memory.now())

    def note(progress: Progress | None) -> None:
        home.hass.loop.call_soon_threadsafe(runtime.learning._note_progress, progress)

    def story(panel: Panel) -> None:
        tab = panel.root.locator("caesar-status-tab")
        expect(tab.get_by_role("img", name="facts known")).to_be_visible()
        expect(tab).to_contain_text("Built-in, without an AI model")
        aside = tab.locator("caesar-set-aside article")
        expect(aside).to_have_count(2)
        aside.last.get_by_role("button", name="Let it be").click()
        expect(aside).to_have_count(1)
        aside.get_by_role("button", name="Try again").click()
        expect(aside).to_have_count(0)
        expect(tab).to_contain_text("Nothing was set aside")
        panel.button("Learn now").click()
        expect(panel.notice).to_contain_text("nothing to do")
        panel.button("Start").click()
        expect(tab).to_contain_text("All went well.")
        note(Progress(done=3, total=10))
        bar = tab.get_by_role("progressbar")
        expect(bar).to_have_attribute("aria-valuenow", "3")
        expect(bar).to_have_attribute("aria-valuemax", "10")
        note(None)
        expect(bar).to_have_count(0)

    await home.look(story, path="/status")
