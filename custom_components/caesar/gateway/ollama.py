"""The Ollama provider: a model on a server of one's own, through the official SDK.

The SDK is handed in as a module, because importing it blocks and only those who use
Ollama need it. Its errors end here. What a server writes in them may hold the words of
a conversation, so ours neither repeat that text nor carry it as their cause.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from http import HTTPStatus
import ssl
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import httpx

from .base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
    Message,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from .embedding import EmbeddingRequest, EmbeddingResult
from .embedding_prefixes import prefix
from .errors import (
    ContextTooLongError,
    GatewayError,
    InputRefusedError,
    ModelNotFoundError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnavailableError,
    RateLimitedError,
    UnsupportedRequestError,
)
from .tool_arguments import repaired
from .written_calls import WrittenCalls

if TYPE_CHECKING:
    import ollama

CONNECT_TIMEOUT = 10
"""Seconds to reach the server; how long an answer may take is the gateway's matter."""

LIST_TIMEOUT = 15
"""Seconds until the server has to have named its models."""

KEEP_ALIVE = "30m"
"""How long the model stays loaded: who speaks should not wait while it loads again."""

CONTEXT_TOKENS = 8192
"""Ollama's own default cuts off the list of a house's devices. The same for all tasks,
since the server loads the model anew when it changes."""

_CALLERS_FAULT = {status.value for status in HTTPStatus if status.is_client_error} - {
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
}

type _Json = dict[str, Any]


class OllamaProvider:
    """Answers with the models of one Ollama server."""

    def __init__(
        self, sdk: ModuleType, url: str, *, ssl_context: ssl.SSLContext
    ) -> None:
        self._sdk = sdk
        with _translated(sdk):
            self._client: ollama.AsyncClient = sdk.AsyncClient(
                host=url,
                timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT),
                verify=ssl_context,
            )

    async def list_models(self) -> Sequence[str]:
        """Return the names of the server's models, sorted.

        Raises UnsupportedRequestError where what answers is no Ollama server, and the
        other errors of the gateway.
        """
        with _translated(self._sdk):
            try:
                async with asyncio.timeout(LIST_TIMEOUT):
                    listed = await self._client.list()
            except self._sdk.ResponseError as error:
                if error.status_code != HTTPStatus.NOT_FOUND:
                    raise
                raise _not_ollama() from None
            except AttributeError, TypeError, ValueError:
                raise _not_ollama() from None
        return sorted(model.model for model in listed.models if model.model)

    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Answer in a conversation, piece by piece."""
        parts = self._parts(
            model=request.model,
            messages=[
                *_system(request.system, request.section),
                *(_rendered(message) for message in request.messages),
            ],
            tools=[_tool(spec) for spec in request.tools],
            options={"num_ctx": CONTEXT_TOKENS},
        )
        schemas = {spec.name: spec.parameters for spec in request.tools}
        written = WrittenCalls(request.tools)
        async with aclosing(parts):
            async for part in parts:
                for found in _deltas(part):
                    for delta in written.pass_on(found):
                        yield _repaired(delta, schemas)

    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Answer a structured request with text that follows its schema."""
        parts = self._parts(
            model=request.model,
            messages=[
                *_system(request.instructions, ""),
                *_examples(request.examples),
                {"role": "user", "content": request.text},
            ],
            format=dict(request.answer_schema),
            options={
                "num_ctx": CONTEXT_TOKENS,
                "num_predict": request.max_tokens,
                "temperature": 0,
            },
        )
        texts: list[str] = []
        usage = Usage()
        async with aclosing(parts):
            async for part in parts:
                texts.append(part.message.content or "")
                if part.done:
                    usage = _usage(part)
        return GenerationResult(text="".join(texts), model=request.model, usage=usage)

    async def embed(self, request: EmbeddingRequest) -> EmbeddingResult:
        """Return a vector for each text, which the model cuts where it is too long."""
        if not request.model:
            raise ModelNotFoundError("No model was named")
        before = prefix(request.model, request.purpose)
        with _translated(self._sdk):
            try:
                answer = await self._client.embed(
                    model=request.model,
                    input=[f"{before}{text}" for text in request.texts],
                    truncate=True,
                    keep_alive=KEEP_ALIVE,
                )
            except self._sdk.ResponseError as error:
                if not _refuses_texts(error):
                    raise
                raise InputRefusedError("The model has no vectors for these") from None
            return EmbeddingResult(
                vectors=answer.embeddings, tokens=answer.prompt_eval_count
            )

    async def close(self) -> None:
        """Release connections; idempotent."""
        with _translated(self._sdk):
            await self._client.close()  # type: ignore[no-untyped-call]  # the SDK's

    async def _parts(self, **request: Any) -> AsyncGenerator[ollama.ChatResponse]:
        """Ask without thinking first, which some servers and models refuse."""
        with _translated(self._sdk):
            try:
                async with aclosing(self._complete(think=False, **request)) as parts:
                    async for part in parts:
                        yield part
            except self._sdk.ResponseError as error:
                if not _refuses_thinking(error):
                    raise
            else:
                return
            async with aclosing(self._complete(**request)) as parts:
                async for part in parts:
                    yield part

    async def _complete(self, **request: Any) -> AsyncGenerator[ollama.ChatResponse]:
        """Pass on the parts of an answer, which has to come to its end."""
        if not request["model"]:
            raise ModelNotFoundError("No model was named")
        parts = await self._client.chat(stream=True, keep_alive=KEEP_ALIVE, **request)
        complete = False
        # The SDK's annotation hides that it is a generator, which has to be closed.
        async with aclosing(
            cast("AsyncGenerator[ollama.ChatResponse]", parts)
        ) as parts:
            async for part in parts:
                yield part
                complete = complete or bool(part.done)
        if not complete:
            raise ProviderUnavailableError("The answer broke off")


def _system(stable: str, section: str) -> list[_Json]:
    """Return the system message, its stable part first so that servers can reuse it."""
    text = "\n\n".join(part for part in (stable, section) if part)
    return [{"role": "system", "content": text}] if text else []


def _examples(examples: Sequence[tuple[str, str]]) -> Iterator[_Json]:
    for question, answer in examples:
        yield {"role": "user", "content": question}
        yield {"role": "assistant", "content": answer}


def _rendered(message: Message) -> _Json:
    return {
        "role": message.role,
        "content": message.text,
        "thinking": message.thinking,
        "tool_name": message.tool_name,
        "tool_calls": [
            {"function": {"name": call.name, "arguments": dict(call.arguments)}}
            for call in message.tool_calls
        ],
    }


def _tool(spec: ToolSpec) -> _Json:
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": dict(spec.parameters),
        },
    }


def _deltas(part: ollama.ChatResponse) -> Iterator[Delta]:
    message = part.message
    if message.thinking:
        yield ThinkingDelta(text=message.thinking)
    if message.content:
        yield TextDelta(text=message.content)
    for call in message.tool_calls or ():
        arguments = call.function.arguments
        yield ToolCallDelta(call=ToolCall(name=call.function.name, arguments=arguments))
    if part.done:
        yield _usage(part)


def _repaired(delta: Delta, schemas: Mapping[str, Mapping[str, object]]) -> Delta:
    if not isinstance(delta, ToolCallDelta):
        return delta
    call = delta.call
    arguments = repaired(call.arguments, schemas.get(call.name, {}))
    return ToolCallDelta(call=replace(call, arguments=arguments))


def _usage(part: ollama.ChatResponse) -> Usage:
    return Usage(input_tokens=part.prompt_eval_count, output_tokens=part.eval_count)


@contextmanager
def _translated(sdk: ModuleType) -> Iterator[None]:
    """Turn what the SDK and its HTTP client raise into errors of the gateway."""
    try:
        yield
    except sdk.ResponseError as error:
        raise _of_status(error) from None
    except TimeoutError, httpx.TimeoutException:
        raise ProviderTimeoutError("The server did not answer in time") from None
    except OSError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL:
        raise ProviderUnavailableError("No connection to the server") from None
    except AttributeError, TypeError, ValueError:
        # The SDK builds its values from whatever JSON arrives.
        raise ProviderUnavailableError("The answer cannot be read") from None


def _of_status(error: ollama.ResponseError) -> GatewayError:
    """Return the error that an HTTP status means; -1 stands for one amid a stream."""
    status = error.status_code
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return ProviderRefusedError(f"The server refused (status {status})")
    if status == HTTPStatus.NOT_FOUND:
        return _not_found(error)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimitedError(f"The server has had enough (status {status})")
    if _is_too_long(error):
        return ContextTooLongError(f"The request is too long (status {status})")
    if status in _CALLERS_FAULT:
        # A model without tools ends here too. Asking again without them would have it
        # claim to have switched what it cannot reach.
        return UnsupportedRequestError(f"The model cannot do this (status {status})")
    return ProviderUnavailableError(f"The server failed (status {status})")


def _not_found(error: ollama.ResponseError) -> GatewayError:
    if "model" in str(error.error).lower():
        return ModelNotFoundError("The server does not have the model")
    return _not_ollama()


def _is_too_long(error: ollama.ResponseError) -> bool:
    said = str(error.error).lower()
    return "context length" in said or "context size" in said


def _refuses_texts(error: ollama.ResponseError) -> bool:
    """Return whether the texts are at fault: their vectors were no numbers."""
    return (
        error.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
        and "nan" in str(error.error).lower()
    )


def _not_ollama() -> UnsupportedRequestError:
    return UnsupportedRequestError("What answers is no Ollama server")


def _refuses_thinking(error: ollama.ResponseError) -> bool:
    return (
        error.status_code == HTTPStatus.BAD_REQUEST
        and "think" in str(error.error).lower()
    )
