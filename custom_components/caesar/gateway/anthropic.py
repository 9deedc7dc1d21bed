"""The Anthropic provider: Claude, or what speaks its language, by the official SDK.

The SDK is handed in as a module, because importing it blocks and only those who use it
need it. Its errors end here.
"""

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Sequence,
)
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

import httpx

from . import anthropic_request as render
from .anthropic_answer import Answer
from .anthropic_errors import not_anthropic, translated
from .base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
    ToolCallDelta,
)
from .errors import (
    GatewayError,
    ModelNotFoundError,
    ProviderUnavailableError,
    UnsupportedRequestError,
)
from .quiet import quiet
from .tool_arguments import repaired

if TYPE_CHECKING:
    import anthropic

DEFAULT_URL: Final = "https://api.anthropic.com"

CONNECT_TIMEOUT: Final = 10
"""Seconds to reach the server; how long an answer may take is the gateway's matter."""

LIST_TIMEOUT: Final = 15
"""Seconds until the server has to have named its models, or told of one."""

ANSWER_TOKENS: Final = 4096
"""The longest answer to a person, thinking included."""

THINKING_TOKENS: Final = 1024
"""For models that want a number: the least that the server takes."""

_MODELS: Final = 1000
_SDK_LOGGER: Final = "anthropic._base_client"

type _Events = anthropic.AsyncStream[anthropic.types.RawMessageStreamEvent]


class AnthropicProvider:
    """Answers with the models of one Anthropic account or compatible server."""

    def __init__(
        self,
        sdk: ModuleType,
        api_key: str,
        *,
        http_client: httpx.AsyncClient,
        url: str = "",
    ) -> None:
        """Connect nothing yet; blocks while the SDK loads its parts.

        The HTTP client is somebody else's and stays open.
        """
        self._sdk = sdk
        with translated(sdk):
            client: anthropic.AsyncAnthropic = sdk.AsyncAnthropic(
                api_key=api_key,
                base_url=url or DEFAULT_URL,
                http_client=http_client,
                timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT),
                # Who speaks waits for no pauses; background jobs have their own.
                max_retries=0,
            )
            self._messages, self._models = client.messages, client.models
        self._thinking: dict[str, dict[str, Any]] = {}

    async def list_models(self) -> Sequence[str]:
        """Return the names of the models, the newest first.

        Raises UnsupportedRequestError where what answers is no Anthropic server, and
        the other errors of the gateway.
        """
        with translated(self._sdk):
            try:
                page = await self._models.list(limit=_MODELS, timeout=LIST_TIMEOUT)
                return [str(model.id) for model in page.data]
            except self._sdk.NotFoundError, AttributeError, TypeError, ValueError:
                raise not_anthropic() from None

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Answer in a conversation, piece by piece."""
        answer = Answer()
        thinking = await self._thoughts(request.model) if request.thinks else {}
        deltas = self._deltas(
            answer,
            model=request.model,
            system=render.system(request.system, request.section),
            messages=render.conversation(request.messages),
            max_tokens=ANSWER_TOKENS,
            **render.tools(request.tools, request.messages),
            **thinking,
        )
        async with aclosing(deltas):
            async for delta in deltas:
                yield delta
        schemas = {spec.name: spec.parameters for spec in request.tools}
        with translated(self._sdk):
            for delta in answer.rest():
                if isinstance(delta, ToolCallDelta):
                    call, schema = delta.call, schemas.get(delta.call.name, {})
                    fitting = repaired(call.arguments, schema)
                    yield ToolCallDelta(call=replace(call, arguments=fitting))
                else:
                    yield delta

    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Answer a structured request with text that follows its schema."""
        answer = Answer()
        deltas = self._deltas(
            answer,
            model=request.model,
            system=[{"type": "text", "text": request.instructions}],
            **render.structured(request),
        )
        async with aclosing(deltas):
            async for _ in deltas:
                pass
        return GenerationResult(
            text=answer.written, model=request.model, usage=answer.usage
        )

    async def close(self) -> None:
        """Do nothing: the connections are somebody else's."""

    async def _deltas(self, answer: Answer, **request: Any) -> AsyncGenerator[Delta]:
        """Ask, and pass on what comes until the answer has come to its end."""
        if not request["model"]:
            raise ModelNotFoundError("No model was named")
        with translated(self._sdk):
            events = await self._opened(request)
            try:
                async for event in events:
                    for delta in answer.add(event.to_dict(warnings=False)):
                        yield delta
            finally:
                await events.close()
        if not answer.complete:
            raise ProviderUnavailableError("The answer broke off")

    async def _opened(self, request: dict[str, Any]) -> _Events:
        """Send a request, a second time where the connection had gone stale."""
        # The SDK's overloads do not see through keyword arguments.
        create: Callable[[], Awaitable[_Events]] = partial(
            cast("Any", self._messages.create), stream=True, **request
        )
        with quiet(_SDK_LOGGER):
            try:
                return await create()
            except self._sdk.APITimeoutError:
                raise
            except self._sdk.APIConnectionError:
                return await create()

    async def _thoughts(self, model: str) -> dict[str, Any]:
        """Return how the model is told to think; nothing where it cannot."""
        if model not in self._thinking:
            try:
                self._thinking[model] = await self._asked_thoughts(model)
            except UnsupportedRequestError, ModelNotFoundError:
                # Compatible servers often tell nothing about a model.
                self._thinking[model] = {}
            except GatewayError:
                # Asked again next time; whatever is wrong, the answer will show it.
                return {}
        return self._thinking[model]

    async def _asked_thoughts(self, model: str) -> dict[str, Any]:
        with translated(self._sdk):
            async with asyncio.timeout(LIST_TIMEOUT):
                told = await self._models.retrieve(model)
            match told.to_dict(warnings=False):
                case {"capabilities": {"thinking": {"types": {**ways}}} as able}:
                    return _thinking(ways, able)
        return {}


def _thinking(ways: Any, able: Any) -> dict[str, Any]:
    match ways:
        case {"adaptive": {"supported": True}}:
            thinking: dict[str, Any] = {"thinking": {"type": "adaptive"}}
            if able.get("effort", {}).get("supported"):
                # Somebody waits for a spoken answer.
                thinking["output_config"] = {"effort": "low"}
            return thinking
        case {"enabled": {"supported": True}}:
            return {"thinking": {"type": "enabled", "budget_tokens": THINKING_TOKENS}}
        case _:
            return {}
