"""The command behind scripts/evaluate."""

import argparse
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
import sys

from scripts.house.signals import until_ended

from .figures import cost_lines, detail_lines, fault_lines, score_lines
from .items import Item, ItemError
from .options import choices, chosen, embedder, parser
from .playing import UnansweredError
from .predictions import write_predictions
from .providers import Choice, embedding
from .recalling import (
    Asked,
    Talk,
    UnembeddedError,
    answer,
    figure_lines,
    read_corpus,
    read_questions,
    write_ranked,
)
from .report import PAGE, TAKEN_APART, Sets, measure, page, shipped_sets, take_out
from .running import Cost, Run, run
from .scoring import Score, judge_all


def main() -> int:
    """Run what the command line asks for; return 0 where that could be done."""
    reader = parser()
    options = reader.parse_args()
    try:
        if options.command == "recall":
            asked = read_questions(options.queries)
            return until_ended(
                _recall(
                    read_corpus(options.corpus),
                    asked,
                    options.out,
                    embedder(options),
                    options.cache,
                )
            )
        described = choices(options)
        if options.command == "report":
            return until_ended(_report(shipped_sets(), described, options.cache))
        (choice,) = described
        items = chosen(options)
    except (ValueError, ItemError, OSError) as error:
        reader.error(str(error))
    return until_ended(_facts(items, choice, options))


async def _recall(
    corpus: Sequence[Talk],
    questions: Sequence[Asked],
    out: Path | None,
    choice: Choice | None,
    cache: Path | None,
) -> int:
    async with AsyncExitStack() as stack:
        by_meaning = None
        if choice is not None:
            by_meaning = await stack.enter_async_context(embedding(choice, cache))
        try:
            answers = await answer(corpus, questions, by_meaning)
        except UnembeddedError as error:
            print(f"Not everything could be embedded: {error}", file=sys.stderr)
            return 1
    if out is not None:
        write_ranked(out, answers)
    for line in figure_lines(answers):
        print(line)
    return 0


async def _report(sets: Sets, described: Sequence[Choice], cache: Path | None) -> int:
    with_model = [choice for choice in described if choice.model]
    apart = {name: items for name, items in sets.items() if name == TAKEN_APART}
    try:
        measured = await measure(sets, described, cache, _progress)
        # One model is enough: code decides the same whichever it is.
        ablations = [
            one
            for choice in with_model[:1]
            for one in await take_out(apart, choice, cache, _progress)
        ]
    except UnansweredError as error:
        return _failed(error)
    command = " ".join(("scripts/evaluate report", *map(_arguments, described)))
    PAGE.write_text(page(command, measured, ablations), "utf-8")
    print(f"\nwritten: {PAGE.name}", file=sys.stderr)
    return 0


async def _facts(
    items: Sequence[Item], choice: Choice, options: argparse.Namespace
) -> int:
    try:
        done = await run(items, choice, cache=options.cache, on_played=_progress)
    except UnansweredError as error:
        return _failed(error)
    print(file=sys.stderr)
    if options.out:
        write_predictions(options.out, (one.prediction for one in done.played))
    _print(done, options)
    return 0


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


def _progress(_: object) -> None:
    print(".", end="", file=sys.stderr, flush=True)


def _failed(error: UnansweredError) -> int:
    print(f"\nevaluate: {error}", file=sys.stderr)
    return 1


def _arguments(choice: Choice) -> str:
    """Return the arguments that describe a provider, wherever its server is."""
    parts = [f"--provider {choice.provider}"]
    if choice.url:
        parts.append("--url URL")
    if choice.model:
        parts.append(f"--model {choice.model}")
    if choice.sets:
        parts.append(f"--sets {' '.join(choice.sets)}")
    return " ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
