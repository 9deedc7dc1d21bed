"""What all indexes do alike: SQLite has the last word on what was found."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, override

from ..database import Database
from ..models import Owner
from .base import Hit, Vector, VectorIndex
from .stored import Ranked, Wanted

_TRIES: Final = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Period:
    """From when on, and until before when; None where there is no bound."""

    since: datetime | None
    until: datetime | None


class RankedIndex(VectorIndex):
    """Finds candidates in some way; what of them is a hit is read from SQLite.

    So an exchange that is gone is never found, nor one that is somebody else's by now,
    and the cosines are the same whoever found them.
    """

    def __init__(self, database: Database, model: str) -> None:
        self._database = database
        self._model = model

    @override
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

        What is gone from SQLite is let go of on the way.
        """
        if not owners or count < 1:
            return ()
        wanted = Wanted(
            model=self._model, vector=vector, count=count, owners=frozenset(owners)
        )
        period = Period(since=since, until=until)
        for _ in range(_TRIES):
            ranked = await self._ranked(wanted, period)
            if not ranked.missing:
                return ranked.hits
            # They have taken the places of others that would have been found.
            await self.remove(ranked.missing)
        await self.rebuild()
        return (await self._ranked(wanted, period)).hits

    @abstractmethod
    async def _ranked(self, wanted: Wanted, period: Period) -> Ranked:
        """Return the hits among the candidates, and which of these are gone."""
