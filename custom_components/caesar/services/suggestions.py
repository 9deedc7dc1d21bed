"""Actions on suggestions: what was heard but waits for a person's word."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from custom_components.caesar.memory.decisions import owner_of_accepted
from custom_components.caesar.memory.errors import SuggestionNotFoundError
from custom_components.caesar.memory.suggestions import Suggestion

from .action import NUMBER, Action, Caller


async def _list_suggestions(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    found = await caller.runtime.memory.suggestions(caller.scope)
    told = [_about(suggestion) for suggestion in found]
    if data["include_text"]:
        for suggestion, answer in zip(found, told, strict=True):
            answer |= {"value": suggestion.value, "quote": suggestion.quote}
    return {"suggestions": told}


async def _accept_suggestion(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    suggestion = await _find(caller, data["suggestion_id"])
    owner = owner_of_accepted(suggestion, caller.scope)
    if "owner" in data:
        owner = caller.owner(data["owner"])
    caller.require_change(owner)
    fact = await caller.runtime.memory.accept_suggestion(
        caller.scope, suggestion.id, owner=owner, actor=caller.scope.owner
    )
    changed = suggestion.fact_id if fact is None else fact.id
    return {"id": suggestion.id, "fact_id": changed, "owner": owner}


async def _reject_suggestion(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    suggestion = await _find(caller, data["suggestion_id"])
    caller.require_change(suggestion.owner)
    await caller.runtime.memory.reject_suggestion(
        caller.scope, suggestion.id, actor=caller.scope.owner
    )
    return {"id": suggestion.id}


async def _find(caller: Caller, suggestion_id: int) -> Suggestion:
    for suggestion in await caller.runtime.memory.suggestions(caller.scope):
        if suggestion.id == suggestion_id:
            return suggestion
    raise SuggestionNotFoundError("No such suggestion")


def _about(suggestion: Suggestion) -> dict[str, Any]:
    """Return what may be told of a suggestion where its text was not asked for."""
    expires_at = suggestion.expires_at
    return {
        "id": suggestion.id,
        "key": suggestion.key,
        "owner": suggestion.owner,
        "operation": suggestion.operation,
        "reason": suggestion.reason,
        "fact_id": suggestion.fact_id,
        "suggested_at": suggestion.at.isoformat(),
        "expires_at": expires_at.isoformat() if expires_at else None,
    }


ACTIONS: Final[Mapping[str, Action]] = {
    "list_suggestions": Action(
        handler=_list_suggestions,
        schema={vol.Optional("include_text", default=False): cv.boolean},
        response=SupportsResponse.ONLY,
    ),
    "accept_suggestion": Action(
        handler=_accept_suggestion,
        schema={
            vol.Required("suggestion_id"): NUMBER,
            vol.Optional("owner"): cv.string,
        },
    ),
    "reject_suggestion": Action(
        handler=_reject_suggestion, schema={vol.Required("suggestion_id"): NUMBER}
    ),
}
