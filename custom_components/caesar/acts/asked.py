"""A command with what is needed to answer it, and the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from custom_components.caesar.followups import FollowUp
from custom_components.caesar.gateway.commands import Command, CommandLanguage
from custom_components.caesar.memory.commands import Work
from custom_components.caesar.memory.index import FactIndex
from custom_components.caesar.memory.models import HOUSEHOLD, Fact, Scope
from custom_components.caesar.memory.ports import Generator
from custom_components.caesar.wording import Wording


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
    index: FactIndex
    """Of all that is stored of the person, for deciding what their words change."""
    followup: FollowUp
    tentative: str | None
    """Why what the person says is only suggested, in a word, if it is so."""
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


def told(facts: Sequence[Fact]) -> FollowUp:
    """Return what a person may refer to once these facts were told."""
    return FollowUp(told=tuple(fact.id for fact in facts))
