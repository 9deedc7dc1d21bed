"""How fast what is near is found, how much of it, and what that takes.

The product's own index, opened from its own file, beside what else somebody might take.
All answer the same questions in turn, so that a busy machine is as busy for each.
"""

import argparse
import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
import logging
from pathlib import Path
from statistics import median
import sys
import tempfile
import time
from typing import Any, Final

from sqlalchemy import Connection

from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.vectors.sketch import SketchIndex

from .measuring.archive import MODEL, fill
from .measuring.embeddings import ASKED_BY, Said, Vectors, said
from .measuring.peers import PEERS, Peer
from .measuring.table import Cell, machine, print_table

SIZES: Final = (1_000, 10_000, 100_000)
DIMENSION: Final = 1024
COUNT: Final = 10
ROUNDS: Final = 25
PATIENCE: Final = 30.0
"""Seconds after which one that is slow is asked nothing more."""
OURS: Final = "CAESAR"

type Search = Callable[[Vectors], Coroutine[Any, Any, Sequence[int]]]


@dataclass(kw_only=True, slots=True)
class Candidate:
    """One that answers, and how it did."""

    name: str
    search: Search
    disk: int
    vectors: int = 0
    """How much of the disk the vectors take, without the exchanges."""
    ram: int | None = None
    seconds: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    """Seconds that a processor worked at an answer, on all threads."""
    found: int = 0

    @property
    def work(self) -> float:
        """Return the seconds of work that an answer is."""
        return median(self.worked)

    @property
    def recall(self) -> float:
        """Return which part of the nearest was found."""
        return self.found / len(self.seconds) / COUNT

    async def answer(self, question: Vectors, nearest: frozenset[int]) -> None:
        """Take the time of one answer, and count what is right in it."""
        if sum(self.seconds) > PATIENCE:
            return
        began, worked = time.perf_counter(), time.process_time()
        found = await self.search(question)
        self.seconds.append(time.perf_counter() - began)
        self.worked.append(time.process_time() - worked)
        self.found += len(nearest.intersection(found))


def main() -> int:
    """Measure, and print what came out."""
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark recall", description=__doc__
    )
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES)
    parser.add_argument("--dimension", type=int, default=DIMENSION)
    parser.add_argument(
        "--peers",
        nargs="*",
        choices=sorted(PEERS),
        default=[name for name, peer in PEERS.items() if peer.is_installed()],
        help="whom to compare with; Chroma comes with the dependency group peers",
    )
    parser.add_argument("--folder", help="where the files are put; some gigabytes")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    return asyncio.run(_measure(options))


async def _measure(options: argparse.Namespace) -> int:
    print(f"Measured on {machine()}.")
    print(
        "Work is the time of the processor; until an answer, others work too, and the "
        "more the\nmore there is to do elsewhere."
    )
    ours: list[Candidate] = []
    for count in options.rows:
        rows = said(count, options.dimension)
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            candidates = await _compare(Path(folder), rows, options.peers)
        _print(rows, candidates)
        ours.append(candidates[0])
    _print_growth(options.rows, ours)
    return 0


async def _compare(
    folder: Path, rows: Said, peers: Sequence[str]
) -> Sequence[Candidate]:
    """Let all answer the same questions in turn."""
    path = folder / "caesar.db"
    database = Database(path)
    await database.open()
    await fill(database, rows)
    await database.close()
    # Opened anew: what is searched is what a restart leaves.
    await database.open()
    index = SketchIndex(database, MODEL)
    candidates = [Candidate(name=OURS, search=_ours(index), disk=path.stat().st_size)]
    for name in peers:
        peer = PEERS[name](folder)
        peer.build(rows)
        candidates.append(_candidate(name, peer))
    began = time.perf_counter()
    await index.count()
    print(f"\n{len(rows):,} sketches read in {time.perf_counter() - began:.2f} s")
    for number in range(-1, ROUNDS):
        question = rows.questions[number]
        nearest = rows.nearest(question, COUNT)
        for candidate in candidates:
            await candidate.answer(question, nearest)
            if number < 0 and sum(candidate.seconds) < PATIENCE:
                # The first time is for warming up.
                candidate.seconds.clear()
                candidate.worked.clear()
                candidate.found = 0
    candidates[0].ram = index.nbytes
    await index.close()
    await database.close()
    return candidates


def _size_of_vectors(connection: Connection) -> int:
    size: int = connection.exec_driver_sql(
        "SELECT sum(pgsize) FROM dbstat WHERE name GLOB 'semantic_memory*'"
        " OR name GLOB 'semantic_sketches*' OR name GLOB 'ix_semantic_*'"
    ).scalar_one()
    return size


def _ours(index: SketchIndex) -> Search:
    async def search(question: Vectors) -> Sequence[int]:
        hits = await index.search(question, COUNT, owners=[ASKED_BY])
        # Rows are counted from 0, ids from 1.
        return [hit.id - 1 for hit in hits]

    return search


def _candidate(name: str, peer: Peer) -> Candidate:
    async def search(question: Vectors) -> Sequence[int]:
        return peer.search(question, COUNT, ASKED_BY)

    return Candidate(name=name, search=search, disk=peer.disk)


def _print(rows: Said, candidates: Sequence[Candidate]) -> None:
    ours = candidates[0]
    cells: list[tuple[Cell, ...]] = [
        (
            one.name,
            1000 * one.work,
            one.work / ours.work,
            1000 * median(one.seconds),
            one.recall,
            one.disk / 2**20,
            one.disk / ours.disk,
            len(one.seconds),
        )
        for one in candidates
    ]
    print_table(
        f"{len(rows):,} rows of {rows.vectors.shape[1]:,} numbers, of which "
        f"{int((rows.owners == 0).sum()):,} are searched",
        (
            "",
            "ms of work",
            "times ours",
            "ms until answered",
            f"recall@{COUNT}",
            "MB on disk",
            "times ours",
            "asked",
        ),
        cells,
    )
    print(
        f"\nOf our file, {ours.vectors / 2**20:,.1f} MB are vectors and sketches; the "
        "rest are the exchanges."
    )
    in_ram = rows.vectors.nbytes / (ours.ram or 1)
    print(f"Our index takes 1/{in_ram:.1f} of the vectors' RAM as float32.")


def _print_growth(sizes: Sequence[int], ours: Sequence[Candidate]) -> None:
    for (less, before), (more, after) in pairwise(zip(sizes, ours, strict=True)):
        print(
            f"{more / less:.0f} times the rows, {less:,} to {more:,}: "
            f"{after.work / before.work:.1f} times the work"
        )


if __name__ == "__main__":
    sys.exit(main())
