"""Words that come through Home Assistant's own pipeline: the dialog and satellites."""

from typing import Any

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.typing import (
    MockHAClientWebSocket,
    WebSocketGenerator,
)

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from tests.gateway.ollama_server import OllamaServer, says

from .agents import BEDROOM, KITCHEN, add_satellite
from .house import House, move_in
from .people import access_token
from .speech import add_pipeline, bring_to_life, speech_of
from .town import Town, heard

LOGGED_IN = (
    "ann",
    "bob",
    "the wall tablet",
    "bob, who names ann's satellite",
    "ann, who names the kitchen",
    "the wall tablet, naming ann's satellite",
)
SATELLITES = {"ann's satellite": BEDROOM, "the kitchen's satellite": KITCHEN}


class Dialog:
    """Home Assistant's Assist dialog, opened by somebody who is logged in."""

    def __init__(self, client: MockHAClientWebSocket) -> None:
        self._client = client

    async def send(self, text: str, **parts: Any) -> dict[str, Any]:
        """Send what was typed and return whether it was accepted."""
        await self._client.send_json_auto_id(
            {
                "type": "assist_pipeline/run",
                "start_stage": "intent",
                "end_stage": "intent",
                "input": {"text": text},
                **parts,
            }
        )
        accepted: dict[str, Any] = await self._client.receive_json()
        return accepted

    async def say(self, text: str, **parts: Any) -> str:
        """Type something and return the answer."""
        accepted = await self.send(text, **parts)
        assert accepted["success"], accepted
        answer = ""
        while True:
            event = (await self._client.receive_json())["event"]
            assert event["type"] != "error", event
            if event["type"] == "intent-end":
                answer = speech_of(event["data"])
            if event["type"] == "run-end":
                return answer


async def open_dialog(
    hass: HomeAssistant, connect: WebSocketGenerator, user: User
) -> Dialog:
    return Dialog(await connect(hass, await access_token(hass, user)))


async def test_the_dialog_tells_only_what_its_user_may_hear(
    town: Town,
    server: OllamaServer,
    hass: HomeAssistant,
    hass_ws_client: WebSocketGenerator,
):
    await add_pipeline(hass)
    for name in LOGGED_IN:
        voice = town.voices[name]
        assert voice.user is not None
        dialog = await open_dialog(hass, hass_ws_client, voice.user)
        server.replies += (says("Okay."),)
        answer = await dialog.say("What do you know?", device_id=voice.device_id)
        assert answer == "Okay.", name
        assert heard(server.bodies[-1]["messages"][0]) == voice.hears, name


async def test_a_satellite_tells_what_its_room_may_hear(
    town: Town, server: OllamaServer, hass: HomeAssistant
):
    ears = await add_pipeline(hass)
    satellites = await bring_to_life(hass, ears, *SATELLITES.values())
    for name, satellite in zip(SATELLITES, satellites, strict=True):
        server.replies += (says("Okay."),)
        assert await satellite.hear("What do you know?") == "Okay.", name
        assert heard(server.bodies[-1]["messages"][0]) == town.voices[name].hears, name


@pytest.fixture
async def family(hass: HomeAssistant) -> tuple[House, User, User]:
    """Two people, and a satellite that carries the first one's voice."""
    ann, bob = [await hass.auth.async_create_user(name) for name in ("Ann", "Bob")]
    options = {"satellites": {BEDROOM: user_owner(ann.id)}}
    return await move_in(hass, options=options), ann, bob


async def test_what_is_typed_is_its_users_whatever_device_the_client_names(
    family: tuple[House, User, User],
    hass: HomeAssistant,
    hass_ws_client: WebSocketGenerator,
):
    house, ann, bob = family
    bedroom = add_satellite(hass, BEDROOM)
    await add_pipeline(hass)
    anns, bobs = [await open_dialog(hass, hass_ws_client, user) for user in (ann, bob)]
    await anns.say("My dog's name is Beans.")
    await bobs.say("My dog's name is Rex.", device_id=bedroom)
    await house.learn()
    assert values(house, user_owner(ann.id)) == {"Beans"}
    assert values(house, user_owner(bob.id)) == {"Rex"}
    assert values(house, HOUSEHOLD) == set()
    asked = "What's my dog's name?"
    assert await bobs.say(asked, device_id=bedroom) == "Your dog's name is Rex."
    assert await anns.say(asked) == "Your dog's name is Beans."


async def test_a_client_cannot_name_a_satellite(
    family: tuple[House, User, User],
    hass: HomeAssistant,
    hass_ws_client: WebSocketGenerator,
):
    house, _, bob = family
    add_satellite(hass, BEDROOM)
    await add_pipeline(hass)
    dialog = await open_dialog(hass, hass_ws_client, bob)
    refused = await dialog.send("My dog's name is Rex.", satellite_id=BEDROOM)
    assert refused["error"]["code"] == "invalid_format"
    assert await house.events(HOUSEHOLD) == []


async def test_what_a_satellite_hears_lands_with_its_person_or_the_home(
    family: tuple[House, User, User], hass: HomeAssistant
):
    house, ann, bob = family
    for satellite_id in (BEDROOM, KITCHEN):
        add_satellite(hass, satellite_id)
    ears = await add_pipeline(hass)
    bedroom, kitchen = await bring_to_life(hass, ears, BEDROOM, KITCHEN)
    await bedroom.hear("My dog's name is Beans.")
    await kitchen.hear("The wifi is in the cellar.")
    await house.learn()
    assert values(house, user_owner(ann.id)) == {"Beans"}
    assert values(house, user_owner(bob.id)) == set()
    asked = "What's my dog's name?"
    assert await bedroom.hear(asked) == "Your dog's name is Beans."
    assert "Beans" not in await kitchen.hear(asked)
    told = [event.user_text for event in await house.events(HOUSEHOLD)]
    assert told == ["The wifi is in the cellar.", asked]


def values(house: House, owner: str) -> set[str]:
    return {fact.value for fact in house.runtime.memory.facts_of(owner)}
