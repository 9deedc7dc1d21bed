"""What a person with a login may see and change of memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant

from .const import CONF_ADMINS_OPEN_FACTS, CONF_HOUSEHOLD_ADMIN_ONLY
from .memory.models import HOUSEHOLD, Owner, Scope
from .speaker import async_scope_of_user


@dataclass(frozen=True, kw_only=True, slots=True)
class Permissions:
    """What one person may do."""

    scope: Scope
    is_admin: bool
    changes_household: bool
    opens_others: bool
    """An administrator in a house that lets these open others' facts, with a trace."""

    @property
    def sees(self) -> tuple[Owner, ...]:
        """Return the owners whose memory this person may read."""
        return self.scope.visible

    @property
    def changes(self) -> tuple[Owner, ...]:
        """Return the owners whose memory this person may change."""
        return tuple(
            owner for owner in self.sees if owner != HOUSEHOLD or self.changes_household
        )

    def may_move(self, source: Owner, target: Owner) -> bool:
        """Return whether this person may give all of one owner to another.

        Nobody may thereby come to read what is closed to them: an administrator moves
        others' memory only to others again.
        """
        if not self.is_admin:
            return False
        return source in self.changes or target not in self.sees


async def async_permissions(
    hass: HomeAssistant, options: Mapping[str, Any], user: User
) -> Permissions:
    """Return what a user may do."""
    is_admin = user.is_admin
    return Permissions(
        scope=await async_scope_of_user(hass, options, user.id),
        is_admin=is_admin,
        changes_household=is_admin or not options.get(CONF_HOUSEHOLD_ADMIN_ONLY, False),
        opens_others=is_admin and options.get(CONF_ADMINS_OPEN_FACTS, False),
    )
