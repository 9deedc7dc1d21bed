"""How many tokens a model reads: counted by its server, or estimated."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
import json
from math import ceil
from typing import Any, Final, override

import aiohttp

type Body = dict[str, Any]

CHARACTERS: Final = 4
"""Characters per token, the usual rule of thumb for English."""
MESSAGE: Final = 4
"""Tokens that open and close a message."""

_TIMEOUT = aiohttp.ClientTimeout(total=600)


class Counter(ABC):
    """Counts the tokens of texts and of whole requests."""

    @property
    @abstractmethod
    def says(self) -> str:
        """Say how the tokens are counted."""

    @abstractmethod
    async def of_text(self, text: str) -> int:
        """Count a text by itself."""

    @abstractmethod
    async def of_request(self, body: Body) -> int:
        """Count all that a server reads of a request for chat."""


class Estimate(Counter):
    """Counts characters, where nobody is there to count tokens."""

    @property
    @override
    def says(self) -> str:
        return (
            f"ESTIMATED: a token for {CHARACTERS} characters, {MESSAGE} more for each "
            "message. With --url and --model a server counts."
        )

    @override
    async def of_text(self, text: str) -> int:
        return ceil(len(text) / CHARACTERS)

    @override
    async def of_request(self, body: Body) -> int:
        texts = list(_texts(body))
        return ceil(sum(map(len, texts)) / CHARACTERS) + MESSAGE * len(body["messages"])


class OllamaCounter(Counter):
    """Lets an Ollama server read, and write one word."""

    def __init__(self, url: str, model: str) -> None:
        self._url = url.rstrip("/")
        self._model = model

    @property
    @override
    def says(self) -> str:
        return f"Tokens as Ollama counts them with {self._model}."

    @override
    async def of_text(self, text: str) -> int:
        if not text:
            return 0
        request = {"model": self._model, "prompt": text, "raw": True}
        return await self._read("/api/generate", request)

    @override
    async def of_request(self, body: Body) -> int:
        return await self._read("/api/chat", {**body, "model": self._model})

    async def _read(self, path: str, request: Body) -> int:
        options = {**request.get("options", {"num_ctx": 8192}), "num_predict": 1}
        answer = await _post(
            self._url + path, {**request, "options": options, "stream": False}
        )
        return int(answer["prompt_eval_count"])


class AnthropicCounter(Counter):
    """Asks an Anthropic server, or one that speaks the same language, to count."""

    def __init__(self, url: str, model: str, key: str) -> None:
        self._url = f"{url.rstrip('/')}/v1/messages/count_tokens"
        self._model = model
        self._headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}

    @property
    @override
    def says(self) -> str:
        return f"Tokens as the server counts them with {self._model}."

    @override
    async def of_text(self, text: str) -> int:
        counts = [await self._count(_says(said)) for said in (f". {text}", ".")]
        return counts[0] - counts[1]

    @override
    async def of_request(self, body: Body) -> int:
        counted = ("system", "messages", "tools", "tool_choice")
        return await self._count({key: body[key] for key in counted if key in body})

    async def _count(self, parts: Body) -> int:
        request = {"model": self._model, **parts}
        answer = await _post(self._url, request, self._headers)
        return int(answer["input_tokens"])


async def _post(url: str, body: Body, headers: dict[str, str] | None = None) -> Body:
    async with (
        aiohttp.ClientSession(timeout=_TIMEOUT, raise_for_status=True) as session,
        session.post(url, json=body, headers=headers) as response,
    ):
        answer: Body = await response.json()
        return answer


def _says(text: str) -> Body:
    return {"messages": [{"role": "user", "content": text}]}


def _texts(body: Body) -> Iterator[str]:
    """Yield what a model reads: texts as they are, calls and tools as JSON."""
    for block in body.get("system", ()):
        yield block["text"]
    for message in body["messages"]:
        content = message.get("content") or ""
        if isinstance(content, str):
            yield content
        else:
            yield from (_text_of(block) for block in content)
    for tool in body.get("tools") or ():
        yield json.dumps(tool, ensure_ascii=False)


def _text_of(block: Body) -> str:
    match block:
        case {"text": str(text)}:
            return text
        case {"content": str(text)}:
            return text
        case _:
            return json.dumps(block, ensure_ascii=False)
