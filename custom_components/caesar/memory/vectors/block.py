"""The sketches of one owner, in the order of time.

A block is a value: whoever searches it is not disturbed by who makes the next one from
it. Sketches lie word by word, so that comparing them runs through memory from one end
to the other.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from .numbers import Words

type Ids = npt.NDArray[np.int64]
type Moments = npt.NDArray[np.datetime64]
type Distances = npt.NDArray[np.uint16]

AT_ONCE: Final = 8192
"""Sketches that are compared at once: what comes out in between stays in the cache."""

_SPARE: Final = 8
"""One part in so many is room for what comes next; more would be felt in RAM."""
_LEAST_SPARE: Final = 64
_MOST_GONE: Final = 4
"""A block is made anew once one part in so many of it is gone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sketches:
    """Some sketches with their ids and times, in any order."""

    ids: Ids
    moments: Moments
    words: Words
    """One column for each sketch."""

    def __len__(self) -> int:
        return len(self.ids)

    def taken(self, places: npt.NDArray[np.intp] | npt.NDArray[np.bool]) -> Self:
        """Return the sketches at some places."""
        return replace(
            self,
            ids=self.ids[places],
            moments=self.moments[places],
            words=self.words[:, places],
        )

    def in_time_order(self) -> Self:
        """Return the same sketches, the oldest first."""
        return self.taken(np.lexsort((self.ids, self.moments)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One owner's sketches; only the newest block may be appended to."""

    _kept: Sketches
    """In time order, with room behind the last one."""
    _size: int
    _gone: npt.NDArray[np.bool]

    @classmethod
    def of(cls, sketches: Sketches) -> Self:
        """Return a block of sketches that are in time order, with room for more."""
        size = len(sketches)
        room = size + max(size // _SPARE, _LEAST_SPARE)
        kept = Sketches(
            ids=np.empty(room, np.int64),
            moments=np.empty(room, "datetime64[us]"),
            words=np.empty((len(sketches.words), room), np.uint64),
        )
        block = cls(_kept=kept, _size=0, _gone=np.zeros(room, np.bool))
        return block._written(sketches)

    def __len__(self) -> int:
        return self._size - int(self._gone.sum())

    @property
    def width(self) -> int:
        """Return how many words a sketch has."""
        return len(self._kept.words)

    @property
    def nbytes(self) -> int:
        """Return how much RAM it takes."""
        kept = self._kept
        return sum(a.nbytes for a in (kept.ids, kept.moments, kept.words, self._gone))

    def with_more(self, sketches: Sketches) -> Self:
        """Return a block that holds further sketches too."""
        sketches = sketches.in_time_order()
        if self._size and sketches.moments[0] < self._kept.moments[self._size - 1]:
            return self.of(_joined(self._held(), sketches).in_time_order())
        if self._size + len(sketches) > len(self._kept):
            return self.of(_joined(self._held(), sketches))
        return self._written(sketches)

    def without(self, ids: Ids) -> Self:
        """Return a block that does not hold some ids; the same where it held none."""
        found = np.isin(self._kept.ids[: self._size], ids)
        found &= ~self._gone[: self._size]
        if not found.any():
            return self
        gone = self._gone.copy()
        gone[: self._size] |= found
        left = replace(self, _gone=gone)
        if int(gone.sum()) * _MOST_GONE > self._size:
            return self.of(left._held())
        return left

    def distances(
        self, query: Words, since: datetime | None, until: datetime | None
    ) -> tuple[Ids, Distances]:
        """Return the ids of a time with the number of signs that differ."""
        times = self._kept.moments[: self._size]
        first = 0 if since is None else int(np.searchsorted(times, moment(since)))
        end = (
            len(times) if until is None else int(np.searchsorted(times, moment(until)))
        )
        if first >= end:
            return np.empty(0, np.int64), np.empty(0, np.uint16)
        found = np.empty(end - first, np.uint16)
        for start in range(first, end, AT_ONCE):
            stop = min(start + AT_ONCE, end)
            differing = self._kept.words[:, start:stop] ^ query[:, np.newaxis]
            np.bitwise_count(differing).sum(
                axis=0, dtype=np.uint16, out=found[start - first : stop - first]
            )
        ids, gone = self._kept.ids[first:end], self._gone[first:end]
        if gone.any():
            return ids[~gone], found[~gone]
        return ids, found

    def _written(self, sketches: Sketches) -> Self:
        """Write behind the end, where nobody who has an older block looks."""
        end = self._size + len(sketches)
        self._kept.ids[self._size : end] = sketches.ids
        self._kept.moments[self._size : end] = sketches.moments
        self._kept.words[:, self._size : end] = sketches.words
        return replace(self, _size=end)

    def _held(self) -> Sketches:
        return self._kept.taken(np.flatnonzero(~self._gone[: self._size]))


def moment(at: datetime) -> np.datetime64:
    """Return a moment as blocks compare it."""
    return np.datetime64(at.astimezone(UTC).replace(tzinfo=None), "us")


def _joined(first: Sketches, second: Sketches) -> Sketches:
    return Sketches(
        ids=np.concatenate((first.ids, second.ids)),
        moments=np.concatenate((first.moments, second.moments)),
        words=np.concatenate((first.words, second.words), axis=1),
    )
