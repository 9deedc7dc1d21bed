"""The story of Monday and Thursday: told once, restarted, still known."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
import json
import re
import time

from . import database
from .client import Client, Reply
from .house import OWNER, House
from .narrator import Narrator

_POLL_SECONDS = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """What is said, and what the last reply has to hold.

    Raises ValueError where the question holds the expected word: anybody who repeats
    the question would pass.
    """

    ask: str
    expect: str
    teach: str | None
    choice: str = "builtin"
    answers: Mapping[str, object] = field(default_factory=dict)
    patience: float
    """Seconds that learning may take before the story goes on without."""

    def __post_init__(self) -> None:
        if not self.expect.strip():
            raise ValueError("an empty word is in every reply")
        if self.expect.casefold() in self.ask.casefold():
            raise ValueError(f"the question already holds {self.expect!r}")

    def is_fulfilled_by(self, reply: str) -> bool:
        """Return whether the reply holds the expected word as a whole word."""
        word = re.escape(self.expect.strip().casefold())
        return re.search(rf"(?<!\w){word}(?!\w)", reply.casefold()) is not None


async def play(story: Story, house: House, narrator: Narrator) -> Reply:
    """Play the story in a new house, leave it stopped, and return the last reply."""
    with narrator.step(f"Home Assistant started, {OWNER.name} created and logged in"):
        await house.start()
    with narrator.step("CAESAR added through its config flow"):
        agent = await house.add_caesar(story.choice, story.answers)
    await _monday(story, house, agent, narrator)
    with narrator.step("Home Assistant restarted; nothing but the file survives"):
        await house.stop()
        await house.start()
        agent = await house.agent()
    narrator.chapter("Thursday")
    reply = await _exchange(house.client, agent, story.ask, narrator)
    narrator.chapter("What CAESAR adds to the prompt")
    preview = await house.client.act("caesar.preview_section", {"text": story.ask})
    narrator.quote(preview["text"].strip() or "(nothing)")
    narrator.line()
    with narrator.step("Home Assistant stopped"):
        await house.stop()
    return reply


def show_file(house: House, narrator: Narrator) -> None:
    """Print the facts and audit events of a house that is stopped."""
    narrator.chapter(f"Facts in {database.DATABASE_FILE}")
    narrator.table(
        database.facts(house.folder),
        ("id", "key", "value", "confidence", "origin", "source_audit_id", "quote"),
    )
    narrator.chapter(f"Audit events in {database.DATABASE_FILE}")
    narrator.table(
        [_told(event) for event in database.events(house.folder)],
        ("id", "at", "kind", "said or changed", "reply"),
    )
    narrator.line()


def _told(event: database.Row) -> database.Row:
    """Return what a reader wants to know of an event."""
    payload = json.loads(str(event["payload"]))
    fact = payload.get("after") or payload.get("before")
    return {
        "id": event["id"],
        "at": str(event["at"]).partition(".")[0],
        "kind": event["kind"],
        "said or changed": f"{fact['key']} = {fact['value']}"
        if fact
        else event["user_text"],
        "reply": event["assistant_text"],
    }


async def _monday(story: Story, house: House, agent: str, narrator: Narrator) -> None:
    narrator.chapter("Monday")
    if story.teach is None:
        narrator.line("  (nothing is said)")
        return
    await _exchange(house.client, agent, story.teach, narrator)
    with narrator.step("waited for CAESAR to learn in the background"):
        learned = await _learned(house.client, story.patience)
    narrator.line(f"             {learned}")


async def _exchange(client: Client, agent: str, text: str, narrator: Narrator) -> Reply:
    narrator.said(OWNER.name, text)
    asked = time.monotonic()
    reply = await client.converse(text, agent)
    narrator.said("CAESAR", reply.text, time.monotonic() - asked)
    return reply


async def _learned(client: Client, patience: float) -> str:
    with suppress(TimeoutError):
        async with asyncio.timeout(patience):
            return await _first_facts(client)
    return "nothing was learned"


async def _first_facts(client: Client) -> str:
    while True:
        response = await client.act("caesar.list_facts", {"include_text": True})
        if facts := response["facts"]:
            return "; ".join(f"{fact['key']} = {fact['value']}" for fact in facts)
        await asyncio.sleep(_POLL_SECONDS)
