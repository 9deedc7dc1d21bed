"""All facts that a person may see, live."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, override

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.json import json_bytes

from custom_components.caesar.memory.ledger import Patch
from custom_components.caesar.memory.models import EventKind, Fact, NewEvent, Owner

from .caller import NOT_PERMITTED, Caller, Refusal
from .feed import Feed
from .me import me
from .names import Names
from .openings import async_open
from .wire import fact_row

_AT_ONCE: Final = 100
"""Facts that are worded on the event loop; more would hold everything else up."""
_OPENING_LASTS: Final = timedelta(hours=1)
"""An administrator who opens the same facts again so soon leaves no new trace."""


class FactsFeed(Feed):
    """All facts that a person may see, and each change of one."""

    def __init__(
        self,
        hass: HomeAssistant,
        connection: ActiveConnection,
        request: dict[str, Any],
    ) -> None:
        super().__init__(hass, connection, request)
        self._owners: tuple[Owner, ...] = ()
        self._waiting: list[tuple[Patch, ...]] | None = None
        self._rev = 0
        self._caller: Caller | None = None

    @override
    def check(self, caller: Caller) -> None:
        owner = self.request.get("owner")
        if owner is None or owner in caller.permissions.sees:
            return
        if not caller.permissions.opens_others or owner not in caller.memory.owners:
            raise Refusal(NOT_PERMITTED, translation_key="foreign_owner")

    @override
    async def async_begin(self, caller: Caller) -> None:
        owner = self.request.get("owner")
        self._caller, self._rev, self._waiting = caller, 0, []
        self._owners = caller.permissions.sees if owner is None else (owner,)
        if owner is not None and owner not in caller.permissions.sees:
            await _trace_opening(caller, owner)
            self.keep(async_open(self.hass, self.connection, owner))
        self.keep(caller.memory.on_change(self._changed))
        about = await me(caller, await Names.of(caller))
        facts = caller.memory.stored(self._owners)
        await self._async_send(caller, lambda: self._snapshot(caller, about, facts))

    @override
    @callback
    def unload(self) -> None:
        self._caller = None
        super().unload()

    async def _async_send(self, caller: Caller, serialize: Callable[[], bytes]) -> None:
        """Send what takes long to word; what changes meanwhile comes after it."""
        event = await self.hass.async_add_executor_job(serialize)
        if self._caller is not caller:
            return
        self.send_serialized(event)
        waiting, self._waiting = self._waiting or [], None
        for patches in waiting:
            self._changed(patches)

    def _snapshot(
        self, caller: Caller, about: dict[str, Any], facts: tuple[Fact, ...]
    ) -> bytes:
        facts = tuple(
            sorted(facts, key=lambda f: (f.last_confirmed_at, f.id), reverse=True)
        )
        rows = self._rows(caller, facts)
        return json_bytes({"type": "snapshot", "rev": 0, "me": about, "facts": rows})

    @callback
    def _changed(self, patches: tuple[Patch, ...]) -> None:
        if self._waiting is None:
            self._tell(patches)
        else:
            self._waiting.append(patches)

    @callback
    def _tell(self, patches: Iterable[Patch]) -> None:
        caller = self._caller
        # A fact that moved is gone from one owner and there for the other.
        now = {
            patch.fact_id: patch.fact
            for patch in patches
            if patch.owner in self._owners
        }
        if not now or caller is None or not self._still_may(caller):
            return
        self._rev += 1
        change = {
            "type": "changed",
            "rev": self._rev,
            "del": [fact_id for fact_id, fact in now.items() if fact is None],
        }
        put = [fact for fact in now.values() if fact is not None]
        if len(put) <= _AT_ONCE:
            self.send({**change, "put": self._rows(caller, put)})
            return
        self._waiting = []
        caller.entry.async_create_background_task(
            self.hass,
            self._async_send(
                caller, lambda: json_bytes({**change, "put": self._rows(caller, put)})
            ),
            "CAESAR changed facts",
        )

    def _rows(self, caller: Caller, facts: Iterable[Fact]) -> list[dict[str, Any]]:
        return [fact_row(caller.memory, fact, caller.language) for fact in facts]

    def _still_may(self, caller: Caller) -> bool:
        opened = set(self._owners) - set(caller.permissions.sees)
        return not opened or self.connection.user.is_admin


async def _trace_opening(caller: Caller, owner: Owner) -> None:
    """Leave a trace in the history of whoever's facts are opened."""
    since = caller.memory.now() - _OPENING_LASTS
    actor = caller.scope.owner
    for opening in await caller.archive.openings(owner, 20):
        if opening.actor == actor and opening.at >= since:
            return
    await caller.archive.note(
        NewEvent(kind=EventKind.FACTS_OPENED, owner=owner, actor=actor)
    )
