"""The audit log: what happened, in order, appended and never changed.

One kind of row is only a place kept: ``chat.received`` holds a person's words from the
moment they arrive until the finished exchange takes their place, so that a crash in
between loses nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Row, delete, func, insert, select

from . import semantic
from .models import (
    UNKNOWN_VOICE,
    Event,
    EventKind,
    Exchange,
    Json,
    NewEvent,
    Owner,
)
from .schema import audit_log
from .secrets import mask

MAX_TEXT = 4000
"""Characters that a string of an event may have."""
CLAMP_MARK = " […cut]"

STILL_HEARD = timedelta(minutes=2)
"""For how long after a reply a microphone may pick it up as somebody's words."""
_NEAR = 300
"""Events among which the replies of the last minutes are looked for."""
EXCHANGE_KINDS = (EventKind.CHAT_COMPLETED, EventKind.CHAT_FAILED)


def append(connection: Connection, event: NewEvent, at: datetime) -> int:
    """Append an event and return its id.

    Secrets in what was said are masked and long strings are clamped first.
    """
    new_id: int = connection.execute(
        insert(audit_log).returning(audit_log.c.id), _row(event, at)
    ).scalar_one()
    return new_id


def finish_exchange(
    connection: Connection, received_id: int | None, event: NewEvent, at: datetime
) -> int:
    """Put a finished exchange in the place of its received words.

    Words that the person has withdrawn meanwhile stay away.
    """
    if received_id is not None:
        received = connection.execute(
            delete(audit_log).where(
                audit_log.c.id == received_id,
                audit_log.c.kind == EventKind.CHAT_RECEIVED,
            )
        )
        if not received.rowcount:
            return received_id
    exchange_id = append(connection, event, at)
    exchange = find(connection, exchange_id)
    assert exchange is not None  # noqa: S101  this transaction wrote it
    semantic.let_find(connection, exchange)
    return exchange_id


def recover_interrupted(connection: Connection) -> int:
    """Turn received words without an end into failed exchanges; return how many.

    They were left by a process that died in the middle of a turn.
    """
    rows = connection.execute(
        select(audit_log)
        .where(audit_log.c.kind == EventKind.CHAT_RECEIVED)
        .order_by(audit_log.c.id)
    ).all()
    for row in rows:
        event = event_from_row(row)
        finish_exchange(
            connection,
            event.id,
            NewEvent(
                kind=EventKind.CHAT_FAILED,
                owner=event.owner,
                actor=event.actor,
                conversation_id=event.conversation_id,
                device_id=event.device_id,
                area_id=event.area_id,
                language=event.language,
                user_text=event.user_text,
                payload={**event.payload, "error": "interrupted"},
            ),
            event.at,
        )
    return len(rows)


def exchanges_after(
    connection: Connection, audit_id: int, limit: int
) -> tuple[Exchange, ...]:
    """Return finished exchanges with ids above the given one, in id order."""
    rows = connection.execute(
        select(audit_log)
        .where(audit_log.c.kind.in_(EXCHANGE_KINDS), audit_log.c.id > audit_id)
        .order_by(audit_log.c.id)
        .limit(limit)
    )
    return tuple(_exchange(event_from_row(row)) for row in rows)


def with_replies(connection: Connection, exchange: Exchange) -> Exchange:
    """Return an exchange with what was answered right before it, at the same place."""
    near = audit_log.alias("near")
    same_place = (near.c.conversation_id == audit_log.c.conversation_id) | (
        near.c.device_id == audit_log.c.device_id
    )
    replies = connection.execute(
        select(near.c.assistant_text)
        .select_from(audit_log.join(near, same_place))
        .where(
            audit_log.c.id == exchange.id,
            near.c.kind.in_(EXCHANGE_KINDS),
            near.c.id.between(exchange.id - _NEAR, exchange.id - 1),
            near.c.at >= exchange.at - STILL_HEARD,
            near.c.assistant_text.is_not(None),
        )
    )
    return replace(exchange, replies=tuple(replies.scalars()))


def count_exchanges_after(connection: Connection, audit_id: int) -> int:
    """Return how many finished exchanges have ids above the given one."""
    return connection.execute(
        select(func.count()).where(
            audit_log.c.kind.in_(EXCHANGE_KINDS), audit_log.c.id > audit_id
        )
    ).scalar_one()


def tokens_since(
    connection: Connection, kind: EventKind, moment: datetime
) -> tuple[int, datetime | None]:
    """Return the tokens that events since a moment tell of, and when the last was."""
    tokens = [
        func.coalesce(audit_log.c.payload[name].as_integer(), 0)
        for name in ("input_tokens", "output_tokens")
    ]
    spent, last = connection.execute(
        select(func.sum(tokens[0] + tokens[1]), func.max(audit_log.c.at)).where(
            audit_log.c.kind == kind, audit_log.c.at >= moment
        )
    ).one()
    return spent or 0, last


def read(
    connection: Connection,
    owners: Iterable[Owner],
    kinds: Sequence[str] = (),
    before: int | None = None,
    limit: int = 100,
) -> tuple[Event, ...]:
    """Return events of the given owners, the newest first."""
    query = select(audit_log).where(audit_log.c.owner.in_(tuple(owners)))
    if kinds:
        query = query.where(audit_log.c.kind.in_(kinds))
    if before is not None:
        query = query.where(audit_log.c.id < before)
    rows = connection.execute(query.order_by(audit_log.c.id.desc()).limit(limit))
    return tuple(event_from_row(row) for row in rows)


def after(
    connection: Connection, owner: Owner, audit_id: int, kinds: Sequence[str]
) -> tuple[Event, ...]:
    """Return one owner's events of the given kinds with ids above the given one."""
    rows = connection.execute(
        select(audit_log)
        .where(
            audit_log.c.owner == owner,
            audit_log.c.kind.in_(kinds),
            audit_log.c.id > audit_id,
        )
        .order_by(audit_log.c.id)
    )
    return tuple(event_from_row(row) for row in rows)


def last_of_fact(
    connection: Connection,
    owners: Iterable[Owner],
    fact_id: int,
    kinds: Sequence[str],
) -> Event | None:
    """Return the newest event of the given kinds that tells of a fact."""
    row = connection.execute(
        select(audit_log)
        .where(
            audit_log.c.owner.in_(tuple(owners)),
            audit_log.c.kind.in_(kinds),
            audit_log.c.payload["fact_id"].as_integer() == fact_id,
        )
        .order_by(audit_log.c.id.desc())
        .limit(1)
    ).first()
    return None if row is None else event_from_row(row)


def last_exchange(
    connection: Connection, owner: Owner, conversation_id: str
) -> int | None:
    """Return the id of what an owner said last in a conversation, answered or not."""
    found: int | None = connection.execute(
        select(audit_log.c.id)
        .where(
            audit_log.c.owner == owner,
            audit_log.c.conversation_id == conversation_id,
            audit_log.c.kind.in_((EventKind.CHAT_RECEIVED, *EXCHANGE_KINDS)),
        )
        .order_by(audit_log.c.id.desc())
        .limit(1)
    ).scalar()
    return found


def of_exchange(connection: Connection, exchange_id: int) -> tuple[Event, ...]:
    """Return what one exchange changed, the newest first."""
    rows = connection.execute(
        select(audit_log)
        .where(audit_log.c.payload["exchange_id"].as_integer() == exchange_id)
        .order_by(audit_log.c.id.desc())
    )
    return tuple(event_from_row(row) for row in rows)


def find(connection: Connection, audit_id: int) -> Event | None:
    """Return an event, None where it is gone."""
    row = connection.execute(
        select(audit_log).where(audit_log.c.id == audit_id)
    ).first()
    return None if row is None else event_from_row(row)


def exists(connection: Connection, audit_id: int) -> bool:
    """Return whether an event is still there."""
    found = connection.execute(
        select(audit_log.c.id).where(audit_log.c.id == audit_id)
    ).first()
    return found is not None


def remove(connection: Connection, audit_id: int) -> None:
    """Delete one event for good; only for what its own speaker withdraws."""
    connection.execute(delete(audit_log).where(audit_log.c.id == audit_id))


def _row(event: NewEvent, at: datetime) -> dict[str, object]:
    return {
        "at": at,
        "kind": event.kind.value,
        "owner": event.owner,
        "actor": event.actor,
        "conversation_id": event.conversation_id,
        "device_id": event.device_id,
        "area_id": event.area_id,
        "language": event.language,
        "user_text": _said(event.user_text),
        "assistant_text": _said(event.assistant_text),
        "payload": _clamped_json(event.payload),
    }


def _said(text: str | None) -> str | None:
    return None if text is None else _clamped(mask(text))


def _clamped(text: str) -> str:
    # Half a surrogate pair, as a model may produce, could not be written.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= MAX_TEXT:
        return text
    return text[: MAX_TEXT - len(CLAMP_MARK)] + CLAMP_MARK


def _clamped_json[T: Json | Mapping[str, Json]](value: T) -> T:
    match value:
        case str():
            return _clamped(value)  # type: ignore[return-value]  # same shape
        case Mapping():
            return {k: _clamped_json(v) for k, v in value.items()}  # type: ignore[return-value]
        case list():
            return [_clamped_json(item) for item in value]  # type: ignore[return-value]
        case _:
            return value


def event_from_row(row: Row[tuple[object, ...]]) -> Event:
    """Return the event that a row holds."""
    return Event(**row._mapping)


def _exchange(event: Event) -> Exchange:
    heard_by = event.payload.get("heard_by")
    return Exchange(
        id=event.id,
        at=event.at,
        owner=event.owner,
        language=event.language or "",
        user_text=event.user_text or "",
        answer=event.assistant_text or "",
        teaches=event.payload.get("teaches") is not False
        # What it taught elsewhere comes along as facts.
        and event.payload.get("imported") is not True,
        heard_by=heard_by if isinstance(heard_by, str) else None,
        tentative=_tentative(event),
    )


def _tentative(event: Event) -> str | None:
    told = event.payload.get("tentative")
    if told is True:
        return UNKNOWN_VOICE
    return told if isinstance(told, str) else None
