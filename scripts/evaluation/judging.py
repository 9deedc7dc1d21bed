"""One exchange held against its labels."""

from dataclasses import dataclass

from .items import Item, Labels, Pattern
from .predictions import Prediction, Written
from .wording import plain, says, squeezed

MAX_VALUE = 160
"""Characters of a value; a whole speech that was copied is no extracted fact."""

CHANGES = ("update", "negation", "additive")
"""The categories in which what is stored has to change."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """How right one prediction is."""

    item: Item
    labels: Labels
    missed: tuple[Pattern, ...]
    right: int
    """Facts written that were expected and not written before."""
    wrong: tuple[Written, ...]
    repeated: int
    """Facts written twice, or again though they were known."""
    leaked: bool
    """Something stands in a fact that may stand in none."""
    has_new: bool
    """All that was expected is stored."""
    lost_old: bool
    """Nothing outdated is asserted any more."""
    kept_rest: bool
    """All that should stay is stored, and once where it was only said again."""
    failed: bool
    """The model's answer could not be read."""

    @property
    def found(self) -> int:
        """Return how many expected facts were written."""
        return len(self.labels.expected) - len(self.missed)

    @property
    def is_store_right(self) -> bool:
        """Return whether afterwards just what should be is stored."""
        return self.has_new and self.lost_old and self.kept_rest and not self.wrong

    @property
    def is_right(self) -> bool:
        """Return whether nobody would find a fault."""
        return self.is_store_right and not (self.missed or self.leaked or self.failed)


def judge(item: Item, labels: Labels, prediction: Prediction) -> Judgement:
    """Return how right the prediction for an exchange is."""
    written = [fact for fact in prediction.facts if fact.value is not None]
    stored = [f"{entry.key} {entry.value}" for entry in prediction.store]
    met: set[Pattern] = set()
    right = repeated = 0
    wrong: list[Written] = []
    for fact in written:
        meant = {one for one in labels.expected if _is(fact, one)}
        if meant - met:
            right += 1
            met |= meant
        elif meant:
            repeated += 1
        elif any(_is(fact, one) for one in labels.allowed):
            continue
        elif _repeats_known(fact, item, labels):
            repeated += 1
        else:
            wrong.append(fact)
    everything = [squeezed(_text(fact)) for fact in prediction.facts]
    return Judgement(
        item=item,
        labels=labels,
        missed=tuple(
            one for one in labels.expected if not any(_is(f, one) for f in written)
        ),
        right=right,
        wrong=tuple(wrong),
        repeated=repeated,
        leaked=any(
            squeezed(w) in text for w in labels.forbidden for text in everything
        ),
        has_new=all(any(says(one, t) for t in stored) for one in labels.expected),
        lost_old=not any(says(one, text) for one in labels.gone for text in stored),
        kept_rest=all(_is_kept(one, stored, labels) for one in labels.kept),
        failed=prediction.error is not None,
    )


def _text(fact: Written) -> str:
    return f"{fact.key} {fact.value or ''}"


def _is(fact: Written, pattern: Pattern) -> bool:
    return len(fact.value or "") <= MAX_VALUE and says(pattern, _text(fact))


def _repeats_known(fact: Written, item: Item, labels: Labels) -> bool:
    """Return whether a fact only says what was stored already and still holds."""
    text = plain(_text(fact))
    repeats = any(
        plain(known.value) and plain(known.value) in text for known in item.known
    )
    return repeats and not any(says(one, text) for one in labels.gone)


def _is_kept(pattern: Pattern, stored: list[str], labels: Labels) -> bool:
    times = sum(says(pattern, text) for text in stored)
    return times == 1 or (times > 1 and labels.category != "restate")
