"""Who is speaking: from Home Assistant's context to the scope of memory.

What a client says about its device or satellite counts only where there is no user: a
logged-in user could name any satellite.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er

from .const import CONF_SATELLITES
from .memory.models import HOUSEHOLD, Owner, Scope, user_owner

_REMEMBERED_CONVERSATIONS = 500


async def async_identify(
    hass: HomeAssistant, options: Mapping[str, Any], user_input: ConversationInput
) -> Scope:
    """Return the scope of whoever said this.

    A turn that neither a user nor a satellite began teaches nothing: an automation or a
    timer spoke it.
    """
    if user_id := user_input.context.user_id:
        return await async_scope_of_user(hass, user_id)
    if satellite_id := user_input.satellite_id:
        satellites: Mapping[str, Owner] = options.get(CONF_SATELLITES, {})
        return Scope(owner=satellites.get(satellite_id, HOUSEHOLD))
    return Scope(owner=HOUSEHOLD, teaches=False)


async def async_scope_of_user(hass: HomeAssistant, user_id: str | None) -> Scope:
    """Return the scope of a logged-in user, or the household's where there is none.

    System users, such as that of a phone line, stand for whoever is at home.
    """
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if user is None or user.system_generated:
        return Scope(owner=HOUSEHOLD)
    return Scope(owner=user_owner(user.id))


def area_of(hass: HomeAssistant, user_input: ConversationInput) -> str | None:
    """Return the area in which this was said, as far as it is known."""
    if satellite_id := user_input.satellite_id:
        entity = er.async_get(hass).async_get(satellite_id)
        if entity is not None and entity.area_id is not None:
            return entity.area_id
    if (device_id := user_input.device_id) is None:
        return None
    device = dr.async_get(hass).async_get(device_id)
    return None if device is None else dr.async_get_effective_area_id(hass, device)


class SpeakerChanges:
    """Notices when another person goes on in a conversation that somebody else began.

    What was said before then is neither shown to the model nor learned from.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[Owner, int]] = OrderedDict()

    def since(self, conversation_id: str, owner: Owner, index: int) -> int:
        """Return from which content of the chat log on this person has been speaking.

        ``index`` is where the present turn stands.
        """
        last_owner, start = self._last.pop(conversation_id, (owner, 0))
        if last_owner != owner or start > index:
            start = index
        self._last[conversation_id] = (owner, start)
        if len(self._last) > _REMEMBERED_CONVERSATIONS:
            self._last.popitem(last=False)
        return start
