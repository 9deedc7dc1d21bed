"""Exchanges are found again: by words, in the scope alone, with what stands beside."""

# ruff: noqa: RUF001 - the punctuation of other languages is meant

from datetime import timedelta

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from custom_components.caesar.memory import words
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
)
from custom_components.caesar.memory.recall import Question, Recall, fused

from .made import ANN, BOB, say


async def find(memory: Memory, text: str, language: str = "en", **parts) -> list[int]:
    asked = Question(
        text=text, language=language, **{"owners": (ANN, HOUSEHOLD), **parts}
    )
    found = await Recall(memory.database).search(asked)
    return [one.exchange.id for one in found]


@pytest.mark.parametrize(
    ("said", "asked", "language"),
    [
        ("The boiler has been leaking", "What did I say about the leak?", "en"),
        ("I painted the shed green", "When was I painting?", "en"),
        ("Die Waschmaschinen sind laut", "Was war mit der Waschmaschine?", "de"),
        ("J'ai réparé la chaudière", "Qu'est-ce que j'ai dit sur la chaudiere ?", "fr"),
        ("Zepsułem pralkę w łazience", "Co mówiłem o pralce?", "pl"),
        ("锅炉昨天漏水了", "我说过什么关于锅炉的事？", "zh"),
        ("ボイラーが水漏れしています", "ボイラーについて何を言った？", "ja"),
    ],
)
async def test_words_find_what_was_said(
    memory: Memory, said: str, asked: str, language: str
):
    exchange = await say(memory, said, conversation="two")
    await say(memory, "Something else", conversation="three")
    assert (await find(memory, asked, language))[0] == exchange


async def test_what_only_asks_finds_nothing_by_its_small_words(memory: Memory):
    await say(memory, "What should I do about that?")
    assert await find(memory, "What did I say about the geyser?") == []


async def test_nobody_finds_what_another_person_said(memory: Memory):
    await say(memory, "The boiler leaks", owner=BOB)
    home = await say(memory, "The boiler is old", owner=HOUSEHOLD, conversation="two")
    assert await find(memory, "boiler") == [home]
    assert await find(memory, "boiler", owners=()) == []


async def test_what_was_said_right_before_comes_along(memory: Memory):
    asked = await say(memory, "Who mends boilers around here?", conversation="two")
    answered = await say(memory, "Call Kowalski, he is quick", conversation="two")
    await say(memory, "Dim the lights", conversation="three")
    (first, second) = await Recall(memory.database).search(
        Question(text="boilers", owners=(ANN,), language="en")
    )
    assert (first.exchange.id, second.exchange.id) == (asked, answered)
    assert first.before is None
    assert first.after is not None
    assert first.after.id == answered


async def test_another_persons_words_are_never_beside(memory: Memory):
    await say(memory, "I hid the present", owner=BOB, conversation="two")
    await say(memory, "The boiler leaks", conversation="two")
    await say(memory, "It is in the shed", owner=BOB, conversation="two")
    (found,) = await Recall(memory.database).search(
        Question(text="boiler", owners=(ANN,), language="en")
    )
    assert found.before is None
    assert found.after is None


async def test_time_and_place_bound_what_is_found(memory: Memory, clock):
    early = clock.now()
    old = await say(memory, "The boiler leaks", area="kitchen", conversation="two")
    clock.pass_time(days=7)
    late = clock.now()
    new = await say(memory, "The boiler hums", area="attic", conversation="three")
    assert await find(memory, "boiler", since=late) == [new]
    assert await find(memory, "boiler", until=late) == [old]
    assert await find(memory, "boiler", area_id="kitchen") == [old]
    assert await find(memory, "boiler", until=early) == []
    assert await find(
        memory, "boiler", since=early, until=late + timedelta(seconds=1)
    ) == [new, old]


async def test_a_deleted_exchange_is_not_found(memory: Memory):
    exchange = await say(memory, "The boiler leaks")
    await memory.database.write(
        lambda connection: connection.exec_driver_sql(
            "DELETE FROM audit_log WHERE id = ?", (exchange,)
        )
    )
    assert await find(memory, "boiler") == []


async def test_words_that_stand_nearly_everywhere_still_find_the_latest(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(words, "MAX_ROWS", 3)
    for number in range(9):
        last = await say(memory, "The boiler leaks", conversation=str(number))
    rare = await say(memory, "The boiler has a valve", conversation="valve")
    assert (await find(memory, "boiler valve"))[0] == rare
    assert last in await find(memory, "boiler")


async def test_without_the_index_exchanges_that_hold_all_words_are_found(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
):
    exchange = await say(memory, "The boiler leaks in the attic")
    await say(memory, "The boiler hums", conversation="two")
    monkeypatch.setattr(words, "is_there", lambda _: False)
    assert await find(memory, "What leaks in the attic, the boiler?") == [exchange]


HOSTILE = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        [
            '"',
            '""""',
            "NEAR(boiler leaks)",
            "words: boiler",
            "boiler* OR",
            "^boiler AND NOT",
            "'; DROP TABLE audit_log; --",
            "boiler\x00leaks",
            "（锅炉）",
            "-boiler",
            "ab" * 3000,
        ]
    ),
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=HOSTILE, language=st.sampled_from(["en", "de", "zh", "xx", ""]))
async def test_no_question_breaks_the_search_or_leaves_the_scope(
    memory: Memory, text: str, language: str
):
    await say(memory, text, owner=BOB)
    found = await Recall(memory.database).search(
        Question(text=text, owners=(ANN,), language=language)
    )
    assert found == ()


@given(
    said=st.dictionaries(st.integers(1, 30), st.floats(0.01, 50)),
    meant=st.dictionaries(st.integers(1, 30), st.floats(-1, 1)),
)
def test_what_both_rank_first_is_first(said: dict[int, float], meant: dict[int, float]):
    said[99] = max(said.values(), default=0) + 1
    meant[99] = 2.0
    scores = fused(said, meant, {})
    assert max(scores, key=lambda one: scores[one]) == 99
    assert scores.keys() == {*said, *meant}
