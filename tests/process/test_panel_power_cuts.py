"""No edit that the panel was told of is lost, however often the process is killed."""

import asyncio
from dataclasses import dataclass, field
import itertools
import json
import os
from pathlib import Path
import random
from typing import Any

import pytest

from scripts.house import database
from scripts.house.client import Client
from scripts.house.errors import HouseError
from scripts.house.house import House

KILLS = 3
LIFE_SECONDS = (0.5, 2.0)


@dataclass(kw_only=True, slots=True)
class Typist:
    """Adds, edits and deletes facts, and remembers what was acknowledged."""

    chance: random.Random
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    known: dict[int, dict[str, Any]] = field(default_factory=dict)
    doing: int | None = None
    """The fact that is being changed; without an answer nobody knows how it is."""
    acknowledged: int = 0

    async def type(self, client: Client) -> None:
        while True:
            await self.type_one(client)

    async def type_one(self, client: Client) -> None:
        number = next(self.numbers)
        if not self.known or number % 3 == 0:
            added = await client.command(
                type="caesar/facts/add",
                owner="me",
                key=f"note.n{number}",
                value=f"number {number}",
            )
            self.known[added["fact"]["id"]] = added["fact"]
        else:
            fact = self.chance.choice(list(self.known.values()))
            await self._change(client, fact, number)
        self.acknowledged += 1

    async def _change(self, client: Client, fact: dict[str, Any], number: int) -> None:
        self.doing = fact["id"]
        seen = {"fact_id": fact["id"], "revision": fact["revision"]}
        if number % 3 == 1:
            edited = await client.command(
                type="caesar/facts/edit", **seen, value=f"number {number}"
            )
            self.known[fact["id"]] = edited["fact"]
        else:
            answer = await client.command(type="caesar/facts/delete", facts=[seen])
            assert answer["done"] == [fact["id"]]
            del self.known[fact["id"]]
        self.doing = None

    def forget_what_was_interrupted(self) -> None:
        if self.doing is not None:
            self.known.pop(self.doing, None)
        self.doing = None


async def test_no_acknowledged_edit_is_lost_in_three_kills(tmp_path: Path) -> None:
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**32))
    print(f"SEED={seed}")  # noqa: T201 - pytest shows it where the test fails
    typist = Typist(chance=random.Random(seed))  # noqa: S311 - it has to be repeatable
    async with House(tmp_path) as house:
        await house.start()
        await house.add_caesar("builtin", {})
        # Home Assistant writes users and entries late; only CAESAR's file is on trial.
        await house.stop()
        for _ in range(KILLS):
            await house.start()
            await house.agent()
            typing = asyncio.create_task(typist.type(house.client))
            await asyncio.sleep(typist.chance.uniform(*LIFE_SECONDS))
            assert not typing.done(), typing.exception()
            await house.kill()
            with pytest.raises(HouseError):
                await typing
            typist.forget_what_was_interrupted()

    assert database.integrity(tmp_path) == "ok"
    stored = {fact["id"]: fact for fact in database.facts(tmp_path)}
    for fact in typist.known.values():
        assert stored[fact["id"]]["value"] == fact["value"]
    assert {row["id"]: row["value"] for row in stored.values()} == replayed(tmp_path)
    assert typist.acknowledged > KILLS
    assert house.process.complaints() == []


def replayed(folder: Path) -> dict[int, str]:
    """Return the values of facts that the events alone leave behind."""
    values: dict[int, str] = {}
    for event in database.events(folder, "memory.fact.%"):
        told = json.loads(str(event["payload"]))
        if "after" not in told:
            continue
        values.pop(told["fact_id"], None)
        if told["after"] is not None:
            values[told["fact_id"]] = told["after"]["value"]
    return values
