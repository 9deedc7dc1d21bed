"""Hints in the repairs: what keeps CAESAR from knowing people, and what to do about it.

Looked at every minute: nothing tells when an assistant, a satellite or a person
changes, and looking costs little.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from . import satellites
from .assistants import asking_locally_first
from .const import CONF_ACCOUNTS, CONF_ONE_PERSON, CONF_SATELLITES, DOMAIN
from .memory.errors import DatabaseError
from .memory.models import HOUSEHOLD, Owner, user_owner
from .people import async_accounts, people_of
from .runtime import CaesarRuntime

SATELLITES_UNMAPPED: Final = "satellites_unmapped"
FACTS_IN_HOUSEHOLD: Final = "facts_in_household"
FACTS_IN_ACCOUNT: Final = "facts_in_account"
LOCAL_INTENTS_FIRST: Final = "local_intents_first"
EXCHANGES_SET_ASIDE: Final = "exchanges_set_aside"
MODEL_WITHOUT_JSON: Final = "model_without_json"

_SEVERAL: Final = 3
"""Exchanges set aside that speak against the model rather than against the words."""
_INTERVAL: Final = timedelta(minutes=1)
_ASSISTANTS_PAGE: Final = "homeassistant://config/voice-assistants/assistants"


@callback
def async_watch_hints(
    hass: HomeAssistant, entry: ConfigEntry[Any], runtime: CaesarRuntime
) -> None:
    """Keep the hints up to date for as long as the entry is loaded."""

    async def check(_: HomeAssistant | datetime) -> None:
        await async_check_hints(hass, entry, runtime)

    entry.async_on_unload(async_at_started(hass, check))
    entry.async_on_unload(
        async_track_time_interval(hass, check, _INTERVAL, cancel_on_shutdown=True)
    )


async def async_check_hints(
    hass: HomeAssistant, entry: ConfigEntry[Any], runtime: CaesarRuntime
) -> None:
    """Show the hints that apply now, and take back the others."""
    await _async_check_people(hass, entry.options, runtime)
    local_first = ", ".join(asking_locally_first(hass, entry))
    _show(
        hass,
        applies=bool(local_first),
        translation_key=LOCAL_INTENTS_FIRST,
        translation_placeholders={"assistants": local_first},
        learn_more_url=_ASSISTANTS_PAGE,
    )
    try:
        count = len(await runtime.memory.set_aside(None))
    except DatabaseError:
        # The file is gone or closed; whoever needs it says so.
        return
    _show(
        hass,
        applies=count > 0,
        translation_key=EXCHANGES_SET_ASIDE,
        translation_placeholders={"count": str(count)},
        is_fixable=True,
    )
    _show(
        hass,
        applies=count >= _SEVERAL,
        translation_key=MODEL_WITHOUT_JSON,
        translation_placeholders={"count": str(count)},
    )


async def _async_check_people(
    hass: HomeAssistant, options: Mapping[str, Any], runtime: CaesarRuntime
) -> None:
    people = people_of(hass)
    owners = runtime.memory.owners
    holders = owners - {HOUSEHOLD}
    voices = _unknown_voices(hass, options)
    _show(
        hass,
        applies=bool(voices and holders),
        translation_key=SATELLITES_UNMAPPED,
        translation_placeholders={"satellites": voices},
    )
    _show(
        hass,
        applies=bool(voices and people and owners == {HOUSEHOLD}),
        translation_key=FACTS_IN_HOUSEHOLD,
        translation_placeholders={"satellites": voices},
    )
    without = ", ".join(name for owner, name in people.items() if owner not in holders)
    logins = await _async_logins(hass, options, holders - set(people))
    _show(
        hass,
        applies=bool(people and without and logins),
        translation_key=FACTS_IN_ACCOUNT,
        translation_placeholders={"logins": logins, "people": without},
    )


def _unknown_voices(hass: HomeAssistant, options: Mapping[str, Any]) -> str:
    if options.get(CONF_ONE_PERSON):
        return ""
    keys = satellites.unmapped(hass, options.get(CONF_SATELLITES, {}))
    return ", ".join(sorted(satellites.name_of(hass, key) for key in keys))


async def _async_logins(
    hass: HomeAssistant, options: Mapping[str, Any], holders: frozenset[Owner]
) -> str:
    """Return the names of logins among the owners that nobody's are."""
    mapped = options.get(CONF_ACCOUNTS, {})
    accounts = await async_accounts(hass)
    return ", ".join(
        name
        for user_id, name in accounts.items()
        if user_owner(user_id) in holders and user_id not in mapped
    )


@callback
def _show(
    hass: HomeAssistant,
    *,
    applies: bool,
    translation_key: str,
    translation_placeholders: dict[str, str],
    is_fixable: bool = False,
    learn_more_url: str | None = None,
) -> None:
    if not applies:
        ir.async_delete_issue(hass, DOMAIN, translation_key)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        translation_key,
        is_fixable=is_fixable,
        severity=ir.IssueSeverity.WARNING,
        translation_key=translation_key,
        translation_placeholders=translation_placeholders,
        learn_more_url=learn_more_url,
    )
