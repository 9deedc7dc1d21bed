"""Who stands behind a language model's request for facts or tools.

Home Assistant tells the user and the device of such a request. The device counts only
where there is no user, as everywhere.
"""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.llm import LLMContext
from homeassistant.util.async_ import create_eager_task

from .const import CONF_HOUSEHOLD_ADMIN_ONLY
from .memory.models import ADMINS_ONLY, HOUSEHOLD, Owner, Scope
from .speaker import async_identify

_SATELLITE: Final = "assist_satellite"


async def async_identify_caller(
    hass: HomeAssistant, options: Mapping[str, Any], llm_context: LLMContext
) -> Scope:
    """Return the scope of whoever a language model works for."""
    device_id = llm_context.device_id
    return await async_identify_context(
        hass,
        options,
        llm_context.context,
        None if device_id is None else _satellite_of(hass, device_id),
    )


async def async_identify_context(
    hass: HomeAssistant,
    options: Mapping[str, Any],
    context: Context | None,
    satellite_id: str | None = None,
) -> Scope:
    """Return the scope of whoever caused something."""
    return await async_identify(
        hass,
        options,
        ConversationInput(
            text="",
            context=context or Context(),
            conversation_id=None,
            device_id=None,
            satellite_id=satellite_id,
            language=hass.config.language,
            agent_id="",
        ),
    )


@callback
def async_identify_caller_at_once(
    hass: HomeAssistant, options: Mapping[str, Any], llm_context: LLMContext
) -> Scope:
    """Return the same without waiting.

    Home Assistant asks for tools in a callback. It looks users up in a coroutine, which
    has never to wait; if one day it had to, nobody's own facts would be told.
    """
    task = create_eager_task(async_identify_caller(hass, options, llm_context))
    if task.done():
        return task.result()
    task.cancel()
    return Scope(owner=HOUSEHOLD, teaches=False)


async def async_may_change_household(
    hass: HomeAssistant, options: Mapping[str, Any], user_id: str | None
) -> bool:
    """Return whether a person may change household facts; a voice has no login."""
    if not options.get(CONF_HOUSEHOLD_ADMIN_ONLY, False):
        return True
    user = await hass.auth.async_get_user(user_id) if user_id else None
    return user is not None and user.is_admin


async def async_tentative(
    hass: HomeAssistant, options: Mapping[str, Any], owner: Owner, user_id: str | None
) -> str | None:
    """Return why what somebody says of an owner is only suggested, if it is so."""
    if owner != HOUSEHOLD:
        return None
    is_permitted = await async_may_change_household(hass, options, user_id)
    return None if is_permitted else ADMINS_ONLY


def _satellite_of(hass: HomeAssistant, device_id: str) -> str | None:
    """Return the only satellite of a device, None where there is no such one."""
    satellites = [
        entity.entity_id
        for entity in er.async_entries_for_device(er.async_get(hass), device_id)
        if entity.domain == _SATELLITE
    ]
    return satellites[0] if len(satellites) == 1 else None
