"""All sets with all providers, as a page to read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from .ablation import stages
from .items import Item, read_items
from .judging import Judgement
from .playing import Played
from .providers import Choice
from .running import Cost, Run, run
from .scoring import Score, Share, by_category, by_language, judge_all

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "quality.md"
_TEMPLATE = Path(__file__).with_name("quality.template.md")
_SETS = ("handed", "fresh", "sealed")
TAKEN_APART = "sealed"
"""The set that is run without each of the stages, since no stage was made for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """One set with one provider."""

    name: str
    run: Run
    judgements: tuple[Judgement, ...]

    @property
    def score(self) -> Score:
        """Return the figures of the whole set."""
        return Score.of(self.judgements)

    @property
    def cost(self) -> Cost:
        """Return what the run took."""
        return Cost.of(self.run)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ablation:
    """One set with one provider, each time without one of the stages."""

    name: str
    choice: Choice
    scores: Mapping[str, Score]


type Sets = Mapping[str, tuple[Item, ...]]


def shipped_sets() -> Sets:
    """Return the sets of this repository by name; raises ItemError or OSError."""
    folder = REPOSITORY / "evals"
    return {name: read_items(folder / f"facts.{name}.jsonl") for name in _SETS}


async def measure(
    sets: Sets,
    choices: Sequence[Choice],
    cache: Path | None,
    on_played: Callable[[Played], None],
) -> tuple[Measured, ...]:
    """Run each set with each provider; raises UnansweredError."""
    return tuple(
        [
            await _measured(name, items, choice, cache, on_played)
            for name, items in sets.items()
            for choice in choices
            if not choice.sets or name in choice.sets
        ]
    )


async def take_out(
    sets: Sets,
    choice: Choice,
    cache: Path | None,
    on_played: Callable[[Played], None],
) -> tuple[Ablation, ...]:
    """Run each set without each of the stages; raises UnansweredError."""
    found: list[Ablation] = []
    for name, items in sets.items():
        scores: dict[str, Score] = {}
        for stage, taken_out in stages().items():
            with taken_out:
                measured = await _measured(name, items, choice, cache, on_played)
            scores[stage] = measured.score
        found.append(Ablation(name=name, choice=choice, scores=scores))
    return tuple(found)


async def _measured(
    name: str,
    items: Sequence[Item],
    choice: Choice,
    cache: Path | None,
    on_played: Callable[[Played], None],
) -> Measured:
    done = await run(items, choice, cache=cache, on_played=on_played)
    predictions = (one.prediction for one in done.played)
    return Measured(name=name, run=done, judgements=judge_all(items, predictions))


def page(
    command: str, measured: Sequence[Measured], ablations: Sequence[Ablation]
) -> str:
    """Return the page; the command is the one that made it."""
    text = Template(_TEMPLATE.read_text("utf-8"))
    return text.substitute(
        command=command,
        results="\n".join(_results(measured)),
        certainty="\n".join(_certainty(measured)),
        costs="\n".join(_costs(measured)),
        languages="\n\n".join(_groups("language", measured, by_language)),
        categories="\n\n".join(_groups("category", measured, by_category)),
        ablation="\n\n".join(map(_ablation, ablations)) or "Not run.",
    )


def _results(measured: Sequence[Measured]) -> Iterator[str]:
    yield from _head(
        "set",
        "provider",
        "precision",
        "recall",
        "false memories",
        "leaks",
        "updates",
        "output errors",
    )
    for one in measured:
        score = one.score
        yield _row(
            one.name,
            one.run.choice,
            score.precision,
            score.recall,
            score.false_memories,
            score.leaks,
            score.updates,
            score.output_errors,
        )


def _certainty(measured: Sequence[Measured]) -> Iterator[str]:
    yield from _head("set", "provider", "recall", "false memories", "updates")
    for one in measured:
        score = one.score
        shares = (score.recall, score.false_memories, score.updates)
        yield _row(one.name, one.run.choice, *map(_interval, shares))


def _costs(measured: Sequence[Measured]) -> Iterator[str]:
    yield from _head(
        "set",
        "provider",
        "no model call",
        "of the empty",
        "facts lost at the gate",
        "suggestions right",
        "suggestions about nothing",
        "seconds",
        "tokens read",
        "tokens written",
    )
    for one in measured:
        cost = one.cost
        yield _row(
            one.name,
            one.run.choice,
            cost.spared,
            cost.empty_spared,
            cost.lost_at_gate,
            cost.suggestions,
            cost.idle_suggestions,
            f"{cost.seconds:.1f}",
            _number(cost.input_tokens),
            _number(cost.output_tokens),
        )


def _groups(
    title: str,
    measured: Sequence[Measured],
    grouped: Callable[[Sequence[Judgement]], Mapping[str, Score]],
) -> Iterator[str]:
    """Yield a table for each set, a row for each group, a column for each provider."""
    for name in dict.fromkeys(one.name for one in measured):
        columns = [one for one in measured if one.name == name]
        scores = [grouped(one.judgements) for one in columns]
        titles = [
            f"{one.run.choice}: {figure}"
            for one in columns
            for figure in ("right", "recall", "false", "updates")
        ]
        lines = [f"**{name}**", "", *_head(title, *titles)]
        for group in scores[0]:
            shares = [share for one in scores for share in _shares(one[group])]
            lines.append(_row(group, *map(_counted, shares)))
        yield "\n".join(lines)


def _shares(score: Score) -> tuple[Share, ...]:
    return (score.right, score.recall, score.false_memories, score.updates)


def _ablation(ablation: Ablation) -> str:
    lines = [
        f"**{ablation.name}**, {ablation.choice}",
        "",
        *_head("", "precision", "recall", "false memories", "leaks", "updates"),
    ]
    for stage, score in ablation.scores.items():
        shares = (
            score.precision,
            score.recall,
            score.false_memories,
            score.leaks,
            score.updates,
        )
        lines.append(_row(stage, *shares))
    return "\n".join(lines)


def _head(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield _row(*("---" for _ in titles))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{100 * low:.0f} to {100 * high:.0f} %" if share.of else str(share)


def _counted(share: Share) -> str:
    return f"{share.count}/{share.of}" if share.of else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}"
