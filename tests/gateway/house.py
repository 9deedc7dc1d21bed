"""A small house: one light, and an agent that answers through the gateway."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.components.conversation.const import (
    DATA_COMPONENT as CONVERSATION_COMPONENT,
)
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import (
    DATA_COMPONENT as LIGHT_COMPONENT,
    ColorMode,
)
from homeassistant.const import MATCH_ALL
from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component

from custom_components.caesar.gateway import Gateway, Route, Timeouts
from custom_components.caesar.gateway.base import ChatRequest
from custom_components.caesar.gateway.chat_log import Outcome, answer

from .requests import chat
from .scripted import ScriptedProvider, Step

AGENT = "conversation.agent"
LIGHT = "light.kitchen_lamp"

ROUTE = Route("local", "qwen3:4b")


class Lamp(LightEntity):
    """A lamp that is on or off."""

    entity_id = LIGHT
    _attr_name = "Kitchen lamp"
    _attr_color_mode = ColorMode.ONOFF
    _attr_supported_color_modes = {ColorMode.ONOFF}  # noqa: RUF012 - HA's shape
    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        self._attr_is_on = True
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs: Any) -> None:
        self._attr_is_on = False
        self.async_write_ha_state()


class Agent(conversation.ConversationEntity):
    """Answers by a script; keeps what a turn heard and what came of it."""

    entity_id = AGENT
    _attr_name = "Agent"

    def __init__(self) -> None:
        self.provider = ScriptedProvider()
        self.timeouts = Timeouts()
        self.api: str | None = None
        self.provides_prompt = True
        self.request: ChatRequest = chat(system="", section="")
        self.since = 0
        self.heard: list[dict[str, Any]] = []
        """The deltas that the log's listener was given in the last turn."""
        self.heard_text = asyncio.Event()
        self.outcomes: list[Outcome] = []
        self.log: conversation.ChatLog | None = None

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        return MATCH_ALL

    def script(self, *scripts: Sequence[Step]) -> ScriptedProvider:
        """Answer the next requests by these scripts."""
        self.provider = ScriptedProvider(*scripts)
        return self.provider

    def _listen(self, _log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        self.heard.append(delta)
        if "content" in delta:
            self.heard_text.set()

    @override
    async def _async_handle_message(
        self,
        user_input: conversation.ConversationInput,
        chat_log: conversation.ChatLog,
    ) -> conversation.ConversationResult:
        self.log = chat_log
        self.heard = []
        chat_log.delta_listener = self._listen
        if self.provides_prompt:
            await chat_log.async_provide_llm_data(
                user_input.as_llm_context("caesar"), self.api, "You are a butler."
            )
        outcome = await answer(
            chat_log,
            user_input,
            agent_id=self.entity_id,
            gateway=Gateway({"local": self.provider}, ROUTE, self.timeouts),
            route=ROUTE,
            request=self.request,
            since=self.since,
        )
        self.outcomes.append(outcome)
        return outcome.result


async def furnish(hass: HomeAssistant) -> Agent:
    """Set up the house and return its agent."""
    for domain in ("homeassistant", "conversation", "light"):
        assert await async_setup_component(hass, domain, {})
    await hass.data[LIGHT_COMPONENT].async_add_entities([Lamp()])
    agent = Agent()
    await hass.data[CONVERSATION_COMPONENT].async_add_entities([agent])
    await hass.async_block_till_done()
    return agent


async def say(
    hass: HomeAssistant, text: str, conversation_id: str | None = None
) -> conversation.ConversationResult:
    """Say something to the agent, as a turn of its own."""
    return await hass.async_create_task(
        conversation.async_converse(
            hass, text, conversation_id, Context(), "en", agent_id=AGENT
        )
    )


def reply(result: conversation.ConversationResult) -> str:
    """Return what a person hears."""
    return str(result.response.speech["plain"]["speech"])
