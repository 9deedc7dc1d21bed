"""The options of learning: who reads what was said, and how much that may cost."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigFlowResult, ConfigSubentry, OptionsFlow
from homeassistant.helpers.selector import (
    BooleanSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)
import voluptuous as vol

from custom_components.caesar.const import (
    BUILTIN_PROVIDER,
    CONF_DAILY_TOKENS,
    CONF_LEARN_HOSTED,
    CONF_LEARN_MODEL,
    CONF_LEARN_PROVIDER,
    CONF_PROVIDER_KIND,
    KIND_VOYAGEAI,
    LEARN_HEARD,
)
from custom_components.caesar.providers import provider_subentries

from .models import async_models, has_models, known_model
from .ollama import CheckError, model_selector

_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_LEARN_PROVIDER: LEARN_HEARD,
    CONF_LEARN_MODEL: "",
    CONF_LEARN_HOSTED: False,
    CONF_DAILY_TOKENS: 0,
}


class LearningSteps(OptionsFlow):
    """Choose who learns, what may leave the house for it, and the daily budget."""

    def __init__(self) -> None:
        super().__init__()
        self._learning: dict[str, Any] = {}

    @abstractmethod
    def save(self, changes: Mapping[str, Any]) -> ConfigFlowResult:
        """Store changed options."""

    async def async_step_learning(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who learns and for the budget."""
        if user_input is None:
            return self._learning_form({**_DEFAULTS, **self.config_entry.options})
        self._learning = user_input
        provider = self._learner
        if provider is None or not has_models(provider.data):
            return self.save({**user_input, CONF_LEARN_MODEL: ""})
        return await self.async_step_learning_model()

    async def async_step_learning_model(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask with which of the provider's models."""
        provider = self._learner
        if provider is None:
            return self.async_abort(reason="provider_removed")
        try:
            models = await async_models(self.hass, provider.data)
        except CheckError as err:
            return self.async_abort(reason=err.key)
        if user_input is None:
            stored = self.config_entry.options.get(CONF_LEARN_MODEL, "")
            known = {CONF_LEARN_MODEL: stored} if stored in models else {}
            return self._learning_model_form(models, known)
        try:
            model = known_model(provider.data, models, user_input[CONF_LEARN_MODEL])
        except CheckError as err:
            return self._learning_model_form(models, user_input, err)
        return self.save({**self._learning, CONF_LEARN_MODEL: model})

    @property
    def _learner(self) -> ConfigSubentry | None:
        chosen = self._learning[CONF_LEARN_PROVIDER]
        return provider_subentries(self.config_entry).get(chosen)

    def _learning_form(self, values: Mapping[str, Any]) -> ConfigFlowResult:
        providers = {
            provider_id: subentry
            for provider_id, subentry in provider_subentries(self.config_entry).items()
            if subentry.data[CONF_PROVIDER_KIND] != KIND_VOYAGEAI
        }
        choices = [
            SelectOptionDict(value=LEARN_HEARD, label="Heard"),
            SelectOptionDict(value=BUILTIN_PROVIDER, label="Built-in"),
            *(
                SelectOptionDict(value=provider_id, label=subentry.title)
                for provider_id, subentry in providers.items()
            ),
        ]
        tokens = NumberSelectorConfig(
            min=0, max=100_000_000, step=1, mode=NumberSelectorMode.BOX
        )
        schema = vol.Schema(
            {
                vol.Required(CONF_LEARN_PROVIDER): SelectSelector(
                    SelectSelectorConfig(
                        options=choices,
                        mode=SelectSelectorMode.LIST,
                        translation_key="learn_provider",
                    )
                ),
                vol.Required(CONF_LEARN_HOSTED): BooleanSelector(),
                vol.Required(CONF_DAILY_TOKENS): vol.All(
                    NumberSelector(tokens), vol.Coerce(int)
                ),
            }
        )
        # A provider that was removed since is no longer an answer to suggest.
        offered = {choice["value"] for choice in choices}
        suggested = {
            key: value
            for key, value in values.items()
            if key != CONF_LEARN_PROVIDER or value in offered
        }
        return self.async_show_form(
            step_id="learning",
            data_schema=self.add_suggested_values_to_schema(schema, suggested),
        )

    def _learning_model_form(
        self,
        models: list[str],
        values: Mapping[str, Any],
        error: CheckError | None = None,
    ) -> ConfigFlowResult:
        schema = vol.Schema({vol.Required(CONF_LEARN_MODEL): model_selector(models)})
        return self.async_show_form(
            step_id="learning_model",
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors={CONF_LEARN_MODEL: error.key} if error else None,
        )
