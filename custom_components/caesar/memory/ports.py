"""What memory asks of the world outside; whoever builds memory brings these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractionRequest:
    """The question for facts: a model renders it, the built-in provider reads it."""

    instructions: str
    examples: Sequence[tuple[str, str]]
    """Pairs of what a person might say and the right answer as JSON text."""
    text: str
    """The person's own words, nothing else."""
    language: str
    local_date: date
    answer_schema: Mapping[str, object]
    """JSON schema whose property order is the order to answer in."""
    max_tokens: int
    heard_by: str | None
    """The route that heard the exchange."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Generation:
    """A model's raw answer and what it cost."""

    text: str
    model: str
    reading: str = ""
    """What was read without a model besides, an answer of its own; empty for none."""
    input_tokens: int | None = None
    """All that were read, from the provider's cache or not."""
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None


class GeneratorUnavailableError(Exception):
    """The generator cannot answer now: down, refused or too slow. Try again later.

    ``retry_after`` is the time in seconds that it wants to be left alone, None where it
    does not say.
    """

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Generator(Protocol):
    """Whoever answers extraction requests."""

    def is_costly(self, heard_by: str | None) -> bool:
        """Return whether asking about such an exchange is worth avoiding.

        What costs nothing and is careful by itself is asked about everything.
        """

    async def generate(self, request: ExtractionRequest) -> Generation:
        """Answer the request.

        Raises GeneratorUnavailableError where waiting may help. Any text that comes
        back is an answer, however unusable.
        """


class EmbeddingKind(StrEnum):
    """What a text is embedded for; some models treat the two differently."""

    DOCUMENT = "document"
    QUERY = "query"


@dataclass(frozen=True, kw_only=True, slots=True)
class Embeddings:
    """The vectors of some texts, in the order of the texts, and what they cost."""

    vectors: Sequence[Sequence[float]]
    """As they came: of any length, and nothing about them has been checked."""
    model: str
    """The ``model`` of the embedder that made them."""
    tokens: int | None = None
    """None where nobody says."""


class EmbedderUnavailableError(Exception):
    """The embedder cannot answer now: down, refused or too slow. Try again later.

    ``retry_after`` is the time in seconds that it wants to be left alone, None where it
    does not say.
    """

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class UnusableTextsError(Exception):
    """The embedder cannot embed these texts, now or later; fewer of them it may."""


class Embedder(Protocol):
    """Whoever turns texts into vectors that are near where their meanings are."""

    @property
    def model(self) -> str:
        """Return what makes vectors comparable, as one word.

        Vectors of different embedders or models must never be compared.
        """

    def may_read(self, heard_by: str | None) -> bool:
        """Return whether it may be given words that a route heard.

        Ask before each text: words that were said to a model in the house may not
        leave it. None is a route that nobody knows.
        """

    async def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> Embeddings:
        """Return a vector for each text.

        Raises EmbedderUnavailableError where waiting may help, and UnusableTextsError
        where it does not.
        """


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Return the present moment, aware, in the house's time zone."""
