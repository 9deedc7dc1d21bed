"""One fact goes from one owner to another, as from a person to the household.

Every function runs inside the caller's transaction.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from sqlalchemy import Connection

from . import slots
from .facts import Seen, find
from .ledger import (
    Cause,
    Patch,
    confirm,
    delete_fact,
    find_free_key,
    find_in_slot,
    hand_over,
)
from .models import EventKind, Fact, Owner
from .values import same_value

MERGED: Final = "merged"
"""Why a fact is deleted whose new owner knows it already."""


def move(
    connection: Connection,
    owners: Collection[Owner],
    seen: Seen,
    target: Owner,
    cause: Cause,
) -> tuple[Patch, ...]:
    """Give a fact of one of the owners to the target, under its key if that is free.

    Where the target knows it already, that is confirmed, and this one goes. Raises
    FactNotFoundError or ConflictError.
    """
    fact = find(connection, owners, seen)
    if fact.owner == target:
        return (Patch(owner=target, fact_id=fact.id, fact=fact),)
    base = slots.without_number(fact.key)
    for other in find_in_slot(connection, target, base):
        if same_value(other.value, fact.value):
            kind = EventKind.FACT_USER_DELETED
            return (
                delete_fact(connection, kind, fact, cause, reason=MERGED),
                confirm(connection, other, cause),
            )
    return give(connection, fact, target, fact.key, cause)


def give(
    connection: Connection, fact: Fact, target: Owner, key: str, cause: Cause
) -> tuple[Patch, ...]:
    """Give a fact to another owner, under this key or the next that is free."""
    key = find_free_key(connection, target, key)
    after = replace(fact, owner=target, key=key, revision=fact.revision + 1)
    return hand_over(connection, fact, after, cause)
