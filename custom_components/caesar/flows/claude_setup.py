"""Setting up with Claude, and asking for a key again that was refused."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
    ConfigSubentry,
    ConfigSubentryData,
)
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import DOMAIN as HOMEASSISTANT_DOMAIN
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    KIND_ANTHROPIC,
    SUBENTRY_PROVIDER,
)
from custom_components.caesar.providers import provider_subentries

from .account import ACCOUNT_SCHEMA
from .claude import (
    KEY_SELECTOR,
    account_title,
    async_models,
    clean_address,
    default_model,
    errors_of,
    known_model,
)
from .models import async_check_key
from .ollama import CheckError, model_selector


class ClaudeSetup(ConfigFlow):
    """The steps that have to do with an Anthropic account."""

    def __init__(self) -> None:
        self._account: dict[str, str] = {}
        self._models: list[str] = []
        self._refused = ""

    @abstractmethod
    async def async_create_with(
        self, provider: ConfigSubentryData, model: str
    ) -> ConfigFlowResult:
        """Create the entry with a provider and an agent that uses it."""

    async def async_step_anthropic(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the key and see whether it works."""
        if user_input is None:
            return self._account_form({})
        try:
            url = clean_address(user_input.get(CONF_URL, ""))
            key = user_input[CONF_API_KEY].strip()
            self._models = await async_models(self.hass, key, url)
        except CheckError as err:
            return self._account_form(user_input, err)
        self._account = {CONF_API_KEY: key, CONF_URL: url}
        return self._claude_form({CONF_MODEL: default_model(self._models)})

    async def async_step_claude(self, user_input: dict[str, Any]) -> ConfigFlowResult:
        """Take the model that was chosen and set everything up."""
        try:
            model = known_model(self._models, user_input[CONF_MODEL])
        except CheckError as err:
            return self._claude_form(user_input, err)
        provider = ConfigSubentryData(
            data={CONF_PROVIDER_KIND: KIND_ANTHROPIC, **self._account},
            subentry_type=SUBENTRY_PROVIDER,
            title=account_title(self._account[CONF_URL]),
            unique_id=ulid_now(),
        )
        return await self.async_create_with(provider, model)

    async def async_step_reauth(
        self, entry_data: Mapping[str, Any]
    ) -> ConfigFlowResult:
        """Ask again for the key that a provider's server refused."""
        self._refused = entry_data[CONF_PROVIDER]
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Take a key that works."""
        entry = self._get_reauth_entry()
        provider = provider_subentries(entry).get(self._refused)
        if provider is None:
            return self.async_abort(reason="provider_removed")
        if user_input is None:
            return self._key_form(provider)
        key = user_input[CONF_API_KEY].strip()
        try:
            await async_check_key(self.hass, provider.data, key)
        except CheckError as err:
            return self._key_form(provider, err)
        return self._take_key(entry, provider, key)

    def _take_key(
        self, entry: ConfigEntry, provider: ConfigSubentry, key: str
    ) -> ConfigFlowResult:
        # The entry's listener reloads it.
        self.hass.config_entries.async_update_subentry(
            entry, provider, data={**provider.data, CONF_API_KEY: key}
        )
        return self.async_abort(
            reason="reauth_successful", translation_domain=HOMEASSISTANT_DOMAIN
        )

    def _account_form(
        self, values: dict[str, Any], error: CheckError | None = None
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="anthropic",
            data_schema=self.add_suggested_values_to_schema(ACCOUNT_SCHEMA, values),
            errors=errors_of(error),
            last_step=False,
        )

    def _claude_form(
        self, values: dict[str, Any], error: CheckError | None = None
    ) -> ConfigFlowResult:
        schema = vol.Schema({vol.Required(CONF_MODEL): model_selector(self._models)})
        return self.async_show_form(
            step_id="claude",
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors={CONF_MODEL: error.key} if error else None,
        )

    def _key_form(
        self, provider: ConfigSubentry, error: CheckError | None = None
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id="reauth_confirm",
            data_schema=vol.Schema({vol.Required(CONF_API_KEY): KEY_SELECTOR}),
            description_placeholders={"name": provider.title},
            errors={CONF_API_KEY: error.key} if error else None,
        )
