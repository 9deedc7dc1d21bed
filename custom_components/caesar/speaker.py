"""Who is speaking: from Home Assistant's context to the scope of memory.

What a client says about its device or satellite counts only where there is no user: a
logged-in user could name any satellite.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.script import script_stack_cv

from .const import CONF_ACCOUNTS, CONF_ONE_PERSON, CONF_SATELLITES
from .memory.models import HOUSEHOLD, Owner, Scope, user_owner
from .satellites import owner_of

_REMEMBERED_CONVERSATIONS = 500


class Rule(StrEnum):
    """What decided whose a turn is."""

    ACCOUNT = "account"
    ACCOUNT_MAPPED = "account_mapped"
    SATELLITE_MAPPED = "satellite_mapped"
    ONE_PERSON = "one_person"
    UNKNOWN_VOICE = "unknown_voice"
    NOBODY = "nobody"


@dataclass(frozen=True, kw_only=True, slots=True)
class Landing:
    """Where a turn lands, and why."""

    scope: Scope
    rule: Rule


async def async_identify(
    hass: HomeAssistant, options: Mapping[str, Any], user_input: ConversationInput
) -> Scope:
    """Return the scope of whoever said this.

    What a script or automation says on behalf of a person teaches nothing.
    """
    landing = await async_land(
        hass, options, user_input.context.user_id, user_input.satellite_id
    )
    if user_input.satellite_id is None and is_scripted():
        return replace(landing.scope, teaches=False)
    return landing.scope


def is_scripted() -> bool:
    """Return whether a script or automation is running this.

    It may have composed the words of a mail or a sensor. Voices come through satellites
    whose tasks may have been begun by an automation long ago, so they are not asked.
    """
    return script_stack_cv.get() is not None


async def async_land(
    hass: HomeAssistant,
    options: Mapping[str, Any],
    user_id: str | None,
    satellite_id: str | None,
) -> Landing:
    """Return where words land that come from this user or this satellite.

    A turn that neither a user nor a satellite began teaches nothing: an automation or a
    timer spoke it. System users, such as that of a phone line, stand for whoever is at
    home.
    """
    if user_id:
        user = await hass.auth.async_get_user(user_id)
        if user is not None and not user.system_generated:
            return _of_account(options, user.id)
        return _of_voice(options)
    if satellite_id:
        owner = owner_of(hass, options.get(CONF_SATELLITES, {}), satellite_id)
        if owner is not None:
            return Landing(scope=Scope(owner=owner), rule=Rule.SATELLITE_MAPPED)
        return _of_voice(options)
    return Landing(scope=Scope(owner=HOUSEHOLD, teaches=False), rule=Rule.NOBODY)


async def async_scope_of_user(
    hass: HomeAssistant, options: Mapping[str, Any], user_id: str | None
) -> Scope:
    """Return the scope of a logged-in user, or the household's where there is none.

    Nobody speaks here, so a system user gets the household's even where all voices
    belong to one person.
    """
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if user is None or user.system_generated:
        return Scope(owner=HOUSEHOLD)
    return _of_account(options, user.id).scope


def _of_account(options: Mapping[str, Any], user_id: str) -> Landing:
    accounts: Mapping[str, Owner] = options.get(CONF_ACCOUNTS, {})
    if user_id in accounts:
        return Landing(scope=Scope(owner=accounts[user_id]), rule=Rule.ACCOUNT_MAPPED)
    return Landing(scope=Scope(owner=user_owner(user_id)), rule=Rule.ACCOUNT)


def _of_voice(options: Mapping[str, Any]) -> Landing:
    if only := options.get(CONF_ONE_PERSON):
        return Landing(scope=Scope(owner=only), rule=Rule.ONE_PERSON)
    return Landing(scope=Scope(owner=HOUSEHOLD), rule=Rule.UNKNOWN_VOICE)


def area_of(hass: HomeAssistant, user_input: ConversationInput) -> str | None:
    """Return the area in which this was said, as far as it is known."""
    return async_area(hass, user_input.satellite_id, user_input.device_id)


def async_area(
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the area of a satellite, or of a device, as far as it is known."""
    if satellite_id:
        entity = er.async_get(hass).async_get(satellite_id)
        if entity is not None and entity.area_id is not None:
            return entity.area_id
        if entity is not None and device_id is None:
            device_id = entity.device_id
    if device_id is None:
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
