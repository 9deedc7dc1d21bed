"""Vectors as numbers: made comparable, stored, and reduced to their signs."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import numpy.typing as npt

from ..errors import UnusableVectorsError
from .base import Vector

type Words = npt.NDArray[np.uint64]
"""The signs of a vector, 64 to a word; the last word is filled up with zeros."""

MAX_DIMENSION: Final = 16_384
"""More numbers than any embedding model gives."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_STORED: Final = np.dtype("<f2")
"""Small, and exact enough to rank by: ten of ten are found as with four bytes."""


def as_units(
    vectors: Sequence[Sequence[float] | Vector] | npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]:
    """Return the vectors as rows of unit length.

    Raises UnusableVectorsError where they are uneven, empty, too long, not finite, or
    have no direction.
    """
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as err:
        raise UnusableVectorsError("Not rows of as many numbers each") from err
    if rows.ndim != 2 or not 0 < rows.shape[1] <= MAX_DIMENSION:  # noqa: PLR2004
        raise UnusableVectorsError("Not rows of a usable length")
    if not np.isfinite(rows).all():
        raise UnusableVectorsError("Not all numbers are finite")
    # Scaled first: the squares of very large or small numbers leave float32.
    scale = np.abs(rows).max(axis=1, keepdims=True, initial=0)
    if not scale.all():
        raise UnusableVectorsError("A vector without a direction")
    rows = rows / scale
    units: npt.NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def encode(vector: Vector) -> bytes:
    """Return a vector as it is stored."""
    return vector.astype(_STORED).tobytes()


def decode(stored: Sequence[bytes], dimension: int) -> npt.NDArray[np.float32]:
    """Return stored vectors as rows.

    Raises UnusableVectorsError where one has not as many numbers.
    """
    size = dimension * _STORED.itemsize
    if any(len(one) != size for one in stored):
        raise UnusableVectorsError(f"Not all vectors have {dimension} numbers")
    numbers = np.frombuffer(b"".join(stored), _STORED)
    return numbers.reshape(-1, dimension).astype(np.float32)


def microseconds(at: datetime) -> int:
    """Return a moment as a number that databases compare."""
    return (at - _EPOCH) // _MICROSECOND


def sketch(vectors: npt.NDArray[np.float32]) -> Words:
    """Return the signs of each row's numbers."""
    bits = np.packbits(vectors > 0, axis=1)
    missing = -bits.shape[1] % np.uint64().itemsize
    return np.pad(bits, ((0, 0), (0, missing))).view(np.uint64)


def nearest(
    vectors: npt.NDArray[np.float32], vector: Vector, count: int
) -> tuple[npt.NDArray[np.intp], Vector]:
    """Return the places of the nearest rows with their cosines, the best first."""
    # Not ``vectors @ vector``: BLAS spreads that over all cores and waits for them
    # spinning, which on a busy machine takes a hundred times as long.
    cosines = np.vecdot(vectors, vector)
    best = np.argsort(-cosines, kind="stable")[:count]
    return best, cosines[best]
