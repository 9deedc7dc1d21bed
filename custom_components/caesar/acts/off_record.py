"""Keeping nothing of what was said."""

from custom_components.caesar.followups import FollowUp
from custom_components.caesar.memory.extraction.language import find
from custom_components.caesar.memory.extraction.text import normalize

from .asked import Asked, Reply


async def off_record(asked: Asked) -> Reply | None:
    """Keep nothing of what was said; a question or an order is still answered."""
    language = find(asked.language_code)
    plain = normalize(asked.words)
    if (
        asked.text.rstrip().endswith("?")
        or language.question.match(plain)
        or language.order.match(plain)
    ):
        return None
    return Reply(text=asked.wording.say("off_record"), recorded=False)


async def off_record_next(asked: Asked) -> Reply | None:
    """Keep nothing of the next turn."""
    return Reply(
        text=asked.wording.say("off_record_next"),
        followup=FollowUp(off_record=True),
        recorded=False,
    )
