"""Learning from what people say to other agents, where they chose that.

Inside another agent's turn nothing happens but noting that somebody spoke. When the
turn is over, the person's words and the reply are read from the chat log and stored as
an exchange; prompts and tools are never looked at. Where nothing tells who spoke, what
is learned is only suggested, to the household.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
import logging
from typing import Any, Final

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    Content,
    ConversationInput,
    UserContent,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.llm import LLMContext

from . import chat_log_hook
from .callers import async_identify_caller, async_tentative
from .chat_log_hook import RunningTurn
from .const import CONF_LEARN_FROM_AGENTS, DOMAIN
from .memory.models import (
    HOUSEHOLD,
    UNKNOWN_VOICE,
    EventKind,
    Json,
    NewEvent,
    Owner,
    Scope,
)
from .runtime import CaesarConfigEntry
from .speaker import async_identify

_LOGGER = logging.getLogger(__name__)

ISSUE_UNAVAILABLE: Final = "observer_unavailable"
DELAY: Final = 30
"""Seconds from a person's words to reading the turn, which should be over by then."""
TRIES: Final = 9
"""How often a turn is looked for; Home Assistant keeps one for five minutes."""

_AI_TASK: Final = "ai_task"
_OPEN: Final = 200
"""Turns that are kept in mind at most."""


@dataclass(kw_only=True, slots=True)
class _Heard:
    """Words that somebody said to some agent, and who that was, once it is known."""

    conversation_id: str
    text: str
    created: datetime
    user_input: ConversationInput | None = None
    llm_context: LLMContext | None = None
    tries: int = 0
    cancel: Callable[[], None] | None = None

    @property
    def is_identified(self) -> bool:
        return self.user_input is not None or self.llm_context is not None


class Observer:
    """Hears the turns of all agents while an entry is loaded."""

    def __init__(self, hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._open: dict[str, _Heard] = {}
        self._waiting: list[_Heard] = []
        self._claimed: deque[str] = deque(maxlen=_OPEN)
        self._has_failed = False

    @callback
    def hear(
        self, conversation_id: str, event_type: str, data: Mapping[str, Any]
    ) -> None:
        """Take notice of what happens in a turn; never raises."""
        try:
            self._notice(conversation_id, event_type, data)
        except Exception as err:  # noqa: BLE001  the turn is not ours to end
            self._complain(err)

    @callback
    def stop(self) -> None:
        """Wait for no turn any more."""
        for heard in self._waiting:
            if heard.cancel is not None:
                heard.cancel()
        self._waiting.clear()
        self._open.clear()

    async def forget(self, owner: Owner) -> None:
        """Store nothing that an owner has said and that waits to be read."""
        for heard in tuple(self._waiting):
            if (await self._scope(heard)).owner == owner:
                self._drop(heard)

    def _notice(
        self, conversation_id: str, event_type: str, data: Mapping[str, Any]
    ) -> None:
        content = data.get("content", {})
        if event_type == "content_added" and content.get("role") == "user":
            # One agent's words to another, and those of AI tasks, come in an open log.
            if chat_log_hook.open_log(conversation_id) is None:
                self._begin(conversation_id, content)
            return
        if heard := self._open.get(conversation_id):
            self._identify(heard)

    def _begin(self, conversation_id: str, content: Mapping[str, Any]) -> None:
        heard = _Heard(
            conversation_id=conversation_id,
            text=content["content"],
            created=content["created"],
        )
        while len(self._waiting) >= _OPEN:
            self._drop(self._waiting[0])
        self._open[conversation_id] = heard
        self._waiting.append(heard)
        self._wait(heard)
        self._identify(heard)

    def _identify(self, heard: _Heard) -> None:
        if heard.is_identified:
            return
        for turn in RunningTurn.all():
            if self._is_turn_of(turn, heard):
                self._claimed.append(turn.id)
                heard.user_input = turn.user_input
                break
        log = chat_log_hook.open_log(heard.conversation_id)
        if log is not None and log.llm_api is not None:
            heard.llm_context = log.llm_api.llm_context
        if self._is_not_spoken_to_others(heard):
            self._drop(heard)

    def _is_turn_of(self, turn: RunningTurn, heard: _Heard) -> bool:
        if turn.user_input.text != heard.text or turn.id in self._claimed:
            return False
        # The first turn of a conversation begins without an id.
        return turn.user_input.conversation_id in (heard.conversation_id, None)

    def _is_not_spoken_to_others(self, heard: _Heard) -> bool:
        if heard.user_input and self._is_our_agent(heard.user_input.agent_id):
            return True
        context = heard.llm_context
        return context is not None and (
            context.platform == DOMAIN or context.assistant == _AI_TASK
        )

    def _is_our_agent(self, agent_id: str) -> bool:
        entity = er.async_get(self._hass).async_get(agent_id)
        return entity is not None and entity.platform == DOMAIN

    def _wait(self, heard: _Heard) -> None:
        # The timer keeps the turn's context, by which a script is known later.
        @callback
        def due(_: datetime) -> None:
            heard.cancel = None
            self._entry.async_create_task(
                self._hass, self._read(heard), "CAESAR observed turn"
            )

        heard.cancel = async_call_later(self._hass, DELAY, due)

    def _drop(self, heard: _Heard) -> None:
        if heard.cancel is not None:
            heard.cancel()
        if heard in self._waiting:
            self._waiting.remove(heard)
        if self._open.get(heard.conversation_id) is heard:
            del self._open[heard.conversation_id]

    async def _read(self, heard: _Heard) -> None:
        if heard not in self._waiting:
            return
        try:
            await self._read_turn(heard)
        except Exception as err:  # noqa: BLE001  what is seen here may change shape
            self._drop(heard)
            self._complain(err)

    async def _read_turn(self, heard: _Heard) -> None:
        log = chat_log_hook.stored_log(self._hass, heard.conversation_id)
        answers = None if log is None else _answers_to(log, heard)
        if answers is None and heard.tries < TRIES:
            heard.tries += 1
            self._wait(heard)
            return
        self._drop(heard)
        if answers is None and not heard.is_identified:
            return
        reply = answers[-1] if answers else None
        if reply is not None and self._is_not_an_agents(reply.agent_id):
            return
        await self._store(heard, reply)

    def _is_not_an_agents(self, agent_id: str) -> bool:
        return agent_id.startswith(f"{_AI_TASK}.") or self._is_our_agent(agent_id)

    async def _store(self, heard: _Heard, reply: AssistantContent | None) -> None:
        scope = await self._scope(heard)
        if not scope.teaches:
            # An automation spoke.
            return
        payload: dict[str, Json] = {
            "observed": True,
            "agent": _agent(heard, reply),
            "teaches": True,
            "tentative": await self._tentative(heard, scope),
        }
        event = NewEvent(
            kind=EventKind.CHAT_COMPLETED if reply else EventKind.CHAT_FAILED,
            owner=scope.owner,
            conversation_id=heard.conversation_id,
            device_id=_device(heard),
            language=_language(self._hass, heard),
            user_text=heard.text,
            assistant_text=reply.content if reply else None,
            payload=payload,
        )
        runtime = self._entry.runtime_data
        if await runtime.turns.store(None, event):
            runtime.wake_jobs()

    async def _scope(self, heard: _Heard) -> Scope:
        options = self._entry.options
        if heard.user_input is not None:
            return await async_identify(self._hass, options, heard.user_input)
        if heard.llm_context is not None:
            return await async_identify_caller(self._hass, options, heard.llm_context)
        return Scope(owner=HOUSEHOLD)

    async def _tentative(self, heard: _Heard, scope: Scope) -> str | None:
        if not heard.is_identified:
            return UNKNOWN_VOICE
        return await async_tentative(
            self._hass, self._entry.options, scope.owner, _user_id(heard)
        )

    def _complain(self, err: Exception) -> None:
        """Say once that observing fails; never what was said."""
        if self._has_failed:
            return
        self._has_failed = True
        _LOGGER.error("Learning from other agents failed: %s", type(err).__name__)


@callback
def async_observe(hass: HomeAssistant, entry: CaesarConfigEntry) -> None:
    """Begin to hear other agents' turns, where the options ask for it."""
    wanted = entry.options.get(CONF_LEARN_FROM_AGENTS, False)
    if not wanted or chat_log_hook.is_available():
        ir.async_delete_issue(hass, DOMAIN, ISSUE_UNAVAILABLE)
    else:
        ir.async_create_issue(
            hass,
            DOMAIN,
            ISSUE_UNAVAILABLE,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=ISSUE_UNAVAILABLE,
        )
        return
    if not wanted or not entry.runtime_data.facts_enabled:
        return
    observer = Observer(hass, entry)
    entry.async_on_unload(chat_log_hook.subscribe(hass, observer.hear))
    entry.async_on_unload(observer.stop)
    entry.runtime_data.forgetting.append(observer.forget)


def _answers_to(log: ChatLog, heard: _Heard) -> Sequence[AssistantContent] | None:
    """Return what agents said after these words, None where they are not in the log."""
    contents = iter(log.content)
    if not any(_is_said(content, heard) for content in contents):
        return None
    answers: list[AssistantContent] = []
    for content in contents:
        if isinstance(content, UserContent):
            break
        if isinstance(content, AssistantContent) and content.content:
            answers.append(content)
    return answers


def _is_said(content: Content, heard: _Heard) -> bool:
    return (
        isinstance(content, UserContent)
        and content.content == heard.text
        and content.created == heard.created
    )


def _agent(heard: _Heard, reply: AssistantContent | None) -> str:
    if heard.user_input is not None:
        return heard.user_input.agent_id
    return reply.agent_id if reply is not None else ""


def _device(heard: _Heard) -> str | None:
    if heard.user_input is not None:
        return heard.user_input.device_id
    return heard.llm_context.device_id if heard.llm_context else None


def _user_id(heard: _Heard) -> str | None:
    if heard.user_input is not None:
        return heard.user_input.context.user_id
    context = heard.llm_context.context if heard.llm_context else None
    return context.user_id if context else None


def _language(hass: HomeAssistant, heard: _Heard) -> str:
    language: str | None = None
    if heard.user_input is not None:
        language = heard.user_input.language
    elif heard.llm_context is not None:
        language = heard.llm_context.language
    return hass.config.language if language in (None, "", "*") else str(language)
