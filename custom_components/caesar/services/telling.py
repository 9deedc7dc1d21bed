"""Actions that show or use what a model is told."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.core import HomeAssistant, SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from custom_components.caesar.landing import async_explain_landing
from custom_components.caesar.people import async_accounts
from custom_components.caesar.proactive import async_write, scope_for

from .action import Action, Caller, refusal


async def _preview_section(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
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


async def _generate(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
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
    caller: Caller, data: Mapping[str, Any]
) -> dict[str, Any]:
    hass, own_id = caller.call.hass, caller.call.context.user_id
    user_id, satellite = own_id, data.get("satellite")
    if "account" in data:
        user_id = await _account(hass, data["account"])
    elif satellite:
        user_id = None
    if user_id not in (own_id, None) and not caller.is_admin:
        raise refusal("admin_only")
    return await async_explain_landing(hass, caller.entry.options, user_id, satellite)


async def _account(hass: HomeAssistant, named: str) -> str:
    """Return the id of a login; raises ServiceValidationError."""
    accounts = await async_accounts(hass)
    found = [
        user_id
        for user_id, name in accounts.items()
        if named == user_id or named.casefold() == name.casefold()
    ]
    if len(found) != 1:
        raise refusal("account_not_found")
    return found[0]


ACTIONS: Final[Mapping[str, Action]] = {
    "preview_section": Action(
        handler=_preview_section,
        schema={vol.Optional("text", default=""): cv.string},
        response=SupportsResponse.ONLY,
    ),
    "generate": Action(
        handler=_generate,
        schema={
            vol.Required("instructions"): cv.string,
            vol.Optional("owner"): cv.string,
        },
        response=SupportsResponse.ONLY,
    ),
    "where_would_this_land": Action(
        handler=_where_would_this_land,
        schema={
            vol.Optional("satellite"): cv.entity_id,
            vol.Optional("account"): cv.string,
        },
        response=SupportsResponse.ONLY,
    ),
}
