"""A set of exchanges run with one provider."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from custom_components.caesar.gateway.errors import GatewayError
from custom_components.caesar.generator import GatewayGenerator

from .items import Item
from .playing import Played, Stage, UnansweredError
from .providers import Choice, connected
from .scoring import Share
from .wording import mentions, says


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """All exchanges of a run as they were played."""

    choice: Choice
    played: tuple[Played, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """What learning from these exchanges took."""

    spared: Share
    """Exchanges that needed no model."""
    empty_spared: Share
    """Of the exchanges that must teach nothing, those that needed no model."""
    lost_at_gate: Share
    """Of the expected facts, those whose words were never passed on."""
    suggestions: Share
    """Of what was left to a person to decide, what was expected or allowed."""
    idle_suggestions: Share
    """Of the exchanges that must teach nothing, those that ask a person something."""
    seconds: float
    """Per exchange, on average."""
    input_tokens: float | None
    """Per exchange, on average; None where the provider does not say."""
    output_tokens: float | None

    @classmethod
    def of(cls, run: Run) -> Cost:
        """Return what a run has cost."""
        number = len(run.played)
        empty = [
            one for one in run.played if one.item.labels and one.item.labels.is_empty
        ]
        generations = [asked.generation for one in run.played for asked in one.asked]
        return cls(
            spared=_spared(run.played),
            empty_spared=_spared(empty),
            lost_at_gate=_lost(run.played),
            suggestions=_suggestions(run.played),
            idle_suggestions=Share(
                count=sum(bool(one.suggested) for one in empty), of=len(empty)
            ),
            seconds=sum(one.seconds for one in run.played) / max(1, number),
            input_tokens=_mean([one.input_tokens for one in generations], number),
            output_tokens=_mean([one.output_tokens for one in generations], number),
        )


async def run(
    items: Sequence[Item],
    choice: Choice,
    *,
    cache: Path | None = None,
    on_played: Callable[[Played], None] = lambda _: None,
) -> Run:
    """Play all exchanges; raises UnansweredError where the provider is no help."""
    played: list[Played] = []
    trouble = _Trouble()
    async with connected(choice, cache) as provider:
        generator = GatewayGenerator(provider.gateway, trouble)
        async with Stage(generator, provider.route) as stage:
            for item in items:
                before = provider.saved_seconds()
                try:
                    one = await stage.play(item)
                except UnansweredError as error:
                    raise UnansweredError(f"{error}: {trouble.last}") from error
                saved = provider.saved_seconds() - before
                played.append(replace(one, seconds=one.seconds + saved))
                on_played(played[-1])
    return Run(choice=choice, played=tuple(played))


class _Trouble:
    """Remembers what went wrong last."""

    last = ""

    def failed(self, err: GatewayError) -> None:
        self.last = f"{type(err).__name__}: {err}"

    def succeeded(self, provider: str) -> None:
        """Nothing to remember."""


def _spared(played: Sequence[Played]) -> Share:
    return Share(
        count=sum(not one.asked_model for one in played),
        of=len(played),
    )


def _lost(played: Sequence[Played]) -> Share:
    lost = expected = 0
    for one in played:
        passed_on = " ".join(asked.text for asked in one.asked)
        for fact in one.item.labels.expected if one.item.labels else ():
            expected += 1
            was_said = mentions(fact, one.item.user)
            lost += not one.asked or (was_said and not mentions(fact, passed_on))
    return Share(count=lost, of=expected)


def _suggestions(played: Sequence[Played]) -> Share:
    right = [
        any(says(one, f"{fact.key} {fact.value}") for one in labels.good)
        for play in played
        if (labels := play.item.labels)
        for fact in play.suggested
    ]
    return Share(count=sum(right), of=len(right))


def _mean(numbers: Sequence[int | None], of: int) -> float | None:
    told = [number for number in numbers if number is not None]
    return sum(told) / of if told and of else None
