"""Many judgements made into figures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from .items import Item
from .judging import CHANGES, Judgement, judge
from .predictions import Prediction

_Z = 1.96
"""The normal distribution's share of 95 %."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """Return the share, None where there is nothing to count."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of 95 % around the share."""
        if not self.of:
            return (0.0, 1.0)
        share, weight = self.count / self.of, _Z * _Z / self.of
        middle = share + weight / 2
        width = _Z * sqrt(share * (1 - share) / self.of + weight / self.of / 4)
        return (
            max(0.0, (middle - width) / (1 + weight)),
            min(1.0, (middle + width) / (1 + weight)),
        )

    def __str__(self) -> str:
        if self.value is None:
            return "none"
        return f"{100 * self.value:.1f} % ({self.count} of {self.of})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Score:
    """The figures of a group of exchanges."""

    exchanges: int
    precision: Share
    """Of the facts that were written, those that were expected."""
    recall: Share
    """Of the expected facts, those that were written."""
    false_memories: Share
    """Of the exchanges that must teach nothing, those that taught something."""
    leaks: Share
    """Of the exchanges with words that may be stored nowhere, those that leaked one."""
    updates: Share
    """Of the exchanges that change what is stored, those with a right store after."""
    duplicates: int
    output_errors: Share
    right: Share
    """Exchanges in which nobody would find a fault."""

    @classmethod
    def of(cls, judgements: Iterable[Judgement]) -> Score:
        """Return the figures of these exchanges."""
        all_of = tuple(judgements)
        empty = [one for one in all_of if one.labels.is_empty]
        guarded = [one for one in all_of if one.labels.forbidden]
        changing = [one for one in all_of if one.labels.category in CHANGES]
        right = sum(one.right for one in all_of)
        return cls(
            exchanges=len(all_of),
            precision=Share(
                count=right, of=right + sum(len(one.wrong) for one in all_of)
            ),
            recall=Share(
                count=sum(one.found for one in all_of),
                of=sum(len(one.labels.expected) for one in all_of),
            ),
            false_memories=_share(empty, lambda one: bool(one.wrong)),
            leaks=_share(guarded, lambda one: one.leaked),
            updates=_share(changing, lambda one: one.is_store_right),
            duplicates=sum(one.repeated for one in all_of),
            output_errors=_share(all_of, lambda one: one.failed),
            right=_share(all_of, lambda one: one.is_right),
        )


def judge_all(
    items: Iterable[Item], predictions: Iterable[Prediction]
) -> tuple[Judgement, ...]:
    """Return the judgement of each exchange with labels.

    An exchange without a prediction counts as one whose answer could not be read.
    """
    by_id = {prediction.id: prediction for prediction in predictions}
    return tuple(
        judge(
            item,
            item.labels,
            by_id.get(item.id) or _missing(item),
        )
        for item in items
        if item.labels is not None
    )


def grouped(
    judgements: Sequence[Judgement], key: Callable[[Judgement], str]
) -> Mapping[str, Score]:
    """Return the figures of each group, in the groups' order."""
    return {
        name: Score.of(one for one in judgements if key(one) == name)
        for name in sorted({key(one) for one in judgements})
    }


def by_language(judgements: Sequence[Judgement]) -> Mapping[str, Score]:
    """Return the figures of each language."""
    return grouped(judgements, lambda one: one.item.language)


def by_category(judgements: Sequence[Judgement]) -> Mapping[str, Score]:
    """Return the figures of each category."""
    return grouped(judgements, lambda one: one.labels.category)


def _share(
    judgements: Sequence[Judgement], holds: Callable[[Judgement], bool]
) -> Share:
    return Share(count=sum(map(holds, judgements)), of=len(judgements))


def _missing(item: Item) -> Prediction:
    return Prediction(id=item.id, store=item.known, error="missing")
