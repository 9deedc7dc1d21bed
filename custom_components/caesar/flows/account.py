"""The forms of a provider that is an account: a key, and the address of its server."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from custom_components.caesar.const import CONF_PROVIDER_KIND, SUBENTRY_PROVIDER

from .claude import KEY_SELECTOR, clean_address, errors_of
from .ollama import URL_SELECTOR, CheckError

ACCOUNT_SCHEMA: Final = vol.Schema(
    {
        vol.Required(CONF_API_KEY): KEY_SELECTOR,
        vol.Optional(CONF_URL): URL_SELECTOR,
    }
)
_RECONFIGURE_SCHEMA: Final = vol.Schema(
    {
        vol.Optional(CONF_API_KEY): KEY_SELECTOR,
        vol.Optional(CONF_URL): URL_SELECTOR,
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountKind:
    """What one kind of account has of its own."""

    name: str
    """The kind of the provider, and its step."""
    title: Callable[[str], str]
    """How a provider is called in lists, by its address."""
    check: Callable[[HomeAssistant, str, str], Awaitable[object]]
    """See whether a key works at an address; raises CheckError."""


class AccountSteps(ConfigSubentryFlow):
    """Add an account, or change its key and address."""

    async def _add_account(
        self, kind: AccountKind, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Ask for the key of a new account."""
        if user_input is None:
            return self._account_form(kind.name, ACCOUNT_SCHEMA, {})
        try:
            account = await self._checked(kind, user_input)
        except CheckError as err:
            return self._account_form(kind.name, ACCOUNT_SCHEMA, user_input, err)
        return self.async_create_entry(
            title=kind.title(account[CONF_URL]),
            data={CONF_PROVIDER_KIND: kind.name, **account},
            unique_id=ulid_now(),
        )

    async def _change_account(
        self, kind: AccountKind, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        """Ask for another key or address of an account that is known."""
        subentry = self._get_reconfigure_subentry()
        step_id = f"reconfigure_{kind.name}"
        if user_input is None:
            # The key is never shown again; left empty it stays.
            stored = {CONF_URL: subentry.data[CONF_URL]}
            return self._account_form(step_id, _RECONFIGURE_SCHEMA, stored)
        key = user_input.get(CONF_API_KEY) or subentry.data[CONF_API_KEY]
        wanted = {**user_input, CONF_API_KEY: key}
        try:
            account = await self._checked(kind, wanted, subentry.subentry_id)
        except CheckError as err:
            return self._account_form(step_id, _RECONFIGURE_SCHEMA, user_input, err)
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            title=kind.title(account[CONF_URL]),
            data_updates=account,
        )

    async def _checked(
        self, kind: AccountKind, wanted: dict[str, Any], own_id: str | None = None
    ) -> dict[str, str]:
        account = {
            CONF_API_KEY: wanted[CONF_API_KEY].strip(),
            CONF_URL: clean_address(wanted.get(CONF_URL, "")),
        }
        for other in self._get_entry().get_subentries_of_type(SUBENTRY_PROVIDER):
            if other.subentry_id != own_id and account.items() <= other.data.items():
                raise CheckError("account_configured")
        await kind.check(self.hass, account[CONF_API_KEY], account[CONF_URL])
        return account

    def _account_form(
        self,
        step_id: str,
        schema: vol.Schema,
        values: dict[str, Any],
        error: CheckError | None = None,
    ) -> SubentryFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors=errors_of(error),
        )
