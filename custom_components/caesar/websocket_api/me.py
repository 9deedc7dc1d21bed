"""The caller, as the panel has to know them."""

from datetime import timedelta
from typing import Any, Final

from .caller import Caller
from .names import Names
from .wire import moment

_SHOWN: Final = timedelta(days=30)
"""How long a person is shown that an administrator opened their facts."""
_MOST_SHOWN: Final = 20


async def me(caller: Caller, names: Names) -> dict[str, Any]:
    """Return who calls and what they may do."""
    owner, permissions = caller.scope.owner, caller.permissions
    since = caller.memory.now() - _SHOWN
    openings = await caller.archive.openings(owner, _MOST_SHOWN)
    return {
        "owner": owner,
        "name": names.owner(owner)["name"],
        "is_admin": permissions.is_admin,
        "may_change_household": permissions.changes_household,
        "may_open_others": permissions.opens_others,
        "household_name": names.household,
        "openings": [
            {
                "event_id": event.id,
                "at": moment(event.at),
                "by": names.owner(event.actor or ""),
            }
            for event in openings
            if event.at >= since
        ],
    }
