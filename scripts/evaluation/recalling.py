"""Recall measured: conversations put into a memory, and questions about them asked.

A line of the corpus is one turn of a dialogue (``conv``, ``turn``, ``session``,
``pos``, ``date``, ``speaker``, ``text``, ``caption``); two turns that follow each other
are an exchange, as if the second answered the first. Each dialogue is one person's
memory. A question has ``id``, ``conv`` and ``question``; where it also has
``evidence``, the turns that answer it, what was found is scored.
"""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import batched, groupby
import json
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from sqlalchemy import Connection

from custom_components.caesar.memory import events
from custom_components.caesar.memory.indexing import Indexing
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    EventKind,
    NewEvent,
    Owner,
    user_owner,
)
from custom_components.caesar.memory.ports import Embedder
from custom_components.caesar.memory.recall import Question, Recall
from custom_components.caesar.memory.vectors import DEFAULT_INDEX, open_index

DEPTHS: Final = (5, 10, 20)
_ADVERSARIAL: Final = "adversarial"
"""Questions that nothing answers; they count in no average."""


class UnembeddedError(Exception):
    """Not everything could be embedded; the message names the kind of trouble."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What one of two said."""

    id: str
    said: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Talk:
    """One exchange of a corpus."""

    dialogue: str
    session: str
    at: datetime
    turns: tuple[Turn, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, and which turns answer it where the file says so."""

    id: str
    dialogue: str
    text: str
    category: str
    evidence: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """A question with the turns of each exchange that was found, the best first."""

    asked: Asked
    ranked: tuple[tuple[str, ...], ...]
    milliseconds: float

    def share(self, depth: int) -> float:
        """Return which share of the evidence stands in the first exchanges, 0 to 1."""
        found = {turn for turns in self.ranked[:depth] for turn in turns}
        return len(found & self.asked.evidence) / len(self.asked.evidence)

    @property
    def reciprocal(self) -> float:
        """Return one divided by the rank of the first exchange with evidence, or 0."""
        for rank, turns in enumerate(self.ranked, 1):
            if self.asked.evidence.intersection(turns):
                return 1 / rank
        return 0.0


def read_corpus(path: Path) -> tuple[Talk, ...]:
    """Return a corpus as exchanges; raises ValueError or OSError."""
    turns = sorted(
        _lines(path), key=lambda one: (one["conv"], one["session"], one["pos"])
    )
    return tuple(
        Talk(
            dialogue=str(dialogue),
            session=f"{dialogue}/{session}",
            at=datetime.fromisoformat(pair[0]["date"]).replace(tzinfo=UTC),
            turns=tuple(
                Turn(id=str(one["turn"]), said=_said(one["speaker"], one))
                for one in pair
            ),
        )
        for (dialogue, session), held in groupby(
            turns, key=lambda one: (one["conv"], one["session"])
        )
        for pair in batched(held, 2, strict=False)
    )


def read_questions(path: Path) -> tuple[Asked, ...]:
    """Return the questions of a file; raises ValueError or OSError."""
    return tuple(
        Asked(
            id=str(one["id"]),
            dialogue=str(one["conv"]),
            text=one["question"],
            category=one.get("category", ""),
            evidence=frozenset(one.get("evidence", ())),
        )
        for one in _lines(path)
    )


async def answer(
    corpus: Sequence[Talk],
    questions: Iterable[Asked],
    embedder: Embedder | None = None,
) -> tuple[Answered, ...]:
    """Return what recall finds for each question, from its text alone."""
    async with _remembered(corpus) as (memory, turns):
        recall = Recall(memory.database)
        if embedder is not None:
            index = open_index(DEFAULT_INDEX, memory.database, embedder.model)
            report = await Indexing(memory, embedder, index).tick()
            if report.waiting or report.set_aside:
                raise UnembeddedError(report.problem or "texts were refused")
            recall = Recall(memory.database, embedder=embedder, index=index)
        return tuple([await _answer(recall, question, turns) for question in questions])


def write_ranked(path: Path, answers: Iterable[Answered]) -> None:
    """Write a line for each question: its id, and the turns of each exchange found."""
    lines = [
        json.dumps({"id": one.asked.id, "ranked": [list(held) for held in one.ranked]})
        for one in answers
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def figure_lines(answers: Sequence[Answered]) -> Iterator[str]:
    """Yield what is printed of a run: recall by category where evidence is known."""
    took = sorted(one.milliseconds for one in answers)
    yield (
        f"questions {len(answers)}  median {median(took):.1f} ms"
        f"  p95 {took[int(0.95 * len(took))]:.1f} ms"
    )
    known = [
        one
        for one in answers
        if one.asked.evidence and one.asked.category != _ADVERSARIAL
    ]
    if not known:
        yield "No question of the file says what answers it: nothing to score."
        return
    yield _figures("all", known)
    for category in sorted({one.asked.category for one in known}):
        yield _figures(
            category, [one for one in known if one.asked.category == category]
        )


def _figures(name: str, answers: Sequence[Answered]) -> str:
    shares = "  ".join(
        f"R@{depth} {fmean(one.share(depth) for one in answers):.3f}"
        for depth in DEPTHS
    )
    reciprocal = fmean(one.reciprocal for one in answers)
    return f"{name:12} {len(answers):5}  {shares}  MRR {reciprocal:.3f}"


@asynccontextmanager
async def _remembered(
    corpus: Sequence[Talk],
) -> AsyncIterator[tuple[Memory, Mapping[int, tuple[str, ...]]]]:
    """Yield a memory that holds the corpus, and the turns of each exchange in it."""
    with TemporaryDirectory(prefix="caesar-recall-") as folder:
        memory = Memory(Path(folder) / "caesar.db", clock=_Clock())
        await memory.open()
        try:
            ids = await memory.database.write(_fill, corpus)
            turns = {
                one: tuple(turn.id for turn in talk.turns)
                for one, talk in zip(ids, corpus, strict=True)
            }
            yield memory, turns
        finally:
            await memory.close()


def _fill(connection: Connection, corpus: Sequence[Talk]) -> list[int]:
    return [
        events.finish_exchange(connection, None, _event(talk), talk.at)
        for talk in corpus
    ]


def _event(talk: Talk) -> NewEvent:
    said = [turn.said for turn in talk.turns]
    return NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=_owner(talk.dialogue),
        conversation_id=talk.session,
        language="en",
        user_text=said[0],
        assistant_text=said[1] if len(said) > 1 else None,
    )


async def _answer(
    recall: Recall, asked: Asked, turns: Mapping[int, tuple[str, ...]]
) -> Answered:
    question = Question(
        text=asked.text,
        owners=(_owner(asked.dialogue),),
        language="en",
        count=max(DEPTHS),
    )
    started = perf_counter()
    found = await recall.search(question)
    return Answered(
        asked=asked,
        ranked=tuple(turns[one.exchange.id] for one in found),
        milliseconds=(perf_counter() - started) * 1000,
    )


def _owner(dialogue: str) -> Owner:
    return user_owner(dialogue)


def _said(speaker: str, turn: Mapping[str, Any]) -> str:
    photo = f" [photo: {turn['caption']}]" if turn.get("caption") else ""
    return f"{speaker}: {turn['text']}{photo}"


def _lines(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


class _Clock:
    """Any time at all: every exchange brings its own."""

    def now(self) -> datetime:
        return datetime.now(UTC)
