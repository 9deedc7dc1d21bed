"""One exchange played through the product, on a memory file of its own."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
import json
from pathlib import Path
import shutil
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, Self
from unittest.mock import patch

from sqlalchemy import Connection

from custom_components.caesar.gateway import Route
from custom_components.caesar.gateway.builtin import NAME as BUILTIN_NAME
from custom_components.caesar.memory import events, learned
from custom_components.caesar.memory.learning import Learning
from custom_components.caesar.memory.ledger import Cause, Patch
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    Change,
    EventKind,
    Exchange,
    NewEvent,
    user_owner,
)
from custom_components.caesar.memory.ports import (
    ExtractionRequest,
    Generation,
    Generator,
)
from custom_components.caesar.memory.templates import Templates
from scripts.house import database

from .items import Entry, Item
from .predictions import Prediction, Written

NOW: Final = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
"""When everything is said, so that "tomorrow" is the same day in every run."""

_OWNER: Final = user_owner("speaker")
_CHANGES: Final = (
    EventKind.FACT_ADDED,
    EventKind.FACT_UPDATED,
    EventKind.FACT_REMOVED,
)
_SET_ASIDE: Final = EventKind.EXTRACTION_SET_ASIDE


class UnansweredError(Exception):
    """The provider did not answer; the message names the kind of trouble."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question for facts and the raw answer."""

    text: str
    """The person's words as they were passed on."""
    generation: Generation


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """What became of one exchange, and what that took."""

    item: Item
    prediction: Prediction
    asked: tuple[Asked, ...]
    """Empty where the gate spared the question."""
    seconds: float
    suggested: tuple[Written, ...]
    """What was only suggested, for a person to accept or reject."""
    rejected: tuple[str, ...]
    """Why something was turned down."""

    @property
    def asked_model(self) -> bool:
        """Return whether a model was asked, and not only sentence files."""
        return any(asked.generation.model != BUILTIN_NAME for asked in self.asked)


class Stage:
    """Plays exchanges, each with a fresh memory; an async context."""

    def __init__(self, generator: Generator, route: Route) -> None:
        self._generator = generator
        self._route = route
        self._props = ExitStack()
        self._folder = Path()

    async def __aenter__(self) -> Self:
        folder = TemporaryDirectory(prefix="caesar-evaluation-")
        self._folder = Path(self._props.enter_context(folder))
        # Creating the tables takes far longer than copying them, and every memory
        # would read the same sentences anew.
        texts = Templates.load_all()
        self._props.enter_context(
            patch.object(Templates, "load_all", lambda _=None: texts)
        )
        self._blank.mkdir()
        memory = _memory(self._blank)
        await memory.open()
        await memory.close()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._props.close()

    @property
    def _blank(self) -> Path:
        return self._folder / "blank"

    async def play(self, item: Item) -> Played:
        """Tell what is known, say what is said, let it be learned and look.

        Raises UnansweredError.
        """
        folder = self._folder / "house"
        shutil.copytree(self._blank, folder)
        try:
            asked, seconds = await self._learn(item, folder)
            return _played(item, folder, asked, seconds)
        finally:
            shutil.rmtree(folder)

    async def _learn(self, item: Item, folder: Path) -> tuple[tuple[Asked, ...], float]:
        memory = _memory(folder)
        await memory.open()
        try:
            await _know(memory, item)
            await _say(memory, item, self._route)
            listener = _Listener(self._generator)
            began = perf_counter()
            await _learn_all(Learning(memory, listener))
            return tuple(listener.asked), perf_counter() - began
        finally:
            await memory.close()


class _Listener:
    """Passes questions on and keeps what was asked and answered."""

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self.asked: list[Asked] = []

    def is_costly(self, heard_by: str | None) -> bool:
        return self._generator.is_costly(heard_by)

    async def generate(self, request: ExtractionRequest) -> Generation:
        generation = await self._generator.generate(request)
        self.asked.append(Asked(text=request.text, generation=generation))
        return generation


class _Clock:
    def now(self) -> datetime:
        return NOW


def _memory(folder: Path) -> Memory:
    return Memory(folder / database.DATABASE_FILE, clock=_Clock())


async def _know(memory: Memory, item: Item) -> None:
    """Store the known facts as if they had been told the day before."""
    if not item.known:
        return

    def work(connection: Connection) -> tuple[Patch, ...]:
        return _tell(connection, item)

    await memory.change(work)


def _tell(connection: Connection, item: Item) -> tuple[Patch, ...]:
    before = NOW - timedelta(days=1)
    # This kind of event is a fact's source that learning never reads.
    told = NewEvent(kind=EventKind.REMEMBER_ASKED, owner=_OWNER, language=item.language)
    exchange = Exchange(
        id=events.append(connection, told, before),
        at=before,
        owner=_OWNER,
        language=item.language,
        user_text="",
    )
    changes = (
        Change(operation="add", key=known.key, value=known.value)
        for known in item.known
    )
    cause = Cause(at=before, exchange=exchange)
    return learned.apply(connection, changes, exchange, cause)


async def _say(memory: Memory, item: Item, route: Route) -> None:
    event = NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=_OWNER,
        language=item.language,
        user_text=item.user,
        assistant_text=item.assistant,
        payload={"heard_by": route.tag, "teaches": True},
    )
    await memory.finish(await memory.receive(event), event)


async def _learn_all(learning: Learning) -> None:
    """Learn as often as it takes until the exchange is learned or set aside."""
    while True:
        report = await learning.tick(impatient=True)
        if report.problem == "unavailable":
            raise UnansweredError("the provider does not answer")
        if not report.waiting:
            return


def _played(
    item: Item, folder: Path, asked: tuple[Asked, ...], seconds: float
) -> Played:
    """Return what the file tells, read by SQLite itself."""
    told = _told(database.events(folder))
    return Played(
        item=item,
        prediction=Prediction(
            id=item.id,
            facts=tuple(
                _written(kind, payload) for kind, payload in told if kind in _CHANGES
            ),
            store=tuple(
                Entry(key=str(row["key"]), value=str(row["value"]))
                for row in database.facts(folder)
            ),
            error="unusable" if any(kind == _SET_ASIDE for kind, _ in told) else None,
        ),
        asked=asked,
        seconds=seconds,
        suggested=tuple(
            Written(key=payload["key"], value=payload["value"])
            for kind, payload in told
            if kind == EventKind.FACT_SUGGESTED
        ),
        rejected=tuple(
            str(payload["reason"])
            for kind, payload in told
            if kind == EventKind.FACT_REJECTED
        ),
    )


def _told(rows: Sequence[database.Row]) -> list[tuple[str, Any]]:
    """Return the kind and payload of the events that come of the last exchange."""
    last = max(
        int(str(row["id"])) for row in rows if row["kind"] == EventKind.CHAT_COMPLETED
    )
    events_of = ((str(row["kind"]), json.loads(str(row["payload"]))) for row in rows)
    return [
        (kind, payload)
        for kind, payload in events_of
        if payload.get("exchange_id") == last
    ]


def _written(kind: str, payload: Any) -> Written:
    if kind == EventKind.FACT_REMOVED:
        return Written(key=payload["before"]["key"], value=None)
    fact = payload["after"]
    return Written(key=fact["key"], value=fact["value"], confidence=fact["confidence"])
