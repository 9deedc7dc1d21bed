"""Facts: live, and everything that a person does with them."""

from typing import Any, Final

import voluptuous as vol

from custom_components.caesar.memory.editing import Done
from custom_components.caesar.memory.errors import (
    ConflictError,
    ExchangeNotFoundError,
)
from custom_components.caesar.memory.facts import Edit, Seen, Typed
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    Fact,
    Origin,
)

from .caller import CONFLICT, NOT_PERMITTED, Caller, Refusal
from .command import NUMBER, Command, Schema, Subscription, several
from .facts_feed import FactsFeed
from .names import Names
from .wire import event_row, exchange_row, fact_row

_REVISION: Final = vol.Any(None, NUMBER)
_SEEN: Final = vol.Schema(
    {vol.Required("fact_id"): NUMBER, vol.Required("revision"): _REVISION}
)


async def _add(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    typed = Typed(
        key=request["key"],
        value=request["value"],
        secret_wanted=request["keep_secret"],
    )
    fact = await caller.editor.add(caller.owner(request["owner"]), typed)
    return _told(caller, fact)


async def _edit(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    wanted = Edit(
        key=request.get("key"),
        value=request.get("value"),
        secret_wanted=request["keep_secret"],
    )
    if wanted.key is None and wanted.value is None:
        raise Refusal("invalid", translation_key="nothing_to_change")
    try:
        fact = await caller.editor.edit(_seen(request), wanted)
    except ConflictError as err:
        raise _conflict(caller, request, err) from err
    return _told(caller, fact)


async def _revert(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    try:
        fact = await caller.editor.revert(_seen(request), request["event_id"])
    except ConflictError as err:
        raise _conflict(caller, request, err) from err
    return _told(caller, fact)


async def _pin(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    wanted = Edit(pinned=request["pinned"])
    done = await caller.editor.pin(_all_seen(request), wanted)
    return await _done(caller, done)


async def _move(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    target = caller.owner(request["owner"])
    done = await caller.editor.move(_all_seen(request), target)
    return await _done(caller, done)


async def _delete(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    done = await caller.editor.delete(_all_seen(request))
    return await _done(caller, done)


async def _restore(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    done = await caller.editor.restore(_all_seen(request))
    return await _done(caller, done)


async def _reveal(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    fact = caller.fact(request["fact_id"])
    if fact.owner in caller.opened and fact.origin is Origin.SECRET:
        raise Refusal(NOT_PERMITTED, translation_key="foreign_secret")
    return {"value": fact.value, "quote": fact.quote}


async def _source(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    fact = caller.fact(request["fact_id"])
    quote = None if fact.origin is Origin.SECRET else fact.quote
    answer: dict[str, Any] = {"state": "typed", "exchange": None, "quote": quote}
    if fact.source_audit_id is None:
        return answer | {"state": "gone" if fact.origin is Origin.TOLD else "typed"}
    sees = caller.permissions.sees
    try:
        record = await caller.archive.exchange(sees, fact.source_audit_id)
    except ExchangeNotFoundError:
        return answer | {"state": "closed"}
    names = await Names.of(caller)
    return answer | {"state": "exchange", "exchange": exchange_row(record, names)}


async def _history(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    events = await caller.archive.history(caller.reads, request["fact_id"])
    if not events:
        # Unless it is there, without a past.
        caller.fact(request["fact_id"])
    names = await Names.of(caller)
    return {"events": [event_row(event, names) for event in events]}


def _seen(request: dict[str, Any]) -> Seen:
    return Seen(fact_id=request["fact_id"], revision=request["revision"])


def _all_seen(request: dict[str, Any]) -> tuple[Seen, ...]:
    return tuple(Seen(**seen) for seen in request["facts"])


def _row(caller: Caller, fact: Fact) -> dict[str, Any]:
    return fact_row(caller.memory, fact, caller.language)


def _told(caller: Caller, fact: Fact) -> dict[str, Any]:
    return {"fact": _row(caller, fact)}


def _conflict(caller: Caller, request: dict[str, Any], err: ConflictError) -> Refusal:
    refusal = caller.refused(err)
    if refusal.code != CONFLICT:
        return refusal
    present = caller.fact(request["fact_id"])
    return Refusal(
        refusal.code,
        translation_key=refusal.translation_key,
        data=_told(caller, present),
    )


async def _done(caller: Caller, done: Done) -> dict[str, Any]:
    stored = {fact.id: fact for fact in caller.memory.stored(caller.reads)}
    failed = []
    for one in done.failed:
        fact = stored.get(one.fact_id)
        refusal = caller.refused_of(one.error, fact)
        present = fact if refusal.code == CONFLICT else None
        failed.append(
            {
                "fact_id": one.fact_id,
                "code": refusal.code,
                "translation_key": refusal.translation_key,
                "fact": present and _row(caller, present),
            }
        )
    # There may be thousands.
    rows = await caller.hass.async_add_executor_job(
        lambda: [_row(caller, fact) for fact in done.facts]
    )
    return {"facts": rows, "done": list(done.ids), "failed": failed}


_SEVERAL: Final[Schema] = {vol.Required("facts"): several(_SEEN)}
_ONE: Final[Schema] = {vol.Required("fact_id"): NUMBER}
_ONE_SEEN: Final[Schema] = {**_ONE, vol.Required("revision"): NUMBER}
_KEEP_SECRET: Final[Schema] = {vol.Optional("keep_secret", default=False): bool}

COMMANDS: Final = (
    Subscription(
        name="facts/subscribe",
        feed=FactsFeed,
        schema={vol.Optional("owner"): str},
    ),
    Command(
        name="facts/add",
        handler=_add,
        schema={
            vol.Required("owner"): str,
            vol.Required("key"): str,
            vol.Required("value"): str,
            **_KEEP_SECRET,
        },
    ),
    Command(
        name="facts/edit",
        handler=_edit,
        schema={
            **_ONE_SEEN,
            vol.Optional("key"): str,
            vol.Optional("value"): str,
            **_KEEP_SECRET,
        },
    ),
    Command(
        name="facts/revert",
        handler=_revert,
        schema={**_ONE_SEEN, vol.Required("event_id"): NUMBER},
    ),
    Command(
        name="facts/pin",
        handler=_pin,
        schema={**_SEVERAL, vol.Required("pinned"): bool},
    ),
    Command(
        name="facts/move",
        handler=_move,
        schema={**_SEVERAL, vol.Required("owner"): vol.In(("me", HOUSEHOLD))},
    ),
    Command(name="facts/delete", handler=_delete, schema=_SEVERAL),
    Command(name="facts/restore", handler=_restore, schema=_SEVERAL),
    Command(name="facts/reveal", handler=_reveal, schema=_ONE),
    Command(name="facts/source", handler=_source, schema=_ONE),
    Command(name="facts/history", handler=_history, schema=_ONE),
)
