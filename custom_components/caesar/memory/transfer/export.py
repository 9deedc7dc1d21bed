"""Writing a memory into a file, as it is at one moment."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
import json
from typing import TextIO

from sqlalchemy import ColumnElement, Connection, select

from ..events import EXCHANGE_KINDS, event_from_row
from ..ledger import load
from ..models import Event, Json, Origin, Owner
from ..schema import audit_log
from . import lines

_AT_A_TIME = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Exported:
    """How much a file holds."""

    exchanges: int
    facts: int
    events: int
    secrets_left_out: int
    """Facts that a person keeps as a secret; a file that anybody can read has none."""


def export(
    connection: Connection, owners: Collection[Owner], at: datetime, file: TextIO
) -> Exported:
    """Write all that is stored of the owners."""
    whose = tuple(sorted(owners))
    facts = load(connection, whose)
    open_facts = [fact for fact in facts if fact.origin is not Origin.SECRET]
    counts = {"exchange": 0, "fact": 0, "event": 0, "header": 0}
    _write(file, lines.header(whose, at), counts)
    for event in _events(connection, whose, audit_log.c.kind.in_(EXCHANGE_KINDS)):
        _write(file, lines.exchange(event), counts)
    for fact in open_facts:
        _write(file, lines.told(fact), counts)
    hidden = {fact.id for fact in facts} - {fact.id for fact in open_facts}
    for event in _events(connection, whose, audit_log.c.kind.like("memory.%")):
        if not _tells_secret(event, hidden):
            _write(file, lines.history(event), counts)
    file.write(_encoded(lines.end(sum(counts.values()))))
    return Exported(
        exchanges=counts["exchange"],
        facts=counts["fact"],
        events=counts["event"],
        secrets_left_out=len(hidden),
    )


def _events(
    connection: Connection, owners: tuple[Owner, ...], condition: ColumnElement[bool]
) -> Iterator[Event]:
    after = 0
    while True:
        rows = connection.execute(
            select(audit_log)
            .where(audit_log.c.owner.in_(owners), audit_log.c.id > after, condition)
            .order_by(audit_log.c.id)
            .limit(_AT_A_TIME)
        ).all()
        if not rows:
            return
        yield from (event_from_row(row) for row in rows)
        after = rows[-1].id


def _tells_secret(event: Event, hidden: Collection[int]) -> bool:
    states = (event.payload.get("before"), event.payload.get("after"))
    return event.payload.get("fact_id") in hidden or any(
        isinstance(state, dict) and state.get("origin") == Origin.SECRET
        for state in states
    )


def _write(file: TextIO, line: dict[str, Json], counts: dict[str, int]) -> None:
    counts[str(line["type"])] += 1
    file.write(_encoded(line))


def _encoded(line: dict[str, Json]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
