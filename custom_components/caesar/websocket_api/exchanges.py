"""Conversations: what was said, page by page, and deleting one exchange."""

from typing import Any, Final

import voluptuous as vol

from custom_components.caesar.memory.models import HOUSEHOLD
from custom_components.caesar.memory.pages import Query

from .caller import Caller
from .command import NUMBER, Command
from .names import Names
from .paging import PAGE, PERIOD
from .wire import exchange_row


async def _list(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    owners = caller.owners(request.get("owner"))
    page = await caller.archive.exchanges(
        Query(
            owners=owners,
            area_id=request.get("area_id"),
            text=request["text"],
            since=request.get("since"),
            until=request.get("until"),
            before=request.get("before"),
            limit=request["limit"],
        )
    )
    areas = () if "before" in request else await caller.archive.areas(owners)
    names = await Names.of(caller)
    return {
        "exchanges": [exchange_row(record, names) for record in page.rows],
        "next": page.next,
        "areas": [names.area(area) for area in areas],
    }


async def _delete(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    exchange_id = request["exchange_id"]
    sees, changes = caller.permissions.sees, caller.permissions.changes
    record = await caller.archive.exchange(sees, exchange_id)
    caller.require_edits(record.event.owner)
    deleted = await caller.archive.delete_exchange(
        changes, exchange_id, request["facts"], actor=caller.scope.owner
    )
    return {"deleted_fact_ids": list(deleted)}


COMMANDS: Final = (
    Command(
        name="exchanges/list",
        handler=_list,
        schema={
            vol.Optional("owner"): vol.In(("me", HOUSEHOLD)),
            vol.Optional("area_id"): str,
            **PERIOD,
            **PAGE,
        },
    ),
    Command(
        name="exchanges/delete",
        handler=_delete,
        schema={
            vol.Required("exchange_id"): NUMBER,
            vol.Required("facts"): vol.In(("keep", "delete")),
        },
    ),
)
