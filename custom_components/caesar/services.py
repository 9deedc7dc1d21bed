"""The actions: what automations and the developer tools can ask of memory.

Whoever calls sees and changes their own facts and the home's. An automation has no user
and gets the home's only; administrators made it, so it may change them.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.service import async_get_config_entry
import voluptuous as vol

from .const import CONF_HOUSEHOLD_ADMIN_ONLY, DOMAIN, SUBENTRY_CONVERSATION
from .errors import translated
from .gateway.errors import GatewayError
from .landing import async_explain_landing
from .memory.errors import FactNotFoundError, MemoryStoreError
from .memory.events import last_of_fact
from .memory.facts import Edit
from .memory.models import HOUSEHOLD, EventKind, Fact, Owner, Scope
from .people import async_accounts
from .proactive import ME, async_write, scope_for
from .runtime import CaesarConfigEntry, CaesarRuntime
from .self_test import SelfTest
from .speaker import async_scope_of_user

# SQLite has no larger whole numbers.
_NUMBER: Final = vol.All(cv.positive_int, vol.Range(min=1, max=2**63 - 1))
_PARTS: Final = ("value", "key", "pinned")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Caller:
    """Who called an action, and what they may do."""

    call: ServiceCall
    entry: CaesarConfigEntry
    scope: Scope
    is_admin: bool

    @property
    def changes_household(self) -> bool:
        return self.is_admin or not self.entry.options.get(
            CONF_HOUSEHOLD_ADMIN_ONLY, False
        )

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
                "sentence": caller.runtime.memory.sentence(
                    fact, caller.call.hass.config.language
                ),
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
    section = caller.runtime.section(
        caller.scope, data["text"], caller.call.hass.config.language
    )
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
        caller.call.hass,
        caller.entry.options,
        caller.scope,
        data.get("owner"),
        caller.call.context.user_id,
    )
    instructions = data["instructions"]
    text = await async_write(caller.call.hass, caller.entry, scope, instructions)
    return {"text": text}


async def _where_would_this_land(
    caller: _Caller, data: Mapping[str, Any]
) -> dict[str, Any]:
    hass, own_id = caller.call.hass, caller.call.context.user_id
    user_id, satellite = own_id, data.get("satellite")
    if "account" in data:
        user_id = await _account(hass, data["account"])
    elif satellite:
        user_id = None
    if user_id not in (own_id, None) and not caller.is_admin:
        raise _refusal("admin_only")
    return await async_explain_landing(hass, caller.entry.options, user_id, satellite)


async def _self_test(caller: _Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    if not caller.is_admin:
        raise _refusal("admin_only")
    hass, runtime = caller.call.hass, caller.runtime
    route = runtime.gateway.default
    if "agent" in data:
        route = runtime.route_of(_agent(caller, data["agent"]))
    return await SelfTest(hass=hass, runtime=runtime, route=route).run()


def _agent(caller: _Caller, entity_id: str) -> ConfigSubentry:
    """Return what describes one of our agents; raises ServiceValidationError."""
    entity = er.async_get(caller.call.hass).async_get(entity_id)
    subentry_id = entity.config_subentry_id if entity is not None else None
    subentry = caller.entry.subentries.get(subentry_id or "")
    if subentry is None or subentry.subentry_type != SUBENTRY_CONVERSATION:
        raise _refusal("no_such_agent")
    return subentry


async def _account(hass: HomeAssistant, named: str) -> str:
    """Return the id of a login; raises ServiceValidationError."""
    accounts = await async_accounts(hass)
    found = [
        user_id
        for user_id, name in accounts.items()
        if named == user_id or named.casefold() == name.casefold()
    ]
    if len(found) != 1:
        raise _refusal("account_not_found")
    return found[0]


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
    "where_would_this_land": _Action(
        handler=_where_would_this_land,
        schema={
            vol.Optional("satellite"): cv.entity_id,
            vol.Optional("account"): cv.string,
        },
        response=SupportsResponse.ONLY,
    ),
    "self_test": _Action(
        handler=_self_test,
        schema={vol.Optional("agent"): cv.entity_id},
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
        call=call,
        entry=entry,
        scope=await async_scope_of_user(call.hass, entry.options, call.context.user_id),
        is_admin=await _async_is_admin(call),
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
        "expires_at": fact.expires_at.isoformat() if fact.expires_at else None,
    }


def _refusal(key: str) -> ServiceValidationError:
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)
