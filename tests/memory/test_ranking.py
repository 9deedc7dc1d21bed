"""Over the caps the right facts go first, and saying something again never hurts."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings, strategies as st
import pytest

from custom_components.caesar.memory.composer import Caps
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import Fact, Scope
from custom_components.caesar.memory.ranking import (
    HALF_LIFE,
    Ranking,
    Standing,
    half_life,
)
from custom_components.caesar.memory.slots import WHAT
from tests.memory.conftest import TestClock
from tests.memory.made import NOON, fact

ROBIN = Scope(owner="user:robin")

unhurried = settings(deadline=None)

KEYS = ["name", "plan", "routine", "preference.like", "dog.2.name", "job", "x.y"]
WORDS = ["jazz", "balcony", "Beans", "Madeira", "olives", "the", "我对花生过敏"]
FACTS = st.builds(
    fact,
    st.sampled_from(KEYS),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    id=st.integers(1, 1000),
    pinned=st.booleans(),
    confidence=st.floats(0, 1),
    last_confirmed_at=st.timedeltas(timedelta(days=-4000), timedelta(days=2)).map(
        lambda ago: NOON + ago
    ),
)
SAID = st.lists(st.sampled_from([*WORDS, "what", "about"]), max_size=5).map(" ".join)


def rank(one: Fact, said: str):
    ranking = Ranking.of(said, "en", NOON)
    return ranking.rank(Standing.of(one, f"{one.key}: {one.value}"))


def first(*facts: Fact, said: str = "") -> Fact:
    return max(facts, key=lambda each: rank(each, said))


@unhurried
@given(one=FACTS, said=SAID, later=st.timedeltas(timedelta(), timedelta(days=5000)))
def test_a_newer_confirmation_never_lowers_a_rank(one, said, later):
    again = replace(one, last_confirmed_at=one.last_confirmed_at + later)
    assert rank(again, said) >= rank(one, said)


@unhurried
@given(one=FACTS, said=SAID, more=st.floats(0, 1))
def test_a_higher_confidence_never_lowers_a_rank(one, said, more):
    surer = replace(one, confidence=max(one.confidence, more))
    assert rank(surer, said) >= rank(one, said)


@unhurried
@given(one=FACTS, said=SAID, word=st.sampled_from(WORDS))
def test_more_words_in_common_never_lower_a_rank(one, said, word):
    assert rank(one, f"{said} {word}") >= rank(one, said)
    richer = replace(one, value=f"{one.value} {word}")
    assert rank(richer, said) >= rank(one, said)


@unhurried
@given(one=FACTS, said=SAID)
def test_pinning_never_lowers_a_rank(one, said):
    assert rank(replace(one, pinned=True), said) >= rank(one, said)


@unhurried
@given(one=FACTS, said=SAID, days=st.integers(0, 4000))
def test_time_alone_never_raises_a_rank(one, said, days):
    standing = Standing.of(one, one.value)
    now = NOON.timestamp() + 3 * 86400
    assert standing.freshness(now + days * 86400) <= standing.freshness(now)


def ago(key: str, days: float, value: str = "x") -> Fact:
    return fact(key, value, id=1, last_confirmed_at=NOON - timedelta(days=days))


def test_a_plan_fades_in_weeks_and_a_name_never():
    assert first(ago("plan", 60), ago("preference.like", 90)).key == "preference.like"
    assert first(ago("plan", 1), ago("preference.like", 90)).key == "plan"
    assert first(ago("name", 4000), ago("preference.like", 90)).key == "name"
    assert first(ago("allergy", 4000), ago("job", 400)).key == "allergy"


def test_news_of_today_is_not_held_back_by_what_never_fades():
    assert first(ago("plan", 0.5), ago("friend.name", 300)).key == "plan"


def test_what_is_spoken_of_goes_before_what_is_fresh():
    old = ago("preference.like", 3000, "jazz on the balcony")
    new = ago("name", 0, "Robin")
    assert first(old, new, said="Play some jazz") is old
    # Words that say nothing are no relevance.
    assert first(old, new, said="What is on the news?") is new


def test_words_count_with_their_endings_and_without_spaces():
    olives, nuts = ago("note", 10, "hates olives"), ago("note", 1, "hates nuts")
    assert first(olives, nuts, said="Is there an olive in it?") is olives
    peanuts = ago("note", 10, "我对花生过敏")
    assert first(peanuts, nuts, said="里面有花生吗") is peanuts


def test_every_kind_of_fact_has_its_half_life():
    assert set(HALF_LIFE) == set(WHAT)
    assert half_life("dog.2.name") is None
    assert half_life("hund.name") is None
    assert half_life("preference.tea") == half_life("preference.like") == 365
    assert half_life("something.else") == 365


@pytest.mark.parametrize("days", [400, 4000])
async def test_telling_and_reading_renew_nothing(
    memory: Memory, clock: TestClock, days: int
):
    told = await memory.add_fact(ROBIN.owner, "plan", "Madeira")
    clock.pass_time(days=days)
    for _ in range(20):
        assert "Madeira" in memory.section(ROBIN, "Madeira", Caps()).text
        assert memory.facts(ROBIN) == (told,)
        assert memory.facts_of(ROBIN.owner) == (told,)
    await memory.close()
    await memory.open()
    # Nor does fading delete anything.
    assert memory.facts(ROBIN) == (told,)
    assert [event.kind for event in await memory.events(ROBIN)] == ["memory.fact.added"]
