"""Vectors as embedding models make them, of exchanges that nobody ever had.

They are no noise: what is said is about one of some hundred topics, few directions
matter much, and all vectors lean to one side. Questions are near to something said.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

from custom_components.caesar.memory.vectors.numbers import as_units

OWNERS: Final = ("user:ann", "user:bob", "user:cleo", "person:dan", "household")
SHARES: Final = (0.4, 0.3, 0.15, 0.1, 0.05)
ASKED_BY: Final = OWNERS[0]
"""Whose rows are searched: two of five."""
END: Final = datetime(2026, 11, 30, tzinfo=UTC)

_TOPICS: Final = 300
_LATENT: Final = 96
_QUESTIONS: Final = 64
_CHUNK: Final = 10_000

type Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """Rows in the order of time, with questions about them."""

    owners: npt.NDArray[np.int64]
    """Places in OWNERS."""
    vectors: Vectors
    questions: Vectors

    def __len__(self) -> int:
        return len(self.vectors)

    def at(self, row: int) -> datetime:
        """Return when a row was said: two years, evenly."""
        return END - timedelta(days=730) * ((len(self) - row) / len(self))

    def nearest(self, question: Vectors, count: int) -> frozenset[int]:
        """Return the rows of who asks that an exact search finds."""
        own = np.flatnonzero(self.owners == 0)
        cosines = np.vecdot(self.vectors[own], question)
        return frozenset(own[np.argsort(-cosines)[:count]].tolist())


def said(count: int, dimension: int) -> Said:
    """Return so many rows, always the same."""
    numbers = np.random.default_rng(7)
    scale = np.arange(1, _LATENT + 1, dtype=np.float32) ** np.float32(-0.5)
    centres = numbers.standard_normal((_TOPICS, _LATENT), np.float32) * scale
    directions = numbers.standard_normal((_LATENT, dimension), np.float32)
    lean = 0.9 * numbers.standard_normal(dimension, np.float32)

    def near(points: Vectors, distance: float) -> Vectors:
        steps = numbers.standard_normal(points.shape, np.float32) * scale
        return (points + np.float32(distance) * steps).astype(np.float32)

    def embedded(points: Vectors) -> Vectors:
        rows = points @ directions + lean
        noise = numbers.standard_normal(rows.shape, np.float32)
        length = np.linalg.norm(rows, axis=1, keepdims=True) / np.sqrt(dimension)
        rows += np.float32(0.25) * length.astype(np.float32) * noise
        return as_units(rows)

    points = near(centres[numbers.integers(_TOPICS, size=count)], 0.6)
    vectors = np.empty((count, dimension), np.float32)
    for start in range(0, count, _CHUNK):
        vectors[start : start + _CHUNK] = embedded(points[start : start + _CHUNK])
    about = numbers.integers(count, size=_QUESTIONS)
    return Said(
        owners=numbers.choice(len(OWNERS), size=count, p=SHARES),
        vectors=vectors,
        questions=embedded(near(points[about], 0.25)),
    )
