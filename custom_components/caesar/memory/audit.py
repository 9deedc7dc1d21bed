"""What looks wrong in the memory, found by reading it; nothing is changed.

Silent faults of a memory are only ever found by counting. Each finding names facts for
a person to look at, never their texts.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, select

from . import suggestions
from .extraction.grounding import support
from .extraction.keys import slot_of
from .extraction.language import find
from .extraction.mentions import content
from .extraction.siblings import sibling_of
from .extraction.text import words
from .facts import looks_secret
from .ledger import load
from .models import Fact, Origin, Owner
from .schema import audit_log, personal_facts
from .slots import is_akin, is_single, may_be_several

_OPPOSITES: Final = {"like": "dislike", "favourite": "dislike"}


class FindingKind(StrEnum):
    """What is the matter with some facts."""

    DUPLICATE = "duplicate"
    """They say the same under different keys."""
    CONTRADICTION = "contradiction"
    """They cannot all be true: two towns to live in, liked and disliked."""
    REPLY_TEXT = "reply_text"
    """Its words are an assistant's and not the person's own."""
    SECRET = "secret"  # noqa: S105  a kind of finding
    """It looks like a password, a code, or the number of a card or document."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """Some facts of one owner that somebody should look at."""

    kind: FindingKind
    owner: Owner
    fact_ids: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counts:
    """How much there is, and how much of it looks wrong; tells nothing of anybody."""

    facts: int
    owners: int
    suggestions: int
    """That wait for a person's word."""
    duplicates: int
    contradictions: int
    reply_texts: int
    secrets: int

    @property
    def findings(self) -> int:
        """Return how many things somebody should look at."""
        return self.duplicates + self.contradictions + self.reply_texts + self.secrets


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """What an audit found."""

    counts: Counts
    findings: tuple[Finding, ...]


def audit(connection: Connection) -> Audit:
    """Look at all facts of the house."""
    stored = [fact for fact in load(connection) if fact.origin is not Origin.SECRET]
    replied = _replied(connection)
    by_owner: dict[Owner, list[Fact]] = defaultdict(list)
    for fact in stored:
        by_owner[fact.owner].append(fact)
    findings = tuple(
        Finding(kind=kind, owner=owner, fact_ids=tuple(fact.id for fact in facts))
        for owner, owned in by_owner.items()
        for kind, facts in _findings(owned, replied)
    )
    return Audit(
        counts=Counts(
            facts=len(stored),
            owners=len(by_owner),
            suggestions=suggestions.count_pending(connection),
            duplicates=_count(findings, FindingKind.DUPLICATE),
            contradictions=_count(findings, FindingKind.CONTRADICTION),
            reply_texts=_count(findings, FindingKind.REPLY_TEXT),
            secrets=_count(findings, FindingKind.SECRET),
        ),
        findings=findings,
    )


def _findings(
    facts: Sequence[Fact], replied: frozenset[int]
) -> Iterator[tuple[FindingKind, Sequence[Fact]]]:
    for group in _duplicates(facts):
        yield FindingKind.DUPLICATE, group
    for group in _contradictions(facts):
        yield FindingKind.CONTRADICTION, group
    for fact in facts:
        if fact.id in replied:
            yield FindingKind.REPLY_TEXT, (fact,)
        if looks_secret(fact.key, fact.value) or looks_secret("", fact.quote or ""):
            yield FindingKind.SECRET, (fact,)


def _duplicates(facts: Iterable[Fact]) -> Iterator[Sequence[Fact]]:
    alike: dict[object, list[Fact]] = defaultdict(list)
    for fact in facts:
        alike[(_about(fact), _meaning(fact))].append(fact)
    for group in alike.values():
        left = group
        while left:
            first, *others = left
            same = [other for other in others if _says_the_same(first, other)]
            if same:
                yield (first, *same)
            left = [other for other in others if other not in same]


def _says_the_same(one: Fact, other: Fact) -> bool:
    """Return whether two facts with the same words about the same say nothing more.

    "Bruges" may well be where somebody was born and where they live.
    """
    here, there = slot_of(one.key), slot_of(other.key)
    if here is None or there is None:
        return here is there
    return (
        here.what == there.what
        or is_akin(here.what, there.what)
        or is_akin(there.what, here.what)
    )


def _contradictions(facts: Iterable[Fact]) -> Iterator[Sequence[Fact]]:
    single: dict[object, list[Fact]] = defaultdict(list)
    tastes: dict[object, list[Fact]] = defaultdict(list)
    for fact in facts:
        slot = slot_of(fact.key)
        if slot is None:
            continue
        if is_single(slot.who, slot.what, slot.topic):
            single[(_about(fact), slot.base)].append(fact)
        elif slot.what in ("like", "dislike", "favourite"):
            tastes[(_about(fact), _meaning(fact))].append(fact)
    for group in single.values():
        if len({_meaning(fact) for fact in group}) > 1:
            yield group
    for group in tastes.values():
        whats = {slot.what for fact in group if (slot := slot_of(fact.key))}
        if any(_OPPOSITES.get(what) in whats for what in whats):
            yield group


def _about(fact: Fact) -> tuple[str, int]:
    """Return whom a fact is about; of several dogs each is another."""
    slot = slot_of(fact.key)
    who = fact.key.partition(".")[0] if slot is None else slot.who
    attribute = slot is not None and slot.what != "name"
    return who, sibling_of(fact.key) if attribute and may_be_several(who) else 0


def _meaning(fact: Fact) -> frozenset[str]:
    found = content(fact.value, find(fact.language or ""))
    return frozenset(found or words(fact.value) or (fact.value,))


def _replied(connection: Connection) -> frozenset[int]:
    """Return the facts whose words stand in the reply and not in what was said.

    What a person has vouched for, by typing or accepting it, is theirs.
    """
    rows = connection.execute(
        select(
            personal_facts.c.id,
            personal_facts.c.value,
            audit_log.c.language,
            audit_log.c.user_text,
            audit_log.c.assistant_text,
        )
        .join(audit_log, audit_log.c.id == personal_facts.c.source_audit_id)
        .where(
            personal_facts.c.origin == Origin.TOLD.value,
            personal_facts.c.confidence < 1,
            audit_log.c.assistant_text.is_not(None),
        )
    )
    return frozenset(
        fact_id
        for fact_id, value, language, said, reply in rows
        if _is_of_reply(value, language or "", said or "", reply)
    )


def _is_of_reply(value: str, code: str, said: str, reply: str) -> bool:
    language = find(code)
    in_reply = support(value, reply, language)
    return in_reply == 1 and support(value, said, language) < in_reply


def _count(findings: Iterable[Finding], kind: FindingKind) -> int:
    return sum(finding.kind is kind for finding in findings)
