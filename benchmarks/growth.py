"""What years of one household come to: the file, RAM, a turn, and a start.

The file is filled in this process and opened in a new one, as after a restart.
"""

import argparse
import asyncio
from collections.abc import Sequence
from functools import partial
import json
import logging
from pathlib import Path
import subprocess
import sys
import tempfile
import time
from typing import Any, Final

from custom_components.caesar.memory.composer import Caps
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import EventKind, NewEvent, Scope
from custom_components.caesar.memory.recall import Question, Recall
from custom_components.caesar.memory.vectors.sketch import SketchIndex

from .measuring.archive import MODEL, HouseClock, Words, fill, fill_words
from .measuring.embeddings import ASKED_BY, Said, said
from .measuring.questions import KnownQuestions
from .measuring.stopwatch import Stopwatch
from .measuring.table import machine, print_table

YEARS: Final = (1, 5, 10)
A_DAY: Final = 100
DIMENSION: Final = 1024
TURNS: Final = 300
KNOWN: Final = 20_000
"""Vectors that differ; with more of them nothing would be slower."""
PATIENCE: Final = 0.15
"""Seconds that a turn waits for what is recalled."""

_SCOPE: Final = Scope(owner=ASKED_BY)


def main() -> int:
    """Measure, and print what came out."""
    parser = argparse.ArgumentParser(
        prog="scripts/benchmark growth", description=__doc__
    )
    parser.add_argument("--years", type=int, nargs="+", default=YEARS)
    parser.add_argument("--dimension", type=int, default=DIMENSION)
    parser.add_argument("--folder", help="where the file is put; a gigabyte or two")
    parser.add_argument("--open", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if options.open:
        print(json.dumps(asyncio.run(_live(options.open, options.dimension))))
        return 0
    return _measure(options)


def _measure(options: argparse.Namespace) -> int:
    print(f"Measured on {machine()}.", flush=True)
    rows = said(KNOWN, options.dimension)
    columns: list[dict[str, Any]] = []
    for years in options.years:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            path = Path(folder, "caesar.db")
            asyncio.run(_fill(path, rows, years))
            columns.append(_opened_anew(path, options.dimension))
        print(f"{years} years: {columns[-1]}", flush=True)
    print_table(
        f"A household that says {A_DAY} things a day, each with a vector of "
        f"{options.dimension:,} numbers",
        ("", *(f"{years} years" for years in options.years)),
        [(name, *(one[name] for one in columns)) for name in columns[0]],
    )
    return 0


async def _fill(path: Path, rows: Said, years: int) -> None:
    memory = Memory(path, clock=HouseClock())
    await memory.open()
    days = 365 * years
    await fill(memory.database, rows, count=days * A_DAY, days=days)
    await fill_words(memory.database)
    await memory.close()


def _opened_anew(path: Path, dimension: int) -> dict[str, Any]:
    command = ("-m", "benchmarks.growth", "--open", path, "--dimension", str(dimension))
    done = subprocess.run(  # noqa: S603  our own words
        (sys.executable, *command), check=True, capture_output=True, text=True
    )
    exchanges, *_ = measured = json.loads(done.stdout)
    size = path.stat().st_size / 2**20
    return {exchanges: measured.pop(exchanges), "file, MB": size, **measured}


async def _live(path: Path, dimension: int) -> dict[str, Any]:
    """Open the file, have some turns, and return what all that took."""
    before = _ram()
    began = time.perf_counter()
    memory = Memory(path, clock=HouseClock())
    await memory.open()
    opened = time.perf_counter() - began
    index = SketchIndex(memory.database, MODEL)
    began = time.perf_counter()
    held = await index.count()
    read = time.perf_counter() - began
    embedder = KnownQuestions(said(100, dimension).questions)
    recall = Recall(memory.database, embedder=embedder, index=index)
    section, recalled, kept = await _turns(memory, recall)
    await memory.close()
    return {
        "exchanges": held,
        "RAM in use after the start, MB": (_ram() - before) / 2**20,
        "of which sketches, MB": index.nbytes / 2**20,
        "start, until a turn is answered, s": opened,
        "sketches read, beside the first turns, s": read,
        "section of a turn, median ms": 1000 * section.median,
        "section of a turn, p99 ms": 1000 * section.p99,
        "recall by words and meaning, median ms": 1000 * recalled.median,
        "recall by words and meaning, p99 ms": 1000 * recalled.p99,
        "keeping a turn, after the reply, median ms": 1000 * kept.median,
        "keeping a turn, after the reply, p99 ms": 1000 * kept.p99,
    }


async def _turns(memory: Memory, recall: Recall) -> Sequence[Stopwatch]:
    watches = tuple(Stopwatch(name=name) for name in ("section", "recall", "keep"))
    section, recalled, kept = watches
    for text in Words().texts(TURNS):
        asked = " ".join(text.split()[:6])
        section.take_now(partial(memory.section, _SCOPE, asked, Caps()))
        question = Question(text=asked, owners=_SCOPE.visible, language="en", count=5)
        await recalled.take(partial(recall.search, question, patience=PATIENCE))
        event = NewEvent(
            kind=EventKind.CHAT_COMPLETED,
            owner=ASKED_BY,
            user_text=text,
            assistant_text=text,
        )
        await kept.take(partial(memory.finish, None, event))
    return watches


def _ram() -> int:
    """Return the bytes of RAM that are this process's own."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) * 1024
    raise OSError("No figure of this process's RAM")


if __name__ == "__main__":
    sys.exit(main())
