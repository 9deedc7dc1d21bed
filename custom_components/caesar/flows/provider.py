"""The forms of a provider, of each kind that can be added."""

from typing import Any

from homeassistant.config_entries import (
    ConfigEntry,
    SubentryFlowResult,
)
from homeassistant.const import CONF_URL
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_PROVIDER_KIND,
    KIND_AI_TASK,
    KIND_ANTHROPIC,
    KIND_OLLAMA,
    KIND_VOYAGEAI,
    SUBENTRY_PROVIDER,
)

from .ai_task import AiTaskSteps
from .claude_provider import ClaudeSteps
from .ollama import (
    DEFAULT_URL,
    URL_SELECTOR,
    CheckError,
    async_models,
    clean_url,
    server_title,
)
from .voyage_provider import VoyageSteps

_SCHEMA = vol.Schema({vol.Required(CONF_URL): URL_SELECTOR})


class ProviderFlow(ClaudeSteps, VoyageSteps, AiTaskSteps):
    """Add a provider, or change where it is."""

    async def async_step_user(
        self, _user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Offer the kinds of provider."""
        return self.async_show_menu(
            step_id="user",
            menu_options=[KIND_OLLAMA, KIND_ANTHROPIC, KIND_VOYAGEAI, KIND_AI_TASK],
        )

    async def async_step_ollama(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the address of a new server."""
        if user_input is None:
            return self._form("ollama", DEFAULT_URL)
        try:
            url = await self._checked_url(user_input[CONF_URL])
        except CheckError as err:
            return self._form("ollama", user_input[CONF_URL], err)
        # Agents name their provider by this id: the subentry's own is not known to a
        # flow that creates both at once.
        return self.async_create_entry(
            title=server_title(url),
            data={CONF_PROVIDER_KIND: KIND_OLLAMA, CONF_URL: url},
            unique_id=ulid_now(),
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another address of a server that is known."""
        subentry = self._get_reconfigure_subentry()
        if subentry.data[CONF_PROVIDER_KIND] == KIND_ANTHROPIC:
            return await self.async_step_reconfigure_anthropic()
        if subentry.data[CONF_PROVIDER_KIND] == KIND_VOYAGEAI:
            return await self.async_step_reconfigure_voyageai()
        if subentry.data[CONF_PROVIDER_KIND] == KIND_AI_TASK:
            return await self.async_step_reconfigure_ai_task()
        if user_input is None:
            return self._form("reconfigure", subentry.data[CONF_URL])
        try:
            url = await self._checked_url(user_input[CONF_URL], subentry.subentry_id)
        except CheckError as err:
            return self._form("reconfigure", user_input[CONF_URL], err)
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            title=server_title(url),
            data_updates={CONF_URL: url},
        )

    async def _checked_url(self, text: str, own_id: str | None = None) -> str:
        url = clean_url(text)
        if url in _urls_of_others(self._get_entry(), own_id):
            raise CheckError("already_configured")
        await async_models(self.hass, url)
        return url

    def _form(
        self, step_id: str, url: str, error: CheckError | None = None
    ) -> SubentryFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(_SCHEMA, {CONF_URL: url}),
            errors={CONF_URL: error.key} if error else None,
        )


def _urls_of_others(entry: ConfigEntry, own_id: str | None) -> set[str]:
    return {
        subentry.data.get(CONF_URL, "")
        for subentry in entry.get_subentries_of_type(SUBENTRY_PROVIDER)
        if subentry.subentry_id != own_id
    }
