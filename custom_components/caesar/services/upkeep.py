"""Actions that let CAESAR work or look at itself."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv, entity_registry as er
import voluptuous as vol

from custom_components.caesar.const import SUBENTRY_CONVERSATION
from custom_components.caesar.self_test import SelfTest

from .action import Action, Caller, refusal


async def _learn_now(caller: Caller, _data: Mapping[str, Any]) -> dict[str, Any]:
    report = await caller.runtime.learn_now()
    return {
        "read": report.read,
        "changed": report.changed,
        "set_aside": report.set_aside,
        "waiting": report.waiting,
        "problem": report.problem,
    }


async def _self_test(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    if not caller.is_admin:
        raise refusal("admin_only")
    hass, runtime = caller.call.hass, caller.runtime
    route = runtime.gateway.default
    if "agent" in data:
        route = runtime.route_of(_agent(caller, data["agent"]))
    return await SelfTest(hass=hass, runtime=runtime, route=route).run()


def _agent(caller: Caller, entity_id: str) -> ConfigSubentry:
    """Return what describes one of our agents; raises ServiceValidationError."""
    entity = er.async_get(caller.call.hass).async_get(entity_id)
    subentry_id = entity.config_subentry_id if entity is not None else None
    subentry = caller.entry.subentries.get(subentry_id or "")
    if subentry is None or subentry.subentry_type != SUBENTRY_CONVERSATION:
        raise refusal("no_such_agent")
    return subentry


ACTIONS: Final[Mapping[str, Action]] = {
    "learn_now": Action(handler=_learn_now, schema={}),
    "self_test": Action(
        handler=_self_test,
        schema={vol.Optional("agent"): cv.entity_id},
        response=SupportsResponse.ONLY,
    ),
}
