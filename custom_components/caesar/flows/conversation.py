"""The forms of a conversation agent: its name, who answers, and with which model."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import (
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_NAME,
    CONF_PROMPT,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
)
import voluptuous as vol

from custom_components.caesar.const import (
    BUILTIN_PROVIDER,
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    CONF_THINKS,
    KIND_ANTHROPIC,
    SUBENTRY_PROVIDER,
)

from .claude import default_model
from .models import async_models, has_models, known_model
from .ollama import CheckError, model_selector


class ConversationFlow(ConfigSubentryFlow):
    """Add a conversation agent, or change one."""

    def __init__(self) -> None:
        self._name = ""
        self._provider: ConfigSubentry | None = None

    async def async_step_user(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for a new agent's name and who answers."""
        if user_input is None:
            return self._agent_form(
                "user", {CONF_NAME: "CAESAR", CONF_PROVIDER: BUILTIN_PROVIDER}
            )
        return await self._async_agent_chosen("user", user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for an agent's name and who answers, showing what is stored."""
        if user_input is None:
            agent = self._get_reconfigure_subentry()
            return self._agent_form(
                "reconfigure", {CONF_NAME: agent.title, **agent.data}
            )
        return await self._async_agent_chosen("reconfigure", user_input)

    async def async_step_model(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the model, its instructions and what it may control."""
        return await self._async_model(user_input)

    async def async_step_claude(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the same and whether it should think before it answers."""
        return await self._async_model(user_input)

    async def _async_model(
        self, user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        if self._provider is None:
            return self.async_abort(reason="provider_removed")
        try:
            models = await async_models(self.hass, self._provider.data)
        except CheckError as err:
            return self.async_abort(reason=err.key)
        if user_input is None:
            return self._model_form(models, self._stored(models))
        try:
            model = known_model(self._provider.data, models, user_input[CONF_MODEL])
        except CheckError as err:
            return self._model_form(models, user_input, err)
        return self._finish(
            {
                **user_input,
                CONF_PROVIDER: self._provider.unique_id,
                CONF_MODEL: model,
            }
        )

    async def _async_agent_chosen(
        self, step_id: str, user_input: dict[str, Any]
    ) -> SubentryFlowResult:
        self._name = user_input[CONF_NAME].strip()
        if not self._name:
            return self._agent_form(step_id, user_input, CheckError("name_missing"))
        if user_input[CONF_PROVIDER] == BUILTIN_PROVIDER:
            return self._finish({CONF_PROVIDER: BUILTIN_PROVIDER, CONF_MODEL: ""})
        self._provider = _providers(self._get_entry()).get(user_input[CONF_PROVIDER])
        return await self._async_model(None)

    @property
    def _provider_id(self) -> str | None:
        return self._provider.unique_id if self._provider else None

    @property
    def _is_claude(self) -> bool:
        provider = self._provider
        return (
            provider is not None and provider.data[CONF_PROVIDER_KIND] == KIND_ANTHROPIC
        )

    def _stored(self, models: list[str]) -> Mapping[str, Any]:
        if self.source == SOURCE_USER:
            stored: Mapping[str, Any] = {}
        else:
            stored = self._get_reconfigure_subentry().data
        # An agent that never had a model gets what a new one gets.
        if stored.get(CONF_MODEL):
            moved = stored[CONF_PROVIDER] != self._provider_id
            if moved and self._is_claude:
                return {**stored, CONF_MODEL: default_model(models)}
            return stored
        return {
            CONF_PROMPT: llm.DEFAULT_INSTRUCTIONS_PROMPT,
            CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
            **({CONF_MODEL: default_model(models)} if self._is_claude else {}),
        }

    def _agent_form(
        self,
        step_id: str,
        values: Mapping[str, Any],
        error: CheckError | None = None,
    ) -> SubentryFlowResult:
        providers = _providers(self._get_entry())
        known = {BUILTIN_PROVIDER, *providers}
        schema = vol.Schema(
            {
                vol.Required(CONF_NAME): TextSelector(),
                vol.Required(CONF_PROVIDER): SelectSelector(
                    SelectSelectorConfig(
                        options=[
                            SelectOptionDict(value=BUILTIN_PROVIDER, label="Built-in"),
                            *(
                                SelectOptionDict(value=key, label=provider.title)
                                for key, provider in providers.items()
                            ),
                        ],
                        mode=SelectSelectorMode.LIST,
                        translation_key="provider",
                    )
                ),
            }
        )
        # A provider that was removed since is no longer an answer to suggest.
        suggested = {
            key: value
            for key, value in values.items()
            if key != CONF_PROVIDER or value in known
        }
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, suggested),
            errors={CONF_NAME: error.key} if error else None,
            last_step=False,
        )

    def _model_form(
        self,
        models: list[str],
        values: Mapping[str, Any],
        error: CheckError | None = None,
    ) -> SubentryFlowResult:
        apis = _apis(self.hass)
        fields: dict[vol.Marker, Any] = {
            vol.Required(CONF_MODEL): model_selector(models),
            vol.Optional(CONF_PROMPT): TemplateSelector(),
            vol.Optional(CONF_LLM_HASS_API): SelectSelector(
                SelectSelectorConfig(options=apis, multiple=True)
            ),
        }
        if self._is_claude:
            fields[vol.Required(CONF_THINKS, default=False)] = BooleanSelector()
        offered = {api["value"] for api in apis}
        chosen = [api for api in values.get(CONF_LLM_HASS_API, ()) if api in offered]
        return self.async_show_form(
            step_id="claude" if self._is_claude else "model",
            data_schema=self.add_suggested_values_to_schema(
                vol.Schema(fields), {**values, CONF_LLM_HASS_API: chosen}
            ),
            errors={CONF_MODEL: error.key} if error else None,
        )

    def _finish(self, data: dict[str, Any]) -> SubentryFlowResult:
        if self.source == SOURCE_USER:
            return self.async_create_entry(title=self._name, data=data)
        return self.async_update_and_abort(
            self._get_entry(),
            self._get_reconfigure_subentry(),
            title=self._name,
            data=data,
        )


def _providers(entry: ConfigEntry) -> dict[str, ConfigSubentry]:
    return {
        subentry.unique_id: subentry
        for subentry in entry.get_subentries_of_type(SUBENTRY_PROVIDER)
        # The others can hold no conversation.
        if subentry.unique_id is not None and has_models(subentry.data)
    }


def _apis(hass: HomeAssistant) -> list[SelectOptionDict]:
    return [
        SelectOptionDict(value=api.id, label=api.name)
        for api in llm.async_get_apis(hass)
    ]
