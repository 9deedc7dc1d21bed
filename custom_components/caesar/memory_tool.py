"""What every memory tool is: its description, its caller and how it is called.

A tool answers in the scope of whoever the model works for, and says in its answer what
went wrong: an error that left it would end the person's turn.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.json import JsonValueType
import voluptuous as vol

from .callers import async_identify_caller
from .const import DOMAIN
from .memory.errors import MemoryStoreError
from .memory.instructions import is_instruction
from .memory.matching import current
from .memory.models import HOUSEHOLD, Event, Fact, Scope
from .runtime import CaesarConfigEntry, CaesarRuntime

READS: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=False
)
_FAILED: Final = "The memory cannot be used at the moment. Nothing was changed. Say so."

type MayRead = Callable[[Event], bool]
"""Whether whoever calls a tool may be told an exchange that another agent heard."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One call of a tool."""

    hass: HomeAssistant
    entry: CaesarConfigEntry
    scope: Scope
    language: str
    user_id: str | None
    platform: str
    may_read: MayRead
    heard_by: str | None
    """The route of our agent that calls it; None for anybody else."""

    @property
    def runtime(self) -> CaesarRuntime:
        """Return what the loaded entry consists of."""
        return self.entry.runtime_data

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts that the caller may hear."""
        memory = self.runtime.memory
        facts = current(memory.facts(self.scope), memory.now())
        return tuple(fact for fact in facts if not is_instruction(fact.value))

    def sentence(self, fact: Fact) -> str:
        """Return a fact in words of the caller's language."""
        return self.runtime.memory.sentence(fact, self.language)

    def about(self, facts: Sequence[Fact]) -> list[JsonValueType]:
        """Return facts as a tool tells them."""
        return [
            {
                "fact_id": fact.id,
                "fact": self.sentence(fact),
                "about": "the home" if fact.owner == HOUSEHOLD else "the speaker",
            }
            for fact in facts
        ]


type Handler = Callable[[Request, Mapping[str, Any]], Awaitable[llm.ToolResult]]


def failure(message: str) -> llm.ToolResult:
    """Return the answer of a tool that could not do what was asked."""
    return llm.ToolResult(data={"error": message}, error=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSpec:
    """One tool of the table."""

    name: str
    title: str
    description: str
    handler: Handler
    annotations: llm.ToolAnnotations
    parameters: vol.Schema


class MemoryTool(llm.Tool):
    """One tool of the table, for whoever a model works for."""

    integration = DOMAIN

    def __init__(
        self,
        entry: CaesarConfigEntry,
        spec: ToolSpec,
        known: Scope | None = None,
        may_read: MayRead = lambda _: True,
        heard_by: str | None = None,
    ) -> None:
        """Take who speaks to which route, where known, and what they may be told."""
        self.name = f"{DOMAIN}__{spec.name}"
        self.title = spec.title
        self.description = spec.description
        self.parameters = spec.parameters
        self.annotations = spec.annotations
        self._entry = entry
        self._handler = spec.handler
        self._known = known
        self._may_read = may_read
        self._heard_by = heard_by

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Call the tool; raises Invalid for arguments that do not fit."""
        args = self.parameters(tool_input.tool_args)
        request = Request(
            hass=hass,
            entry=self._entry,
            scope=await self._scope(hass, llm_context),
            language=language_of(hass, llm_context),
            user_id=llm_context.context.user_id if llm_context.context else None,
            platform=llm_context.platform,
            may_read=self._may_read,
            heard_by=self._heard_by,
        )
        try:
            return await self._handler(request, args)
        except MemoryStoreError:
            return failure(_FAILED)

    async def _scope(self, hass: HomeAssistant, llm_context: llm.LLMContext) -> Scope:
        if self._known is not None:
            return self._known
        return await async_identify_caller(hass, self._entry.options, llm_context)


def language_of(hass: HomeAssistant, llm_context: llm.LLMContext) -> str:
    """Return the language of a request; some clients speak any."""
    language = llm_context.language
    return hass.config.language if language in (None, "", "*") else str(language)
