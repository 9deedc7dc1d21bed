"""The audit finds what is wrong, nothing else, and leaves everything as it is."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from custom_components.caesar.memory import ledger
from custom_components.caesar.memory.audit import FindingKind, audit
from custom_components.caesar.memory.ledger import Cause
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, Fact, Scope
from tests.memory.conftest import spoken
from tests.memory.made import fact

ROBIN = "user:robin"


async def keep(memory: Memory, *facts: Fact) -> None:
    """Store facts as they are, past all checks."""

    def work(connection: Connection):
        cause = Cause(at=memory.now())
        return tuple(
            ledger.add(connection, replace(each, id=0), cause) for each in facts
        )

    await memory.change(work)


async def findings(memory: Memory) -> list[tuple[str, set[str]]]:
    """Return what the audit finds, by the keys of the facts."""
    found = await memory.database.read(audit)
    keys = {
        each.id: each.key
        for owner in (ROBIN, HOUSEHOLD, "user:sam")
        for each in memory.facts_of(owner)
    }
    return [
        (one.kind, {keys[number] for number in one.fact_ids}) for one in found.findings
    ]


SOUND = [
    fact("address.city", "Bruges"),
    fact("origin", "Bruges"),
    fact("job", "nurse"),
    fact("dog.name", "Beans"),
    fact("dog.breed", "poodle"),
    fact("dog.2.name", "Rex"),
    fact("dog.2.breed", "poodle"),
    fact("preference.like", "jazz"),
    fact("preference.like.2", "tea"),
    fact("preference.dislike", "green tea"),
    fact("sister.city", "Ghent"),
    fact("favourite.colour", "green"),
    fact("favourite.team", "Union"),
    fact("note", "the printer is a Canon"),
    fact("swimming", "on Tuesdays"),
    fact("address.city", "Ghent", owner="user:sam"),
]


async def test_what_is_sound_is_no_finding(memory: Memory):
    await keep(memory, *SOUND)
    found = await memory.database.read(audit)
    assert found.findings == ()
    assert (found.counts.facts, found.counts.owners) == (len(SOUND), 2)
    assert found.counts.findings == 0


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("duplicate", [fact("hobby", "jazz"), fact("preference.like", "Jazz.")]),
        ("duplicate", [fact("dog.name", "Beans"), fact("hund.name", "Beans")]),
        ("duplicate", [fact("dog.name", "Beans"), fact("dog.2.name", "beans")]),
        ("duplicate", [fact("allergy", "nuts"), fact("note", "the nuts")]),
        ("duplicate", [fact("x.y", "blue"), fact("x.z", "blue")]),
        ("contradiction", [fact("address.city", "Ghent"), fact("stadt", "Oslo")]),
        (
            "contradiction",
            [fact("preference.like", "olives"), fact("preference.dislike", "olives")],
        ),
        (
            "contradiction",
            [fact("dog.2.breed", "poodle"), fact("hund.2.breed", "spaniel")],
        ),
        ("secret", [fact("note", "my PIN is 4711")]),
        ("secret", [fact("alarm.code", "4711")]),
        ("secret", [fact("note", "ours", quote="The garage code is 4711.")]),
    ],
)
async def test_what_is_wrong_is_found(memory: Memory, kind: str, facts: list[Fact]):
    await keep(memory, *facts)
    assert await findings(memory) == [(kind, {each.key for each in facts})]


async def test_two_peoples_facts_are_nothing_to_each_other(memory: Memory):
    await keep(
        memory,
        fact("address.city", "Ghent"),
        fact("address.city", "Oslo", owner="user:sam"),
        fact("dog.name", "Beans"),
        fact("dog.name", "Beans", owner=HOUSEHOLD),
    )
    assert await findings(memory) == []


async def heard(memory: Memory, said: str, reply: str) -> int:
    return await memory.finish(None, replace(spoken(said), assistant_text=reply))


async def test_an_assistants_words_are_found(memory: Memory):
    basil = await heard(
        memory, "How do I keep basil alive?", "I prefer watering from below."
    )
    tea = await heard(memory, "I drink oat milk.", "Oat milk, noted.")
    await keep(
        memory,
        fact(
            "preference.like",
            "watering from below",
            source_audit_id=basil,
            confidence=0.9,
        ),
        fact("preference.like", "oat milk", source_audit_id=tea, confidence=0.9),
        fact("note", "watering", source_audit_id=basil, confidence=1.0),
    )
    assert await findings(memory) == [("reply_text", {"preference.like"})]


async def test_an_audit_changes_nothing(memory: Memory, path: Path):
    await keep(memory, *SOUND, fact("note", "my PIN is 4711"), fact("x.y", "blue"))
    before = [memory.facts_of(ROBIN), await memory.events(Scope(owner=ROBIN))]
    data = await memory.database.read(_dump)
    await memory.database.read(audit)
    assert [memory.facts_of(ROBIN), await memory.events(Scope(owner=ROBIN))] == before
    assert await memory.database.read(_dump) == data


def _dump(connection: Connection) -> list[object]:
    return [
        tuple(row)
        for table in ("personal_facts", "audit_log", "memory_extract_cursor")
        for row in connection.exec_driver_sql(f"SELECT * FROM {table}")  # noqa: S608
    ]


async def test_the_counts_tell_how_much_of_each(memory: Memory):
    await keep(
        memory,
        fact("note", "my PIN is 4711"),
        fact("x.y", "blue"),
        fact("x.z", "blue"),
        fact("age", "40"),
        fact("alter", "41"),
    )
    counts = (await memory.database.read(audit)).counts
    assert (counts.secrets, counts.duplicates, counts.contradictions) == (1, 1, 1)
    assert (counts.findings, counts.facts) == (3, 5)
    assert {kind.value for kind in FindingKind} == {
        "duplicate",
        "contradiction",
        "reply_text",
        "secret",
    }
