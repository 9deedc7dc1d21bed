"""The actions: what automations and the developer tools can ask of memory.

Whoever calls sees and changes their own facts and the home's. An automation has no user
and gets the home's only; administrators made it, so it may change them.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_get_config_entry
import voluptuous as vol

from .const import CONF_HOUSEHOLD_ADMIN_ONLY, DOMAIN
from .errors import translated
from .gateway.errors import GatewayError
from .memory.errors import FactNotFoundError, MemoryStoreError
from .memory.events import last_of_fact
from .memory.facts import Edit
from .memory.models import HOUSEHOLD, EventKind, Fact, Owner, Scope
from .proactive import ME, async_write, scope_for
from .runtime import CaesarConfigEntry, CaesarRuntime
from .speaker import async_scope_of_user

_NUMBER: Final = vol.All(vol.Coerce(int), vol.Range(min=1))
_PARTS: Final = ("value", "key", "pinned")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Caller:
    """Who called an action, and what they may do."""

    hass: HomeAssistant
    entry: CaesarConfigEntry
    user_id: str | None
    scope: Scope
    changes_household: bool

    @property
    def runtime(self) -> CaesarRuntime:
        return self.entry.runtime_data

    @property
    def facts(self) -> dict[int, Fact]:
        return {fact.id: fact for fact in self.runtime.memory.facts(self.scope)}

    def owner(self, named: str) -> Owner:
        """Return the owner that was named; raises ServiceValidationError."""
        owner = self.scope.owner if named == ME else named
        if owner not in self.scope.visible:
            raise _refusal("foreign_owner")
        return owner

    def require_change(self, owner: Owner) -> None:
        """Raise ServiceValidationError where the caller may not change these facts."""
        if owner == HOUSEHOLD and not self.changes_household:
            raise _refusal("not_permitted")

    def require_change_of(self, fact_id: int) -> None:
        """Do the same for one fact; raise FactNotFoundError where there is none."""
        fact = self.facts.get(fact_id)
        if fact is None:
            raise FactNotFoundError("No such fact")
        self.require_change(fact.owner)


type _Handler = Callable[[_Caller, Mapping[str, Any]], Awaitable[dict[str, Any]]]


async def _list_facts(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
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
                "sentence": caller.runtime.memory.sentence(fact),
            }
    return {"facts": told}


async def _add_fact(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    owner = caller.owner(data["owner"])
    caller.require_change(owner)
    fact = await caller.runtime.memory.add_fact(
        owner, data["key"], data["value"], actor=caller.scope.owner
    )
    return _about(fact)


async def _edit_fact(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    wanted = Edit(**{part: data[part] for part in _PARTS if part in data})
    if wanted == Edit():
        raise _refusal("nothing_to_change")
    caller.require_change_of(data["fact_id"])
    fact = await caller.runtime.memory.edit_fact(
        caller.scope,
        data["fact_id"],
        wanted,
        revision=data.get("revision"),
        actor=caller.scope.owner,
    )
    return _about(fact)


async def _delete_fact(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    caller.require_change_of(data["fact_id"])
    await caller.runtime.memory.delete_fact(
        caller.scope,
        data["fact_id"],
        revision=data.get("revision"),
        actor=caller.scope.owner,
    )
    return {"id": data["fact_id"]}


async def _restore_fact(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    memory, fact_id = caller.runtime.memory, data["fact_id"]
    if not caller.changes_household:
        # A deleted fact is known by its events alone.
        told = await memory.database.read(
            last_of_fact, (HOUSEHOLD,), fact_id, tuple(EventKind)
        )
        if told is not None:
            raise _refusal("not_permitted")
    fact = await memory.restore_fact(caller.scope, fact_id, actor=caller.scope.owner)
    return _about(fact)


async def _learn_now(caller: _Caller, _data: Mapping[str, Any]) -> dict[str, Any]:
    report = await caller.runtime.learn_now()
    return {
        "read": report.read,
        "changed": report.changed,
        "set_aside": report.set_aside,
        "waiting": report.waiting,
        "problem": report.problem,
    }


async def _preview_section(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    section = caller.runtime.section(caller.scope, data["text"])
    caps = caller.runtime.caps
    return {
        "facts_enabled": caller.runtime.facts_enabled,
        "text": section.text,
        "fact_ids": list(section.fact_ids),
        "facts": len(section.fact_ids),
        "facts_total": section.total,
        "max_facts": caps.facts,
        "characters": len(section.text),
        "max_characters": caps.characters,
    }


async def _generate(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    scope = scope_for(
        caller.hass,
        caller.entry.options,
        caller.scope,
        data.get("owner"),
        caller.user_id,
    )
    instructions = data["instructions"]
    text = await async_write(caller.hass, caller.entry, scope, instructions)
    return {"text": text}


@dataclass(frozen=True, kw_only=True, slots=True)
class _Action:
    handler: _Handler
    schema: Mapping[vol.Marker, Any]
    response: SupportsResponse = SupportsResponse.OPTIONAL


_ACTIONS: Final[Mapping[str, _Action]] = {
    "list_facts": _Action(
        handler=_list_facts,
        schema={
            vol.Optional("owner"): cv.string,
            vol.Optional("include_text", default=False): cv.boolean,
        },
        response=SupportsResponse.ONLY,
    ),
    "add_fact": _Action(
        handler=_add_fact,
        schema={
            vol.Required("key"): cv.string,
            vol.Required("value"): cv.string,
            vol.Optional("owner", default=ME): cv.string,
        },
    ),
    "edit_fact": _Action(
        handler=_edit_fact,
        schema={
            vol.Required("fact_id"): _NUMBER,
            vol.Optional("value"): cv.string,
            vol.Optional("key"): cv.string,
            vol.Optional("pinned"): cv.boolean,
            vol.Optional("revision"): _NUMBER,
        },
    ),
    "delete_fact": _Action(
        handler=_delete_fact,
        schema={
            vol.Required("fact_id"): _NUMBER,
            vol.Optional("revision"): _NUMBER,
        },
    ),
    "restore_fact": _Action(
        handler=_restore_fact, schema={vol.Required("fact_id"): _NUMBER}
    ),
    "learn_now": _Action(handler=_learn_now, schema={}),
    "preview_section": _Action(
        handler=_preview_section,
        schema={vol.Optional("text", default=""): cv.string},
        response=SupportsResponse.ONLY,
    ),
    "generate": _Action(
        handler=_generate,
        schema={
            vol.Required("instructions"): cv.string,
            vol.Optional("owner"): cv.string,
        },
        response=SupportsResponse.ONLY,
    ),
}


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Register the actions, once and for as long as Home Assistant runs."""
    for name, action in _ACTIONS.items():
        hass.services.async_register(
            DOMAIN,
            name,
            partial(_async_call, action.handler),
            schema=vol.Schema(action.schema),
            supports_response=action.response,
        )


async def _async_call(handler: _Handler, call: ServiceCall) -> ServiceResponse:
    with _errors_translated():
        answer = await handler(await _async_caller(call), call.data)
    return answer if call.return_response else None


async def _async_caller(call: ServiceCall) -> _Caller:
    entry: CaesarConfigEntry = async_get_config_entry(call.hass, DOMAIN, None)
    return _Caller(
        hass=call.hass,
        entry=entry,
        user_id=call.context.user_id,
        scope=await async_scope_of_user(call.hass, call.context.user_id),
        changes_household=not entry.options.get(CONF_HOUSEHOLD_ADMIN_ONLY, False)
        or await _async_is_admin(call),
    )


async def _async_is_admin(call: ServiceCall) -> bool:
    if call.context.user_id is None:
        return True
    user = await call.hass.auth.async_get_user(call.context.user_id)
    return user is not None and user.is_admin


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except (MemoryStoreError, GatewayError) as err:
        raise translated(err) from err


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
    }


def _refusal(key: str) -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)
