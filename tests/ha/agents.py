"""Other agents of a house, as small real ones, and who speaks to them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, override

from homeassistant.auth.models import User
from homeassistant.components.ai_task import (
    AITaskEntity,
    AITaskEntityFeature,
    GenDataTask,
    GenDataTaskResult,
)
from homeassistant.components.ai_task.const import DATA_COMPONENT as AI_TASK_COMPONENT
from homeassistant.components.conversation import (
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    ConversationEntity,
    ConversationInput,
    ConversationResult,
    async_converse,
    async_get_result_from_chat_log,
)
from homeassistant.components.conversation.const import (
    DATA_COMPONENT as CONVERSATION_COMPONENT,
)
from homeassistant.const import MATCH_ALL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er, llm
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.caesar.gateway.chat_log import stable_prompt

OTHER = "conversation.other"
LOCAL = "conversation.home_assistant"
AI_TASK = "ai_task.other"

BEDROOM, KITCHEN = "assist_satellite.bedroom", "assist_satellite.kitchen"


class OtherAgent(ConversationEntity):
    """An agent with a model, of another integration, that uses Assist."""

    entity_id = OTHER
    _attr_name = "Other"

    def __init__(self, api: str | None = llm.LLM_API_ASSIST) -> None:
        self.api = api
        self.calls: list[tuple[str, dict[str, Any]]] = []
        """The tools that the model calls in the next turn."""
        self.says = "Okay."
        self.prompt = ""
        self.tools: list[llm.Tool] = []
        self.results: list[llm.ToolResult] = []
        self.fails: Exception | None = None
        self.holds: asyncio.Event | None = None
        self.passes_on: str | None = None
        """Words of its own for another agent, in the same conversation."""

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        return MATCH_ALL

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        await chat_log.async_provide_llm_data(
            user_input.as_llm_context("other_llm"), self.api, "You are other."
        )
        self.prompt = stable_prompt(chat_log)
        self.tools = chat_log.llm_api.tools if chat_log.llm_api else []
        if self.fails is not None:
            raise self.fails
        if self.holds is not None:
            await self.holds.wait()
        if self.passes_on is not None:
            await async_converse(
                self.hass,
                self.passes_on,
                chat_log.conversation_id,
                user_input.context,
                agent_id=LOCAL,
            )
        self.results = []
        calls = [llm.ToolInput(name, args) for name, args in self.calls]
        self.calls = []
        if calls:
            await self._stream(chat_log, {"role": "assistant", "tool_calls": calls})
        await self._stream(chat_log, {"role": "assistant", "content": self.says})
        return async_get_result_from_chat_log(user_input, chat_log)

    async def _stream(self, chat_log: ChatLog, delta: AssistantContentDeltaDict):
        async def deltas() -> AsyncIterator[AssistantContentDeltaDict]:
            yield delta

        stream = chat_log.async_add_delta_content_stream(OTHER, deltas())
        async for content in stream:
            if not isinstance(content, AssistantContent):
                self.results.append(content.result)

    @property
    def result(self) -> Any:
        """Return what the only tool call of the last turn gave."""
        (result,) = self.results
        return result.data


class OtherAiTask(AITaskEntity):
    """An AI Task entity of another integration that answers as it is told."""

    entity_id = AI_TASK
    _attr_name = "Other"
    _attr_supported_features = AITaskEntityFeature.GENERATE_DATA

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.tasks: list[GenDataTask] = []
        self.prompts: list[str] = []

    @override
    async def _async_generate_data(
        self, task: GenDataTask, chat_log: ChatLog
    ) -> GenDataTaskResult:
        self.tasks.append(task)
        self.prompts.append(stable_prompt(chat_log))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=AI_TASK, content=str(answer))
        )
        return GenDataTaskResult(chat_log.conversation_id, answer)


async def add_other_agent(
    hass: HomeAssistant, api: str | None = llm.LLM_API_ASSIST
) -> OtherAgent:
    other = OtherAgent(api)
    await hass.data[CONVERSATION_COMPONENT].async_add_entities([other])
    return other


async def add_ai_task(hass: HomeAssistant, *answers: Any) -> OtherAiTask:
    assert await async_setup_component(hass, "ai_task", {})
    task = OtherAiTask(*answers)
    await hass.data[AI_TASK_COMPONENT].async_add_entities([task])
    return task


def add_satellite(hass: HomeAssistant, entity_id: str) -> str:
    """Register a satellite with a device; return the device's id."""
    entry = MockConfigEntry(domain="satellites")
    entry.add_to_hass(hass)
    name = entity_id.partition(".")[2]
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("satellites", name)}
    )
    er.async_get(hass).async_get_or_create(
        "assist_satellite",
        "satellites",
        name,
        suggested_object_id=name,
        device_id=device.id,
        config_entry=entry,
    )
    return device.id


@dataclass(frozen=True, kw_only=True)
class Voice:
    """How somebody's words come into the house."""

    user: User | None = None
    satellite_id: str | None = None
    device_id: str | None = None
    hears: frozenset[str] = field(default_factory=frozenset)
    """Whose facts may reach an agent that they speak to."""

    def context(self) -> Context:
        return Context(user_id=self.user.id if self.user else None)

    def parts(self) -> dict[str, Any]:
        return {
            "context": self.context(),
            "satellite_id": self.satellite_id,
            "device_id": self.device_id,
        }


async def mcp_api(hass: HomeAssistant, voice: Voice) -> llm.APIInstance:
    """Return Assist's API as the MCP server asks for it on behalf of a client."""
    return await llm.async_get_api(
        hass,
        llm.LLM_API_ASSIST,
        llm.LLMContext(
            platform="mcp_server",
            context=voice.context(),
            language="*",
            assistant="conversation",
            device_id=voice.device_id,
        ),
    )
