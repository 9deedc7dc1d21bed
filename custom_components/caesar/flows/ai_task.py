"""The forms of a provider that is an AI Task entity of another integration."""

from typing import Any, Final

from homeassistant.config_entries import (
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_ENTITY_ID
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import EntitySelector, EntitySelectorConfig
from homeassistant.util.ulid import ulid_now
import voluptuous as vol

from custom_components.caesar.const import (
    CONF_PROVIDER_KIND,
    DOMAIN,
    KIND_AI_TASK,
    SUBENTRY_PROVIDER,
)

from .ollama import CheckError

_AI_TASK: Final = "ai_task"
_GENERATE_DATA: Final = "ai_task.AITaskEntityFeature.GENERATE_DATA"


class AiTaskSteps(ConfigSubentryFlow):
    """Pick an AI Task entity, or another one."""

    async def async_step_ai_task(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the entity of a new provider."""
        if user_input is None:
            return self._entity_form("ai_task", None)
        entity_id = user_input[CONF_ENTITY_ID]
        try:
            self._check_entity(entity_id)
        except CheckError as err:
            return self._entity_form("ai_task", entity_id, err)
        return self.async_create_entry(
            title=_title(self.hass, entity_id),
            data={CONF_PROVIDER_KIND: KIND_AI_TASK, CONF_ENTITY_ID: entity_id},
            unique_id=ulid_now(),
        )

    async def async_step_reconfigure_ai_task(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another entity of a provider that is known."""
        subentry = self._get_reconfigure_subentry()
        if user_input is None:
            return self._entity_form(
                "reconfigure_ai_task", subentry.data[CONF_ENTITY_ID]
            )
        entity_id = user_input[CONF_ENTITY_ID]
        try:
            self._check_entity(entity_id, subentry.subentry_id)
        except CheckError as err:
            return self._entity_form("reconfigure_ai_task", entity_id, err)
        return self.async_update_and_abort(
            self._get_entry(),
            subentry,
            title=_title(self.hass, entity_id),
            data_updates={CONF_ENTITY_ID: entity_id},
        )

    def _check_entity(self, entity_id: str, own_id: str | None = None) -> None:
        if entity_id in _own_entities(self.hass):
            raise CheckError("own_entity")
        if entity_id in {
            subentry.data.get(CONF_ENTITY_ID)
            for subentry in self._get_entry().get_subentries_of_type(SUBENTRY_PROVIDER)
            if subentry.subentry_id != own_id
        }:
            raise CheckError("already_configured")

    def _entity_form(
        self, step_id: str, entity_id: str | None, error: CheckError | None = None
    ) -> SubentryFlowResult:
        schema = vol.Schema(
            {
                vol.Required(CONF_ENTITY_ID): EntitySelector(
                    EntitySelectorConfig(
                        filter={
                            "domain": _AI_TASK,
                            "supported_features": [_GENERATE_DATA],
                        },
                        exclude_entities=_own_entities(self.hass),
                    )
                )
            }
        )
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(
                schema, {CONF_ENTITY_ID: entity_id} if entity_id else {}
            ),
            errors={CONF_ENTITY_ID: error.key} if error else None,
        )


def _own_entities(hass: HomeAssistant) -> list[str]:
    """Return CAESAR's own AI Task entities: they would tell the facts they know."""
    return [
        entity.entity_id
        for entity in er.async_get(hass).entities.values()
        if entity.domain == _AI_TASK and entity.platform == DOMAIN
    ]


def _title(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    return entity_id if state is None else state.name
