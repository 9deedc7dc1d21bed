"""An open panel: one person's websocket, with its subscriptions."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import ClientWebSocketResponse
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import CLIENT_ID, MockUser

type Open = Callable[[MockUser], Awaitable[Tab]]

PATIENCE = 20
"""Seconds after which a test gives up waiting for a message."""


class CommandError(Exception):
    """A command was answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error)
        self.error = error
        self.code = error["code"]


class Subscribed:
    """The events of one subscription."""

    def __init__(self, tab: Tab, message_id: int) -> None:
        self._tab = tab
        self.id = message_id

    async def next(self) -> dict[str, Any]:
        events = self._tab.events[self.id]
        async with asyncio.timeout(PATIENCE):
            while not events:
                await self._tab.receive()
        return events.pop(0)

    async def until(self, kind: str) -> dict[str, Any]:
        """Return the next event of a kind, passing over all before it."""
        while (event := await self.next())["type"] != kind:
            pass
        return event

    async def nothing(self) -> bool:
        """Return whether all that was caused so far has caused no event."""
        await self._tab.command("ping")
        return not self._tab.events[self.id]


class Tab:
    """One websocket connection of one person."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._last_id = 0
        self._results: dict[int, dict[str, Any]] = {}
        self.events: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)

    async def receive(self) -> None:
        message = await self._socket.receive_json()
        if message["type"] == "event":
            self.events[message["id"]].append(message["event"])
        else:
            self._results[message["id"]] = message

    async def command(self, type_: str, **data: Any) -> dict[str, Any]:
        self._last_id += 1
        message_id = self._last_id
        await self._socket.send_json({"id": message_id, "type": type_, **data})
        async with asyncio.timeout(PATIENCE):
            while message_id not in self._results:
                await self.receive()
        return self._results.pop(message_id)

    async def ask(self, name: str, **data: Any) -> Any:
        """Send one of CAESAR's commands; raise CommandError where it is refused."""
        answer = await self.command(f"caesar/{name}", **data)
        if answer["type"] == "result" and not answer["success"]:
            raise CommandError(answer["error"])
        return answer["result"]

    async def subscribe(self, name: str, **data: Any) -> Subscribed:
        await self.ask(f"{name}/subscribe", **data)
        return Subscribed(self, self._last_id)

    async def facts(self) -> list[dict[str, Any]]:
        """Return all facts that this person may see."""
        facts: list[dict[str, Any]] = (await (await self.subscribe("facts")).next())[
            "facts"
        ]
        return facts

    async def close(self) -> None:
        await self._socket.close()


async def access_token(hass: HomeAssistant, user: MockUser) -> str:
    client_id = None if user.system_generated else CLIENT_ID
    token = await hass.auth.async_create_refresh_token(user, client_id)
    return hass.auth.async_create_access_token(token)
