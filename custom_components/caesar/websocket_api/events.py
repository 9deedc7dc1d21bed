"""History: every event of memory, page by page."""

from typing import Any, Final

import voluptuous as vol

from custom_components.caesar.memory.models import HOUSEHOLD
from custom_components.caesar.memory.pages import Query

from .caller import Caller
from .command import Command
from .names import Names
from .paging import PAGE, PERIOD
from .wire import event_row


async def _list(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    owners = caller.owners(request.get("owner"))
    page = await caller.archive.events(
        Query(
            owners=owners,
            kinds=tuple(request["kinds"]),
            text=request["text"],
            since=request.get("since"),
            until=request.get("until"),
            before=request.get("before"),
            limit=request["limit"],
        )
    )
    undone = await caller.archive.undone_moves(owners)
    names = await Names.read(caller.hass, caller.entry)
    return {
        "events": [event_row(event, names, undone) for event in page.rows],
        "next": page.next,
    }


COMMANDS: Final = (
    Command(
        name="events/list",
        handler=_list,
        schema={
            vol.Optional("kinds", default=list): vol.All([str], vol.Length(max=100)),
            vol.Optional("owner"): vol.In(("me", HOUSEHOLD)),
            **PERIOD,
            **PAGE,
        },
    ),
)
