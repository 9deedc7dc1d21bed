"""The panel's status: jobs, learning, providers, and what was set aside."""

from datetime import timedelta
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.caesar.const import WAKE_DELAY
from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    user_owner,
)

from .belongings import WORD, furnish
from .house import House, agent, move_in, ollama
from .panel import Open


async def test_the_status_follows_what_happens(house: House, panel_of: Open):
    ann = house.user("Ann")
    tab = await panel_of(ann)
    status = await tab.subscribe("status")
    state = await status.next()
    assert {job["name"] for job in state["jobs"]} >= {"memory_extract", "memory_sweep"}
    assert state["database"]["facts"] == 0
    assert [one["id"] for one in state["providers"]] == ["builtin"]

    await house.say("My dog's name is Beans", ann)
    while not (state := await status.next())["learning"]["waiting"]:
        pass
    report = await tab.ask("status/learn_now")

    assert (report["read"], report["changed"], report["problem"]) == (1, 1, None)
    while not (state := await status.next())["database"]["facts"]:
        pass
    assert state["learning"]["waiting"] == 0


async def test_the_status_shows_what_a_job_does_and_did(house: House, panel_of: Open):
    ann = house.user("Ann")
    # What runs at the start has nothing to read.
    await house.hass.async_block_till_done(wait_background_tasks=True)
    for text in ("My dog's name is Beans", "My cat's name is Tom"):
        await house.say(text, ann)
    await house.hass.async_block_till_done()
    status = await (await panel_of(ann)).subscribe("status")
    progress: list[Any] = []
    learning = house.runtime.learning
    stop = learning.on_progress(lambda: progress.append(learning.progress))

    # Late enough for what was said to wake the job, too early for its next turn.
    woken = dt_util.utcnow() + timedelta(seconds=WAKE_DELAY + 1)
    async_fire_time_changed(house.hass, woken)
    await house.hass.async_block_till_done(wait_background_tasks=True)
    stop()

    assert [(one.done, one.total) for one in progress[:2]] == [(0, 2), (1, 2)]
    assert progress[-1] is None

    def extraction(state: dict[str, Any]) -> dict[str, Any]:
        (job,) = (one for one in state["jobs"] if one["name"] == "memory_extract")
        return dict(job)

    job = extraction(await status.next())
    while job["running"] or not job["last"]["outcome"]["read"]:
        job = extraction(await status.next())
    assert job["last"]["outcome"]["read"] == 2
    assert job["last"]["error"] is None


async def test_a_provider_that_is_not_loaded_says_so(
    hass: HomeAssistant, panel_of: Open, monkeypatch: pytest.MonkeyPatch
):
    async def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr("custom_components.caesar.sdk.async_load_sdk", missing)
    house = await move_in(
        hass, ollama("http://127.0.0.1:9"), agent("ollama", "small", "Small")
    )
    state = await (await (await panel_of(house.user("Ann"))).subscribe("status")).next()

    builtin, small = state["providers"]
    assert (builtin["loaded"], builtin["agents"]) == (True, [])
    assert (small["name"], small["kind"]) == ("Ollama", "ollama")
    assert (small["loaded"], small["agents"]) == (False, ["Small"])


async def test_what_was_set_aside_is_retried_or_dismissed(house: House, panel_of: Open):
    ann, bob = house.user("Ann"), house.user("Bob")
    anns = await furnish(house.runtime, user_owner(ann.id))
    await furnish(house.runtime, user_owner(bob.id))
    tab, admins = await panel_of(ann), await panel_of(house.admin())
    (aside,) = (await tab.ask("status/set_aside"))["exchanges"]
    assert WORD in aside["exchange"]["user_text"]
    assert aside["exchange"]["learning"] == "set_aside"
    assert await admins.ask("status/set_aside") == {"exchanges": [], "hidden": 2}

    assert (await tab.ask("status/retry", exchange_ids=[anns.set_aside]))["read"] == 1
    assert (await tab.ask("status/set_aside"))["exchanges"] == []

    bobs = await panel_of(bob)
    (aside,) = (await bobs.ask("status/set_aside"))["exchanges"]
    ids = [aside["exchange_id"]]
    assert await bobs.ask("status/dismiss", exchange_ids=ids) == {"dismissed": 1}
    assert (await bobs.ask("status/set_aside"))["exchanges"] == []


async def test_counts_over_time_are_ones_own_and_the_homes(
    house: House, panel_of: Open
):
    ann, bob = house.user("Ann"), house.user("Bob")
    await house.act(ann, "add_fact", key="dog.name", value="Beans")
    await house.act(ann, "add_fact", key="gate", value="blue", owner=HOUSEHOLD)
    await house.act(bob, "add_fact", key="dog.name", value="Rex")

    days = (await (await panel_of(ann)).ask("status/history", days=7))["days"]

    assert len(days) == 7
    assert [day["facts"] for day in days] == [0] * 6 + [2]
    assert days[-1]["date"] == dt_util.now().date().isoformat()


async def test_the_self_test_reports_its_steps(house: House, panel_of: Open):
    result = await (await panel_of(house.admin())).ask("status/self_test")
    assert result["passed"]
    assert [step["step"] for step in result["steps"]] == [
        "say",
        "learn",
        "recall",
        "forget",
    ]
