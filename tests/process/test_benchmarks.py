"""The benchmarks run and print their tables, without any model."""

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path
import sys

REPOSITORY = Path(__file__).resolve().parents[2]


async def printed(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments, cwd=REPOSITORY, stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


def row(table: str, first: str) -> list[int]:
    """Return the numbers of the row that begins with a cell."""
    (line,) = [line for line in table.splitlines() if line.startswith(f"| {first} ")]
    return [int(cell.replace(",", "")) for cell in line.split("|")[2:-1]]


async def test_cost_counts_turns_and_learning():
    table = await printed("benchmarks.cost")
    assert "ESTIMATED" in table
    told, characters, tokens, turn = row(table, "30 facts")
    assert told == 30
    assert 0 < tokens < characters < 2048
    assert abs(turn - row(table, "nothing")[-1] - tokens) <= 2
    assert row(table, "90 facts")[0] == 30
    assert row(table, "30 long facts")[1] <= 2048
    said, asked, spared = row(table, "all")
    assert (said, asked + spared) == (100, 100)
    # Sentence files read most of what tells a fact before a model is asked.
    assert row(table, "facts")[1] < row(table, "facts")[2]
    assert row(table, "commands")[2] > row(table, "commands")[1]
