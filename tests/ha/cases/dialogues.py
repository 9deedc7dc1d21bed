"""What people say in a case, and what must be known of it afterwards.

Each dialogue is held by a person of its own. Where a model reads, it is the worst that
there can be: it believes whatever the dialogue has it believe.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from typing import Any, Final, override

from aiohttp import web
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockUser
from sqlalchemy import Connection

from custom_components.caesar.memory import ledger
from custom_components.caesar.memory.ledger import Cause, Patch
from custom_components.caesar.memory.models import Fact, user_owner
from tests.gateway.ollama_server import OllamaServer, Reply, running_server, says
from tests.ha.dialogue import Talk
from tests.ha.house import House, agent, move_in, ollama
from tests.memory.made import fact

type Belief = tuple[str, str, str] | tuple[str, str, str, str]
"""Who, what, value; and ``ended`` where it is over."""

BUILTIN: Final = "builtin"
MODEL: Final = "model"
READERS: Final = (BUILTIN, MODEL)


@dataclass(frozen=True, kw_only=True)
class Turn:
    said: str
    reply: str = "Okay."
    """What a model answers."""
    believed: tuple[Belief, ...] = ()
    """What a model takes for facts."""


@dataclass(frozen=True, kw_only=True)
class Dialogue:
    language: str = "en"
    known: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[Turn, ...]
    left: Mapping[str, str] = field(default_factory=dict)
    """The facts that are stored in the end."""
    told: tuple[str, ...] = ()
    """Words that stand in some fact; given in place of ``left`` where its label and the
    words around may differ."""
    gone: tuple[str, ...] = ()
    """Words that then stand in none."""
    suggested: frozenset[str] = frozenset()
    readers: tuple[str, ...] = READERS


@dataclass(frozen=True, kw_only=True)
class Outcome:
    user: MockUser
    owner: str
    facts: tuple[Fact, ...]
    suggested: frozenset[str]
    answers: tuple[str, ...]
    asked: tuple[str, ...]
    """The texts in which a model was asked for facts."""

    @property
    def values(self) -> dict[str, str]:
        return {fact.key: fact.value for fact in self.facts}


class CredulousServer(OllamaServer):
    """A model that says and believes what it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.turn = Turn(said="")
        self.asked: list[str] = []
        self.was_asked = asyncio.Event()

    @override
    async def chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if not self.replies:
            self.replies.append(self._answer(body))
        if body.get("format"):
            self.asked.append(body["messages"][-1]["content"])
            self.was_asked.set()
        return await super().chat(request)

    def _answer(self, body: dict[str, Any]) -> Reply:
        if not body.get("format"):
            return says(self.turn.reply)
        return says(written(*self.turn.believed))


def written(*believed: Belief) -> str:
    """Write beliefs as a model answers with them."""
    facts = []
    for who, what, value, *ended in believed:
        holds = "ended" if ended else "true"
        facts.append({"who": who, "what": what, "value": value, "holds": holds})
    return json.dumps({"kind": "lasting", "facts": facts})


@dataclass(frozen=True)
class Town:
    """A house in which people are heard by one reader."""

    house: House
    server: CredulousServer
    reader: str

    async def hold(self, dialogue: Dialogue) -> Outcome:
        """Let a new person hold a dialogue, learning after each turn."""
        user = self.house.user("Robin")
        await plant(self.house, user, dialogue.known)
        talk = Talk(self.house, user, dialogue.language)
        self.server.asked.clear()
        answers = []
        for turn in dialogue.turns:
            self.server.turn = turn
            answers.append(await talk.say(turn.said))
            await self.house.learn()
        return Outcome(
            user=user,
            owner=talk.owner,
            facts=tuple(self.house.runtime.memory.facts_of(talk.owner)),
            suggested=await suggested_to(self.house, user),
            answers=tuple(answers),
            asked=tuple(self.server.asked),
        )

    async def failures(self, dialogues: Iterable[Dialogue]) -> list[str]:
        """Return what was said where something else is known afterwards, with that."""
        found = []
        for dialogue in dialogues:
            if self.reader not in dialogue.readers:
                continue
            outcome = await self.hold(dialogue)
            if not _is_right(outcome, dialogue):
                lines = [turn.said for turn in dialogue.turns]
                found.append(f"{lines}: {outcome.values} {set(outcome.suggested)}")
        return found


def _is_right(outcome: Outcome, dialogue: Dialogue) -> bool:
    values = list(outcome.values.values())
    if not (dialogue.told or dialogue.gone):
        known = (outcome.values, outcome.suggested)
        return known == (dict(dialogue.left), dialogue.suggested)
    return all(any(word in value for value in values) for word in dialogue.told) and (
        not any(word in value for value in values for word in dialogue.gone)
    )


def heard(cases: Mapping[str, Iterable[Dialogue]]) -> list[tuple[str, str]]:
    """Return each case with each reader that hears one of its dialogues."""
    return [
        (case, reader)
        for case, dialogues in cases.items()
        for reader in READERS
        if any(reader in dialogue.readers for dialogue in dialogues)
    ]


@asynccontextmanager
async def town_of(
    hass: HomeAssistant, reader: str, **of_agent: Any
) -> AsyncIterator[Town]:
    """Run a house in which one reader hears everybody."""
    async with running_server(CredulousServer()) as server:
        assert isinstance(server, CredulousServer)
        agents = [agent()]
        if reader == MODEL:
            agents = [ollama(server.url), agent("ollama", "qwen3:4b", **of_agent)]
        yield Town(await move_in(hass, *agents), server, reader)


async def plant(house: House, user: MockUser, known: Mapping[str, str]) -> None:
    """Let a person have told these facts some time ago."""

    def add(connection: Connection) -> tuple[Patch, ...]:
        facts = [
            fact(key, value, owner=user_owner(user.id), id=0)
            for key, value in known.items()
        ]
        return tuple(
            ledger.add(connection, one, Cause(at=one.first_seen_at)) for one in facts
        )

    await house.runtime.memory.change(add)


async def suggested_to(house: House, user: MockUser) -> frozenset[str]:
    answer = await house.act(user, "list_suggestions", include_text=True)
    return frozenset(str(one["value"]) for one in answer["suggestions"])


def said(*lines: str, **parts: Any) -> Dialogue:
    """Return a dialogue in which a person says some lines; ``parts`` are its own and,
    for ``reply`` and ``believed``, those of each turn."""
    of_turns = {
        name: parts.pop(name) for name in ("reply", "believed") if name in parts
    }
    turns = tuple(Turn(said=line, **of_turns) for line in lines)
    return Dialogue(turns=turns, **parts)
