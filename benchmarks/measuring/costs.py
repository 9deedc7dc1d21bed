"""Counts what memory makes a model read and write, from the requests that are sent."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
import json
from statistics import mean
from typing import Any, Final

from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.extraction.request import build_request
from custom_components.caesar.memory.models import Exchange

from .home import Home, Language
from .household import Household
from .tokens import Body, Counter

MANY: Final = 90
"""Facts of somebody of whom more is known than may be told."""
_AT_LENGTH: Final = ", as we have said so often that everybody here has heard of it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What one turn is told, and the whole of what its model reads."""

    known: str
    facts: int
    characters: int
    tokens: int
    turn: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Untold:
    """A turn of somebody of whom nothing is known."""

    tokens: int
    tools: list[Body]


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """What learning asks of a model, in tokens."""

    stable: int
    """What is the same in every request."""
    new: float
    """A person's words, on average of those that were asked about."""
    nothing: float
    """An answer without a fact."""
    one: float
    """An answer with one fact."""
    asked: dict[str, int]
    """Requests for all utterances of a kind."""
    missed: tuple[str, ...]
    """Utterances that tell something and were not asked about."""

    @property
    def requests(self) -> int:
        """Return the requests for all utterances."""
        return sum(self.asked.values())

    @property
    def tokens(self) -> float:
        """Return the tokens of all requests and their answers."""
        facts = self.asked["facts"]
        read = self.requests * (self.stable + self.new)
        return read + facts * self.one + (self.requests - facts) * self.nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Counts in one house, whose agent's server is a fake."""

    home: Home
    fake: Any
    language: Language
    counter: Counter
    said: Household

    async def of_turns(self) -> list[Told]:
        """Return what turns cost as somebody tells more and more."""
        home, known = self.home, self.said.known
        robin, sam, kim = home.robin, home.house.user("Sam"), home.house.user("Kim")
        request = await self._request(robin)
        untold = _Untold(
            tokens=await self.counter.of_request(request), tools=request["tools"]
        )
        rows = [await self._told("nothing", robin, untold)]
        told = 0
        for count in (1, 10, len(known)):
            await home.know(robin, known[told:count])
            told = count
            name = f"{count} fact{'s'[: count > 1]}"
            rows.append(await self._told(name, robin, untold))
        values = [f"{value} ({n})" for n in range(MANY // told) for _, value in known]
        await home.know(sam, [("friend.note", value) for value in values])
        rows.append(await self._told(f"{len(values)} facts", sam, untold))
        await home.know(kim, [(key, value + _AT_LENGTH) for key, value in known])
        rows.append(await self._told(f"{told} long facts", kim, untold))
        return rows

    async def of_tools(self) -> int:
        """Return the tokens of the tools that another agent is given."""
        tools = [asdict(tool) for tool in await self.home.shared_tools()]
        return await self.counter.of_text(json.dumps(tools))

    async def of_learning(self) -> Learned:
        """Let the house learn from all utterances, and return what that asked."""
        asked: dict[str, int] = {}
        bodies: list[Body] = []
        for kind, texts in self.said.utterances.items():
            self.fake.bodies.clear()
            self.fake.replies[:] = [self.language.nothing] * len(texts)
            await self.home.learn(*texts)
            asked[kind] = len(self.fake.bodies)
            bodies += self.fake.bodies
        self.fake.replies.clear()
        new = [await self.counter.of_text(_words(body)) for body in bodies]
        answers = await self._answers()
        return Learned(
            stable=await self.counter.of_request(bodies[0]) - new[0],
            new=mean(new),
            nothing=mean(answers[0]),
            one=mean(answers[1]),
            asked=asked,
            missed=_missed(self.said.utterances["facts"], bodies),
        )

    async def _request(self, user: MockUser) -> Body:
        """Return what the agent sends when a person asks it something."""
        self.fake.replies.append(self.language.said)
        await self.home.ask(self.said.ask, user)
        body: Body = self.fake.bodies[-1]
        return body

    async def _told(self, known: str, user: MockUser, untold: _Untold) -> Told:
        """Return what a turn costs, given what one costs that tells nothing.

        The rest of the request is the same, and a slow server is spared reading it.
        """
        added = [
            json.dumps(tool)
            for tool in (await self._request(user))["tools"]
            if tool not in untold.tools
        ]
        section = self.home.section(self.said.ask, user)
        tokens = await self.counter.of_text(section.text)
        tools = [await self.counter.of_text(tool) for tool in added]
        return Told(
            known=known,
            facts=len(section.fact_ids),
            characters=len(section.text),
            tokens=tokens,
            turn=untold.tokens + tokens + sum(tools),
        )

    async def _answers(self) -> dict[int, list[int]]:
        """Return the tokens of the examples' answers, by how many facts they hold.

        What an answer costs depends on the model; these are as long as they have to be.
        """
        now = datetime.now(UTC)
        exchange = Exchange(id=1, at=now, owner="", language="en", user_text="")
        answers: dict[int, list[int]] = {}
        for _, answer in build_request(exchange, now.date()).examples:
            facts = len(json.loads(answer)["facts"])
            tokens = await self.counter.of_text(answer)
            answers.setdefault(facts, []).append(tokens)
        return answers


def _missed(facts: Sequence[str], bodies: Sequence[Body]) -> tuple[str, ...]:
    asked = [_words(body) for body in bodies]
    # Of an utterance only the sentences are sent that may hold a fact.
    return tuple(fact for fact in facts if not any(words in fact for words in asked))


def _words(body: Body) -> str:
    """Return the person's words, which end a request for facts."""
    content = body["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[-1]["text"])
