"""What people do to facts: add, edit and delete.

Every function runs inside the caller's transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
import unicodedata

from sqlalchemy import Connection, select

from . import slots
from .errors import (
    ConflictError,
    FactNotFoundError,
    InstructionError,
    InvalidFactError,
    KeyTakenError,
    SecretError,
)
from .instructions import is_instruction
from .ledger import (
    Cause,
    Patch,
    add,
    confirm,
    delete_fact,
    fact_from_row,
    find_in_slot,
    replace_fact,
)
from .models import EventKind, Fact, Origin, Owner
from .schema import personal_facts
from .secrets import holds_secret
from .values import same_value

MAX_VALUE = 500
"""Characters of a fact's value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Typed:
    """A fact as a person typed it."""

    key: str
    value: str
    secret_wanted: bool = False
    """The person was warned that this looks like a secret and wants it kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """What a person wants changed in a fact; None leaves a part as it is."""

    key: str | None = None
    value: str | None = None
    pinned: bool | None = None
    secret_wanted: bool = False
    """The person was warned that this looks like a secret and wants it kept."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A fact as a person saw it; without a revision, as it is by now."""

    fact_id: int
    revision: int | None = None


def add_typed(
    connection: Connection, owner: Owner, typed: Typed, cause: Cause
) -> Patch:
    """Add a fact that a person typed; one that is there already is confirmed.

    Raises InvalidFactError or SecretError.
    """
    key, value = _checked_key(typed.key), _checked_value(typed.value)
    origin = _checked_origin(key, value, typed)
    base = slots.without_number(key)
    for fact in find_in_slot(connection, owner, base):
        if same_value(fact.value, value):
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
        origin=origin,
        pinned=False,
        language=None,
        expires_at=None,
        revision=1,
    )
    return add(connection, fact, cause)


def edit(
    connection: Connection,
    owners: Iterable[Owner],
    seen: Seen,
    wanted: Edit,
    cause: Cause,
) -> Patch:
    """Change a fact as a person wishes.

    Raises FactNotFoundError, ConflictError, KeyTakenError, InvalidFactError or
    SecretError.
    """
    before = find(connection, owners, seen)
    key = before.key if wanted.key is None else _checked_key(wanted.key)
    value = before.value if wanted.value is None else _checked_value(wanted.value)
    if key != before.key and is_taken(connection, before.owner, key):
        raise KeyTakenError("Another fact has this key", before.revision)
    after = replace(
        before,
        key=key,
        pinned=before.pinned if wanted.pinned is None else wanted.pinned,
        last_confirmed_at=cause.at,
        revision=before.revision + 1,
    )
    # Pinning or filing a fact elsewhere says nothing about who worded its value.
    if value != before.value:
        origin = _checked_origin(key, value, wanted)
        after = replace(after, value=value, origin=origin, confidence=1.0)
    return replace_fact(connection, EventKind.FACT_USER_EDITED, before, after, cause)


def delete(
    connection: Connection, owners: Iterable[Owner], seen: Seen, cause: Cause
) -> Patch:
    """Delete a fact as a person wishes.

    Raises FactNotFoundError or ConflictError.
    """
    fact = find(connection, owners, seen)
    return delete_fact(connection, EventKind.FACT_USER_DELETED, fact, cause)


def find(connection: Connection, owners: Iterable[Owner], seen: Seen) -> Fact:
    """Return a fact of these owners, if it is still as it was seen.

    Raises FactNotFoundError or ConflictError.
    """
    row = connection.execute(
        select(personal_facts).where(
            personal_facts.c.id == seen.fact_id,
            personal_facts.c.owner.in_(tuple(owners)),
        )
    ).first()
    if row is None:
        raise FactNotFoundError("No such fact")
    fact = fact_from_row(row._mapping)
    if seen.revision is not None and seen.revision != fact.revision:
        raise ConflictError("The fact has changed meanwhile", fact.revision)
    return fact


def is_taken(connection: Connection, owner: Owner, key: str) -> bool:
    """Return whether an owner has a fact under a key."""
    return (
        connection.execute(
            select(personal_facts.c.id).where(
                personal_facts.c.owner == owner, personal_facts.c.key == key
            )
        ).first()
        is not None
    )


def checked(typed: Typed) -> tuple[str, str]:
    """Return a key and a value as they would be stored.

    Raises InvalidFactError or SecretError.
    """
    key, value = _checked_key(typed.key), _checked_value(typed.value)
    _checked_origin(key, value, typed)
    return key, value


def looks_secret(key: str, value: str) -> bool:
    """Return whether a value looks like a secret, by itself or under its key.

    "1234" alone is a number; under "alarm.code" it is a code.
    """
    named = f"{slots.without_number(key).replace('.', ' ').replace('_', ' ')}: {value}"
    return holds_secret(value) or holds_secret(named)


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
    if is_instruction(value):
        raise InstructionError("The value is an order and no fact")
    return value


def _checked_origin(key: str, value: str, typed: Typed | Edit) -> Origin:
    if not looks_secret(key, value):
        return Origin.EDITED
    if not typed.secret_wanted:
        raise SecretError("The value looks like a secret")
    return Origin.SECRET
