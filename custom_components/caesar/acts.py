"""What each command to memory does, and what is said to it.

Nothing is changed here: a reply brings the work along, which is then done in one
transaction with the exchange. A command that turns out to mean something else, such as
"undo that" where memory changed nothing, gives no reply and goes on to the provider.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from .const import BUILTIN_PROVIDER
from .followups import FollowUp
from .gateway.commands import Act, Command, CommandLanguage
from .gateway.routes import Route
from .memory.commands import (
    Work,
    changes_to_remember,
    correcting,
    facts_in,
    forgetting,
    remembering,
    undoing,
)
from .memory.extraction.checks import MAX_LENGTH
from .memory.extraction.keys import Slot, slot_of
from .memory.extraction.language import find
from .memory.extraction.text import normalize
from .memory.models import HOUSEHOLD, Change, Exchange, Fact, Scope
from .memory.ports import Generator
from .memory.secrets import holds_secret
from .memory.selection import select
from .wording import MAX_TOLD, Wording

_NOTE: Final = Slot("me", "note")


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A command with all that is needed to answer it."""

    text: str
    command: Command | None
    language: CommandLanguage
    language_code: str
    scope: Scope
    facts: Sequence[Fact]
    """What the person may see now, the last confirmed first."""
    followup: FollowUp
    changes_household: bool
    now: datetime
    wording: Wording
    generator: Generator

    @property
    def words(self) -> str:
        """Return the words that go with the command."""
        return self.command.words if self.command else ""

    @property
    def own(self) -> Sequence[Fact]:
        """Return the person's own facts; the home's for an unknown voice."""
        return [fact for fact in self.facts if fact.owner == self.scope.owner]

    def by_id(self, fact_ids: Sequence[int]) -> Sequence[Fact]:
        """Return those of the facts that are still there, in the order of the ids."""
        known = {fact.id: fact for fact in self.facts}
        return [known[fact_id] for fact_id in fact_ids if fact_id in known]

    def may_change(self, facts: Sequence[Fact]) -> bool:
        """Return whether the person may change all of the facts."""
        return self.changes_household or all(f.owner != HOUSEHOLD for f in facts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What is said to a command, and what is done."""

    text: str
    work: Work | None = None
    followup: FollowUp = field(default_factory=FollowUp)
    undoes: bool = False
    """It takes back the last change instead of being one that can be undone."""
    recorded: bool = True


async def remember(asked: Asked) -> Reply | None:
    """Keep what the person asks to remember."""
    say = asked.wording
    if holds_secret(asked.text):
        return Reply(text=say.say("withheld"))
    exchange = Exchange(
        id=0,
        at=asked.now,
        owner=asked.scope.owner,
        language=asked.language_code,
        user_text=asked.text,
        heard_by=Route(BUILTIN_PROVIDER).tag,
    )
    changes = await changes_to_remember(
        exchange, asked.words, asked.own, asked.generator, asked.now.date()
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
    if "unknown_voice" in reasons:
        return "suggested_voice"
    if reasons:
        return "suggested_edit"
    return "too_long" if len(words) > MAX_LENGTH else "not_remembered"


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
        text=asked.wording.tell("about_home", facts), followup=_told(facts[:MAX_TOLD])
    )


def _tell(asked: Asked, facts: Sequence[Fact]) -> Reply:
    reply = "told_home" if asked.scope.owner == HOUSEHOLD else "told"
    first = sorted(facts, key=lambda fact: not fact.pinned)
    return Reply(
        text=asked.wording.tell(reply, first), followup=_told(first[:MAX_TOLD])
    )


def _told(facts: Sequence[Fact]) -> FollowUp:
    return FollowUp(told=tuple(fact.id for fact in facts))


def _nothing_about(asked: Asked) -> Reply:
    mirrored = asked.language.mirrored(asked.words)
    return Reply(text=asked.wording.say("nothing_about", words=mirrored))


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
    if not last:
        text = asked.wording.say("changed_since")
    elif not before:
        text = asked.wording.say("undone_added")
    elif len(before) > MAX_TOLD:
        text = asked.wording.say("undone_many", count=len(before))
    else:
        text = asked.wording.about("undone", before)
    return Reply(text=text, work=undoing(asked.scope, last), undoes=True)


async def correct(asked: Asked) -> Reply | None:
    """Correct the fact that the last answer told."""
    return _corrected_or_asked(asked, asked.by_id(asked.followup.told))


async def rename(asked: Asked) -> Reply | None:
    """Correct the name that the last answer told."""
    told = asked.by_id(asked.followup.told)
    names = [fact for fact in told if (slot_of(fact.key) or _NOTE).what == "name"]
    notes = [fact for fact in told if _spliced(fact, "-", asked.language.copulas)]
    return _corrected_or_asked(asked, names or notes)


def _corrected_or_asked(asked: Asked, facts: Sequence[Fact]) -> Reply | None:
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
        return Reply(text=say.about("what_is_right", [fact]), followup=_told([fact]))
    if holds_secret(value) or holds_secret(asked.text):
        return Reply(text=say.say("withheld"))
    whole = _put_into(fact, value, asked.language.copulas)
    if whole is None:
        return Reply(text=say.about("say_in_full", [fact]), followup=_told([fact]))
    if len(whole) > MAX_LENGTH:
        return Reply(text=say.say("too_long"))
    return Reply(
        text=say.about("corrected", [replace(fact, value=whole)]),
        work=correcting(fact, whole),
    )


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


ACTS: Final[Mapping[Act, Callable[[Asked], Awaitable[Reply | None]]]] = {
    Act.REMEMBER: remember,
    Act.KNOW: know,
    Act.KNOW_NAMED: know_named,
    Act.KNOW_ME: know_me,
    Act.KNOW_HOME: know_home,
    Act.FORGET: forget,
    Act.FORGET_ALL: forget_all,
    Act.FORGET_TOLD: forget_told,
    Act.UNDO: undo,
    Act.CORRECT: correct,
    Act.RENAME: rename,
    Act.WRONG: correct,
    Act.OFF_RECORD: off_record,
    Act.OFF_RECORD_NEXT: off_record_next,
}
