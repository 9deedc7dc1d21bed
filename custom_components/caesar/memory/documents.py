"""The text that stands for an exchange where meanings are compared."""

from datetime import datetime
from typing import Final

MAX_SAID: Final = 1500
"""Characters of what was said, and as many of what was answered."""


def document(at: datetime, said: str, answered: str) -> str:
    """Return an exchange as one text: its day, what was said and what was answered.

    What was said comes first: models that read only the beginning shall read that.
    """
    words = " ".join(said[:MAX_SAID].split())
    reply = " ".join(answered[:MAX_SAID].split())
    return "\n".join(part for part in (f"{at:%Y-%m-%d}: {words}", reply) if part)
