"""The people of the house: who has a memory of their own, and what they are called.

A person whose login is linked later becomes that user, with all that is theirs.
"""

from collections.abc import Mapping
import logging
from typing import Any, Final

from homeassistant.components.person.const import PersonEntityStateAttribute
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import (
    Event,
    EventStateChangedData,
    HomeAssistant,
    State,
    callback,
)
from homeassistant.helpers.event import TrackStates, async_track_state_change_filtered
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.translation import async_get_translations

from .const import (
    CONF_ACCOUNTS,
    CONF_CONSENTS,
    CONF_ONE_PERSON,
    CONF_SATELLITES,
    DOMAIN,
)
from .memory.errors import DatabaseError
from .memory.memory import Memory
from .memory.models import HOUSEHOLD, Owner, person_owner, user_owner

_LOGGER = logging.getLogger(__name__)
_PERSON: Final = "person"


async def async_owners(
    hass: HomeAssistant, language: str | None = None
) -> dict[Owner, str]:
    """Return everybody a voice can belong to, with their names, household first.

    Without a language, the household is named in that of the house.
    """
    people = people_of(hass)
    accounts = {
        user_owner(user_id): name
        for user_id, name in (await async_accounts(hass)).items()
    }
    household = await async_words(
        hass, translation_key="owner", option=HOUSEHOLD, language=language
    )
    return {HOUSEHOLD: household, **people, **(accounts | people)}


async def async_accounts(hass: HomeAssistant) -> dict[str, str]:
    """Return the ids of all logins with their names."""
    return {
        user.id: user.name or user.id
        for user in await hass.auth.async_get_users()
        if user.is_active and not user.system_generated
    }


def people_of(hass: HomeAssistant) -> dict[Owner, str]:
    """Return the owners that are people of this house, with their names, in order."""
    return dict(
        sorted(
            (
                (_owner(person), person.name)
                for person in hass.states.async_all(_PERSON)
            ),
            key=lambda owner_and_name: owner_and_name[1].casefold(),
        )
    )


async def async_words(
    hass: HomeAssistant,
    *,
    translation_key: str,
    option: str,
    language: str | None = None,
) -> str:
    """Return what a choice is called; without a language, in that of the house."""
    texts = await async_get_translations(
        hass, language or hass.config.language, "selector", [DOMAIN]
    )
    key = f"component.{DOMAIN}.selector.{translation_key}.options.{option}"
    return texts.get(key, option)


@callback
def async_watch_people(
    hass: HomeAssistant, entry: ConfigEntry[Any], memory: Memory
) -> None:
    """Give each person who gets a login their memory, while the entry is loaded."""

    async def check_all(_: HomeAssistant) -> None:
        for person in hass.states.async_all(_PERSON):
            await _async_link(hass, entry, memory, person)

    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        old, new = event.data["old_state"], event.data["new_state"]
        if new is None or _login(new) is None or (old and _login(old) == _login(new)):
            return
        entry.async_create_task(
            hass, _async_link(hass, entry, memory, new), "CAESAR login"
        )

    entry.async_on_unload(async_at_started(hass, check_all))
    tracked = TrackStates(all_states=False, entities=set(), domains={_PERSON})
    entry.async_on_unload(
        async_track_state_change_filtered(hass, tracked, changed).async_remove
    )


async def _async_link(
    hass: HomeAssistant, entry: ConfigEntry[Any], memory: Memory, person: State
) -> None:
    user_id = _login(person)
    # Through an account that is mapped to somebody else this person would never
    # meet their facts again.
    if user_id is None or user_id in entry.options.get(CONF_ACCOUNTS, {}):
        return
    source, target = person_owner(_id(person)), user_owner(user_id)
    try:
        await memory.move_owner(source, target)
    except DatabaseError as err:
        _LOGGER.error("A memory could not be moved: %s", err)  # noqa: TRY400
        return
    options = _with_owner_replaced(entry.options, source, target)
    hass.config_entries.async_update_entry(entry, options=options)


def _with_owner_replaced(
    options: Mapping[str, Any], source: Owner, target: Owner
) -> dict[str, Any]:
    changed = dict(options)
    for name in (CONF_SATELLITES, CONF_ACCOUNTS):
        if name in changed:
            changed[name] = {
                voice: target if owner == source else owner
                for voice, owner in changed[name].items()
            }
    if CONF_CONSENTS in changed:
        consents = [
            target if owner == source else owner for owner in changed[CONF_CONSENTS]
        ]
        changed[CONF_CONSENTS] = list(dict.fromkeys(consents))
    if changed.get(CONF_ONE_PERSON) == source:
        changed[CONF_ONE_PERSON] = target
    return changed


def _owner(person: State) -> Owner:
    user_id = _login(person)
    return user_owner(user_id) if user_id else person_owner(_id(person))


def _login(person: State) -> str | None:
    user_id: str | None = person.attributes.get(PersonEntityStateAttribute.USER_ID)
    return user_id


def _id(person: State) -> str:
    person_id: str = person.attributes[PersonEntityStateAttribute.ID]
    return person_id
