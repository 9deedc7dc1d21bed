"""Exchanges, labels and predictions for the tests."""

from scripts.evaluation.items import Entry, Item, Labels, Pattern
from scripts.evaluation.predictions import Prediction, Written


def pattern(*groups: str, never: str = "", unless: str = "") -> Pattern:
    """Return a pattern; alternatives of a group are parted by a slash."""
    return Pattern(
        groups=tuple(tuple(group.split("/")) for group in groups),
        never=tuple(never.split()),
        unless=tuple(unless.split()),
    )


def entries(**values: str) -> tuple[Entry, ...]:
    return tuple(Entry(key=key, value=value) for key, value in values.items())


def written(**values: str | None) -> tuple[Written, ...]:
    return tuple(Written(key=key, value=value) for key, value in values.items())


def item(
    *,
    name: str = "one",
    user: str = "",
    language: str = "en",
    known: tuple[Entry, ...] = (),
    labels: Labels | None = None,
) -> Item:
    return Item(
        id=name,
        language=language,
        user=user,
        assistant="Okay.",
        known=known,
        labels=labels,
    )


def prediction(
    *facts: Written, store: tuple[Entry, ...] | None = None, error: str | None = None
) -> Prediction:
    """Return a prediction; unless told otherwise, what was written is stored."""
    if store is None:
        store = tuple(
            Entry(key=fact.key, value=fact.value)
            for fact in facts
            if fact.value is not None
        )
    return Prediction(id="one", facts=facts, store=store, error=error)
