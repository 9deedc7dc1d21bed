"""What the product made of each exchange, as lines of JSON."""

from collections.abc import Iterable
from dataclasses import dataclass
import json
from pathlib import Path

from .items import Entry

DELETE = "delete"


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """One fact that was written, or deleted where it has no value."""

    key: str
    value: str | None
    confidence: float = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """What became of one exchange."""

    id: str
    facts: tuple[Written, ...] = ()
    store: tuple[Entry, ...] = ()
    """All that was stored afterwards."""
    error: str | None = None
    """Why no facts could be read from the model's answer."""


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write one line for each prediction."""
    lines = (json.dumps(_row(one), ensure_ascii=False) + "\n" for one in predictions)
    path.write_text("".join(lines), "utf-8")


def _row(prediction: Prediction) -> dict[str, object]:
    row: dict[str, object] = {
        "id": prediction.id,
        "facts": [_fact(fact) for fact in prediction.facts],
        "store": [
            {"key": entry.key, "value": entry.value} for entry in prediction.store
        ],
    }
    if prediction.error is not None:
        row["error"] = prediction.error
    return row


def _fact(fact: Written) -> dict[str, object]:
    row: dict[str, object] = {
        "key": fact.key,
        "value": fact.value,
        "confidence": fact.confidence,
    }
    return row if fact.value is not None else {**row, "op": DELETE}
