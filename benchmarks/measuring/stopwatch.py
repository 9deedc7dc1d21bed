"""Times of what is done again and again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
import math
from statistics import median
import time


@dataclass(kw_only=True, slots=True)
class Stopwatch:
    """Seconds that one thing took, each time."""

    name: str
    seconds: list[float] = field(default_factory=list)

    async def take(self, work: Callable[[], Awaitable[object]]) -> None:
        """Take the time of something that is awaited."""
        began = time.perf_counter()
        await work()
        self.seconds.append(time.perf_counter() - began)

    def take_now(self, work: Callable[[], object]) -> None:
        """Take the time of something that happens at once."""
        began = time.perf_counter()
        work()
        self.seconds.append(time.perf_counter() - began)

    @property
    def median(self) -> float:
        """Return the time that half of them took at most."""
        return median(self.seconds)

    @property
    def p99(self) -> float:
        """Return the time that 99 of 100 took at most."""
        ordered = sorted(self.seconds)
        return ordered[math.ceil(0.99 * len(ordered)) - 1]
