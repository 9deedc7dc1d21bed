"""A new conversation goes on where the person's last one ended, for a while."""

import pytest

from custom_components.caesar.memory.continuing import Pause, left_off
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, Owner, user_owner

from .conftest import TestClock
from .made import say

ANN = user_owner("ann")
BOB = user_owner("bob")


async def told(
    memory: Memory,
    clock: TestClock,
    conversation: str = "new",
    owner: Owner = ANN,
) -> list[str | None]:
    pause = Pause(
        owner=owner,
        conversation_id=conversation,
        now=clock.now(),
    )
    found = await memory.database.read(left_off, pause)
    return [one.user_text for one in found]


async def test_the_last_turns_before_the_pause_are_told_in_order(
    memory: Memory, clock: TestClock
):
    await say(memory, "Old talk", conversation="older")
    for number in range(5):
        await say(memory, f"Number {number}", conversation="before")
    clock.pass_time(minutes=20)
    assert await told(memory, clock) == ["Number 2", "Number 3", "Number 4"]


async def test_they_stay_while_the_new_conversation_goes_on(
    memory: Memory, clock: TestClock
):
    await say(memory, "About the boiler", conversation="before")
    clock.pass_time(minutes=25)
    await say(memory, "What about the other one?", conversation="new")
    clock.pass_time(minutes=30)
    # What counts is the pause between the two.
    assert await told(memory, clock) == ["About the boiler"]


@pytest.mark.parametrize(("minutes", "expected"), [(31, []), (29, ["Boiler"])])
async def test_a_long_pause_ends_it(
    memory: Memory, clock: TestClock, minutes: int, expected: list[str]
):
    await say(memory, "Boiler", conversation="before")
    clock.pass_time(minutes=minutes)
    assert await told(memory, clock) == expected


async def test_nobody_goes_on_with_another_persons_conversation(
    memory: Memory, clock: TestClock
):
    await say(memory, "I hid the present", owner=BOB, conversation="before")
    await say(memory, "Somebody at home", owner=HOUSEHOLD, conversation="home")
    assert await told(memory, clock) == []
    assert await told(memory, clock, owner=HOUSEHOLD) == []


async def test_two_conversations_at_the_same_time_are_two(
    memory: Memory, clock: TestClock
):
    await say(memory, "On the phone", conversation="new")
    await say(memory, "In the kitchen", conversation="other")
    await say(memory, "On the phone again", conversation="new")
    assert await told(memory, clock) == []
