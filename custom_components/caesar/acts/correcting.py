"""Correcting what the last answer told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from custom_components.caesar.followups import FollowUp
from custom_components.caesar.memory.commands import correcting
from custom_components.caesar.memory.extraction.checks import MAX_LENGTH
from custom_components.caesar.memory.extraction.keys import Slot, slot_of
from custom_components.caesar.memory.instructions import is_instruction
from custom_components.caesar.memory.models import Fact
from custom_components.caesar.memory.secrets import holds_secret

from .asked import Asked, Reply, told

_NOTE: Final = Slot("me", "note")


async def correct(asked: Asked) -> Reply | None:
    """Correct the fact that the last answer told."""
    return _corrected_or_asked(asked, asked.by_id(asked.followup.told))


async def rename(asked: Asked) -> Reply | None:
    """Correct the name that the last answer told."""
    facts = asked.by_id(asked.followup.told)
    names = [fact for fact in facts if (slot_of(fact.key) or _NOTE).what == "name"]
    notes = [fact for fact in facts if _spliced(fact, "-", asked.language.copulas)]
    return _corrected_or_asked(asked, names or notes)


def _corrected_or_asked(asked: Asked, facts: Sequence[Fact]) -> Reply | None:
    facts = [fact for fact in facts if _may_be(fact, asked.words)]
    if not facts:
        return None
    if len(facts) == 1:
        return corrected(asked, facts[0], asked.words)
    followup = FollowUp(
        listed=tuple(fact.id for fact in facts), wants="correct", value=asked.words
    )
    return Reply(text=asked.wording.ask("which_wrong", facts), followup=followup)


def corrected(asked: Asked, fact: Fact, value: str) -> Reply:
    """Put the right value in a fact's place, or ask for it."""
    say = asked.wording
    if not asked.may_change([fact]):
        return Reply(text=say.say("not_permitted"))
    if not value:
        return Reply(text=say.about("what_is_right", [fact]), followup=told([fact]))
    if holds_secret(value) or holds_secret(asked.text):
        return Reply(text=say.say("withheld"))
    whole = _put_into(fact, value, asked.language.copulas)
    if whole is None:
        return Reply(text=say.about("say_in_full", [fact]), followup=told([fact]))
    if refusal := _why_not(whole):
        return Reply(text=say.say(refusal))
    return Reply(
        text=say.about("corrected", [replace(fact, value=whole, quote=asked.text)]),
        work=correcting(fact, whole),
    )


def _why_not(value: str) -> str | None:
    """Return the reply that refuses a value, None for one that may be kept."""
    if len(value) > MAX_LENGTH:
        return "too_long"
    return "no_orders" if is_instruction(value) else None


def _may_be(fact: Fact, value: str) -> bool:
    """Return whether a value could be what the fact is about: no dog is called 6 pm."""
    is_name = (slot_of(fact.key) or _NOTE).what == "name"
    return not (is_name and any(letter.isdigit() for letter in value))


def _put_into(fact: Fact, value: str, copulas: Sequence[str]) -> str | None:
    """Return the corrected value; None where a note gives it no place."""
    whole = _spliced(fact, value, copulas)
    if whole is None and (slot_of(fact.key) or _NOTE).what != "note":
        return value
    return whole


def _spliced(fact: Fact, value: str, copulas: Sequence[str]) -> str | None:
    """Return a statement with what follows its verb replaced: "the printer is …"."""
    words = fact.value.split()
    for index, word in enumerate(words[:-1]):
        if word.lower() in copulas:
            return " ".join((*words[: index + 1], value))
    return None
