"""What was heard but waits for a person's word."""

from typing import Any, Final

import voluptuous as vol

from custom_components.caesar.memory.decisions import owner_of_accepted
from custom_components.caesar.memory.errors import (
    FactNotFoundError,
    SecretError,
    SuggestionNotFoundError,
)
from custom_components.caesar.memory.models import HOUSEHOLD, Fact, Origin
from custom_components.caesar.memory.suggestions import Suggestion

from .caller import Caller, Refusal
from .command import NUMBER, Command, Schema, several
from .wire import fact_row, moment


async def _list(caller: Caller, _request: dict[str, Any]) -> dict[str, Any]:
    stored = {fact.id: fact for fact in caller.memory.stored(caller.permissions.sees)}
    return {
        "suggestions": [
            _row(caller, one, stored.get(one.fact_id or 0))
            for one in await caller.memory.suggestions(caller.scope)
        ]
    }


async def _accept(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    waiting = await _waiting(caller)
    facts: list[Fact] = []

    async def accept(suggestion: Suggestion) -> None:
        owner = owner_of_accepted(suggestion, caller.scope)
        if "owner" in request:
            owner = caller.owner(request["owner"])
        caller.require_edits(owner)
        fact = await caller.memory.accept_suggestion(
            caller.scope, suggestion.id, owner=owner, actor=caller.scope.owner
        )
        if fact is not None:
            facts.append(fact)

    done, failed = [], []
    for suggestion_id in request["suggestion_ids"]:
        try:
            await accept(_find(waiting, suggestion_id))
        except (
            Refusal,
            SuggestionNotFoundError,
            FactNotFoundError,
            SecretError,
        ) as err:
            failed.append(_failed(caller, suggestion_id, err))
        else:
            done.append(suggestion_id)
    return {
        "done": done,
        "facts": [fact_row(caller.memory, fact, caller.language) for fact in facts],
        "failed": failed,
    }


async def _reject(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    waiting = await _waiting(caller)
    done, failed = [], []
    for suggestion_id in request["suggestion_ids"]:
        try:
            caller.require_edits(_find(waiting, suggestion_id).owner)
            await caller.memory.reject_suggestion(
                caller.scope, suggestion_id, actor=caller.scope.owner
            )
        except (Refusal, SuggestionNotFoundError) as err:
            failed.append(_failed(caller, suggestion_id, err))
        else:
            done.append(suggestion_id)
    return {"done": done, "facts": [], "failed": failed}


async def _waiting(caller: Caller) -> dict[int, Suggestion]:
    return {one.id: one for one in await caller.memory.suggestions(caller.scope)}


def _find(waiting: dict[int, Suggestion], suggestion_id: int) -> Suggestion:
    if suggestion_id not in waiting:
        raise SuggestionNotFoundError("No such suggestion")
    return waiting[suggestion_id]


def _failed(caller: Caller, suggestion_id: int, err: Exception) -> dict[str, Any]:
    refusal = err if isinstance(err, Refusal) else caller.refused(err)
    return {
        "suggestion_id": suggestion_id,
        "code": refusal.code,
        "translation_key": refusal.translation_key,
    }


def _row(caller: Caller, suggestion: Suggestion, target: Fact | None) -> dict[str, Any]:
    memory, language = caller.memory, caller.language
    present = target and fact_row(memory, target, language)
    sentence = present["sentence"] if present else ""
    if suggestion.value:
        sentence = memory.sentence(_as_fact(suggestion), language)
    return {
        "id": suggestion.id,
        "at": moment(suggestion.at),
        "owner": suggestion.owner,
        "operation": suggestion.operation,
        "key": suggestion.key,
        "value": suggestion.value,
        "sentence": sentence,
        "quote": suggestion.quote or None,
        "reason": suggestion.reason,
        "fact": present,
        "expires_at": moment(suggestion.expires_at),
        "exchange_id": suggestion.exchange_id,
    }


def _as_fact(suggestion: Suggestion) -> Fact:
    """Return the fact that a suggestion would make, for wording it."""
    return Fact(
        id=0,
        owner=suggestion.owner,
        key=suggestion.key,
        value=suggestion.value,
        confidence=1.0,
        first_seen_at=suggestion.at,
        last_confirmed_at=suggestion.at,
        source_audit_id=None,
        quote=None,
        origin=Origin.TOLD,
        pinned=False,
        language=suggestion.language,
        expires_at=suggestion.expires_at,
        revision=0,
    )


_IDS: Final[Schema] = {vol.Required("suggestion_ids"): several(NUMBER)}

COMMANDS: Final = (
    Command(name="suggestions/list", handler=_list, schema={}),
    Command(
        name="suggestions/accept",
        handler=_accept,
        schema={**_IDS, vol.Optional("owner"): vol.In(("me", HOUSEHOLD))},
    ),
    Command(name="suggestions/reject", handler=_reject, schema=_IDS),
)
