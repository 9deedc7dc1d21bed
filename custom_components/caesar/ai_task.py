"""The AI Task entity of an agent: tasks that know the home's facts and the caller's."""

from contextvars import ContextVar
import json
from typing import Any, override

from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
    GenDataTaskResult,
)
from homeassistant.components.conversation import ChatLog, ConversationInput
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.llm import selector_serializer
from homeassistant.util import dt as dt_util
import probatio

from .callers import async_identify_context
from .const import BUILTIN_PROVIDER, DOMAIN, SUBENTRY_CONVERSATION
from .entity import CaesarEntity
from .errors import translated
from .gateway.base import ChatRequest, GenerationRequest, Task
from .gateway.chat_log import answer, stable_prompt
from .gateway.errors import GatewayError
from .runtime import CaesarConfigEntry

PARALLEL_UPDATES = 0

_MAX_TOKENS = 2000
"""Tokens of a structured answer."""


async def async_setup_entry(
    _: HomeAssistant,
    entry: CaesarConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add one entity for each agent, with the same model."""
    for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
        async_add_entities(
            [CaesarAiTask(entry, subentry)], config_subentry_id=subentry.subentry_id
        )


class CaesarAiTask(CaesarEntity, AITaskEntity):
    """Generates data, knowing what the home and the caller have told."""

    _attr_supported_features = AITaskEntityFeature.GENERATE_DATA

    def __init__(self, entry: CaesarConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        self._route = entry.runtime_data.route_of(subentry)
        # The entity's own context is the last caller's, who need not be the present
        # one; each run is a task, and this belongs to the task.
        self._caller: ContextVar[Context | None] = ContextVar("caller", default=None)

    @callback
    @override
    def async_set_context(self, context: Context) -> None:
        """Note who calls."""
        super().async_set_context(context)
        self._caller.set(context)

    @override
    async def _async_generate_data(
        self, task: GenDataTask, chat_log: ChatLog
    ) -> GenDataTaskResult:
        """Generate what the task asks for."""
        caller = self._caller.get()
        self._caller.set(None)
        if self._route.provider == BUILTIN_PROVIDER:
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="needs_model"
            )
        section = await self._section(task, chat_log, caller)
        try:
            if task.structure is None:
                data: Any = await self._text(task, chat_log, section)
            else:
                data = await self._structured(task, task.structure, chat_log, section)
        except GatewayError as err:
            raise translated(err) from err
        return GenDataTaskResult(conversation_id=chat_log.conversation_id, data=data)

    async def _section(
        self, task: GenDataTask, chat_log: ChatLog, caller: Context | None
    ) -> str:
        runtime = self.entry.runtime_data
        scope = await async_identify_context(self.hass, self.entry.options, caller)
        section = runtime.section(
            scope, task.instructions, self.hass.config.language
        ).text
        # Assist may have told the same already.
        return "" if section in stable_prompt(chat_log) else section

    async def _text(self, task: GenDataTask, chat_log: ChatLog, section: str) -> str:
        language = self.hass.config.language
        outcome = await answer(
            chat_log,
            ConversationInput(
                text=task.instructions,
                context=Context(),
                conversation_id=chat_log.conversation_id,
                device_id=None,
                satellite_id=None,
                language=language,
                agent_id=self.entity_id,
            ),
            agent_id=self.entity_id,
            gateway=self.entry.runtime_data.gateway,
            route=self._route,
            request=ChatRequest(
                model=self._route.model,
                system="",
                section=section,
                messages=(),
                tools=(),
                language=language,
            ),
        )
        return outcome.reply

    async def _structured(
        self,
        task: GenDataTask,
        structure: probatio.Schema,
        chat_log: ChatLog,
        section: str,
    ) -> Any:
        if task.llm_api is not None:
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="tools_with_structure"
            )
        system = (stable_prompt(chat_log), section)
        result = await self.entry.runtime_data.gateway.generate(
            GenerationRequest(
                task=Task.CHAT,
                model=self._route.model,
                instructions="\n\n".join(part for part in system if part),
                examples=(),
                text=task.instructions,
                language=self.hass.config.language,
                local_date=dt_util.now().date(),
                answer_schema=probatio.to_openapi(
                    structure,
                    custom_serializer=selector_serializer,
                    openapi_version="3.1.0",
                ),
                max_tokens=_MAX_TOKENS,
            ),
            self._route,
        )
        try:
            return structure(json.loads(result.text))
        except (ValueError, probatio.Invalid) as err:
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="unusable_answer"
            ) from err
