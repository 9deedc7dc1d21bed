"""Remembering what a person asks to remember, and keeping quiet about the rest."""

from collections.abc import Sequence

from custom_components.caesar.const import BUILTIN_PROVIDER
from custom_components.caesar.gateway.routes import Route
from custom_components.caesar.memory.commands import (
    changes_to_remember,
    facts_in,
    remembering,
)
from custom_components.caesar.memory.extraction.checks import MAX_LENGTH
from custom_components.caesar.memory.instructions import is_instruction
from custom_components.caesar.memory.models import (
    ADMINS_ONLY,
    UNKNOWN_VOICE,
    Change,
    Exchange,
    Fact,
)
from custom_components.caesar.memory.secrets import holds_secret

from .asked import Asked, Reply


async def remember(asked: Asked) -> Reply | None:
    """Keep what the person asks to remember."""
    say = asked.wording
    if holds_secret(asked.text):
        return Reply(text=say.say("withheld"))
    if is_instruction(asked.words):
        return Reply(text=say.say("no_orders"))
    exchange = Exchange(
        id=0,
        at=asked.now,
        owner=asked.scope.owner,
        language=asked.language_code,
        user_text=asked.text,
        heard_by=Route(BUILTIN_PROVIDER).tag,
        tentative=asked.tentative,
    )
    changes = await changes_to_remember(
        exchange, asked.words, asked.index, asked.generator, asked.now.date()
    )
    parts = _told_of(changes, exchange, asked)
    text = " ".join(parts) or say.say(_why_not(changes, asked.words))
    return Reply(text=text, work=remembering(changes))


def _told_of(
    changes: Sequence[Change], exchange: Exchange, asked: Asked
) -> Sequence[str]:
    """Return what is said of each kind of change."""
    say, stored = asked.wording, {fact.id: fact for fact in asked.own}

    def old(operation: str) -> Sequence[Fact]:
        ids = [c.fact_id for c in changes if c.operation == operation]
        return [stored[fact_id] for fact_id in ids if fact_id in stored]

    kept = facts_in([c for c in changes if c.operation in ("add", "replace")], exchange)
    parts = []
    if replaced := old("replace"):
        parts.append(say.about("remembered_instead", kept, replaced))
    elif kept:
        parts.append(say.about("remembered", kept))
    if removed := old("remove"):
        parts.append(say.about("forgotten_instead", removed))
    if not kept and (confirmed := old("confirm")):
        parts.append(say.about("known_already", confirmed))
    return parts


def _why_not(changes: Sequence[Change], words: str) -> str:
    reasons = {c.reason for c in changes if c.operation == "suggest"}
    if ADMINS_ONLY in reasons:
        return "suggested_admin"
    if UNKNOWN_VOICE in reasons:
        return "suggested_voice"
    if reasons:
        return "suggested_edit"
    return "too_long" if len(words) > MAX_LENGTH else "not_remembered"
