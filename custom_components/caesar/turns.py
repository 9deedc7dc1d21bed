"""Each turn's row in the audit log.

The person's words are queued before anybody answers them, and the finished exchange
takes their place right after the reply. The reply waits, for a moment at most, only for
the first: what was acknowledged should outlive a crash.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
import logging
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant

from .errors import translation_key
from .followups import FollowUp
from .gateway.chat_log import Outcome
from .gateway.commands import Command
from .gateway.errors import GatewayError
from .gateway.routes import Route
from .memory.composer import Section
from .memory.errors import DatabaseError
from .memory.memory import Memory
from .memory.models import EventKind, Json, NewEvent, Owner, Scope
from .speaker import area_of

_LOGGER = logging.getLogger(__name__)

MAX_UNWRITTEN = 500
"""Turns that are kept in RAM while the disk takes none."""
PATIENCE = 0.25
"""Seconds that a reply waits for the person's words to be on disk."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What was said, by whom and to whom."""

    user_input: ConversationInput
    conversation_id: str
    scope: Scope
    route: Route
    section: Section
    teaches: bool
    tentative: str | None = None
    """Why what it teaches is only suggested, in a word, if it is so."""
    command: Command | None = None
    """What the words ask of memory itself."""
    followup: FollowUp = field(default_factory=FollowUp)
    """What the person may refer to."""
    recorded: bool = True
    """False where the person does not want the exchange kept at all."""


def words_event(hass: HomeAssistant, spoken: Spoken) -> NewEvent:
    """Return the event that keeps a person's words."""
    user_input = spoken.user_input
    return NewEvent(
        kind=EventKind.CHAT_RECEIVED,
        owner=spoken.scope.owner,
        conversation_id=spoken.conversation_id,
        device_id=user_input.device_id,
        area_id=area_of(hass, user_input),
        language=user_input.language,
        user_text=user_input.text,
        payload={
            "heard_by": spoken.route.tag,
            "provider": spoken.route.provider,
            "model": spoken.route.model,
            "satellite_id": user_input.satellite_id,
            "fact_ids": list(spoken.section.fact_ids),
            "teaches": spoken.teaches,
            "tentative": spoken.tentative,
        },
    )


class Turns:
    """Writes turns into the audit log, beside the replies."""

    def __init__(self, hass: HomeAssistant, memory: Memory) -> None:
        self._hass = hass
        self._memory = memory
        self._writing: set[asyncio.Task[None]] = set()
        self._unwritten: deque[tuple[int | None, NewEvent]] = deque(
            maxlen=MAX_UNWRITTEN
        )

    @property
    def unwritten(self) -> int:
        """Return how many turns wait in RAM because the disk took none."""
        return len(self._unwritten)

    def begin(self, spoken: Spoken, on_finished: Callable[[], None]) -> Turn:
        """Queue a person's words; ``on_finished`` is called once the row is whole."""
        return Turn(self._hass, self, spoken, on_finished)

    async def written(self) -> None:
        """Wait for the rows of all turns that have been answered."""
        if self._writing:
            await asyncio.wait(self._writing)

    async def receive(self, event: NewEvent) -> int | None:
        """Queue a person's words; return None where the disk takes none."""
        try:
            return await self._memory.receive(event)
        except DatabaseError as err:
            _LOGGER.error("A turn could not be noted: %s", err)  # noqa: TRY400
            return None

    async def store(self, received_id: int | None, event: NewEvent) -> bool:
        """Store a finished exchange, or keep it for later; return whether it is."""
        try:
            await self._memory.finish(received_id, event)
        except DatabaseError as err:
            _LOGGER.error("A turn could not be stored: %s", err)  # noqa: TRY400
            self._unwritten.append((received_id, event))
            return False
        return True

    def forget(self, owner: Owner) -> int:
        """Keep nothing of an owner that waits in RAM; return how many turns did."""
        kept = [one for one in self._unwritten if one[1].owner != owner]
        gone = len(self._unwritten) - len(kept)
        self._unwritten = deque(kept, maxlen=MAX_UNWRITTEN)
        return gone

    def write(self, work: Coroutine[Any, Any, None]) -> None:
        """Run the work of storing, which ``written`` waits for."""
        task = self._hass.async_create_task(work, "CAESAR exchange")
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def write_again(self) -> None:
        """Store what could not be stored before, in order, until the first fault."""
        while self._unwritten:
            try:
                await self._memory.finish(*self._unwritten[0])
            except DatabaseError:
                return
            self._unwritten.popleft()


class Turn:
    """One turn on its way into the audit log."""

    def __init__(
        self,
        hass: HomeAssistant,
        turns: Turns,
        spoken: Spoken,
        on_finished: Callable[[], None],
    ) -> None:
        self._turns = turns
        self._on_finished = on_finished
        self._recorded = spoken.recorded
        self._event = words_event(hass, spoken)
        # A plain task, so that cancelling the turn does not take the words with it.
        self._received = hass.async_create_task(self._receive(), "CAESAR words")

    async def completed(self, outcome: Outcome) -> None:
        """Let the finished exchange take the words' place."""
        await self._finish(
            replace(
                self._event,
                kind=EventKind.CHAT_COMPLETED,
                assistant_text=outcome.reply,
                payload={
                    **self._event.payload,
                    "handed_off": outcome.handed_off,
                    "tools": list(outcome.tools),
                    "input_tokens": outcome.usage.input_tokens,
                    "output_tokens": outcome.usage.output_tokens,
                    "cached_input_tokens": outcome.usage.cached_input_tokens,
                    "cache_write_tokens": outcome.usage.cache_write_tokens,
                },
            )
        )

    async def failed(self, err: BaseException) -> None:
        """Let an exchange without a reply take the words' place."""
        error: Json = type(err).__name__
        if isinstance(err, GatewayError):
            error = translation_key(err)
        await self._finish(
            replace(
                self._event,
                kind=EventKind.CHAT_FAILED,
                payload={**self._event.payload, "error": error},
            )
        )

    async def _finish(self, event: NewEvent) -> None:
        self._turns.write(self._store(event))
        await asyncio.wait({self._received}, timeout=PATIENCE)

    async def _receive(self) -> int | None:
        return await self._turns.receive(self._event) if self._recorded else None

    async def _store(self, event: NewEvent) -> None:
        received_id = await self._received
        if self._recorded and await self._turns.store(received_id, event):
            self._on_finished()
