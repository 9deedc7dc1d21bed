"""The options of finding by meaning: which model embeds, and how much it may cost."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.config_entries import ConfigFlowResult, ConfigSubentry, OptionsFlow
from homeassistant.helpers.selector import (
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
    CONF_EMBED_DAILY_TOKENS,
    CONF_EMBED_MODEL,
    CONF_EMBED_PROVIDER,
    CONF_PROVIDER_KIND,
    EMBED_NOBODY,
)
from custom_components.caesar.providers import provider_subentries

from .embedding import EMBEDDING_KINDS, async_models, async_usable_model, suggestion
from .ollama import CheckError, model_selector

_DEFAULTS: Final[Mapping[str, Any]] = {
    CONF_EMBED_PROVIDER: EMBED_NOBODY,
    CONF_EMBED_MODEL: "",
    CONF_EMBED_DAILY_TOKENS: 0,
}


class MeaningSteps(OptionsFlow):
    """Choose who embeds what was said, and the daily budget for it."""

    def __init__(self) -> None:
        super().__init__()
        self._meaning: dict[str, Any] = {}

    @abstractmethod
    def save(self, changes: Mapping[str, Any]) -> ConfigFlowResult:
        """Store changed options."""

    async def async_step_meaning(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask who embeds and for the budget."""
        if user_input is None:
            return self._meaning_form({**_DEFAULTS, **self.config_entry.options})
        self._meaning = user_input
        if self._embedder is None:
            return self.save({**user_input, CONF_EMBED_MODEL: ""})
        return await self.async_step_meaning_model()

    async def async_step_meaning_model(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask with which of the provider's models, and see whether it can."""
        provider = self._embedder
        if provider is None:
            return self.async_abort(reason="provider_removed")
        try:
            models = await async_models(self.hass, provider.data)
        except CheckError as err:
            return self.async_abort(reason=err.key)
        if user_input is None:
            wanted = suggestion(provider.data, models, self._stored_model)
            return self._meaning_model_form(models, {CONF_EMBED_MODEL: wanted})
        try:
            model = await async_usable_model(
                self.hass, provider.data, models, user_input[CONF_EMBED_MODEL]
            )
        except CheckError as err:
            return self._meaning_model_form(models, user_input, err)
        return self.save({**self._meaning, CONF_EMBED_MODEL: model})

    @property
    def _stored_model(self) -> str:
        """The model that the options name, where they name the same provider."""
        options = self.config_entry.options
        if options.get(CONF_EMBED_PROVIDER) != self._meaning[CONF_EMBED_PROVIDER]:
            return ""
        return str(options.get(CONF_EMBED_MODEL, ""))

    @property
    def _embedder(self) -> ConfigSubentry | None:
        chosen = self._meaning[CONF_EMBED_PROVIDER]
        return provider_subentries(self.config_entry).get(chosen)

    def _meaning_form(self, values: Mapping[str, Any]) -> ConfigFlowResult:
        choices = [
            SelectOptionDict(value=EMBED_NOBODY, label="Nobody"),
            *(
                SelectOptionDict(value=provider_id, label=subentry.title)
                for provider_id, subentry in provider_subentries(
                    self.config_entry
                ).items()
                if subentry.data[CONF_PROVIDER_KIND] in EMBEDDING_KINDS
            ),
        ]
        offered = {choice["value"] for choice in choices}
        # A provider that was removed since is no longer an answer to suggest.
        if values[CONF_EMBED_PROVIDER] not in offered:
            values = {**values, CONF_EMBED_PROVIDER: EMBED_NOBODY}
        return self.async_show_form(
            step_id="meaning",
            data_schema=self.add_suggested_values_to_schema(_schema(choices), values),
        )

    def _meaning_model_form(
        self,
        models: Sequence[str],
        values: Mapping[str, Any],
        error: CheckError | None = None,
    ) -> ConfigFlowResult:
        schema = vol.Schema(
            {vol.Required(CONF_EMBED_MODEL): model_selector(list(models))}
        )
        return self.async_show_form(
            step_id="meaning_model",
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors={CONF_EMBED_MODEL: error.key} if error else None,
        )


def _schema(choices: list[SelectOptionDict]) -> vol.Schema:
    tokens = NumberSelectorConfig(
        min=0, max=100_000_000, step=1, mode=NumberSelectorMode.BOX
    )
    return vol.Schema(
        {
            vol.Required(CONF_EMBED_PROVIDER): SelectSelector(
                SelectSelectorConfig(
                    options=choices,
                    mode=SelectSelectorMode.LIST,
                    translation_key="embed_provider",
                )
            ),
            vol.Required(CONF_EMBED_DAILY_TOKENS): vol.All(
                NumberSelector(tokens), vol.Coerce(int)
            ),
        }
    )
