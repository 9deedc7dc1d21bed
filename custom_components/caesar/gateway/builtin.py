"""The provider that needs no model: sentence files decide what was told and asked."""

from collections.abc import AsyncIterator
import json
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
from .language import Language
from .sentences import Sentences
from .statements import Reading, Statement, StatementReader

NAME = "builtin"
MAX_TEXT = 1000
"""Characters that are read; whoever says more is not talking to sentence files."""


class BuiltinProvider(Provider):
    """Learns and answers by sentence files; leaves the rest to the house's agent."""

    def __init__(self, sentences: Sentences) -> None:
        self._sentences = sentences
        self._readers = {s.code: StatementReader(s) for s in sentences}
        self._answerers = {s.code: Answerer(s) for s in sentences}

    @override
    async def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Answer what was told or asked about; hand off everything else."""
        language = self._sentences.language(request.language)
        if language is None or not request.messages or _is_a_speech(request):
            yield HandOff()
        else:
            yield self._reply(language, request)

    @override
    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Read the facts that the text states."""
        language = self._sentences.language(request.language)
        reading = Reading(complete=False)
        if language is not None:
            reading = self._readers[language.code].read(_beginning(request.text))
        answer = {
            "kind": _kind(reading),
            "facts": [_fact(statement) for statement in reading.statements],
        }
        return GenerationResult(text=json.dumps(answer, ensure_ascii=False), model=NAME)

    @override
    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _reply(self, language: Language, request: ChatRequest) -> TextDelta | HandOff:
        text = request.messages[-1].text
        replies = language.replies
        if request.withheld:
            if language.words["order_start"].start(text):
                return HandOff(fallback=replies["withheld"])
            return TextDelta(text=replies["withheld"])
        answer = self._answerers[language.code].answer(
            text, request.known, remembers=request.remembers
        )
        if answer is not None and answer.certain:
            return TextDelta(text=answer.text)
        reading = self._readers[language.code].read(text)
        if reading.statements:
            said = replies[_acknowledgement(reading, remembers=request.remembers)]
            return TextDelta(text=said) if reading.complete else HandOff(fallback=said)
        return HandOff(fallback=answer.text if answer else None)


def _beginning(text: str) -> str:
    """Return as much of a text as is read, in whole words."""
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT].rpartition(" ")[0]


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
