"""Actions on facts: list, add, edit, delete, and undo."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from custom_components.caesar.memory.events import last_of_fact
from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.models import HOUSEHOLD, EventKind, Fact
from custom_components.caesar.proactive import ME

from .action import NUMBER, Action, Caller, refusal

_PARTS: Final = ("value", "key", "pinned")


async def _list_facts(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    facts = list(caller.facts.values())
    if "owner" in data:
        owner = caller.owner(data["owner"])
        facts = [fact for fact in facts if fact.owner == owner]
    told = [_about(fact) for fact in facts]
    if data["include_text"]:
        for fact, answer in zip(facts, told, strict=True):
            answer |= {
                "value": fact.value,
                "quote": fact.quote,
                "sentence": caller.runtime.memory.sentence(
                    fact, caller.call.hass.config.language
                ),
            }
    return {"facts": told}


async def _add_fact(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    owner = caller.owner(data["owner"])
    caller.require_change(owner)
    fact = await caller.runtime.memory.add_fact(
        owner, data["key"], data["value"], actor=caller.scope.owner
    )
    return _about(fact)


async def _edit_fact(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    wanted = Edit(**{part: data[part] for part in _PARTS if part in data})
    if wanted == Edit():
        raise refusal("nothing_to_change")
    caller.require_change_of(data["fact_id"])
    fact = await caller.runtime.memory.edit_fact(
        caller.scope,
        data["fact_id"],
        wanted,
        revision=data.get("revision"),
        actor=caller.scope.owner,
    )
    return _about(fact)


async def _delete_fact(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    caller.require_change_of(data["fact_id"])
    await caller.runtime.memory.delete_fact(
        caller.scope,
        data["fact_id"],
        revision=data.get("revision"),
        actor=caller.scope.owner,
    )
    return {"id": data["fact_id"]}


async def _restore_fact(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    memory, fact_id = caller.runtime.memory, data["fact_id"]
    if not caller.changes_household:
        # A deleted fact is known by its events alone.
        told = await memory.database.read(
            last_of_fact, (HOUSEHOLD,), fact_id, tuple(EventKind)
        )
        if told is not None:
            raise refusal("not_permitted")
    fact = await memory.restore_fact(caller.scope, fact_id, actor=caller.scope.owner)
    return _about(fact)


def _about(fact: Fact) -> dict[str, Any]:
    """Return what may be told of a fact where its text was not asked for."""
    return {
        "id": fact.id,
        "key": fact.key,
        "owner": fact.owner,
        "origin": fact.origin.value,
        "pinned": fact.pinned,
        "revision": fact.revision,
        "last_confirmed_at": fact.last_confirmed_at.isoformat(),
        "expires_at": fact.expires_at.isoformat() if fact.expires_at else None,
    }


ACTIONS: Final[Mapping[str, Action]] = {
    "list_facts": Action(
        handler=_list_facts,
        schema={
            vol.Optional("owner"): cv.string,
            vol.Optional("include_text", default=False): cv.boolean,
        },
        response=SupportsResponse.ONLY,
    ),
    "add_fact": Action(
        handler=_add_fact,
        schema={
            vol.Required("key"): cv.string,
            vol.Required("value"): cv.string,
            vol.Optional("owner", default=ME): cv.string,
        },
    ),
    "edit_fact": Action(
        handler=_edit_fact,
        schema={
            vol.Required("fact_id"): NUMBER,
            vol.Optional("value"): cv.string,
            vol.Optional("key"): cv.string,
            vol.Optional("pinned"): cv.boolean,
            vol.Optional("revision"): NUMBER,
        },
    ),
    "delete_fact": Action(
        handler=_delete_fact,
        schema={
            vol.Required("fact_id"): NUMBER,
            vol.Optional("revision"): NUMBER,
        },
    ),
    "restore_fact": Action(
        handler=_restore_fact, schema={vol.Required("fact_id"): NUMBER}
    ),
}
