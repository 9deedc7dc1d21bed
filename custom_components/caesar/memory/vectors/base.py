"""What an index of vectors is: finds the exchanges whose meaning is near, and no more.

SQLite holds the truth, an index is a copy of it that can be made anew at any time. What
has left SQLite is never found, whatever an index still holds of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..models import Owner

type Vector = npt.NDArray[np.float32]
"""One row of numbers; of unit length wherever an index is given one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorRow:
    """An exchange as an index holds it."""

    id: int
    owner: Owner
    at: datetime
    vector: Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """An exchange that was found, with the cosine of its vector and the question's."""

    id: int
    score: float


class VectorIndex(Protocol):
    """The vectors of one model, searched by one or more owners.

    Every method may be called from the event loop and does its work elsewhere. Raises
    IndexUnavailableError where somebody else keeps the vectors and does not answer, and
    DatabaseError.
    """

    async def add(self, rows: Sequence[VectorRow]) -> None:
        """Take rows that SQLite holds by now, in the place of those with their ids."""

    async def remove(self, ids: Collection[int]) -> None:
        """Let go of rows; ids that are not there do no harm."""

    async def search(
        self,
        vector: Vector,
        count: int,
        *,
        owners: Collection[Owner],
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Sequence[Hit]:
        """Return the nearest rows of the owners, the best first.

        ``since`` is the first moment that counts, ``until`` the first that does not.
        Without owners nothing is found.
        """

    async def count(self) -> int:
        """Return how many rows are held; other than in SQLite, ``rebuild`` heals it."""

    async def rebuild(self) -> None:
        """Hold what SQLite holds, no more and no less."""

    async def close(self) -> None:
        """Release everything; idempotent."""
