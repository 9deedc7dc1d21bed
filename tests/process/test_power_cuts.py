"""Nothing that was acknowledged is lost, however often the process is killed."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
import itertools
import os
from pathlib import Path
import random

from scripts.house import database
from scripts.house.client import Client
from scripts.house.errors import HouseError
from scripts.house.house import House

KILLS = 20
LIFE_SECONDS = (0.05, 1.5)
PAUSE_SECONDS = (0.0, 0.15)
LEARN_SECONDS = (0.05, 0.5)
PATIENCE = 60
_SYLLABLES = [f"{one}{other}" for one in "bdfgklmnprstvwz" for other in "aeiou"]


def names() -> Iterator[str]:
    """Yield names that nobody has, each once and none like another."""
    for syllables in itertools.product(_SYLLABLES, repeat=2):
        yield "".join((*syllables, "x")).capitalize()


@dataclass(kw_only=True, slots=True)
class Talker:
    """Says one name after another; a name whose reply did not arrive is said again."""

    chance: random.Random
    to_come: Iterator[str] = field(default_factory=names)
    current: str | None = None
    acknowledged: list[str] = field(default_factory=list)

    async def talk(self, client: Client, agent: str) -> None:
        while True:
            await self.say_one(client, agent)
            await asyncio.sleep(self.chance.uniform(*PAUSE_SECONDS))

    async def say_one(self, client: Client, agent: str) -> None:
        self.current = self.current or next(self.to_come)
        reply = await client.converse(f"My dog's name is {self.current}.", agent)
        assert not reply.is_error, reply.text
        self.acknowledged.append(self.current)
        self.current = None


async def test_no_acknowledged_statement_is_lost_in_twenty_kills(
    tmp_path: Path,
) -> None:
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**32))
    print(f"SEED={seed}")  # noqa: T201 - pytest shows it where the test fails
    chance = random.Random(seed)  # noqa: S311 - it has to be repeatable
    talker = Talker(chance=chance)
    async with House(tmp_path) as house:
        await house.start()
        await house.add_caesar("builtin", {})
        # Home Assistant writes users and entries late; only CAESAR's file is on trial.
        await house.stop()
        for _ in range(KILLS):
            await _live_and_die(house, talker, chance)
        await _catch_up(house, talker)

    assert database.integrity(tmp_path) == "ok"
    said = sorted(talker.acknowledged)
    assert sorted(str(fact["value"]) for fact in database.facts(tmp_path)) == said
    assert len(database.events(tmp_path, "memory.fact.added")) == len(said)
    assert len(said) > KILLS
    assert house.process.complaints() == []


async def _live_and_die(house: House, talker: Talker, chance: random.Random) -> None:
    await house.start()
    agent = await house.agent()
    doings = (
        asyncio.create_task(talker.talk(house.client, agent)),
        asyncio.create_task(_keep_learning(house.client, chance)),
    )
    await asyncio.sleep(chance.uniform(*LIFE_SECONDS))
    assert not any(doing.done() for doing in doings), [d.exception() for d in doings]
    await house.kill()
    for ended in await asyncio.gather(*doings, return_exceptions=True):
        assert isinstance(ended, HouseError)


async def _keep_learning(client: Client, chance: random.Random) -> None:
    while True:
        await asyncio.sleep(chance.uniform(*LEARN_SECONDS))
        await client.act("caesar.learn_now")


async def _catch_up(house: House, talker: Talker) -> None:
    await house.start()
    await talker.say_one(house.client, await house.agent())
    async with asyncio.timeout(PATIENCE):
        while (await house.client.act("caesar.learn_now"))["waiting"]:
            pass
    await house.stop()
