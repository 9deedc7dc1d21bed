"""Exchanges become facts, in order, and none is lost or half learned."""

import asyncio
from collections.abc import Callable
import itertools
import json
from pathlib import Path
import sqlite3

from hypothesis import given, settings, strategies as st
import pytest
from sqlalchemy import Connection, text

from custom_components.caesar.memory.facts import Edit
from custom_components.caesar.memory.learning import MAX_ATTEMPTS, Learning
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, EventKind, Scope
from custom_components.caesar.memory.ports import (
    ExtractionRequest,
    Generation,
    GeneratorUnavailableError,
)
from tests.memory.conftest import TestClock, spoken

ROBIN = Scope(owner="user:robin")


class Scripted:
    """A generator that answers by a function of the person's words."""

    def __init__(self, answer: Callable[[str], str | Exception]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def is_costly(self, heard_by: str | None) -> bool:
        return True

    async def generate(self, request: ExtractionRequest) -> Generation:
        self.asked.append(request.text)
        answer = self.answer(request.text)
        if isinstance(answer, Exception):
            raise answer
        return Generation(text=answer, model="scripted")


def names_the_dog(said: str) -> str:
    """Answer as a perfect model would to "My dog's name is …"."""
    name = said.rstrip(".").rpartition(" ")[2]
    fact = {"who": "dog", "what": "name", "value": name, "holds": "true"}
    return json.dumps({"kind": "lasting", "facts": [fact]})


async def say(memory: Memory, *texts: str, **parts) -> None:
    for said in texts:
        await memory.finish(None, spoken(said, **parts))


def values(memory: Memory, scope: Scope = ROBIN) -> set[str]:
    return {fact.value for fact in memory.facts(scope)}


async def told(memory: Memory, *kinds: str, scope: Scope = ROBIN) -> list[str]:
    return [e.kind for e in reversed(await memory.events(scope, kinds=kinds))]


async def test_what_was_said_is_learned_once(memory: Memory):
    await say(memory, "My dog's name is Beans.")
    learning = Learning(memory, Scripted(names_the_dog))
    report = await learning.tick()
    assert (report.read, report.changed, report.waiting) == (1, 1, 0)
    (fact,) = memory.facts(ROBIN)
    assert (fact.key, fact.value) == ("dog.name", "Beans")
    assert fact.quote == "My dog's name is Beans."
    assert (await learning.tick()).read == 0
    assert await told(memory, "memory.fact.added") == ["memory.fact.added"]


async def test_an_exchange_without_a_reply_is_read_too(memory: Memory):
    event = spoken("My dog's name is Beans.")
    await memory.finish(
        None,
        event.__class__(
            kind=EventKind.CHAT_FAILED,
            owner=event.owner,
            language="en",
            user_text=event.user_text,
        ),
    )
    await Learning(memory, Scripted(names_the_dog)).tick()
    assert values(memory) == {"Beans"}


async def test_each_person_learns_for_themselves(memory: Memory):
    await say(memory, "My dog's name is Beans.", owner="user:robin")
    await say(memory, "My dog's name is Rex.", owner="user:sam")
    await say(memory, "My dog's name is Ivy.", owner=HOUSEHOLD)
    await Learning(memory, Scripted(names_the_dog)).tick()
    assert values(memory) == {"Beans", "Ivy"}
    assert values(memory, Scope(owner="user:sam")) == {"Rex", "Ivy"}
    assert values(memory, Scope(owner="person:kim")) == {"Ivy"}


async def test_a_turn_that_may_not_teach_teaches_nothing(memory: Memory):
    generator = Scripted(names_the_dog)
    await say(memory, "My dog's name is Beans.", payload={"teaches": False})
    report = await Learning(memory, generator).tick()
    assert (report.read, report.waiting) == (1, 0)
    assert generator.asked == []
    assert values(memory) == set()


async def test_the_model_sees_the_persons_words_alone(memory: Memory):
    generator = Scripted(lambda _: '{"kind": "lasting", "facts": []}')
    await memory.add_fact(ROBIN.owner, "cat.name", "Tom")
    await say(memory, "My dog's name is Beans.")
    await Learning(memory, generator).tick()
    assert generator.asked == ["My dog's name is Beans."]


async def test_a_model_that_is_down_holds_the_cursor(memory: Memory, clock: TestClock):
    down = True
    generator = Scripted(
        lambda said: GeneratorUnavailableError() if down else names_the_dog(said)
    )
    learning = Learning(memory, generator)
    await say(memory, "My dog's name is Beans.", "My dog's name is Rex.")
    since = clock.now()
    for _ in range(40):
        report = await learning.tick()
        assert report.waiting == 2
        clock.pass_time(minutes=20)
    assert learning.failing_since == since
    assert await told(memory, "memory.extraction.set_aside") == []
    down = False
    report = await learning.tick()
    assert (report.read, report.waiting) == (2, 0)
    assert values(memory) == {"Beans", "Rex"}


async def test_the_pauses_grow_and_can_be_skipped(memory: Memory, clock: TestClock):
    generator = Scripted(lambda _: GeneratorUnavailableError())
    learning = Learning(memory, generator)
    await say(memory, "My dog's name is Beans.")
    tries_at = []
    for minute in range(120):
        before = len(generator.asked)
        await learning.tick()
        if len(generator.asked) > before:
            tries_at.append(minute)
        clock.pass_time(minutes=1)
    pauses = [later - earlier for earlier, later in itertools.pairwise(tries_at)]
    assert pauses == sorted(pauses)
    assert pauses[0] == 1
    assert pauses[-1] == 15
    before = len(generator.asked)
    await learning.tick(impatient=True)
    assert len(generator.asked) == before + 1


GARBAGE = [
    "I think the dog is called Beans!",
    '{"kind": "lasting", "facts": [',
    "",
    "null",
    '"Beans"',
    '[["dog", "Beans"]]',
]


@pytest.mark.parametrize("garbage", GARBAGE)
async def test_a_bad_row_among_good_ones_is_set_aside(
    memory: Memory, clock: TestClock, garbage: str
):
    generator = Scripted(lambda said: garbage if "Rex" in said else names_the_dog(said))
    learning = Learning(memory, generator)
    await say(
        memory,
        "My dog's name is Beans.",
        "My dog's name is Rex.",
        "My dog's name is Ivy.",
    )
    for _ in range(MAX_ATTEMPTS):
        await learning.tick()
        clock.pass_time(minutes=20)
    assert values(memory) == {"Beans", "Ivy"}
    (event,) = await memory.events(ROBIN, kinds=(EventKind.EXTRACTION_SET_ASIDE,))
    assert "Rex" not in str(event.payload)
    assert sum("Rex" in asked for asked in generator.asked) == MAX_ATTEMPTS
    assert await learning.waiting() == 0


async def test_tries_survive_a_restart(memory: Memory, clock: TestClock):
    await say(memory, "My dog's name is Rex.")
    for _ in range(MAX_ATTEMPTS):
        await Learning(memory, Scripted(lambda _: "garbage")).tick(impatient=True)
    assert await told(memory, EventKind.EXTRACTION_SET_ASIDE) != []


KIND_FIRST = (
    '{"kind": "lasting", "facts": [{"who": "dog", "what": "name",'
    ' "value": "Beans", "holds": "true"}]}'
)


@pytest.mark.parametrize(
    "answer",
    [
        f"```json\n{KIND_FIRST}\n```",
        '{"key": "dog.name", "value": "Beans", "confidence": 0.9}',
        '<think>It {is} [Beans]</think>[{"key": "dog.name", "value": "Beans"}]',
        '[{"key": "dog.name", "value": "Beans", "confidence": 1}] I hope it helps!',
    ],
)
async def test_shapes_of_an_answer(memory: Memory, answer: str):
    await say(memory, "My dog's name is Beans.")
    await Learning(memory, Scripted(lambda _: answer)).tick()
    assert [(f.key, f.value) for f in memory.facts(ROBIN)] == [("dog.name", "Beans")]


async def test_what_the_person_did_not_say_is_not_kept(memory: Memory):
    await say(memory, "My dog is lovely and I live here.")
    await Learning(memory, Scripted(lambda _: names_the_dog("Beans"))).tick()
    assert values(memory) == set()
    (event,) = await memory.events(ROBIN, kinds=("memory.fact.rejected",))
    assert "Beans" not in str(event)


async def test_a_secret_is_not_kept(memory: Memory):
    answer = json.dumps(
        {
            "kind": "lasting",
            "facts": [
                {
                    "who": "me",
                    "what": "note",
                    "value": "garage code is 4711",
                    "holds": "true",
                }
            ],
        }
    )
    await say(memory, "Remember that my garage code is 4711.")
    await Learning(memory, Scripted(lambda _: answer)).tick()
    assert values(memory) == set()
    assert "4711" not in str(await memory.events(ROBIN))


async def test_an_edit_while_the_model_thinks_is_not_undone(memory: Memory):
    fact = await memory.add_fact(ROBIN.owner, "dog.name", "Beans")

    class Slow(Scripted):
        async def generate(self, request: ExtractionRequest) -> Generation:
            await memory.edit_fact(ROBIN, fact.id, Edit(value="Bowser"))
            return await super().generate(request)

    await say(memory, "My dog's name is Beans.")
    await Learning(memory, Slow(names_the_dog)).tick()
    assert values(memory) == {"Bowser"}


async def test_what_is_told_while_the_model_thinks_is_not_doubled(memory: Memory):
    class Slow(Scripted):
        async def generate(self, request: ExtractionRequest) -> Generation:
            await memory.add_fact(ROBIN.owner, "dog.name", "Beans")
            return await super().generate(request)

    await say(memory, "My dog's name is Beans.")
    await Learning(memory, Slow(names_the_dog)).tick()
    assert [fact.key for fact in memory.facts(ROBIN)] == ["dog.name"]


async def test_one_exchange_is_one_transaction(memory: Memory, path: Path):
    """A fault at the cursor's step takes the facts and their events with it."""
    await say(memory, "My dog's name is Beans.")

    def forbid(connection: Connection) -> None:
        connection.execute(
            text(
                "CREATE TRIGGER forbid BEFORE UPDATE ON memory_extract_cursor"
                " BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        )

    await memory.database.write(forbid)
    learning = Learning(memory, Scripted(names_the_dog))
    with pytest.raises(Exception, match="no"):
        await learning.tick()
    raw = sqlite3.connect(path)
    assert raw.execute("SELECT count(*) FROM personal_facts").fetchone() == (0,)
    assert await told(memory, "memory.fact.added") == []
    await memory.database.write(lambda c: c.execute(text("DROP TRIGGER forbid")))
    await learning.tick()
    assert values(memory) == {"Beans"}
    assert await told(memory, "memory.fact.added") == ["memory.fact.added"]


async def test_repeating_an_exchange_changes_nothing(memory: Memory):
    await say(memory, "My dog's name is Beans.")
    learning = Learning(memory, Scripted(names_the_dog))
    await learning.tick()
    before = memory.facts(ROBIN)
    await memory.database.write(
        lambda c: c.execute(text("UPDATE memory_extract_cursor SET last_audit_id = 0"))
    )
    await learning.tick()
    assert memory.facts(ROBIN) == before


NAMES = (  # noqa: SIM905  a list of thirty strings would be a page
    "Beans Rex Ivy Tom Luna Otto Biscuit Kiwi Zorro Fauna Gustav Hildegard Juno"
    " Karlsson Lump Mopsy Nacho Oreo Pixel Quincy Rufus Snorri Tapioca Ursula Vasco"
    " Waldo Xaver Yuki Zelda Apollo"
).split()
SAYINGS = st.lists(
    st.sampled_from(["say", "tick", "garbage", "down", "delete newest", "restart"]),
    min_size=1,
    max_size=30,
)


@settings(max_examples=40, deadline=None)
@given(steps=SAYINGS)
def test_the_cursor_never_skips(tmp_path_factory, steps):
    """Whatever happens between, each statement is in the end learned or set aside."""

    async def run() -> None:
        clock = TestClock()
        path = tmp_path_factory.mktemp("cursor") / "caesar.db"
        memory = Memory(path, clock=clock)
        await memory.open()
        trouble: list[str | Exception] = []
        generator = Scripted(
            lambda said: trouble.pop() if trouble else names_the_dog(said)
        )
        learning = Learning(memory, generator)
        said: set[str] = set()
        for number, step in enumerate(steps):
            if step == "say":
                name = NAMES[number]
                said.add(name)
                await say(memory, f"My dog's name is {name}.")
            elif step == "tick":
                await learning.tick(impatient=True)
            elif step == "garbage":
                trouble = ["garbage"]
            elif step == "down":
                trouble = [GeneratorUnavailableError()]
            elif step == "restart":
                await memory.close()
                await memory.open()
            else:
                await memory.database.write(delete_newest_read)
        while await learning.waiting():
            await learning.tick(impatient=True)
        assert values(memory) == said
        await memory.close()

    def delete_newest_read(connection: Connection) -> None:
        # As retention might: the newest exchange, if it has been read.
        connection.execute(
            text(
                "DELETE FROM audit_log WHERE kind LIKE 'chat.%' AND id ="
                " (SELECT max(id) FROM audit_log) AND id <="
                " (SELECT last_audit_id FROM memory_extract_cursor)"
            )
        )

    asyncio.run(run())


async def set_one_aside(memory: Memory, clock: TestClock, said: str) -> int:
    """Let a model fail on one exchange until it is set aside; return its id."""
    await say(memory, said)
    learning = Learning(memory, Scripted(lambda _: "nonsense"))
    for _ in range(MAX_ATTEMPTS):
        await learning.tick(impatient=True)
        clock.pass_time(hours=1)
    (found,) = await memory.set_aside(ROBIN)
    return found.exchange_id


async def test_what_was_set_aside_can_be_read_again(memory: Memory, clock: TestClock):
    exchange_id = await set_one_aside(memory, clock, "My dog's name is Beans.")
    assert await memory.set_aside(Scope(owner="user:sam")) == ()
    assert [one.owner for one in await memory.set_aside(None)] == ["user:robin"]

    still = await Learning(memory, Scripted(lambda _: "nonsense")).retry([exchange_id])
    assert (still.read, still.set_aside) == (1, 1)
    assert len(await memory.set_aside(ROBIN)) == 1
    down = Scripted(lambda _: GeneratorUnavailableError())
    assert (await Learning(memory, down).retry([exchange_id])).problem == "unavailable"

    report = await Learning(memory, Scripted(names_the_dog)).retry([exchange_id])

    assert (report.read, report.changed) == (1, 1)
    assert values(memory) == {"Beans"}
    assert await memory.set_aside(ROBIN) == ()
    assert "memory.extraction.retried" in await told(memory)


async def test_what_was_set_aside_can_be_dismissed(memory: Memory, clock: TestClock):
    exchange_id = await set_one_aside(memory, clock, "My dog's name is Beans.")
    assert await memory.dismiss([exchange_id, 999]) == 1
    assert await memory.set_aside(ROBIN) == ()
    assert await memory.dismiss([exchange_id]) == 0


def lives_there(said: str) -> str:
    city = said.rstrip(".").rpartition(" ")[2]
    fact = {"who": "me", "what": "city", "value": city, "holds": "true"}
    return json.dumps({"kind": "lasting", "facts": [fact]})


async def test_old_words_read_late_do_not_undo_what_was_said_since(
    memory: Memory, clock: TestClock
):
    exchange_id = await set_one_aside(memory, clock, "We live in Bonn.")
    await say(memory, "We live in Gent.")
    learning = Learning(memory, Scripted(lives_there))
    await learning.tick(impatient=True)
    assert values(memory) == {"Gent"}

    await learning.retry([exchange_id])

    assert values(memory) == {"Gent"}
    assert await memory.set_aside(ROBIN) == ()
