"""Forgetting, and bringing back."""

from collections.abc import Sequence
from dataclasses import replace

from custom_components.caesar.followups import FollowUp
from custom_components.caesar.memory.commands import forgetting, undoing
from custom_components.caesar.memory.models import HOUSEHOLD, Fact
from custom_components.caesar.memory.selection import select
from custom_components.caesar.wording import MAX_TOLD

from .asked import Asked, Reply


async def forget(asked: Asked) -> Reply | None:
    """Forget one thing, or ask which."""
    chosen = select(
        asked.facts, asked.words, asked.language_code, asked.language.stop_words
    )
    if len(chosen.meant) == 1:
        return forgotten(asked, chosen.meant)
    if chosen.meant:
        more = len(chosen.meant) > MAX_TOLD
        reply = "which_forget_more" if more else "which_forget"
        return _which(asked, reply, chosen.meant)
    if len(chosen.near) == 1:
        asking = _which(asked, "is_it", chosen.near)
        return replace(asking, followup=replace(asking.followup, whole=True))
    if chosen.near:
        return _which(asked, "is_it_one_of", chosen.near)
    mirrored = asked.language.mirrored(asked.words)
    return Reply(text=asked.wording.say("nothing_to_forget", words=mirrored))


async def forget_all(asked: Asked) -> Reply | None:
    """Ask whether really all about the person shall be forgotten."""
    if asked.scope.owner == HOUSEHOLD:
        return Reply(text=asked.wording.say("voice_all"))
    if not asked.own:
        return Reply(text=asked.wording.say("nothing_about_you"))
    followup = FollowUp(
        listed=tuple(fact.id for fact in asked.own), wants="forget", whole=True
    )
    if len(asked.own) == 1:
        text = asked.wording.about("confirm_all_one", asked.own)
    else:
        text = asked.wording.say("confirm_all", count=len(asked.own))
    return Reply(text=text, followup=followup)


async def forget_told(asked: Asked) -> Reply | None:
    """Forget the fact that the last answer told."""
    told = asked.by_id(asked.followup.told)
    if len(told) == 1:
        return forgotten(asked, told)
    return _which(asked, "which_wrong_forget", told) if told else None


def forgotten(asked: Asked, facts: Sequence[Fact]) -> Reply:
    """Forget facts that are certain, where the person may."""
    if not asked.may_change(facts):
        return Reply(text=asked.wording.say("not_permitted"))
    if len(facts) > MAX_TOLD:
        text = asked.wording.say("forgotten_many", count=len(facts))
    else:
        text = asked.wording.about("forgotten", facts)
    return Reply(
        text=text,
        work=forgetting(asked.scope, [fact.id for fact in facts]),
    )


def _which(asked: Asked, reply: str, facts: Sequence[Fact]) -> Reply:
    """Ask which of several facts is meant to be forgotten."""
    followup = FollowUp(listed=tuple(fact.id for fact in facts), wants="forget")
    return Reply(
        text=asked.wording.ask(reply, facts),
        followup=followup,
    )


async def undo(asked: Asked) -> Reply | None:
    """Undo the last change that was made in this conversation."""
    if not asked.followup.reversals:
        return None
    last = asked.followup.reversals[-1]
    present = {fact.id: fact for fact in asked.facts}
    last = tuple(r for r in last if r.applies(present.get(r.fact_id)))
    before = [reversal.before for reversal in last if reversal.before is not None]
    now = [present[r.fact_id] for r in last if r.fact_id in present]
    if not asked.may_change([*before, *now]):
        return Reply(text=asked.wording.say("not_permitted"))
    if not last:
        text = asked.wording.say("changed_since")
    elif not before:
        text = asked.wording.say("undone_added")
    elif len(before) > MAX_TOLD:
        text = asked.wording.say("undone_many", count=len(before))
    else:
        text = asked.wording.about("undone", before)
    return Reply(text=text, work=undoing(asked.scope, last), undoes=True)
