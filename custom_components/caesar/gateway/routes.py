"""Where a task goes: which provider, and which of its models."""

from collections.abc import Container
from dataclasses import dataclass
from typing import Self

_SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class Route:
    """A provider and one of its models; the model is empty where there is none.

    The tag is the same as one word, to be stored with what the route answered.
    """

    provider: str
    model: str = ""

    @property
    def tag(self) -> str:
        """Return the route as one word."""
        return f"{self.provider}{_SEPARATOR}{self.model}"

    @classmethod
    def parse(cls, tag: str) -> Self | None:
        """Return the route that a tag stands for, or None for any other text."""
        provider, separator, model = tag.partition(_SEPARATOR)
        if not provider or not separator:
            return None
        return cls(provider, model)


@dataclass(frozen=True, kw_only=True, slots=True)
class Background:
    """Where background tasks go, and what may leave the house on the way."""

    chosen: Route | None = None
    """Who answers them, where somebody chose; else whoever heard the words."""
    hosted: Container[str] = frozenset()
    """The providers that are not in the house."""
    shares_local: bool = False
    """What was said to a provider in the house may go to one that is not."""
    fallback: Route | None = None
    """Who answers where the words may go to nobody else."""

    def route(
        self, heard_by: Route | None, default: Route, providers: Container[str]
    ) -> Route:
        """Return the route for words that one route heard, given who is there.

        Words that nobody known has heard count as said in the house.
        """
        for route in (self.chosen, heard_by, default):
            if route is None or route.provider not in providers:
                continue
            if self.may_read(route, heard_by):
                return route
        return self.fallback or default

    def may_read(self, route: Route, heard_by: Route | None) -> bool:
        """Return whether a route may be given words that another one heard."""
        if self.shares_local or route.provider not in self.hosted:
            return True
        return heard_by is not None and heard_by.provider in self.hosted
