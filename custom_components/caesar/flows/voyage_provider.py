"""The forms of a provider that is a Voyage AI account or compatible server."""

from typing import Any, Final

from homeassistant.config_entries import ConfigSubentryFlow, SubentryFlowResult
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_PROVIDER_KIND,
    KIND_VOYAGEAI,
    SUBENTRY_PROVIDER,
)

from .claude import KEY_SELECTOR, clean_address, errors_of
from .ollama import URL_SELECTOR, CheckError
from .voyage import account_title, async_check_key

_SCHEMA: Final = vol.Schema(
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


class VoyageSteps(ConfigSubentryFlow):
    """Add an account, or change its key and address."""

    async def async_step_voyageai(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the key of a new account."""
        if user_input is None:
            return self._voyage_form("voyageai", {})
        try:
            account = await self._checked_voyage(user_input)
        except CheckError as err:
            return self._voyage_form("voyageai", user_input, err)
        return self.async_create_entry(
            title=account_title(account[CONF_URL]),
            data={CONF_PROVIDER_KIND: KIND_VOYAGEAI, **account},
            unique_id=ulid_now(),
        )

    async def async_step_reconfigure_voyageai(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another key or address of an account that is known."""
        subentry = self._get_reconfigure_subentry()
        if user_input is None:
            # The key is never shown again; left empty it stays.
            stored = {CONF_URL: subentry.data[CONF_URL]}
            return self._voyage_form("reconfigure_voyageai", stored)
        key = user_input.get(CONF_API_KEY) or subentry.data[CONF_API_KEY]
        wanted = {**user_input, CONF_API_KEY: key}
        try:
            account = await self._checked_voyage(wanted, subentry.subentry_id)
        except CheckError as err:
            return self._voyage_form("reconfigure_voyageai", user_input, err)
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            title=account_title(account[CONF_URL]),
            data_updates=account,
        )

    async def _checked_voyage(
        self, wanted: dict[str, Any], own_id: str | None = None
    ) -> dict[str, str]:
        account = {
            CONF_API_KEY: wanted[CONF_API_KEY].strip(),
            CONF_URL: clean_address(wanted.get(CONF_URL, "")),
        }
        for other in self._get_entry().get_subentries_of_type(SUBENTRY_PROVIDER):
            if other.subentry_id != own_id and account.items() <= other.data.items():
                raise CheckError("account_configured")
        await async_check_key(self.hass, account[CONF_API_KEY], account[CONF_URL])
        return account

    def _voyage_form(
        self, step_id: str, values: dict[str, Any], error: CheckError | None = None
    ) -> SubentryFlowResult:
        schema = _SCHEMA if step_id == "voyageai" else _RECONFIGURE_SCHEMA
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors=errors_of(error),
        )
