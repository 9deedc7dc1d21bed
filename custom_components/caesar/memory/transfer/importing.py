"""Bringing a file's lines into a memory, so that doing it twice changes nothing.

An exchange that is there already is not written again; none of them teaches anything,
since what it taught comes as facts. A fact that is known is confirmed; where one has a
single value, the one that was confirmed last stays, and what a person typed is not
replaced by what was only said. All else is added, beside its siblings.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy import Connection, select

from .. import events, ledger, ownership, semantic, slots
from ..extraction.keys import slot_of
from ..extraction.siblings import sibling_of
from ..ledger import Cause, Patch
from ..models import Event, EventKind, Fact, NewEvent, Origin, Owner
from ..schema import audit_log
from ..secrets import mask
from ..values import same_value

IMPORTED: Final = {"imported": True}


@dataclass(kw_only=True, slots=True)
class Progress:
    """What has been brought in so far."""

    counts: Counter[str] = field(default_factory=Counter)
    """By ``exchanges_new``, ``exchanges_known``, ``facts_new`` and so on."""
    exchanges: dict[int, int] = field(default_factory=dict)
    """The id that each exchange of the file has here."""

    @property
    def has_changed(self) -> bool:
        """Return whether anything is different than before."""
        return any(
            self.counts[name]
            for name in (
                "exchanges_new",
                "facts_new",
                "facts_confirmed",
                "facts_replaced",
            )
        )


def put_exchanges(
    connection: Connection, batch: Sequence[Event], progress: Progress
) -> None:
    """Write the exchanges that are not there yet."""
    for event in batch:
        present = _present(connection, event)
        if present is not None:
            progress.counts["exchanges_known"] += 1
            progress.exchanges[event.id] = present
            continue
        new_id = events.append(
            connection,
            NewEvent(
                kind=EventKind(event.kind),
                owner=event.owner,
                conversation_id=event.conversation_id,
                device_id=event.device_id,
                area_id=event.area_id,
                language=event.language,
                user_text=event.user_text,
                assistant_text=event.assistant_text,
                payload={**event.payload, **IMPORTED},
            ),
            event.at,
        )
        written = events.find(connection, new_id)
        assert written is not None  # noqa: S101  this transaction wrote it
        semantic.let_find(connection, written)
        progress.counts["exchanges_new"] += 1
        progress.exchanges[event.id] = new_id


def put_facts(
    connection: Connection,
    owner: Owner,
    facts: Sequence[Fact],
    progress: Progress,
    cause: Cause,
) -> tuple[Patch, ...]:
    """Bring facts into one owner's memory."""
    incoming = [
        replace(
            fact,
            id=number,
            owner=owner,
            source_audit_id=progress.exchanges.get(fact.source_audit_id or 0),
        )
        # Numbers tell them apart while it is decided where each goes.
        for number, fact in enumerate(facts, start=1)
    ]
    present = ledger.load(connection, [owner])
    known, unknown = _split(incoming, present)
    patches = [
        patch for one in known for patch in _met(connection, *one, progress, cause)
    ]
    for step in ownership.plan(unknown, present):
        rival = _rival(step.fact, step.key, present)
        if step.key is None:
            other = _same(step.fact, present)
            patches += _met(connection, step.fact, other, progress, cause)
        elif rival is not None:
            patches += _decided(connection, step.fact, rival, progress, cause)
        else:
            progress.counts["facts_new"] += 1
            added = replace(step.fact, id=0, key=step.key)
            patches.append(ledger.add(connection, added, cause))
    return tuple(patches)


def _present(connection: Connection, event: Event) -> int | None:
    said = event.user_text
    found: int | None = connection.execute(
        select(audit_log.c.id).where(
            audit_log.c.owner == event.owner,
            audit_log.c.at == event.at,
            audit_log.c.kind == event.kind,
            audit_log.c.user_text == (None if said is None else mask(said)),
        )
    ).scalar()
    return found


def _split(
    facts: Sequence[Fact], present: Sequence[Fact]
) -> tuple[list[tuple[Fact, Fact]], list[Fact]]:
    """Return the facts that are known for sure, each with what knows it, and the rest.

    Of several people or pets those without a name cannot be told apart, so a fact about
    one of them is known where any has it.
    """
    named = {
        (fact.key.partition(".")[0], sibling_of(fact.key))
        for fact in facts
        if slots.without_number(fact.key).endswith(".name")
    }
    known: list[tuple[Fact, Fact]] = []
    unknown: list[Fact] = []
    for fact in facts:
        place = (fact.key.partition(".")[0], sibling_of(fact.key))
        other = None if place in named else _find_same(fact, present)
        if other is None:
            unknown.append(fact)
        else:
            known.append((fact, other))
    return known, unknown


def _same(fact: Fact, present: Sequence[Fact]) -> Fact:
    other = _find_same(fact, present)
    assert other is not None  # noqa: S101  the plan has found it
    return other


def _find_same(fact: Fact, present: Sequence[Fact]) -> Fact | None:
    base = slots.without_number(fact.key)
    same = (
        other
        for other in present
        if slots.without_number(other.key) == base
        and same_value(other.value, fact.value)
    )
    return next(same, None)


def _rival(fact: Fact, key: str | None, present: Sequence[Fact]) -> Fact | None:
    """Return the fact whose place this one would take, as one has a single value."""
    if key is None or key == fact.key:
        return None
    slot = slot_of(slots.without_number(fact.key))
    if slot is None or not slots.is_single(slot.who, slot.what, slot.topic):
        return None
    if slots.may_be_several(fact.key.partition(".")[0]):
        return None
    return next((other for other in present if other.key == fact.key), None)


def _met(
    connection: Connection, fact: Fact, other: Fact, progress: Progress, cause: Cause
) -> tuple[Patch, ...]:
    if fact.last_confirmed_at <= other.last_confirmed_at:
        progress.counts["facts_known"] += 1
        return ()
    progress.counts["facts_confirmed"] += 1
    after = replace(other, last_confirmed_at=fact.last_confirmed_at)
    kind = EventKind.FACT_CONFIRMED
    return (ledger.replace_fact(connection, kind, other, after, cause),)


def _decided(
    connection: Connection, fact: Fact, rival: Fact, progress: Progress, cause: Cause
) -> tuple[Patch, ...]:
    is_typed_over = rival.origin is not Origin.TOLD and fact.origin is Origin.TOLD
    if is_typed_over or fact.last_confirmed_at <= rival.last_confirmed_at:
        progress.counts["facts_older"] += 1
        return ()
    progress.counts["facts_replaced"] += 1
    return (ledger.update_fact(connection, rival, fact, cause),)
