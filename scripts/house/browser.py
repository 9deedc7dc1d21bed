"""Debian's Chromium, in which somebody looks at a house."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
import json
import shutil
import time
from typing import Self

from playwright.sync_api import (
    Browser as Chromium,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Page,
    Playwright,
    sync_playwright,
)

from .errors import HouseError

# What a browser without a screen or an internet should not try.
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE_MS = 40_000
# In addresses of our own code; Home Assistant's own pages are not free of errors.
_OURS = "/api/caesar/"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tokens:
    """What a browser keeps of a login."""

    address: str
    access: str
    refresh: str
    expires_in: int = 1800

    def stored(self) -> str:
        """Return it as Home Assistant's frontend stores it."""
        return json.dumps(
            {
                "hassUrl": self.address,
                "clientId": f"{self.address}/",
                "access_token": self.access,
                "refresh_token": self.refresh,
                "token_type": "Bearer",
                "expires_in": self.expires_in,
                "expires": int((time.time() + self.expires_in) * 1000),
            }
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """The device that somebody looks with, and their language."""

    width: int = 1280
    height: int = 800
    is_phone: bool = False
    is_dark: bool = False
    language: str = "en-GB"
    pixel_ratio: float = 1


DESKTOP = Look()
PHONE = Look(width=390, height=844, is_phone=True)


@dataclass(kw_only=True)
class Visit:
    """One open page, and what went wrong in it."""

    page: Page
    problems: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note errors of our own code, and every box that a page can pop up."""
        self.page.on("pageerror", self._on_error)
        self.page.on("console", self._on_message)
        self.page.on("dialog", self._on_dialog)

    def _on_error(self, error: Error) -> None:
        if _OURS in (error.stack or ""):
            self.problems.append(f"error: {error.message}")

    def _on_message(self, message: ConsoleMessage) -> None:
        if message.type == "error" and _OURS in message.location.get("url", ""):
            self.problems.append(f"console: {message.text}")

    def _on_dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()


class Browser:
    """A running Chromium; its pages live in a thread of their own.

    So Home Assistant can run in the loop of the caller meanwhile.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="browser")
        self._playwright: Playwright | None = None
        self._chromium: Chromium | None = None

    def __enter__(self) -> Self:
        self._thread.submit(self._start).result()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.submit(self._stop).result()
        self._thread.shutdown()

    async def run[Result](self, doing: Callable[[], Result]) -> Result:
        """Do something with pages, in their thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, doing)

    @contextmanager
    def visit(self, tokens: Tokens, look: Look = DESKTOP) -> Iterator[Visit]:
        """Open a page that is logged in; only in the thread of the pages."""
        context = self._context(look)
        stored = json.dumps(tokens.stored())
        context.add_init_script(f"localStorage.setItem('hassTokens', {stored})")
        visit = Visit(page=context.new_page())
        visit.page.set_default_timeout(_PATIENCE_MS)
        visit.watch()
        try:
            yield visit
        finally:
            context.close()

    def _context(self, look: Look) -> BrowserContext:
        if not self._chromium:
            raise HouseError("the browser is not running")
        return self._chromium.new_context(
            viewport={"width": look.width, "height": look.height},
            locale=look.language,
            has_touch=look.is_phone,
            is_mobile=look.is_phone,
            color_scheme="dark" if look.is_dark else "light",
            device_scale_factor=look.pixel_ratio,
            service_workers="block",
        )

    def _start(self) -> None:
        executable = shutil.which("chromium")
        if not executable:
            raise HouseError("needs chromium: as root, run 'apt-get install chromium'")
        self._playwright = sync_playwright().start()
        self._chromium = self._playwright.chromium.launch(
            executable_path=executable, args=list(_FLAGS)
        )

    def _stop(self) -> None:
        if self._chromium:
            self._chromium.close()
        if self._playwright:
            self._playwright.stop()
