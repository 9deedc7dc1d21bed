"""The nightly look at the memory: who is told what of it, and how it becomes known."""

from datetime import timedelta
import json
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.json import json_dumps
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    async_fire_time_changed,
)

from custom_components.caesar import system_health
from custom_components.caesar.const import DOMAIN, JOB_AUDIT
from custom_components.caesar.diagnostics import async_get_config_entry_diagnostics

from .house import House


@pytest.fixture
async def twice(house: House, ann: MockUser) -> list[int]:
    """Return the ids of two facts of Ann's that say the same."""
    return [
        (await house.act(ann, "add_fact", key=key, value="Beans"))["id"]
        for key in ("dog.name", "hund.name")
    ]


async def night(hass: HomeAssistant, freezer: Any) -> None:
    moment = dt_util.now().replace(hour=3, minute=30, second=0, microsecond=0)
    freezer.move_to(moment + timedelta(days=1, seconds=1))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)


def issue(hass: HomeAssistant) -> ir.IssueEntry | None:
    return ir.async_get(hass).async_get_issue(DOMAIN, "memory_audit")


async def test_each_night_what_looks_wrong_becomes_a_repair(
    hass: HomeAssistant, house: House, ann: MockUser, twice: list[int], freezer: Any
) -> None:
    assert issue(hass) is None

    await night(hass, freezer)

    found = issue(hass)
    assert found is not None
    assert found.translation_placeholders is not None
    assert found.translation_placeholders["duplicates"] == "1"
    assert "Beans" not in str(found)
    assert (await system_health.async_system_health(hass))["findings"] == 1

    await house.act(ann, "delete_fact", fact_id=twice[1])
    await night(hass, freezer)
    assert issue(hass) is None
    assert (await system_health.async_system_health(hass))["findings"] == 0


async def test_diagnostics_hold_the_counts_alone(
    hass: HomeAssistant, house: House, ann: MockUser, twice: list[int], freezer: Any
) -> None:
    await night(hass, freezer)
    report = await async_get_config_entry_diagnostics(hass, house.entry)
    assert report["jobs"][JOB_AUDIT]["outcome"] == {
        "facts": 2,
        "owners": 1,
        "suggestions": 0,
        "duplicates": 1,
        "contradictions": 0,
        "reply_texts": 0,
        "secrets": 0,
    }
    told = json.loads(json_dumps(report))
    for private in ("Beans", "hund", ann.id):
        assert private not in str(told)


async def test_the_action_names_the_facts_and_no_texts(
    house: House, ann: MockUser, twice: list[int]
) -> None:
    answer = await house.act(ann, "audit_memory")

    assert answer["facts"] == 2
    (finding,) = answer["findings"]
    assert finding == {
        "kind": "duplicate",
        "owner": f"user:{ann.id}",
        "fact_ids": twice,
    }
    (told,) = (await house.act(ann, "audit_memory", include_text=True))["findings"]
    assert [fact["value"] for fact in told["facts"]] == ["Beans", "Beans"]
    assert set(memory_values(house, ann)) == {"Beans"}


def memory_values(house: House, user: MockUser) -> list[str]:
    facts = house.runtime.memory.facts_of(f"user:{user.id}")
    return [fact.value for fact in facts]


async def test_nobody_is_told_of_somebody_elses_facts(
    hass: HomeAssistant, house: House, twice: list[int]
) -> None:
    bob = house.user("Bob")
    answer = await house.act(bob, "audit_memory", include_text=True)
    assert answer == {"facts": 0, "suggestions": 0, "findings": []}

    admin = house.user("Admin")
    admin.groups = [hass.auth._store._groups[GROUP_ID_ADMIN]]
    answer = await house.act(admin, "audit_memory", include_text=True)
    assert (answer["findings"], answer["findings_of_others"]) == ([], 1)
