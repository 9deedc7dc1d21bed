"""Setting CAESAR up: with no AI model, with an Ollama server, or with Claude."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryData,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers import llm
from homeassistant.helpers.selector import BooleanSelector
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from .const import (
    BUILTIN_PROVIDER,
    CONF_ONE_PERSON,
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    DOMAIN,
    KIND_OLLAMA,
    SUBENTRY_CONVERSATION,
    SUBENTRY_PROVIDER,
)
from .flows.claude_setup import ClaudeSetup
from .flows.conversation import ConversationFlow
from .flows.ollama import (
    DEFAULT_URL,
    URL_SELECTOR,
    CheckError,
    async_models,
    clean_url,
    installed_model,
    model_selector,
    server_title,
)
from .flows.options import DEFAULT_OPTIONS, CaesarOptionsFlow
from .flows.provider import ProviderFlow
from .memory.models import HOUSEHOLD, Owner
from .people import async_owners

_TITLE = "CAESAR"


class CaesarConfigFlow(ClaudeSetup, domain=DOMAIN):
    """Set up the one memory of this home and its first conversation agent."""

    VERSION = 1

    def __init__(self) -> None:
        super().__init__()
        self._url = ""
        self._only_person: Owner = ""
        self._subentries: list[ConfigSubentryData] = []

    @override
    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who answers."""
        return self.async_show_menu(
            step_id="user", menu_options=["builtin", "ollama", "anthropic"]
        )

    async def async_step_builtin(
        self, _user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Set up the provider that needs no model."""
        return await self._async_finish([_agent(BUILTIN_PROVIDER)])

    async def async_step_ollama(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask for the server's address and see whether it answers."""
        if user_input is None:
            return self._url_form(DEFAULT_URL)
        try:
            url = clean_url(user_input[CONF_URL])
            models = await async_models(self.hass, url)
        except CheckError as err:
            return self._url_form(user_input[CONF_URL], err)
        self._url = url
        return self._model_form(models)

    async def async_step_model(self, user_input: dict[str, Any]) -> ConfigFlowResult:
        """Take the model that was chosen and set everything up."""
        try:
            # Asked again, because a model can be pulled while the form is open.
            models = await async_models(self.hass, self._url)
        except CheckError as err:
            return self._url_form(self._url, err)
        try:
            model = installed_model(models, user_input[CONF_MODEL])
        except CheckError as err:
            return self._model_form(models, user_input, err)
        provider = ConfigSubentryData(
            data={CONF_PROVIDER_KIND: KIND_OLLAMA, CONF_URL: self._url},
            subentry_type=SUBENTRY_PROVIDER,
            title=server_title(self._url),
            unique_id=ulid_now(),
        )
        return await self.async_create_with(provider, model)

    @override
    async def async_create_with(
        self, provider: ConfigSubentryData, model: str
    ) -> ConfigFlowResult:
        """Create the entry with a provider and an agent that uses it."""
        provider_id = provider["unique_id"] or ""
        return await self._async_finish([provider, _agent(provider_id, model)])

    async def async_step_one_person(
        self, user_input: dict[str, Any]
    ) -> ConfigFlowResult:
        """Take whose all voices are, and set everything up."""
        only = self._only_person if user_input[CONF_ONE_PERSON] else None
        return self._create({CONF_ONE_PERSON: only} if only else {})

    def _url_form(self, url: str, error: CheckError | None = None) -> ConfigFlowResult:
        schema = vol.Schema({vol.Required(CONF_URL): URL_SELECTOR})
        return self.async_show_form(
            step_id="ollama",
            data_schema=self.add_suggested_values_to_schema(schema, {CONF_URL: url}),
            errors={CONF_URL: error.key} if error else None,
            last_step=False,
        )

    def _model_form(
        self,
        models: list[str],
        values: dict[str, Any] | None = None,
        error: CheckError | None = None,
    ) -> ConfigFlowResult:
        schema = vol.Schema({vol.Required(CONF_MODEL): model_selector(models)})
        return self.async_show_form(
            step_id="model",
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors={CONF_MODEL: error.key} if error else None,
        )

    async def _async_finish(
        self, subentries: list[ConfigSubentryData]
    ) -> ConfigFlowResult:
        """Ask whether the one person who is known is the only one."""
        self._subentries = subentries
        owners = await async_owners(self.hass)
        del owners[HOUSEHOLD]
        if len(owners) != 1:
            return self._create({})
        ((self._only_person, name),) = owners.items()
        schema = vol.Schema(
            {vol.Required(CONF_ONE_PERSON, default=False): BooleanSelector()}
        )
        return self.async_show_form(
            step_id="one_person",
            data_schema=schema,
            description_placeholders={"name": name},
        )

    def _create(self, options: Mapping[str, Any]) -> ConfigFlowResult:
        return self.async_create_entry(
            title=_TITLE,
            data={},
            options={**DEFAULT_OPTIONS, **options},
            subentries=self._subentries,
        )

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what can be added to the entry."""
        return {
            SUBENTRY_CONVERSATION: ConversationFlow,
            SUBENTRY_PROVIDER: ProviderFlow,
        }

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the flow that changes the options."""
        return CaesarOptionsFlow()


def _agent(provider_id: str, model: str = "") -> ConfigSubentryData:
    data: dict[str, Any] = {CONF_PROVIDER: provider_id, CONF_MODEL: model}
    if model:
        data[CONF_LLM_HASS_API] = [llm.LLM_API_ASSIST]
    return ConfigSubentryData(
        data=data,
        subentry_type=SUBENTRY_CONVERSATION,
        title=_TITLE,
        unique_id=None,
    )
