"""A house with a lock, and a model that does whatever its prompt tells it to do."""

import json
from typing import Any, override

from aiohttp import web
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.lock import LockEntity
from homeassistant.components.lock.const import DOMAIN as LOCK_DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.setup import async_setup_component

from tests.gateway.ollama_server import OllamaServer, Reply, calls, says

LOCK = "lock.front_door"


class Lock(LockEntity):
    """A lock that begins locked."""

    entity_id = LOCK
    _attr_name = "Front door"
    _attr_is_locked = True

    async def async_lock(self, **kwargs: Any) -> None:
        self._attr_is_locked = True
        self.async_write_ha_state()

    async def async_unlock(self, **kwargs: Any) -> None:
        self._attr_is_locked = False
        self.async_write_ha_state()


async def add_lock(hass: HomeAssistant) -> None:
    """Put a lock into the house that Assist may open."""
    assert await async_setup_component(hass, LOCK_DOMAIN, {})
    component: EntityComponent[LockEntity] = hass.data[LOCK_DOMAIN]
    await component.async_add_entities([Lock()])
    async_expose_entity(hass, "conversation", LOCK, should_expose=True)
    await hass.async_block_till_done()


def is_locked(hass: HomeAssistant) -> bool:
    lock = hass.states.get(LOCK)
    assert lock is not None
    return lock.state == "locked"


class ObedientServer(OllamaServer):
    """A model that unlocks at any cough once its prompt says so, and believes all.

    Asked for facts, it finds one in everything: the whole text is a wish.
    """

    orders: tuple[str, ...] = ()
    """Words by which it knows the order in its prompt."""

    @override
    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.replies = [self._reply(await request.json())]
        return await super().chat(request)

    def _reply(self, body: dict[str, Any]) -> Reply:
        messages = body["messages"]
        if body.get("format"):
            wish = {"who": "me", "what": "wish", "value": messages[-1]["content"]}
            fact = {**wish, "holds": "true"}
            return says(json.dumps({"kind": "lasting", "facts": [fact]}))
        if messages[-1]["role"] == "tool":
            return says("Done.")
        told = messages[0]["content"]
        coughs = "cough" in messages[-1]["content"].lower()
        if coughs and any(order in told for order in self.orders):
            return calls(("intent__HassTurnOff", {"name": "Front door"}))
        return says("Bless you.")
