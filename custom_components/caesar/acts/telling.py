"""Telling what is known, from RAM."""

from collections.abc import Sequence

from custom_components.caesar.memory.extraction.language import find
from custom_components.caesar.memory.extraction.text import normalize
from custom_components.caesar.memory.models import HOUSEHOLD, Fact
from custom_components.caesar.memory.selection import select
from custom_components.caesar.wording import MAX_TOLD

from .asked import Asked, Reply, told


async def know(asked: Asked) -> Reply | None:
    """Tell what is known about something, where anything is or must be the person's."""
    chosen = select(
        asked.facts, asked.words, asked.language_code, asked.language.stop_words
    ).meant
    if chosen:
        return _tell(asked, chosen)
    if find(asked.language_code).first_person.match(normalize(asked.words)):
        return _nothing_about(asked)
    # A model may know about the world what memory does not know.
    return None


async def know_named(asked: Asked) -> Reply | None:
    """Tell what is known about somebody."""
    return await know(asked) or _nothing_about(asked)


async def know_me(asked: Asked) -> Reply | None:
    """Tell what is known about the person."""
    if asked.own:
        return _tell(asked, asked.own)
    voice = asked.scope.owner == HOUSEHOLD
    return Reply(
        text=asked.wording.say("nothing_about_voice" if voice else "nothing_about_you")
    )


async def know_home(asked: Asked) -> Reply | None:
    """Tell what is known about the home."""
    facts = [fact for fact in asked.facts if fact.owner == HOUSEHOLD]
    if not facts:
        return Reply(text=asked.wording.say("nothing_about_home"))
    return Reply(
        text=asked.wording.tell("about_home", facts), followup=told(facts[:MAX_TOLD])
    )


def _tell(asked: Asked, facts: Sequence[Fact]) -> Reply:
    reply = "told_home" if asked.scope.owner == HOUSEHOLD else "told"
    first = sorted(facts, key=lambda fact: not fact.pinned)
    return Reply(text=asked.wording.tell(reply, first), followup=told(first[:MAX_TOLD]))


def _nothing_about(asked: Asked) -> Reply:
    mirrored = asked.language.mirrored(asked.words)
    return Reply(text=asked.wording.say("nothing_about", words=mirrored))
