"""Figures as lines to read."""

from collections.abc import Iterator, Mapping, Sequence

from .items import Pattern
from .judging import Judgement
from .playing import Played
from .running import Cost
from .scoring import Score, by_category, by_language


def score_lines(score: Score) -> Iterator[str]:
    """Yield the figures of all exchanges."""
    yield f"exchanges          {score.exchanges}"
    yield f"precision          {score.precision}"
    yield f"recall             {score.recall}"
    yield f"false memories     {score.false_memories}"
    yield f"leaks              {score.leaks}"
    yield f"updates            {score.updates}"
    yield f"output errors      {score.output_errors}"
    yield f"duplicates         {score.duplicates}"


def cost_lines(cost: Cost) -> Iterator[str]:
    """Yield what the exchanges took."""
    yield f"no model call      {cost.spared}"
    yield f"  of the empty     {cost.empty_spared}"
    yield f"lost at the gate   {cost.lost_at_gate}"
    yield f"suggestions right  {cost.suggestions}"
    yield f"  about nothing    {cost.idle_suggestions}"
    yield f"seconds            {cost.seconds:.2f} per exchange"
    if cost.input_tokens is not None and cost.output_tokens is not None:
        yield (
            f"tokens             {cost.input_tokens:.0f} read, "
            f"{cost.output_tokens:.0f} written per exchange"
        )


def detail_lines(judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yield the figures of each language and category."""
    yield ""
    yield from _table("language", by_language(judgements))
    yield ""
    yield from _table("category", by_category(judgements))


def fault_lines(judgement: Judgement, played: Played) -> Iterator[str]:
    """Yield what is wrong with one exchange, and how it came to be."""
    item, prediction = played.item, played.prediction
    yield f"\n{item.id} {item.language} {judgement.labels.category}: {item.user}"
    if item.known:
        yield f"  known    {'; '.join(f'{k.key} = {k.value}' for k in item.known)}"
    for asked in played.asked:
        if asked.text != item.user:
            yield f"  asked    {asked.text}"
        yield f"  answer   {asked.generation.text}"
        if asked.generation.reading:
            yield f"  read     {asked.generation.reading}"
    if not played.asked:
        yield "  asked    nothing"
    for fact in prediction.facts:
        yield f"  written  {fact.key} = {fact.value}"
    for fact in played.suggested:
        yield f"  asks     {fact.key} = {fact.value}"
    for reason in played.rejected:
        yield f"  rejected {reason}"
    for fact in judgement.wrong:
        yield f"  WRONG    {fact.key} = {fact.value}"
    yield from (f"  MISSED   {_described(one)}" for one in judgement.missed)
    yield from (f"  {fault}" for fault in _store_faults(judgement))


def _described(pattern: Pattern) -> str:
    return pattern.value or " & ".join("/".join(group) for group in pattern.groups)


def _store_faults(judgement: Judgement) -> Iterator[str]:
    if not judgement.has_new:
        yield "STORE    lacks what is new"
    if not judgement.lost_old:
        yield "STORE    still asserts what is over"
    if not judgement.kept_rest:
        yield "STORE    lost or doubled what should stay"
    if judgement.leaked:
        yield "LEAK     holds what nothing may hold"
    if judgement.failed:
        yield "ERROR    the answer could not be read"


def _table(name: str, scores: Mapping[str, Score]) -> Iterator[str]:
    width = max(map(len, (name, *scores)))
    yield (
        f"{name:{width}}  {'right':>22}  {'precision':>22}  {'recall':>22}  "
        f"{'false memories':>22}  {'updates':>22}"
    )
    for group, score in scores.items():
        yield (
            f"{group:{width}}  {score.right!s:>22}  {score.precision!s:>22}  "
            f"{score.recall!s:>22}  {score.false_memories!s:>22}  {score.updates!s:>22}"
        )
