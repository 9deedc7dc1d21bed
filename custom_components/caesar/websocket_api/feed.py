"""Subscriptions that outlive the memory: it may be loaded anew under them.

A feed tells what there is when it begins and after each time that the memory was
loaded, then what changes, and that it is away meanwhile.
"""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, override

from homeassistant.components.websocket_api import messages
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later
from homeassistant.util.hass_dict import HassKey

from custom_components.caesar.memory.errors import DatabaseError
from custom_components.caesar.runtime import CaesarConfigEntry

from .caller import Caller, Refusal, async_caller_of, loaded_entry, refusal_of

UNAVAILABLE: Final = {"type": "unavailable"}

_FEEDS: HassKey[set[Feed]] = HassKey("caesar_feeds")


class Feed(ABC):
    """One subscription on one connection."""

    def __init__(
        self,
        hass: HomeAssistant,
        connection: ActiveConnection,
        request: dict[str, Any],
    ) -> None:
        self.hass = hass
        self.connection = connection
        self.request = request
        self._id: int = request["id"]
        self._stops: list[CALLBACK_TYPE] = []
        self._generation = 0

    @abstractmethod
    async def async_begin(self, caller: Caller) -> None:
        """Tell what there is and watch for changes; what it starts goes to ``keep``.

        Raises Refusal.
        """

    def check(self, caller: Caller) -> None:  # noqa: B027  most feeds are for everybody
        """Raise Refusal where the caller may not have this feed."""

    async def async_start(self) -> None:
        """Answer the request and begin; raises Refusal."""
        entry = loaded_entry(self.hass)
        if entry is not None:
            caller = await self._async_caller(entry)
            self.check(caller)
        self.hass.data.setdefault(_FEEDS, set()).add(self)
        self.connection.subscriptions[self._id] = self._end
        self.connection.send_result(self._id)
        if entry is None:
            self.send(UNAVAILABLE)
        else:
            await self.async_load(entry)

    async def async_load(self, entry: CaesarConfigEntry) -> None:
        """Begin with a memory that was loaded."""
        self.unload()
        generation = self._generation
        caller = await self._async_caller(entry)
        try:
            self.check(caller)
            await self.async_begin(caller)
        except (Refusal, DatabaseError) as err:
            refusal = err if isinstance(err, Refusal) else refusal_of(err)
            if generation == self._generation:
                self.unload()
                self.send({**UNAVAILABLE, "translation_key": refusal.translation_key})

    async def _async_caller(self, entry: CaesarConfigEntry) -> Caller:
        return await async_caller_of(self.hass, self.connection, entry, self.request)

    @callback
    def unload(self) -> None:
        """Stop watching the memory."""
        self._generation += 1
        while self._stops:
            self._stops.pop()()

    @callback
    def keep(self, stop: CALLBACK_TYPE) -> None:
        """Have something stopped when the memory is unloaded or the feed ends."""
        self._stops.append(stop)

    @callback
    def send(self, event: dict[str, Any]) -> None:
        """Send an event."""
        self.connection.send_event(self._id, event)

    @callback
    def send_serialized(self, event: bytes) -> None:
        """Send an event that is JSON already."""
        self.connection.send_message(messages.construct_event_message(self._id, event))

    @callback
    def _end(self) -> None:
        self.hass.data[_FEEDS].discard(self)
        self.unload()


class RefreshingFeed(Feed):
    """A feed that tells a whole state again when that has changed."""

    delay: ClassVar[float] = 0.1
    """Seconds in which several changes become one event."""

    def __init__(
        self,
        hass: HomeAssistant,
        connection: ActiveConnection,
        request: dict[str, Any],
    ) -> None:
        super().__init__(hass, connection, request)
        self.caller: Caller | None = None
        """Whoever listens, while the memory is loaded."""
        self._told: dict[str, Any] | None = None
        self._due: CALLBACK_TYPE | None = None
        self._refreshing = False

    @abstractmethod
    async def async_state(self, caller: Caller) -> dict[str, Any] | None:
        """Return what there is to tell, None for nothing."""

    @abstractmethod
    def watch(self, caller: Caller) -> None:
        """Have ``async_refresh_soon`` called at each change."""

    @override
    async def async_begin(self, caller: Caller) -> None:
        self.caller, self._told = caller, None
        self.keep(self._forget)
        self.watch(caller)
        await self._async_refresh()

    @callback
    def async_refresh_soon(self) -> None:
        """Tell the state anew in a moment."""
        if self._due is None:
            job = HassJob(self._async_due, "CAESAR feed", cancel_on_shutdown=True)
            self._due = async_call_later(self.hass, self.delay, job)

    async def _async_due(self, _now: Any) -> None:
        self._due = None
        await self._async_refresh()

    async def _async_refresh(self) -> None:
        caller = self.caller
        if caller is None:
            return
        if self._refreshing:
            self.async_refresh_soon()
            return
        self._refreshing = True
        try:
            state = await self.async_state(caller)
        except DatabaseError:
            # The memory is being unloaded, or its disk fails: told by other ways.
            return
        finally:
            self._refreshing = False
        if self.caller is caller and state is not None and state != self._told:
            self._told = state
            self.send(state)

    @callback
    def _forget(self) -> None:
        self.caller = None
        if self._due is not None:
            self._due()
            self._due = None


def _feeds(hass: HomeAssistant) -> tuple[Feed, ...]:
    feeds = hass.data.get(_FEEDS)
    return () if feeds is None else tuple(feeds)


@callback
def async_feed(hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
    """Let all feeds have a memory that was loaded, for as long as it is."""
    for feed in _feeds(hass):
        entry.async_create_background_task(
            hass, feed.async_load(entry), "CAESAR feed", eager_start=True
        )

    @callback
    def stop() -> None:
        for feed in _feeds(hass):
            feed.unload()
            feed.send(UNAVAILABLE)

    entry.async_on_unload(stop)
