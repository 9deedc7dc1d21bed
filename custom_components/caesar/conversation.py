"""The conversation agent: one chat turn."""

from typing import Literal, override

from homeassistant.components.conversation import (
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
    ConverseError,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT, MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .callers import async_tentative
from .const import (
    BUILTIN_PROVIDER,
    CONF_THINKS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from .earlier import async_earlier, looks_back
from .entity import CaesarEntity
from .errors import translated
from .gateway.base import ChatRequest
from .gateway.chat_log import answer, offer
from .gateway.errors import GatewayError
from .memory.asking import is_plain_order
from .memory.secrets import holds_secret
from .runtime import CaesarConfigEntry
from .speaker import async_identify
from .tools import own_conversation_tools, recall_facts_tool
from .turns import Spoken

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _: HomeAssistant,
    entry: CaesarConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add one agent for each conversation subentry."""
    for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
        async_add_entities(
            [CaesarConversation(entry, subentry)],
            config_subentry_id=subentry.subentry_id,
        )


class CaesarConversation(CaesarEntity, ConversationEntity):
    """An agent that knows what it was told."""

    _attr_supports_streaming = True

    def __init__(self, entry: CaesarConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        self._route = entry.runtime_data.route_of(subentry)
        self._controls = subentry.data.get(CONF_LLM_HASS_API)
        if self._controls or self._route.provider == BUILTIN_PROVIDER:
            self._attr_supported_features = ConversationEntityFeature.CONTROL

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        return MATCH_ALL

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        runtime = self.entry.runtime_data
        scope = await async_identify(self.hass, self.entry.options, user_input)
        section = runtime.section(scope, user_input.text, user_input.language)
        spoken = await runtime.commands.hear(
            Spoken(
                user_input=user_input,
                conversation_id=chat_log.conversation_id,
                scope=scope,
                route=self._route,
                section=section,
                teaches=scope.teaches and runtime.facts_enabled,
                tentative=await async_tentative(
                    self.hass,
                    self.entry.options,
                    scope.owner,
                    user_input.context.user_id,
                ),
            )
        )
        if said := await runtime.commands.answer(spoken, chat_log, self.entity_id):
            return said
        turn = runtime.turns.begin(spoken, runtime.wake_jobs)
        try:
            await chat_log.async_provide_llm_data(
                user_input.as_llm_context(DOMAIN),
                self._controls,
                self.subentry.data.get(CONF_PROMPT),
                user_input.extra_system_prompt,
            )
            since = runtime.speakers.since(
                chat_log.conversation_id, scope.owner, len(chat_log.content) - 1
            )
            self._offer_recall(chat_log, spoken)
            has_model = self._route.provider != BUILTIN_PROVIDER
            looks_back_now = has_model and looks_back(self.entry)
            notes = await async_earlier(self.entry, spoken) if looks_back_now else ""
            outcome = await answer(
                chat_log,
                user_input,
                agent_id=self.entity_id,
                gateway=runtime.gateway,
                route=self._route,
                request=self._request(spoken, notes),
                since=since,
            )
        except ConverseError as err:
            await turn.failed(err)
            return err.as_conversation_result()
        except GatewayError as err:
            runtime.refusals.failed(err)
            await turn.failed(err)
            return _apology(user_input, chat_log, err)
        except BaseException as err:
            await turn.failed(err)
            raise
        runtime.refusals.succeeded(self._route.provider)
        await turn.completed(outcome)
        runtime.commands.note_reply(spoken, outcome.reply)
        return outcome.result

    def _offer_recall(self, chat_log: ChatLog, spoken: Spoken) -> None:
        """Let the model look up what the caps hide, and what was said before.

        It needs no other tool of ours. What is said to our agents is learned anyway,
        and small models that can call "remember" were seen to remember nonsense. A
        plain order needs none at all.
        """
        if self._route.provider == BUILTIN_PROVIDER:
            return
        if spoken.section.total > len(spoken.section.fact_ids):
            offer(chat_log, [recall_facts_tool(self.entry, spoken.scope)])
        user_input = spoken.user_input
        if looks_back(self.entry) and not is_plain_order(
            user_input.text, user_input.language
        ):
            offer(
                chat_log,
                own_conversation_tools(self.entry, spoken.scope, self._route),
            )

    def _request(self, spoken: Spoken, notes: str) -> ChatRequest:
        runtime = self.entry.runtime_data
        text = spoken.user_input.text
        has_model = self._route.provider != BUILTIN_PROVIDER
        return ChatRequest(
            model=self._route.model,
            system="",
            section="\n\n".join(filter(None, (spoken.section.text, notes))),
            messages=(),
            tools=(),
            language=spoken.user_input.language,
            known=()
            if has_model or not runtime.facts_enabled
            else runtime.known.of(spoken.scope, spoken.user_input.language),
            remembers=spoken.teaches,
            withheld=holds_secret(text),
            thinks=self.subentry.data.get(CONF_THINKS, False),
        )


def _apology(
    user_input: ConversationInput, chat_log: ChatLog, err: GatewayError
) -> ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(
        intent.IntentResponseErrorCode.UNKNOWN, str(translated(err))
    )
    return ConversationResult(
        response=response, conversation_id=chat_log.conversation_id
    )
