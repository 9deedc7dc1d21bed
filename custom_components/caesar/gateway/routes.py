"""Where a task goes: which provider, and which of its models."""

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
