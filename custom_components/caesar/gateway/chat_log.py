"""One answer in Home Assistant's chat log: the only file that touches it.

A turn asks the model, writes what comes into the log piece by piece, runs the tools
that the model wants and asks again, until there is an answer. A turn that fails leaves
the log as it was.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from homeassistant.components.conversation import (
    HOME_ASSISTANT_AGENT,
    AssistantContent,
    AssistantContentDeltaDict,
    ChatLog,
    Content,
    ConversationInput,
    ConversationResult,
    SystemContent,
    ToolResultContent,
    UserContent,
    async_converse,
)
from homeassistant.helpers import intent, llm
from homeassistant.helpers.json import json_dumps
import probatio

from custom_components.caesar.const import MAX_TOOL_ROUNDS

from . import Gateway, Route
from .base import (
    ChatRequest,
    HandOff,
    Message,
    ToolCall,
    ToolSpec,
    Usage,
)
from .errors import EmptyAnswerError, GatewayError
from .prompt import parted
from .rounds import Round, said, total

_BETWEEN = "\n\n"

_NOT_UNDERSTOOD = {
    intent.IntentResponseErrorCode.NO_INTENT_MATCH,
    intent.IntentResponseErrorCode.NO_VALID_TARGETS,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of a turn."""

    result: ConversationResult
    reply: str
    usage: Usage = field(default_factory=Usage)
    """The sum over all requests of the turn."""
    tools: Sequence[str] = ()
    """The names of the tools that ran, in order, with repetitions."""
    handed_off: bool = False
    """Home Assistant's own agent gave the answer."""


def stable_prompt(chat_log: ChatLog, section: str = "") -> str:
    """Return the system prompt without the section, whether that was added or not."""
    system = chat_log.content[0]
    text = system.content if isinstance(system, SystemContent) else ""
    return text.removesuffix(_BETWEEN + section) if section else text


def append_section(chat_log: ChatLog, section: str) -> None:
    """Add the section to the system prompt of this turn, once.

    Home Assistant writes that prompt anew on each turn, so nothing accumulates. The
    section is put in as it is: the prompt's template has already been rendered.
    """
    if section:
        stable = stable_prompt(chat_log, section)
        chat_log.content[0] = SystemContent(content=stable + _BETWEEN + section)


def offer(chat_log: ChatLog, tools: Iterable[llm.Tool]) -> None:
    """Add tools to those that the log's LLM API offers, each once.

    A log without an API stays without tools: its model may not be able to call any.
    """
    if (api := chat_log.llm_api) is None:
        return
    offered = {tool.name for tool in api.tools}
    added = [tool for tool in tools if tool.name not in offered]
    chat_log.llm_api = replace(api, tools=[*api.tools, *added])


def messages(chat_log: ChatLog, since: int = 0) -> Sequence[Message]:
    """Return the conversation from the content at index ``since`` on."""
    return [
        _message(content)
        for content in chat_log.content[since:]
        if not isinstance(content, SystemContent)
    ]


def tool_specs(chat_log: ChatLog) -> Sequence[ToolSpec]:
    """Return the tools that the log's LLM API offers."""
    if (api := chat_log.llm_api) is None:
        return ()
    return [
        ToolSpec(
            name=tool.name,
            description=tool.description or "",
            parameters=probatio.to_openapi(
                tool.parameters,
                custom_serializer=api.custom_serializer,
                openapi_version="3.1.0",
            ),
        )
        for tool in api.tools
    ]


async def answer(
    chat_log: ChatLog,
    user_input: ConversationInput,
    *,
    agent_id: str,
    gateway: Gateway,
    route: Route,
    request: ChatRequest,
    since: int = 0,
) -> Outcome:
    """Answer the log's last message, with tools and streaming.

    Model, system, messages and tools of the request are filled in here; its section is
    added to the log's system prompt. Content before index ``since`` is not sent.
    Raises only GatewayError for what the provider does wrong, and then leaves the log
    with the person's message last.
    """
    append_section(chat_log, request.section)
    turn = _Turn(chat_log, user_input, agent_id)
    stable, changing = parted(stable_prompt(chat_log, request.section))
    try:
        hand_off = await turn.ask(
            gateway,
            route,
            replace(
                request,
                system=stable,
                section=_BETWEEN.join(filter(None, (changing, request.section))),
                tools=tool_specs(chat_log),
            ),
            since,
        )
        if hand_off is None:
            return turn.outcome()
        return await turn.hand_off(hand_off)
    except GatewayError:
        turn.withdraw()
        raise


async def reply(
    chat_log: ChatLog, user_input: ConversationInput, agent_id: str, text: str
) -> ConversationResult:
    """Answer the log's last message with a text, without asking any provider."""
    turn = _Turn(chat_log, user_input, agent_id)
    return (await turn.say(text)).result


def withdraw_last(chat_log: ChatLog, since: int) -> None:
    """Take what was said before the log's last message out of it.

    Nothing before index ``since`` is touched: that was another person's.
    """
    spoken = [
        index
        for index, content in enumerate(chat_log.content[:-1])
        if isinstance(content, UserContent) and index >= since
    ]
    if spoken:
        del chat_log.content[spoken[-1] : -1]


class _Turn:
    """One turn in the log, from the person's message on."""

    def __init__(
        self, chat_log: ChatLog, user_input: ConversationInput, agent_id: str
    ) -> None:
        self._chat_log = chat_log
        self._user_input = user_input
        self._agent_id = agent_id
        self._start = len(chat_log.content)
        self._usage = Usage()

    @property
    def _contents(self) -> Sequence[Content]:
        """Return what the turn has added to the log."""
        return self._chat_log.content[self._start :]

    async def ask(
        self, gateway: Gateway, route: Route, request: ChatRequest, since: int
    ) -> HandOff | None:
        """Ask until no tool is wanted any more, the last time without tools."""
        for rounds_left in reversed(range(MAX_TOOL_ROUNDS)):
            asked = replace(
                request,
                messages=messages(self._chat_log, since),
                tools=request.tools if rounds_left else (),
            )
            async with aclosing(gateway.stream(asked, route)) as deltas:
                reply = Round(deltas, may_call=bool(asked.tools))
                await self._write(reply.contents())
            self._usage = total(self._usage, reply.usage)
            if not reply.called:
                return reply.hand_off
        return None

    async def hand_off(self, hand_off: HandOff) -> Outcome:
        """Let Home Assistant's own agent answer, in the same conversation."""
        chat_log, user_input = self._chat_log, self._user_input
        # In a task of its own: a failure in there would otherwise leave this task in
        # the inner conversation's context.
        result = await chat_log.hass.async_create_task(
            async_converse(
                chat_log.hass,
                user_input.text,
                chat_log.conversation_id,
                user_input.context,
                user_input.language,
                agent_id=HOME_ASSISTANT_AGENT,
                device_id=user_input.device_id,
                satellite_id=user_input.satellite_id,
            )
        )
        if hand_off.fallback and result.response.error_code in _NOT_UNDERSTOOD:
            self.withdraw()
            return await self.say(hand_off.fallback)
        reply = _speech(result)
        if not isinstance(chat_log.content[-1], AssistantContent):
            chat_log.async_add_assistant_content_without_tools(
                AssistantContent(agent_id=self._agent_id, content=reply)
            )
        return Outcome(
            result=result,
            reply=reply,
            usage=self._usage,
            tools=self._tools(),
            handed_off=True,
        )

    async def say(self, text: str) -> Outcome:
        """Answer with a text that is already whole."""
        await self._write(said(text))
        return self.outcome()

    def outcome(self) -> Outcome:
        """Return the answer that stands last in the log; raises EmptyAnswerError."""
        last = self._chat_log.content[-1]
        reply = last.content if isinstance(last, AssistantContent) else None
        if reply is None or not reply.strip():
            raise EmptyAnswerError("The model gave no answer")
        response = self._intent_response()
        response.async_set_speech(reply)
        result = ConversationResult(
            response=response,
            conversation_id=self._chat_log.conversation_id,
            continue_conversation=self._chat_log.continue_conversation,
        )
        return Outcome(
            result=result, reply=reply, usage=self._usage, tools=self._tools()
        )

    def withdraw(self) -> None:
        """Take out of the log what the turn has added."""
        del self._chat_log.content[self._start :]

    async def _write(self, deltas: AsyncIterator[AssistantContentDeltaDict]) -> None:
        """Stream into the log, which runs the tools that are called."""
        async for _ in self._chat_log.async_add_delta_content_stream(
            self._agent_id, deltas
        ):
            pass

    def _tools(self) -> Sequence[str]:
        return [
            content.tool_name
            for content in self._contents
            if isinstance(content, ToolResultContent)
        ]

    def _intent_response(self) -> intent.IntentResponse:
        """Return the response of this turn's last intent, else a new one.

        Home Assistant's own function for this looks at earlier turns too where no LLM
        data was provided in this one, and would hand out their cards and targets.
        """
        for content in reversed(self._contents):
            if isinstance(content, ToolResultContent) and isinstance(
                content.result.data, llm.IntentResponseDict
            ):
                return content.result.data.original
        return intent.IntentResponse(language=self._user_input.language)


def _message(content: Content) -> Message:
    match content:
        case AssistantContent():
            return Message(
                role="assistant",
                text=content.content or "",
                thinking=content.thinking_content or "",
                tool_calls=_tool_calls(content.tool_calls or ()),
                native=content.native,
            )
        case ToolResultContent():
            result = {"data": content.result.data, "error": content.result.error}
            return Message(
                role="tool",
                text=json_dumps(result),
                tool_call_id=content.tool_call_id,
                tool_name=content.tool_name,
            )
        case _:
            return Message(role="user", text=content.content)


def _tool_calls(inputs: Iterable[llm.ToolInput]) -> Sequence[ToolCall]:
    return [
        ToolCall(name=call.tool_name, arguments=call.tool_args, id=call.id)
        for call in inputs
    ]


def _speech(result: ConversationResult) -> str:
    plain = result.response.speech.get("plain", {})
    return str(plain.get("speech", ""))
