"""What an action is, and who calls it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.core import ServiceCall, SupportsResponse
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.service import async_get_config_entry
import voluptuous as vol

from custom_components.caesar.const import CONF_HOUSEHOLD_ADMIN_ONLY, DOMAIN
from custom_components.caesar.memory.errors import FactNotFoundError
from custom_components.caesar.memory.models import HOUSEHOLD, Fact, Owner, Scope
from custom_components.caesar.proactive import ME
from custom_components.caesar.runtime import CaesarConfigEntry, CaesarRuntime
from custom_components.caesar.speaker import async_scope_of_user

# SQLite has no larger whole numbers.
NUMBER: Final = vol.All(cv.positive_int, vol.Range(min=1, max=2**63 - 1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Caller:
    """Who called an action, and what they may do."""

    call: ServiceCall
    entry: CaesarConfigEntry
    scope: Scope
    is_admin: bool

    @property
    def changes_household(self) -> bool:
        """Return whether the caller may change the home's facts."""
        return self.is_admin or not self.entry.options.get(
            CONF_HOUSEHOLD_ADMIN_ONLY, False
        )

    @property
    def runtime(self) -> CaesarRuntime:
        """Return what the integration consists of."""
        return self.entry.runtime_data

    @property
    def facts(self) -> dict[int, Fact]:
        """Return the facts that the caller may see."""
        return {fact.id: fact for fact in self.runtime.memory.facts(self.scope)}

    def owner(self, named: str) -> Owner:
        """Return the owner that was named; raises ServiceValidationError."""
        owner = self.scope.owner if named == ME else named
        if owner not in self.scope.visible:
            raise refusal("foreign_owner")
        return owner

    def require_change(self, owner: Owner) -> None:
        """Raise ServiceValidationError where the caller may not change these facts."""
        if owner == HOUSEHOLD and not self.changes_household:
            raise refusal("not_permitted")

    def require_change_of(self, fact_id: int) -> None:
        """Do the same for one fact; raise FactNotFoundError where there is none."""
        fact = self.facts.get(fact_id)
        if fact is None:
            raise FactNotFoundError("No such fact")
        self.require_change(fact.owner)


type Handler = Callable[[Caller, Mapping[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Action:
    """One action: what it takes, what it does, and whether it answers."""

    handler: Handler
    schema: Mapping[vol.Marker, Any]
    response: SupportsResponse = SupportsResponse.OPTIONAL


async def async_caller(call: ServiceCall) -> Caller:
    """Return who calls; raises ServiceValidationError while CAESAR is not loaded."""
    entry: CaesarConfigEntry = async_get_config_entry(call.hass, DOMAIN, None)
    return Caller(
        call=call,
        entry=entry,
        scope=await async_scope_of_user(call.hass, entry.options, call.context.user_id),
        is_admin=await _async_is_admin(call),
    )


def refusal(key: str) -> ServiceValidationError:
    """Return the error for what the caller may not do or did not say right."""
    return ServiceValidationError(translation_domain=DOMAIN, translation_key=key)


async def _async_is_admin(call: ServiceCall) -> bool:
    if call.context.user_id is None:
        return True
    user = await call.hass.auth.async_get_user(call.context.user_id)
    return user is not None and user.is_admin
