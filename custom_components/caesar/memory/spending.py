"""What models have cost today, in tokens, and the budget for a day.

The audit log knows what every answer cost, so a restart forgets nothing.
"""

from dataclasses import dataclass
from datetime import date, datetime, time

from sqlalchemy import Connection

from . import events
from .memory import Memory
from .models import EventKind, Exchange, Json, NewEvent
from .ports import ExtractionRequest, Generation, Generator


@dataclass(frozen=True, kw_only=True, slots=True)
class Exhausted:
    """A day's budget that is used up."""

    at: datetime
    """When the last answer of the day came."""
    spent: int
    budget: int


class Spending:
    """Counts a local day's tokens against the budget; a budget of 0 has no end."""

    def __init__(
        self,
        memory: Memory,
        budget: int,
        kind: EventKind = EventKind.EXTRACTION_ANSWERED,
    ) -> None:
        """Take the budget, and the kind of the events that tell what was spent."""
        self._memory = memory
        self._budget = budget
        self._kind = kind
        self._day: date | None = None
        self._spent = 0
        self._last: datetime | None = None

    async def exhausted(self) -> Exhausted | None:
        """Return the used-up budget, None while there is some left."""
        if not self._budget:
            return None
        now = self._memory.now()
        if self._day != now.date():
            self._day = now.date()
            midnight = datetime.combine(now, time.min, now.tzinfo)
            self._spent, self._last = await self._memory.database.read(
                events.tokens_since, self._kind, midnight
            )
        if self._spent < self._budget or self._last is None:
            return None
        return Exhausted(at=self._last, spent=self._spent, budget=self._budget)

    def note(self, generation: Generation) -> None:
        """Count what an answer cost."""
        self.add((generation.input_tokens or 0) + (generation.output_tokens or 0))

    def add(self, tokens: int) -> None:
        """Count tokens that were spent just now."""
        self._spent += tokens
        self._last = self._memory.now()


class Metered:
    """A generator for one exchange that keeps what came of it."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self.generation: Generation | None = None

    def is_costly(self, heard_by: str | None) -> bool:
        """Return what the generator says."""
        return self._generator.is_costly(heard_by)

    async def generate(self, request: ExtractionRequest) -> Generation:
        """Answer the request; raises GeneratorUnavailableError."""
        self.generation = await self._generator.generate(request)
        return self.generation

    def tell(
        self, connection: Connection, exchange: Exchange, at: datetime, *, usable: bool
    ) -> None:
        """Append the event that says what the answer cost, where that is known."""
        generation = self.generation
        if generation is None:
            return
        costs: dict[str, Json] = {
            "input_tokens": generation.input_tokens,
            "output_tokens": generation.output_tokens,
            "cached_input_tokens": generation.cached_input_tokens,
            "cache_write_tokens": generation.cache_write_tokens,
        }
        if not any(costs.values()):
            return
        event = NewEvent(
            kind=EventKind.EXTRACTION_ANSWERED,
            owner=exchange.owner,
            payload={
                "exchange_id": exchange.id,
                "usable": usable,
                "model": generation.model,
                **costs,
            },
        )
        events.append(connection, event, at)
