"""What people do to facts: add, edit, delete, and undo.

Every function runs inside the caller's transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
import unicodedata

from sqlalchemy import Connection, select

from . import events, slots
from .errors import ConflictError, FactNotFoundError, InvalidFactError, SecretError
from .ledger import (
    Cause,
    Patch,
    add,
    confirm,
    delete_fact,
    fact_from_row,
    fact_from_state,
    load,
    put_back,
    replace_fact,
    same_value,
)
from .models import EventKind, Fact, Origin, Owner
from .schema import audit_log, personal_facts
from .secrets import holds_secret

MAX_VALUE = 500
"""Characters of a fact's value."""

_UNDOABLE = (
    EventKind.FACT_UPDATED,
    EventKind.FACT_REMOVED,
    EventKind.FACT_USER_EDITED,
    EventKind.FACT_USER_DELETED,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """What a person wants changed in a fact; None leaves a part as it is."""

    key: str | None = None
    value: str | None = None
    pinned: bool | None = None


def add_typed(
    connection: Connection, owner: Owner, key: str, value: str, cause: Cause
) -> Patch:
    """Add a fact that a person typed; one that is there already is confirmed.

    Raises InvalidFactError or SecretError.
    """
    key, value = _checked_key(key), _checked_value(value)
    base = slots.without_number(key)
    for fact in load(connection, [owner]):
        if slots.without_number(fact.key) == base and same_value(fact.value, value):
            return confirm(connection, fact, cause)
    fact = Fact(
        id=0,
        owner=owner,
        key=key,
        value=value,
        confidence=1.0,
        first_seen_at=cause.at,
        last_confirmed_at=cause.at,
        source_audit_id=None,
        quote=None,
        origin=Origin.EDITED,
        pinned=False,
        language=None,
        expires_at=None,
        revision=1,
    )
    return add(connection, fact, cause)


def edit(
    connection: Connection,
    owners: Iterable[Owner],
    fact_id: int,
    wanted: Edit,
    revision: int | None,
    cause: Cause,
) -> Patch:
    """Change a fact as a person wishes.

    Raises FactNotFoundError, ConflictError (the revision is stale or the key is taken),
    InvalidFactError or SecretError.
    """
    before = _find(connection, owners, fact_id, revision)
    key = before.key if wanted.key is None else _checked_key(wanted.key)
    value = before.value if wanted.value is None else _checked_value(wanted.value)
    if key != before.key and _is_taken(connection, before.owner, key):
        raise ConflictError("Another fact has this key", before.revision)
    after = replace(
        before,
        key=key,
        pinned=before.pinned if wanted.pinned is None else wanted.pinned,
        last_confirmed_at=cause.at,
        revision=before.revision + 1,
    )
    # Pinning or filing a fact elsewhere says nothing about who worded its value.
    if value != before.value:
        after = replace(after, value=value, origin=Origin.EDITED, confidence=1.0)
    return replace_fact(connection, EventKind.FACT_USER_EDITED, before, after, cause)


def delete(
    connection: Connection,
    owners: Iterable[Owner],
    fact_id: int,
    revision: int | None,
    cause: Cause,
) -> Patch:
    """Delete a fact as a person wishes.

    Raises FactNotFoundError or ConflictError.
    """
    fact = _find(connection, owners, fact_id, revision)
    return delete_fact(connection, EventKind.FACT_USER_DELETED, fact, cause)


def restore(
    connection: Connection, owners: Iterable[Owner], fact_id: int, cause: Cause
) -> Patch:
    """Undo the last edit, update or deletion of a fact.

    Raises FactNotFoundError where there is nothing to undo in the caller's scope.
    """
    earlier = _state_before_last_change(connection, tuple(owners), fact_id)
    source = connection.execute(
        select(audit_log.c.id).where(audit_log.c.id == earlier.source_audit_id)
    ).scalar()
    earlier = replace(earlier, source_audit_id=source, last_confirmed_at=cause.at)
    row = connection.execute(
        select(personal_facts).where(personal_facts.c.id == fact_id)
    ).first()
    if row is None:
        after = replace(earlier, revision=earlier.revision + 1)
        return put_back(connection, after, cause)
    present = fact_from_row(row._mapping)
    key = earlier.key
    if key != present.key and _is_taken(connection, present.owner, key):
        key = present.key
    after = replace(earlier, key=key, revision=present.revision + 1)
    return replace_fact(connection, EventKind.FACT_RESTORED, present, after, cause)


def _find(
    connection: Connection, owners: Iterable[Owner], fact_id: int, revision: int | None
) -> Fact:
    row = connection.execute(
        select(personal_facts).where(
            personal_facts.c.id == fact_id, personal_facts.c.owner.in_(tuple(owners))
        )
    ).first()
    if row is None:
        raise FactNotFoundError("No such fact")
    fact = fact_from_row(row._mapping)
    if revision is not None and revision != fact.revision:
        raise ConflictError("The fact has changed meanwhile", fact.revision)
    return fact


def _is_taken(connection: Connection, owner: Owner, key: str) -> bool:
    return (
        connection.execute(
            select(personal_facts.c.id).where(
                personal_facts.c.owner == owner, personal_facts.c.key == key
            )
        ).first()
        is not None
    )


def _state_before_last_change(
    connection: Connection, owners: tuple[Owner, ...], fact_id: int
) -> Fact:
    last = events.last_of_fact(
        connection, owners, fact_id, (*_UNDOABLE, EventKind.FACT_RESTORED)
    )
    if last is None or last.kind == EventKind.FACT_RESTORED:
        raise FactNotFoundError("There is nothing to restore")
    return fact_from_state(last.payload["before"])


def _is_writable(sign: str) -> bool:
    """Return whether a sign is text: line breaks are, controls and half pairs are not.

    Zero-width and direction marks go too; a joiner within an emoji is kept.
    """
    if sign in "\n\t\u200c\u200d":
        return True
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs")


def _checked_key(key: str) -> str:
    key = key.strip().lower()
    if not slots.is_valid_key(key):
        raise InvalidFactError("The key must be words joined by dots")
    return key


def _checked_value(value: str) -> str:
    value = "".join(sign for sign in value if _is_writable(sign)).strip()
    if not value or len(value) > MAX_VALUE:
        raise InvalidFactError(f"The value must have 1 to {MAX_VALUE} characters")
    if holds_secret(value):
        raise SecretError("The value looks like a secret")
    return value
