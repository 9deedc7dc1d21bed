"""The self-test: one fact said, learned, recalled and forgotten, as anybody would.

All of it belongs to an owner whom nobody is, and all of it is removed at the end.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from homeassistant.core import HomeAssistant

from .errors import translated
from .gateway.base import ChatRequest, HandOff, Message, TextDelta
from .gateway.errors import EmptyAnswerError, GatewayError
from .gateway.routes import Route
from .memory.errors import MemoryStoreError, UnusableAnswerError
from .memory.models import (
    EventKind,
    Exchange,
    Fact,
    NewEvent,
    Owner,
    Scope,
)
from .memory.ports import GeneratorUnavailableError
from .people import async_words
from .runtime import CaesarRuntime

_NOBODY: Final[Owner] = "user:caesar-self-test"
# What is said and asked, and the word that no model makes up. It is no name: those the
# learning finds by itself.
_WORDS: Final = {
    "en": (
        "By the way, I'm allergic to pixelberries.",
        "What am I allergic to?",
        "pixelberries",
    ),
    "de": (
        "Übrigens, ich bin allergisch gegen Pixelbeeren.",
        "Wogegen bin ich allergisch?",
        "Pixelbeeren",
    ),
}


class StepFailedError(Exception):
    """A step did not do what it should; ``reason`` is a word that has a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(kw_only=True, slots=True)
class SelfTest:
    """One run with one provider."""

    hass: HomeAssistant
    runtime: CaesarRuntime
    route: Route
    steps: list[dict[str, Any]] = field(default_factory=list)

    async def run(self) -> dict[str, Any]:
        """Go through the steps until one fails, and report each."""
        language = self.hass.config.language.partition("-")[0]
        language = language if language in _WORDS else "en"
        memory = self.runtime.memory
        async with self.runtime.self_testing:
            # What an earlier run left that was cut off.
            await memory.erase_owner(_NOBODY)
            try:
                with suppress(_EndedError):
                    await self._walk(language)
            finally:
                await memory.erase_owner(_NOBODY)
        return {
            "passed": all(step["passed"] for step in self.steps),
            "provider": self.route.provider,
            "model": self.route.model,
            "steps": self.steps,
        }

    async def _walk(self, language: str) -> None:
        said, question, word = _WORDS[language]
        async with self._step("say"):
            if not self.runtime.facts_enabled:
                raise StepFailedError("facts_disabled")
            await self._ask(said, language)
            exchange = await self._note(said, language)
        async with self._step("learn"):
            fact = await self._learn(exchange, word)
        async with self._step("recall"):
            if word not in self._section(question, language):
                raise StepFailedError("not_recalled")
            if not _holds(await self._ask(question, language), word):
                raise StepFailedError("not_answered")
        async with self._step("forget"):
            await self.runtime.memory.delete_fact(Scope(owner=_NOBODY), fact.id)
            if word in self._section(question, language):
                raise StepFailedError("not_forgotten")

    @asynccontextmanager
    async def _step(self, name: str) -> AsyncIterator[None]:
        started = perf_counter()
        problem = None
        try:
            yield
        except (GatewayError, MemoryStoreError) as err:
            problem = str(translated(err))
        except StepFailedError as err:
            problem = await async_words(
                self.hass, translation_key="self_test", option=err.reason
            )
        self.steps.append(
            {
                "step": name,
                "passed": problem is None,
                "seconds": round(perf_counter() - started, 2),
                "problem": problem,
            }
        )
        if problem is not None:
            raise _EndedError

    async def _ask(self, text: str, language: str) -> str:
        """Return what the provider answers; empty where it leaves that to the house."""
        scope = Scope(owner=_NOBODY)
        request = ChatRequest(
            model=self.route.model,
            system="",
            section=self._section(text, language),
            messages=[Message(role="user", text=text)],
            tools=(),
            language=language,
            known=self.runtime.known.of(scope, language),
        )
        answer, handed_off = "", False
        async for delta in self.runtime.gateway.stream(request, self.route):
            if isinstance(delta, TextDelta):
                answer += delta.text
            handed_off = handed_off or isinstance(delta, HandOff)
        if not answer.strip() and not handed_off:
            raise EmptyAnswerError("The model gave no answer")
        return answer

    async def _note(self, said: str, language: str) -> Exchange:
        memory, now = self.runtime.memory, self.runtime.memory.now()
        event = NewEvent(
            kind=EventKind.CHAT_COMPLETED,
            owner=_NOBODY,
            language=language,
            user_text=said,
            # The test learns it by itself; the job leaves it alone.
            payload={"teaches": False, "heard_by": self.route.tag},
        )
        return Exchange(
            id=await memory.finish(None, event),
            at=now,
            owner=_NOBODY,
            language=language,
            user_text=said,
            heard_by=self.route.tag,
        )

    async def _learn(self, exchange: Exchange, word: str) -> Fact:
        try:
            await self.runtime.learning.learn(exchange)
        except GeneratorUnavailableError as err:
            raise StepFailedError("unavailable") from err
        except UnusableAnswerError as err:
            raise StepFailedError("unusable") from err
        for fact in self.runtime.memory.facts_of(_NOBODY):
            if _holds(fact.value, word):
                return fact
        raise StepFailedError("nothing_learned")

    def _section(self, text: str, language: str) -> str:
        return self.runtime.section(Scope(owner=_NOBODY), text, language).text


def _holds(text: str, word: str) -> bool:
    return word.casefold() in text.casefold()


class _EndedError(Exception):
    """A step failed, and the ones after it make no sense."""
