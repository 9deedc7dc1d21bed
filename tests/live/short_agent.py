"""CAESAR's agent as short as a user can make it, so that little has to be read."""

import asyncio
from typing import Any

from scripts.house.house import DOMAIN, House

_FLOWS = "/api/config/config_entries/subentries/flow"
_PROMPT = "Answer in one short sentence."


async def shorten(house: House) -> str:
    """Let the agent control nothing and give it a short prompt; return its entity id.

    Without tools a small machine reads a turn several times as fast.
    """
    entry = await _entry(house)
    subentries = await house.client.command(
        type="config_entries/subentries/list", entry_id=entry["entry_id"]
    )
    agent = next(s for s in subentries if s["subentry_type"] == "conversation")
    flow = await house.client.post(
        _FLOWS,
        {
            "handler": [entry["entry_id"], "conversation"],
            "subentry_id": agent["subentry_id"],
        },
    )
    while flow["type"] == "form":
        flow = await house.client.post(
            f"{_FLOWS}/{flow['flow_id']}", _answers(flow["data_schema"])
        )
    assert flow["reason"] == "reconfigure_successful"
    await _loaded(house)
    return await house.agent()


async def _loaded(house: House) -> None:
    """Wait until CAESAR has begun anew with what was changed."""
    while True:
        if (await _entry(house))["state"] == "loaded":
            return
        await asyncio.sleep(0.1)


async def _entry(house: House) -> Any:
    (entry,) = await house.client.command(type="config_entries/get", domain=DOMAIN)
    return entry


def _answers(fields: list[dict[str, Any]]) -> dict[str, Any]:
    """Leave everything as it is, but the prompt and what may be controlled."""
    stored = {
        field["name"]: field["description"]["suggested_value"]
        for field in fields
        if "suggested_value" in field.get("description", {})
    }
    if "llm_hass_api" in stored:
        del stored["llm_hass_api"]
        stored["prompt"] = _PROMPT
    return stored
