"""History: every event of memory, page by page."""

from typing import Any, Final

import voluptuous as vol

from custom_components.caesar.memory.models import HOUSEHOLD, EventKind
from custom_components.caesar.memory.pages import Query

from .caller import Caller
from .command import Command
from .names import Names
from .paging import PAGE, PERIOD
from .wire import event_row

_LEARNING: Final = "learning"
_GROUPS: Final[dict[str, tuple[EventKind, ...]]] = {
    "learned": (
        EventKind.FACT_ADDED,
        EventKind.FACT_CONFIRMED,
        EventKind.FACT_UPDATED,
    ),
    "changed": (
        EventKind.FACT_USER_EDITED,
        EventKind.FACT_MOVED,
        EventKind.FACT_HANDED_OVER,
        EventKind.FACT_RESTORED,
    ),
    "deleted": (
        EventKind.FACT_USER_DELETED,
        EventKind.FACT_REMOVED,
        EventKind.EXCHANGE_DELETED,
    ),
    "suggestions": (
        EventKind.FACT_SUGGESTED,
        EventKind.SUGGESTION_ACCEPTED,
        EventKind.SUGGESTION_REJECTED,
        EventKind.SUGGESTION_SETTLED,
    ),
    "refused": (EventKind.FACT_REJECTED,),
    "people": (
        EventKind.FACTS_OPENED,
        EventKind.OWNER_MOVED,
        EventKind.OWNER_MOVE_UNDONE,
        EventKind.VOICE_MAPPED,
    ),
}


def kinds_of(group: str) -> tuple[EventKind, ...]:
    """Return the kinds of events that a person may want to see alone.

    What is in no other group is the work of the jobs.
    """
    if group != _LEARNING:
        return _GROUPS[group]
    others = {kind for kinds in _GROUPS.values() for kind in kinds}
    return tuple(
        kind for kind in EventKind if kind.startswith("memory.") and kind not in others
    )


async def _list(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    owners = caller.owners(request.get("owner"))
    kinds: tuple[str, ...] = tuple(request["kinds"])
    if not kinds and "group" in request:
        kinds = kinds_of(request["group"])
    page = await caller.archive.events(
        Query(
            owners=owners,
            kinds=kinds,
            text=request["text"],
            since=request.get("since"),
            until=request.get("until"),
            before=request.get("before"),
            limit=request["limit"],
        )
    )
    undone = await caller.archive.undone_moves(owners)
    names = await Names.of(caller)
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
            vol.Optional("group"): vol.In((*_GROUPS, _LEARNING)),
            vol.Optional("owner"): vol.In(("me", HOUSEHOLD)),
            **PERIOD,
            **PAGE,
        },
    ),
)
