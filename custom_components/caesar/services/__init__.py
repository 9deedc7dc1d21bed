"""The actions: what automations and the developer tools can ask of memory.

Whoever calls sees and changes their own facts and the home's. An automation has no user
and gets the home's only; administrators made it, so it may change them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Final

from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, callback
import voluptuous as vol

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.errors import translated
from custom_components.caesar.gateway.errors import GatewayError
from custom_components.caesar.memory.errors import MemoryStoreError

from . import facts, keeping, moving, suggestions, telling, upkeep
from .action import Action, Handler, async_caller

_ACTIONS: Final[Mapping[str, Action]] = {
    **facts.ACTIONS,
    **keeping.ACTIONS,
    **moving.ACTIONS,
    **suggestions.ACTIONS,
    **telling.ACTIONS,
    **upkeep.ACTIONS,
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


async def _async_call(handler: Handler, call: ServiceCall) -> ServiceResponse:
    with _errors_translated():
        answer = await handler(await async_caller(call), call.data)
    return answer if call.return_response else None


@contextmanager
def _errors_translated() -> Iterator[None]:
    try:
        yield
    except (MemoryStoreError, GatewayError) as err:
        raise translated(err) from err
