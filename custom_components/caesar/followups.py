"""What the last answer was about, for "undo that" and "the second one".

Kept per conversation and owner, in RAM alone, for a few minutes: another person in the
same conversation never goes on with what the first one was told.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from .memory.commands import Reversal
from .memory.models import Owner

LIFETIME = timedelta(minutes=5)
_MAX_REMEMBERED = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUp:
    """What a person may refer to in the next turn."""

    told: tuple[int, ...] = ()
    """The facts that the last answer told, by id."""
    listed: tuple[int, ...] = ()
    """The facts among which the person was asked to choose, by id."""
    wants: Literal["", "forget", "correct"] = ""
    """What happens to the chosen."""
    whole: bool = False
    """It was a yes-or-no question about all that is listed."""
    value: str = ""
    """The value that a corrected fact shall have."""
    reversals: tuple[tuple[Reversal, ...], ...] = ()
    """How to undo the last changes, the newest last."""
    off_record: bool = False
    """The next turn is not stored."""


class FollowUps:
    """The follow-ups of all conversations."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, Owner], tuple[datetime, FollowUp]] = (
            OrderedDict()
        )

    def take(self, conversation_id: str, owner: Owner, now: datetime) -> FollowUp:
        """Return what a person may refer to, once; an empty one where it is too old."""
        kept_at, followup = self._kept.pop((conversation_id, owner), (now, FollowUp()))
        return followup if now - kept_at < LIFETIME else FollowUp()

    def forget(self, owner: Owner) -> None:
        """Keep nothing that this owner may refer to."""
        for conversation_id, whose in tuple(self._kept):
            if whose == owner:
                del self._kept[conversation_id, whose]

    def keep(
        self, conversation_id: str, owner: Owner, followup: FollowUp, now: datetime
    ) -> None:
        """Keep what the person may refer to in the next turn."""
        if followup == FollowUp():
            return
        self._kept[conversation_id, owner] = (now, followup)
        if len(self._kept) > _MAX_REMEMBERED:
            self._kept.popitem(last=False)
