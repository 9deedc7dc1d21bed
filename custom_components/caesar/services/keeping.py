"""Actions that decide how long memory keeps what was said, and of whom."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from homeassistant.core import SupportsResponse
from homeassistant.helpers import config_validation as cv
import voluptuous as vol

from custom_components.caesar.erasure import async_erase
from custom_components.caesar.memory.models import HOUSEHOLD, Owner
from custom_components.caesar.proactive import ME

from .action import Action, Caller, refusal

_DAYS: Final = vol.All(cv.positive_int, vol.Range(min=1, max=36_500))


async def _sweep_exchanges(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    if not caller.is_admin:
        raise refusal("admin_only")
    retention, days = caller.runtime.retention, data.get("days")
    due = await retention.preview(days)
    answer = {
        "dry_run": data["dry_run"],
        "cutoff": due.cutoff.isoformat() if due else None,
        "exchanges": due.exchanges if due else 0,
        "kept_unread": due.unread if due else 0,
        "kept_set_aside": due.set_aside if due else 0,
    }
    if not data["dry_run"]:
        answer["exchanges"] = await retention.sweep(days)
    return answer


async def _erase(caller: Caller, data: Mapping[str, Any]) -> dict[str, Any]:
    owner = _erased(caller, data["owner"])
    if not data["confirm"]:
        return {"erased": False, **asdict(await caller.runtime.memory.traces(owner))}
    erased = await async_erase(caller.call.hass, caller.runtime, owner)
    return {"erased": True, **erased}


def _erased(caller: Caller, named: str) -> Owner:
    """Return who shall be erased; raises ServiceValidationError."""
    owner = caller.scope.owner if named == ME else named
    if caller.is_admin:
        return owner
    if owner == HOUSEHOLD:
        raise refusal("admin_only")
    return caller.owner(owner)


ACTIONS: Final[Mapping[str, Action]] = {
    "sweep_exchanges": Action(
        handler=_sweep_exchanges,
        schema={
            vol.Optional("days"): _DAYS,
            vol.Optional("dry_run", default=True): cv.boolean,
        },
        response=SupportsResponse.OPTIONAL,
    ),
    "erase": Action(
        handler=_erase,
        schema={
            vol.Required("owner"): cv.string,
            vol.Optional("confirm", default=False): cv.boolean,
        },
        response=SupportsResponse.OPTIONAL,
    ),
}
