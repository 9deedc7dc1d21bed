"""People and rooms: whose words are whose, and giving one's memory to another."""

from collections.abc import Mapping
from typing import Any, Final, cast

from homeassistant.core import callback
from homeassistant.helpers import entity_registry as er
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_ACCOUNTS,
    CONF_ONE_PERSON,
    CONF_SATELLITES,
)
from custom_components.caesar.landing import async_explain_landing
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    EventKind,
    Json,
    NewEvent,
    Owner,
)
from custom_components.caesar.satellites import (
    in_use,
    name_of,
    owner_of,
    with_lasting_keys,
)

from .caller import NOT_FOUND, NOT_PERMITTED, Caller, Refusal
from .command import NUMBER, Command, Schema
from .me import me
from .names import Names
from .wire import fact_row, moment

_MOST_MOVES: Final = 5
"""That can still be undone in the panel."""


async def _list(caller: Caller, _request: dict[str, Any]) -> dict[str, Any]:
    names = await Names.of(caller)
    return {
        "me": await me(caller, names),
        "landing": await _landing(caller, names, caller.user.id, None),
        "people": await _people(caller, names),
        "satellites": [
            await _satellite(caller, names, entity) for entity in in_use(caller.hass)
        ],
        "accounts": await _accounts(caller, names),
        "one_person": caller.entry.options.get(CONF_ONE_PERSON),
        "moves": await _moves(caller, names),
    }


async def _moves(caller: Caller, names: Names) -> list[dict[str, Any]]:
    """Return the moves that the caller could undo."""
    if not caller.permissions.is_admin:
        return []
    return [
        {
            "event_id": event.id,
            "at": moment(event.at),
            "source": names.owner(str(event.payload["source"])),
            "target": names.owner(event.owner),
            "facts": len(cast("list[Json]", event.payload["facts"])),
        }
        for event in await caller.archive.moves(_MOST_MOVES)
        if _may_undo(caller, str(event.payload["source"]), event.owner)
    ]


def _may_undo(caller: Caller, source: Owner, target: Owner) -> bool:
    may = caller.permissions.may_move
    return may(source, target) or may(target, source)


async def _people(caller: Caller, names: Names) -> list[dict[str, Any]]:
    permissions = caller.permissions
    counts = await caller.archive.counts()
    owners: dict[Owner, None] = dict.fromkeys(permissions.sees)
    if permissions.is_admin:
        owners |= dict.fromkeys([*names.owners, *sorted(counts)])
    return [
        {
            **names.owner(owner),
            "kind": _kind(owner, names),
            "is_me": owner == caller.scope.owner,
            "facts": counts[owner].facts if owner in counts else 0,
            "exchanges": counts[owner].exchanges if owner in counts else 0,
            "may_open": permissions.opens_others and owner not in permissions.sees,
        }
        for owner in owners
    ]


def _kind(owner: Owner, names: Names) -> str:
    if owner not in names.owners:
        return "unknown"
    return HOUSEHOLD if owner == HOUSEHOLD else owner.partition(":")[0]


async def _satellite(
    caller: Caller, names: Names, entity: er.RegistryEntry
) -> dict[str, Any]:
    hass, entity_id = caller.hass, entity.entity_id
    landing = await _landing(caller, names, None, entity_id)
    return {
        "id": entity.id,
        "entity_id": entity_id,
        "name": name_of(hass, entity.id),
        "area": landing["area"],
        "owner": owner_of(
            hass, caller.entry.options.get(CONF_SATELLITES, {}), entity_id
        ),
        "landing": landing,
    }


async def _accounts(caller: Caller, names: Names) -> list[dict[str, Any]]:
    mapping: Mapping[str, Owner] = caller.entry.options.get(CONF_ACCOUNTS, {})
    return [
        {
            "user_id": user.id,
            "name": user.name or user.id,
            "is_admin": user.is_admin,
            "owner": mapping.get(user.id),
            "landing": await _landing(caller, names, user.id, None),
        }
        for user in await caller.hass.auth.async_get_users()
        if user.is_active
        and not user.system_generated
        and (caller.permissions.is_admin or user.id == caller.user.id)
    ]


async def _landing(
    caller: Caller, names: Names, user_id: str | None, satellite_id: str | None
) -> dict[str, Any]:
    told = await async_explain_landing(
        caller.hass, caller.entry.options, user_id, satellite_id, caller.language
    )
    return {
        "owner": names.owner(told["owner"]),
        "rule": told["rule"],
        "reason": told["reason"],
        "teaches": told["teaches"],
        "area": names.area(told["area_id"]),
    }


async def _map_satellite(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    known = {entity.id for entity in in_use(caller.hass)}
    if request["satellite"] not in known:
        raise Refusal(NOT_FOUND, translation_key="satellite_not_found")
    satellites = with_lasting_keys(
        caller.hass, caller.entry.options.get(CONF_SATELLITES, {})
    )
    voice = name_of(caller.hass, request["satellite"])
    return await _map(
        caller, CONF_SATELLITES, satellites, (request["satellite"], voice), request
    )


async def _map_account(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    user = await caller.hass.auth.async_get_user(request["user_id"])
    if user is None or user.system_generated:
        raise Refusal(NOT_FOUND, translation_key="account_not_found")
    accounts = caller.entry.options.get(CONF_ACCOUNTS, {})
    voice = (user.id, user.name or user.id)
    return await _map(caller, CONF_ACCOUNTS, accounts, voice, request)


async def _map(
    caller: Caller,
    option: str,
    mapping: Mapping[str, Owner],
    voice: tuple[str, str],
    request: dict[str, Any],
) -> dict[str, Any]:
    """Map a voice, by id and name, to an owner or to nobody; both are told."""
    voice_id, name = voice
    owner: Owner | None = request["owner"]
    if owner is not None:
        await _require_known(caller, owner)
    before = mapping.get(voice_id)
    if owner != before:
        for whose, mapped in ((before, False), (owner, True)):
            await _note_mapping(caller, whose, name, mapped)
        changed = {key: whose for key, whose in mapping.items() if key != voice_id}
        if owner is not None:
            changed[voice_id] = owner
        _save(caller, option, changed)
    return {"owner": owner}


async def _note_mapping(
    caller: Caller, owner: Owner | None, name: str, mapped: Json
) -> None:
    if owner is None:
        return
    voice: dict[str, Json] = {"name": name, "mapped": mapped}
    event = NewEvent(
        kind=EventKind.VOICE_MAPPED,
        owner=owner,
        actor=caller.scope.owner,
        payload={"voice": voice},
    )
    await caller.archive.note(event)


@callback
def _save(caller: Caller, option: str, mapping: dict[str, Owner]) -> None:
    # The memory is loaded anew by it, which everybody's panel notices.
    options = {**caller.entry.options, option: mapping}
    caller.hass.config_entries.async_update_entry(caller.entry, options=options)


async def _require_known(caller: Caller, owner: Owner) -> None:
    names = await Names.of(caller)
    if owner not in names.owners:
        raise Refusal(NOT_FOUND, translation_key="owner_not_found")


async def _preview_move(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    source, target = await _checked_move(caller, request)
    shown = await caller.archive.preview_move(source, target)
    language = caller.language
    may_see = source in caller.permissions.sees
    merged = shown.merged if may_see else ()
    renamed = shown.renamed if may_see else ()
    return {
        "facts": shown.facts,
        "exchanges": shown.exchanges,
        "merged": len(shown.merged),
        "renamed": len(shown.renamed),
        "merged_facts": [fact_row(caller.memory, fact, language) for fact in merged],
        "renamed_facts": [
            {"fact": fact_row(caller.memory, fact, language), "key": key}
            for fact, key in renamed
        ],
    }


async def _move(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    source, target = await _checked_move(caller, request)
    shown = await caller.archive.preview_move(source, target)
    if not shown.facts and not shown.exchanges:
        return {"event_id": None, "facts": 0}
    event_id = await caller.archive.move(source, target, actor=caller.scope.owner)
    return {"event_id": event_id, "facts": shown.facts}


async def _undo_move(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    move = await caller.archive.find_move(request["event_id"])
    if not _may_undo(caller, move.source, move.target):
        raise Refusal(NOT_PERMITTED, translation_key="move_not_permitted")
    facts = await caller.archive.undo_move(move.id, actor=caller.scope.owner)
    return {"facts": facts}


async def _checked_move(caller: Caller, request: dict[str, Any]) -> tuple[Owner, Owner]:
    source, target = request["source"], request["target"]
    if source == target:
        raise Refusal("invalid", translation_key="same_owner")
    await _require_known(caller, target)
    if not caller.permissions.may_move(source, target):
        raise Refusal(NOT_PERMITTED, translation_key="move_not_permitted")
    return source, target


_OWNER: Final = vol.Any(None, str)
_MOVE: Final[Schema] = {vol.Required("source"): str, vol.Required("target"): str}

COMMANDS: Final = (
    Command(name="people/list", handler=_list, schema={}),
    Command(
        name="people/map_satellite",
        handler=_map_satellite,
        schema={vol.Required("satellite"): str, vol.Required("owner"): _OWNER},
        admin=True,
    ),
    Command(
        name="people/map_account",
        handler=_map_account,
        schema={vol.Required("user_id"): str, vol.Required("owner"): _OWNER},
        admin=True,
    ),
    Command(
        name="people/preview_move", handler=_preview_move, schema=_MOVE, admin=True
    ),
    Command(name="people/move", handler=_move, schema=_MOVE, admin=True),
    Command(
        name="people/undo_move",
        handler=_undo_move,
        schema={vol.Required("event_id"): NUMBER},
        admin=True,
    ),
)
