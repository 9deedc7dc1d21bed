"""What was said before, as notes for the model of a turn.

They tell where the person left off a short while ago, and what bears on the turn.
"""

import asyncio
from dataclasses import replace
from typing import Final

from homeassistant.util import dt as dt_util

from .const import CONF_RECALL, DEFAULT_RECALL
from .memory.continuing import Pause, going_on, left_off
from .memory.errors import MemoryStoreError
from .memory.models import Event
from .memory.recall import Question
from .memory.recollection import Caps, orders, recollect
from .runtime import CaesarConfigEntry
from .tools import readable_by
from .turns import Spoken

PATIENCE: Final = 0.15
"""Seconds that a turn waits for its notes; then it goes on with what it has."""


def looks_back(entry: CaesarConfigEntry) -> bool:
    """Return whether our agents may be told what was said before."""
    return entry.runtime_data.facts_enabled and bool(
        entry.options.get(CONF_RECALL, DEFAULT_RECALL)
    )


async def async_earlier(entry: CaesarConfigEntry, spoken: Spoken) -> str:
    """Return the notes for a turn, as many as there are before the turn must go on.

    Trouble with memory costs the notes alone.
    """
    runtime = entry.runtime_data
    caps, zone = Caps(), dt_util.get_default_time_zone()
    may_read = readable_by(entry, spoken.route)
    pause = Pause(
        owner=spoken.scope.owner,
        conversation_id=spoken.conversation_id,
        now=runtime.memory.now(),
    )
    question = Question(
        text=spoken.user_input.text,
        owners=spoken.scope.visible,
        language=spoken.user_input.language,
        heard_by=spoken.route.tag,
    )
    told: set[int] = set()

    def is_new(exchange: Event) -> bool:
        elsewhere = exchange.conversation_id != spoken.conversation_id
        return elsewhere and exchange.id not in told and may_read(exchange)

    before = ""
    try:
        async with asyncio.timeout(PATIENCE):
            found = await runtime.memory.database.read(left_off, pause)
            last = [one for one in found if may_read(one) and not orders(one)]
            before = going_on(last, caps, zone)
            told.update(one.id for one in last)
            rest = replace(caps, characters=caps.characters - len(before))
            bearing = await recollect(
                runtime.recall, question, rest, zone=zone, may_tell=is_new
            )
    except TimeoutError, MemoryStoreError:
        return before
    return "\n\n".join(filter(None, (before, bearing)))
