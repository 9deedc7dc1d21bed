"""What somebody asks to have remembered, made into a fact inside the transaction.

The wish has an event of its own, which is the fact's source: it keeps the person's
words and the time. What the fact changes is decided as for anything else that was said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from . import events, learned
from .errors import InstructionError, InvalidFactError, SecretError
from .extraction.extract import as_suggestions
from .extraction.grounding import support
from .extraction.language import find
from .extraction.operations import decide
from .extraction.text import normalize, sentences
from .facts import MAX_VALUE
from .index import FactIndex
from .instructions import is_instruction
from .ledger import Cause, Patch
from .models import (
    HOUSEHOLD,
    Candidate,
    Change,
    EventKind,
    Exchange,
    NewEvent,
    Owner,
)
from .secrets import holds_secret, mask


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """A fact that somebody wants remembered, under a slot."""

    owner: Owner
    value: str
    who: str = "me"
    what: str = "note"
    language: str = ""
    said: tuple[str, ...] = ()
    """The person's own words where they are known, the newest first; the value has to
    stand in them."""
    asked_through: str = ""
    """Who passed the wish on."""
    tentative: str | None = None
    """Why it is suggested and never stored, in a word, if it is so."""


class NotSaidError(InvalidFactError):
    """The value is not in the person's own words."""


def checked(wish: Wish) -> Wish:
    """Return the wish as it may be stored.

    Raises InvalidFactError, InstructionError, NotSaidError or SecretError.
    """
    wish = replace(wish, value=" ".join(wish.value.split()))
    if not wish.value or len(wish.value) > MAX_VALUE:
        raise InvalidFactError(f"The value must have 1 to {MAX_VALUE} characters")
    quote = _quote(wish)
    if holds_secret(wish.value) or holds_secret(quote) or _is_masked(wish):
        raise SecretError("The value looks like a secret")
    if is_instruction(wish.value):
        raise InstructionError("The value is an order and no fact")
    if support(wish.value, quote, find(wish.language)) < 1:
        raise NotSaidError("The value is not in the person's own words")
    return wish


def decide_on(wish: Wish, index: FactIndex) -> tuple[Change, ...]:
    """Return what a checked wish changes."""
    quote = _quote(wish)
    told = Candidate(who=_who(wish), what=wish.what, value=wish.value, quote=quote)
    decided = decide(
        [told],
        owner=wish.owner,
        stored=index.concerned([told], quote, wish.language),
        text=quote,
        language=wish.language,
        taken=index.keys,
    )
    return as_suggestions(decided, wish.tentative) if wish.tentative else decided


def remember(
    connection: Connection, wish: Wish, changes: Sequence[Change], cause: Cause
) -> tuple[Patch, ...]:
    """Store what was decided on a checked wish."""
    quote = _quote(wish)
    asked = NewEvent(
        kind=EventKind.REMEMBER_ASKED,
        owner=wish.owner,
        actor=cause.actor,
        language=wish.language or None,
        user_text=quote,
        payload={"asked_through": wish.asked_through},
    )
    exchange = Exchange(
        id=events.append(connection, asked, cause.at),
        at=cause.at,
        owner=wish.owner,
        language=wish.language,
        user_text=quote,
    )
    cause = replace(cause, exchange=exchange, asked=True)
    return learned.apply(connection, changes, exchange, cause)


def _quote(wish: Wish) -> str:
    """Return the person's sentence that holds the value, else their newest words."""
    if not wish.said:
        return wish.value
    language = find(wish.language)
    for text in wish.said:
        # A value may reach over two sentences.
        for part in (*sentences(text), text):
            if support(wish.value, part, language) == 1:
                return part
    return wish.said[0]


def _is_masked(wish: Wish) -> bool:
    """Return whether the value is a secret where it was said: "My PIN? It's 4711."."""
    language = find(wish.language)
    return any(
        support(wish.value, mask(text), language) < support(wish.value, text, language)
        for text in wish.said
        if holds_secret(text)
    )


def _who(wish: Wish) -> str:
    """Return whom the fact is about: where nobody is known, the home is told a note."""
    about_home = wish.owner == HOUSEHOLD and (wish.who, wish.what) == ("me", "note")
    if not about_home:
        return wish.who
    first_person = find(wish.language).first_person
    return "me" if first_person.search(normalize(wish.value)) else "home"
