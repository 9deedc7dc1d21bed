"""A home that people look at, with what a test does in it."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from custom_components.caesar.memory.models import Fact, Owner, user_owner
from custom_components.caesar.memory.schema import personal_facts
from scripts.house.browser import DESKTOP, Browser, Look, Tokens
from scripts.house.panel import Panel
from tests.ha.house import House


@dataclass(frozen=True, kw_only=True, slots=True)
class Home:
    """A running Home Assistant that a browser can reach."""

    house: House
    browser: Browser
    address: str
    robin: User
    kim: User

    @property
    def hass(self) -> HomeAssistant:
        return self.house.hass

    @property
    def me(self) -> Owner:
        return user_owner(self.robin.id)

    async def knows(self, key: str, value: str, owner: Owner | None = None) -> Fact:
        return await self.house.runtime.memory.add_fact(owner or self.me, key, value)

    async def knows_all(self, rows: list[dict[str, Any]]) -> None:
        """Fill the table of facts at once, and let CAESAR read it anew."""
        await self.house.runtime.memory.database.write(
            lambda connection: connection.execute(personal_facts.insert(), rows)
        )
        assert await self.hass.config_entries.async_reload(self.house.entry.entry_id)
        await self.hass.async_block_till_done()

    async def option(self, name: str, value: Any) -> None:
        """Change an option, by which CAESAR is loaded anew."""
        entry = self.house.entry
        options = {**entry.options, name: value}
        self.hass.config_entries.async_update_entry(entry, options=options)
        await self.hass.async_block_till_done()

    async def tokens(self, user: User) -> Tokens:
        token = await self.hass.auth.async_create_refresh_token(
            user, f"{self.address}/"
        )
        return Tokens(
            address=self.address,
            access=self.hass.auth.async_create_access_token(token),
            refresh=token.token,
        )

    async def look(
        self,
        story: Callable[..., None],
        *users: User,
        path: str = "",
        look: Look = DESKTOP,
    ) -> None:
        """Let people look at the panel; the story gets one open panel for each.

        Fails where the panel had an error, or where anything popped up.
        """
        tokens = [await self.tokens(user) for user in users or (self.robin,)]
        await self.browser.run(partial(self._play, story, tokens, path, look))

    def _play(
        self, story: Callable[..., None], tokens: list[Tokens], path: str, look: Look
    ) -> None:
        with ExitStack() as stack:
            visits = [
                stack.enter_context(self.browser.visit(one, look)) for one in tokens
            ]
            panels = [Panel(visit.page, self.address) for visit in visits]
            for panel in panels:
                panel.open(path)
            story(*panels)
            assert not [problem for visit in visits for problem in visit.problems]

    def do[Result](self, doing: Coroutine[Any, Any, Result]) -> Result:
        """Do something in Home Assistant from within a story, and wait for it."""
        return asyncio.run_coroutine_threadsafe(doing, self.hass.loop).result(30)
