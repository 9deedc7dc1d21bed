"""CAESAR's panel as a person sees it, and the Assist dialog beside it."""

import re

from playwright.sync_api import Locator, Page, expect

PATH = "/caesar"
expect.set_options(timeout=40_000)


class Panel:
    """What somebody does in the panel."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.root = page.locator("caesar-panel")

    def open(self, path: str = "") -> None:
        """Open the panel at a place, as with a bookmark."""
        self.page.goto(f"{self.address}{PATH}{path}", wait_until="domcontentloaded")
        expect(self.root.get_by_role("tab").first).to_have_text(re.compile(r"\w"))

    def go(self, tab: str) -> None:
        """Choose a tab."""
        self.root.locator(f'[role="tab"]#{tab}').click()

    @property
    def rows(self) -> Locator:
        """Return the facts that are in the page."""
        return self.root.locator("caesar-fact-table .tr[data-id]")

    @property
    def count(self) -> Locator:
        """Return the line that says how many facts there are."""
        return self.root.locator(".count")

    @property
    def details(self) -> Locator:
        """Return the fact that is open."""
        return self.root.locator("caesar-fact-details")

    @property
    def opened(self) -> Locator:
        """Return the dialog that shows the fact that is open."""
        return self.details.locator("dialog")

    @property
    def notice(self) -> Locator:
        """Return what the panel has just told."""
        return self.root.locator(".notice")

    def row(self, text: str) -> Locator:
        """Return the facts in the page that hold a text."""
        return self.rows.filter(has_text=text)

    def value_of(self, key: str) -> Locator:
        """Return the value in the row of a key."""
        edit = self.page.get_by_role("button", name=f"Edit {key}", exact=True)
        return self.rows.filter(has=edit).locator(".value")

    def search(self, text: str) -> None:
        """Type into the search, key by key."""
        box = self.root.get_by_role("searchbox").first
        box.fill("")
        box.press_sequentially(text)

    def button(self, name: str) -> Locator:
        """Return the button with exactly this name."""
        return self.root.get_by_role("button", name=name, exact=True)

    def edit(self, key: str, value: str) -> None:
        """Give a fact another value, in its row."""
        self.button(f"Edit {key}").click()
        editor = self.root.get_by_label(f"Value of {key}", exact=True)
        editor.fill(value)
        editor.press("Enter")

    def ask(self, text: str) -> str:
        """Say something in the Assist dialog and return the answer."""
        self.root.locator("h1").click()
        self.page.keyboard.press("a")
        chat = self.page.locator("ha-assist-chat")
        field = chat.locator("#message-input input")
        expect(field).to_be_visible()
        before = chat.locator(".message.hass").count()
        field.fill(text)
        field.press("Enter")
        reply = chat.locator(".message.hass").nth(before)
        expect(reply).to_have_text(re.compile(r"\w"))
        answer = reply.locator("ha-markdown-element").inner_text().strip()
        self.page.keyboard.press("Escape")
        expect(chat).to_have_count(0)
        return answer
