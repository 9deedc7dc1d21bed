"""What belongs to one person, of every kind that commands and actions can name."""

from dataclasses import dataclass

from custom_components.caesar.memory import cursor, learned, set_aside
from custom_components.caesar.memory.archive import Archive
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.facts import Seen, Typed
from custom_components.caesar.memory.ledger import Cause
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    Change,
    EventKind,
    Exchange,
    Fact,
    NewEvent,
    Owner,
    Scope,
)
from custom_components.caesar.runtime import CaesarRuntime

WORD = "otters"
"""Stands in all of a person's texts, and in nobody else's."""
SECRET = "blackbird"
NOBODY = "user:nobody"


@dataclass(frozen=True, kw_only=True)
class Belongings:
    """The ids of what one person has."""

    owner: Owner
    fact: int
    revision: int
    deleted_fact: int
    secret: int
    exchange: int
    set_aside: int
    suggestion: int
    event: int
    """That added the fact."""
    move: int
    """Of somebody's memory to this person."""


async def furnish(runtime: CaesarRuntime, owner: Owner) -> Belongings:
    """Let an owner have one of everything."""
    # Else the job could learn from it before it is complete.
    await runtime.legion.async_stop()
    memory = runtime.memory
    exchange = await say(memory, owner, f"I like {WORD}")
    fact, _ = await teach(
        memory,
        exchange,
        Change(operation="add", key="animal", value=WORD, quote=exchange.user_text),
        Change(operation="add", key="river", value=f"with {WORD}"),
    )
    await teach(
        memory,
        exchange,
        Change(
            operation="suggest",
            key="note",
            value=f"maybe {WORD}",
            quote=exchange.user_text,
            reason="unknown_speaker",
        ),
    )
    aside = await say(memory, owner, f"Something about {WORD}")
    await memory.database.write(set_aside.put, aside, memory.now())
    # Nothing waits, so that learning by anybody leaves all this alone.
    await memory.database.write(cursor.advance, aside.id)
    editor = Editor(memory=memory, owners=[owner], actor=owner)
    deleted = await editor.add(owner, Typed(key="lake", value=f"no {WORD}"))
    await editor.delete([Seen(fact_id=deleted.id)])
    secret = await editor.add(
        owner,
        Typed(key="note", value=f"my password is {SECRET}", secret_wanted=True),
    )
    archive = Archive(memory=memory)
    (added,) = await archive.history([owner], fact.id)
    other = Editor(memory=memory, owners=[NOBODY], actor=NOBODY)
    await other.add(NOBODY, Typed(key="pond", value=WORD))
    move = await archive.move(NOBODY, owner, actor=owner)
    (suggestion,) = await memory.suggestions(Scope(owner=owner))
    return Belongings(
        owner=owner,
        fact=fact.id,
        revision=fact.revision,
        deleted_fact=deleted.id,
        secret=secret.id,
        exchange=exchange.id,
        set_aside=aside.id,
        suggestion=suggestion.id,
        event=added.id,
        move=move,
    )


async def say(memory: Memory, owner: Owner, text: str) -> Exchange:
    """Let an owner have said something, from which nothing was learned yet."""
    event = NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=owner,
        language="en",
        user_text=text,
        assistant_text=f"So you like {WORD}.",
        payload={"provider": "builtin", "model": ""},
    )
    return Exchange(
        id=await memory.finish(None, event),
        at=memory.now(),
        owner=owner,
        language="en",
        user_text=text,
    )


async def teach(memory: Memory, exchange: Exchange, *changes: Change) -> list[Fact]:
    """Let an exchange have taught something."""
    cause = Cause(at=memory.now(), exchange=exchange)
    patches = await memory.change(
        lambda connection: learned.apply(connection, changes, exchange, cause)
    )
    return [patch.fact for patch in patches if patch.fact is not None]
