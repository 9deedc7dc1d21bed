"""The command behind scripts/evaluate."""

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys

from scripts.house.signals import until_ended

from .figures import cost_lines, detail_lines, fault_lines, score_lines
from .items import Item, ItemError, read_items
from .playing import UnansweredError
from .predictions import write_predictions
from .providers import KEY_VARIABLE, PROVIDERS, Choice
from .running import Cost, Run, run
from .scoring import Score, judge_all


def main() -> int:
    """Run what the command line asks for; return 0 where that could be done."""
    parser = _parser()
    options = parser.parse_args()
    try:
        choice = Choice(provider=options.provider, url=options.url, model=options.model)
        items = chosen(options)
    except (ValueError, ItemError, OSError) as error:
        parser.error(str(error))
    return until_ended(_facts(items, choice, options))


def chosen(options: argparse.Namespace) -> tuple[Item, ...]:
    """Return the exchanges that the command line asks for.

    Raises ItemError or OSError where a file cannot be read, ValueError where no
    exchange is left.
    """
    items = [item for path in options.gold for item in read_items(path)]
    if options.ids:
        items = [item for item in items if item.id in options.ids]
    if options.language:
        items = [item for item in items if item.language in options.language]
    items = items[: options.limit]
    if not items:
        raise ValueError("there is no such exchange")
    return tuple(items)


async def _facts(
    items: Sequence[Item], choice: Choice, options: argparse.Namespace
) -> int:
    try:
        done = await run(items, choice, cache=options.cache, on_played=_progress)
    except UnansweredError as error:
        print(f"\nevaluate: {error}", file=sys.stderr)
        return 1
    print(file=sys.stderr)
    if options.out:
        write_predictions(options.out, (one.prediction for one in done.played))
    _print(done, options)
    return 0


def _progress(_: object) -> None:
    print(".", end="", file=sys.stderr, flush=True)


def _print(done: Run, options: argparse.Namespace) -> None:
    judgements = judge_all(
        (one.item for one in done.played), (one.prediction for one in done.played)
    )
    if not judgements:
        print(f"{len(done.played)} exchanges without labels")
        return
    if options.show:
        played = {one.item.id: one for one in done.played}
        for judgement in judgements:
            if not judgement.is_right:
                print(*fault_lines(judgement, played[judgement.item.id]), sep="\n")
        print()
    print(*score_lines(Score.of(judgements)), *cost_lines(Cost.of(done)), sep="\n")
    if options.details:
        print(*detail_lines(judgements), sep="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/evaluate",
        description="Measure how well CAESAR learns from labelled exchanges.",
    )
    commands = parser.add_subparsers(required=True)
    facts = commands.add_parser(
        "facts", help="run exchanges through the pipeline and score what is stored"
    )
    facts.add_argument(
        "--gold", metavar="FILE", type=Path, action="append", required=True
    )
    facts.add_argument("--provider", choices=PROVIDERS, default=PROVIDERS[0])
    facts.add_argument("--url", default="", help="address of the model server")
    facts.add_argument(
        "--model", default="", help=f"its model; {KEY_VARIABLE} may hold a key"
    )
    facts.add_argument(
        "--out", metavar="FILE", type=Path, help="where predictions are written"
    )
    facts.add_argument(
        "--cache", metavar="FOLDER", type=Path, help="keep the model's answers here"
    )
    facts.add_argument("--limit", type=int, metavar="N", help="only the first N")
    facts.add_argument("--ids", nargs="+", metavar="ID", help="only these exchanges")
    facts.add_argument("--language", nargs="+", help="only these languages")
    facts.add_argument(
        "--details", action="store_true", help="each language and category too"
    )
    facts.add_argument(
        "--show", action="store_true", help="each exchange that went wrong too"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
