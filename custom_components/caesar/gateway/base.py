"""The values that pass between CAESAR and a model, and the shape of a provider.

Nothing here knows a vendor, memory or Home Assistant.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Literal, Protocol


class Task(StrEnum):
    """What a model is asked for; each task can have its own route."""

    CHAT = "chat"
    MEMORY_EXTRACT = "memory_extract"
    MEMORY_EMBED = "memory_embed"


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolSpec:
    """A tool that the model may call; parameters are a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A model's wish to call a tool."""

    name: str
    arguments: Mapping[str, object]
    id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    thinking: str = ""
    tool_calls: Sequence[ToolCall] = ()
    tool_call_id: str | None = None
    """For role "tool": the call that this answers."""
    tool_name: str | None = None
    native: object = None
    """What the provider that gave this answer wants back with it; opaque to others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownFact:
    """A fact as a provider without a model needs it to answer a question."""

    key: str
    value: str
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatRequest:
    """One request for an answer in a conversation."""

    model: str
    system: str
    """The part of the system prompt that stays the same from turn to turn."""
    section: str
    """What this turn adds to the system prompt, memory's part last; may be empty."""
    messages: Sequence[Message]
    """The conversation so far, oldest first; the last is the person's."""
    tools: Sequence[ToolSpec]
    language: str
    known: Sequence[KnownFact] = ()
    """All facts the speaker may hear, for providers that answer without a model."""
    remembers: bool = True
    """False where nothing said in this turn is kept, so that nobody promises it."""
    withheld: bool = False
    """The person's words hold a secret, which is not kept."""
    thinks: bool = False
    """The model should think before it answers, if it can."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TextDelta:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ThinkingDelta:
    """A piece of the model's thinking, which is not part of the answer."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCallDelta:
    """A complete tool call."""

    call: ToolCall


@dataclass(frozen=True, kw_only=True, slots=True)
class NativeDelta:
    """What the provider wants back as ``Message.native``; at most one per answer."""

    native: object


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """What a request cost; None where the provider does not say."""

    input_tokens: int | None = None
    """All tokens that were read, from the provider's cache or not."""
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    """Of the input, what came from the provider's cache."""
    cache_write_tokens: int | None = None
    """Of the input, what was written into that cache."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HandOff:
    """Not mine: Home Assistant's own agent should answer this turn.

    ``fallback`` is the answer to give where that agent does not understand the words
    either.
    """

    fallback: str | None = None


type Delta = TextDelta | ThinkingDelta | ToolCallDelta | NativeDelta | Usage | HandOff


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationRequest:
    """One request for structured text, outside of any conversation."""

    task: Task
    model: str
    instructions: str
    examples: Sequence[tuple[str, str]]
    """Pairs of question and right answer, shown as earlier turns."""
    text: str
    language: str
    local_date: date
    answer_schema: Mapping[str, object]
    max_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class GenerationResult:
    """The raw answer to a generation request."""

    text: str
    model: str
    usage: Usage = field(default_factory=Usage)
    complete: bool = False
    """Nothing was left out that somebody else might find in the request's text."""


class Provider(Protocol):
    """Someone who answers: a model behind an SDK, or sentence files.

    Every method raises only GatewayError.
    """

    def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """Answer in a conversation, piece by piece."""

    async def generate(self, request: GenerationRequest) -> GenerationResult:
        """Answer a structured request."""

    async def close(self) -> None:
        """Release connections; idempotent."""
