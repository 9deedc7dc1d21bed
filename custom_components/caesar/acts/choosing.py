"""The answer to "which one?"."""

from collections.abc import Sequence
from dataclasses import replace

from custom_components.caesar.gateway.commands import Act
from custom_components.caesar.memory.models import Fact
from custom_components.caesar.memory.selection import select
from custom_components.caesar.wording import MAX_TOLD

from .asked import Asked, Reply
from .correcting import corrected
from .forgetting import forgotten


def choose(asked: Asked) -> Reply | None:
    """Do what was asked about to the facts that the person chooses."""
    followup = asked.followup
    listed = asked.by_id(followup.listed)
    choice = asked.language.choice(asked.text)
    if choice.takes_none:
        return _none_chosen(asked)
    if choice.takes_all or (choice.confirms and (followup.whole or len(listed) == 1)):
        return _do(asked, listed)
    if choice.words:
        return _choose_by_words(asked, listed, choice.words)
    return _do(asked, _numbered(listed, choice.numbers))


def _choose_by_words(asked: Asked, listed: Sequence[Fact], words: str) -> Reply | None:
    if asked.followup.whole or _is_new(asked):
        return None
    meant = select(listed, words, asked.language_code, asked.language.stop_words).meant
    if not meant:
        return None
    return _do(asked, meant) if len(meant) == 1 else _again(asked, meant)


def _is_new(asked: Asked) -> bool:
    """Return whether the person asks for something else instead of choosing."""
    return asked.command is not None and asked.command.act is not Act.FORGET


def _none_chosen(asked: Asked) -> Reply:
    forgets = asked.followup.wants == "forget"
    return Reply(
        text=asked.wording.say("nothing_forgotten" if forgets else "nothing_changed")
    )


def _numbered(facts: Sequence[Fact], numbers: Sequence[int]) -> Sequence[Fact]:
    """Return the facts that were said with these numbers; none where one is wrong."""
    spoken = facts[:MAX_TOLD]
    if any(number > len(spoken) for number in numbers):
        return ()
    return [spoken[number - 1 if number > 0 else number] for number in numbers]


def _do(asked: Asked, facts: Sequence[Fact]) -> Reply | None:
    if not facts:
        listed = asked.by_id(asked.followup.listed)
        return _again(asked, listed) if listed else None
    if asked.followup.wants == "forget":
        return forgotten(asked, facts)
    if len(facts) == 1:
        return corrected(asked, facts[0], asked.followup.value)
    return _again(asked, facts)


def _again(asked: Asked, facts: Sequence[Fact]) -> Reply:
    reply = "which_forget" if asked.followup.wants == "forget" else "which_wrong"
    return Reply(
        text=asked.wording.ask(reply, facts),
        followup=replace(asked.followup, listed=tuple(fact.id for fact in facts)),
    )
