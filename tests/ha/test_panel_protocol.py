"""What is sent is what the panel's types say, name by name."""

from pathlib import Path
import re
from typing import Any

from homeassistant.helpers import entity_registry as er

from custom_components.caesar.memory.models import EventKind, user_owner
from custom_components.caesar.websocket_api import COMMANDS

from .belongings import furnish
from .house import House
from .panel import Open, Tab

PROTOCOL = Path(__file__).parents[2] / "frontend" / "src" / "protocol"
TYPES = "\n".join(file.read_text("utf-8") for file in sorted(PROTOCOL.glob("*.ts")))


def fields(name: str) -> set[str]:
    """Return the fields of an interface, without those that may be missing."""
    (body,) = re.findall(rf"export interface {name} {{\n(.*?)\n}}", TYPES, re.DOTALL)
    return set(re.findall(r"^  (\w+):", body, re.MULTILINE))


def test_every_command_and_every_event_has_its_type():
    commands = set(re.findall(r'"caesar/([\w/]+)"', TYPES))
    assert commands == {command.name for command in COMMANDS}
    events = set(re.findall(r'"(memory\.[\w.]+)"', TYPES))
    assert events == {kind for kind in EventKind if kind.startswith("memory.")}


async def rows(tab: Tab) -> dict[str, dict[str, Any]]:
    """Return one row of every type that answers are made of."""
    snapshot = await (await tab.subscribe("facts")).next()
    people = await tab.ask("people/list")
    status = await (await tab.subscribe("status")).next()
    history = (await tab.ask("events/list", limit=200))["events"]
    exchanges = await tab.ask("exchanges/list")
    return {
        "Fact": snapshot["facts"][0],
        "Me": snapshot["me"],
        "MemoryEvent": history[0],
        "FactState": next(event["after"] for event in history if event["after"]),
        "Exchange": exchanges["exchanges"][0],
        "ListExchangesResult": exchanges,
        "Suggestion": (await tab.ask("suggestions/list"))["suggestions"][0],
        "FactSourceResult": await tab.ask("facts/source", fact_id=1),
        "ListPeopleResult": people,
        "Person": people["people"][0],
        "Satellite": people["satellites"][0],
        "Account": people["accounts"][0],
        "Landing": people["landing"],
        "JobStatus": status["jobs"][0],
        "ProviderStatus": status["providers"][0],
        "Report": await tab.ask("status/learn_now"),
        "SetAsideExchange": (await tab.ask("status/set_aside"))["exchanges"][0],
        "ListSetAsideResult": await tab.ask("status/set_aside"),
    }


async def test_every_row_has_the_fields_of_its_type(house: House, panel_of: Open):
    er.async_get(house.hass).async_get_or_create("assist_satellite", "test", "1")
    ann = house.user("Ann")
    await furnish(house.runtime, user_owner(ann.id))

    for name, row in (await rows(await panel_of(ann))).items():
        assert set(row) == fields(name), name
