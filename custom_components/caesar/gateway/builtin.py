"""The provider that needs no model: sentence files decide what was told and asked."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
import json
import re
from typing import override

from .answers import Answerer
from .base import (
    ChatRequest,
    Delta,
    GenerationRequest,
    GenerationResult,
    HandOff,
    Provider,
    TextDelta,
)
from .errors import ProviderNotLoadedError
from .language import Language
from .reading import Reading, Statement
from .sentences import SentenceFileError, Sentences
from .statements import StatementReader

NAME = "builtin"
MAX_TEXT = 1000
"""Characters that are read; whoever says more is not talking to sentence files."""


@dataclass(frozen=True, slots=True)
class _Spoken:
    """What reads and answers one language."""

    language: Language
    reader: StatementReader
    answerer: Answerer


class BuiltinProvider(Provider):
    """Learns and answers by sentence files; leaves the rest to the house's agent."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._spoken: dict[str, _Spoken] = {}

    @override
    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Answer what was told or asked about; hand off everything else."""
        spoken = await self._understood(request.language)
        if spoken is None or not request.messages or _is_a_speech(request):
            yield HandOff()
        else:
            yield _reply(spoken, request)

    @override
    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Read the facts that the text states."""
        spoken = await self._understood(request.language)
        reading = Reading(complete=False)
        if spoken is not None:
            reading = spoken.reader.read(_beginning(request.text))
        answer = {
            "kind": _kind(reading),
            "facts": [_fact(statement) for statement in reading.statements],
        }
        return GenerationResult(
            text=json.dumps(answer, ensure_ascii=False),
            model=NAME,
            complete=reading.complete and bool(reading.statements),
        )

    @override
    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    async def _understood(self, code: str) -> _Spoken | None:
        """Return what reads a language, without holding up others while it is read."""
        try:
            language = await self._sentences.async_language(code)
        except SentenceFileError as error:
            raise ProviderNotLoadedError(str(error)) from error
        if language is None:
            return None
        if language.code not in self._spoken:
            self._spoken[language.code] = _Spoken(
                language, StatementReader(language), Answerer(language)
            )
        return self._spoken[language.code]


def _reply(spoken: _Spoken, request: ChatRequest) -> TextDelta | HandOff:
    text = request.messages[-1].text
    replies = spoken.language.replies
    if request.withheld:
        if spoken.language.words["order_start"].start(text):
            return HandOff(fallback=replies["withheld"])
        return TextDelta(text=replies["withheld"])
    answer = spoken.answerer.answer(text, request.known, remembers=request.remembers)
    if answer is not None and answer.certain:
        return TextDelta(text=answer.text)
    reading = spoken.reader.read(text)
    if reading.statements:
        said = replies[_acknowledgement(reading, remembers=request.remembers)]
        return TextDelta(text=said) if reading.complete else HandOff(fallback=said)
    return HandOff(fallback=answer.text if answer else None)


def _beginning(text: str) -> str:
    """Return as much of a text as is read, in whole words."""
    if len(text) <= MAX_TEXT:
        return text
    whole = re.match(r".*[\s。！？、，]", text[:MAX_TEXT], re.DOTALL)  # noqa: RUF001
    return whole.group() if whole else ""


def _is_a_speech(request: ChatRequest) -> bool:
    return len(request.messages[-1].text) > MAX_TEXT


def _acknowledgement(reading: Reading, *, remembers: bool) -> str:
    if not remembers:
        return "closed"
    ended = all(statement.ended for statement in reading.statements)
    return "forgotten" if ended else "remembered"


def _kind(reading: Reading) -> str:
    if reading.statements:
        return "lasting"
    if reading.secret:
        return "secret"
    return "question" if reading.asks else "noise"


def _fact(statement: Statement) -> dict[str, str]:
    return {
        "who": statement.who,
        "what": statement.what,
        "value": statement.value,
        "holds": "ended" if statement.ended else "true",
        "topic": statement.topic,
    }
