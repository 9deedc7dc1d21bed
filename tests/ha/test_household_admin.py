"""A home of which only administrators change what is stored about it."""

from dataclasses import dataclass
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.auth.models import User
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError
import pytest

from custom_components.caesar.memory.models import HOUSEHOLD, user_owner

from .agents import BEDROOM, KITCHEN, LOCAL, OTHER, add_other_agent, add_satellite
from .house import House, move_in
from .observed import Observed

DOG = "Our dog's name is Beans."


@dataclass
class Home:
    """The house, an administrator's wall tablet, somebody else, and the kitchen."""

    house: House
    tablet: User
    robin: User
    kitchen: str

    def kitchen_voice(self) -> dict[str, Any]:
        return {"satellite_id": KITCHEN, "device_id": self.kitchen}

    def facts(self, owner: str = HOUSEHOLD) -> set[str]:
        facts = self.house.runtime.memory.facts_of(owner)
        return {fact.value for fact in facts}

    async def suggested(self) -> list[tuple[str, str]]:
        answer = await self.house.act(None, "list_suggestions", include_text=True)
        return [(one["value"], one["reason"]) for one in answer["suggestions"]]


@pytest.fixture
async def home(hass: HomeAssistant) -> Home:
    tablet = await hass.auth.async_create_user("Tablet", group_ids=["system-admin"])
    robin = await hass.auth.async_create_user("Robin", group_ids=["system-users"])
    options = {
        "household_admin_only": True,
        "accounts": {tablet.id: HOUSEHOLD},
        "satellites": {BEDROOM: user_owner(tablet.id)},
        "share_with_agents": True,
        "learn_from_agents": True,
    }
    house = await move_in(hass, options=options)
    return Home(house, tablet, robin, add_satellite(hass, KITCHEN))


def of(user: User) -> dict[str, Any]:
    return {"context": Context(user_id=user.id)}


async def test_what_a_voice_says_waits_for_an_administrator(home: Home):
    await home.house.ask(DOG, **home.kitchen_voice())
    await home.house.learn()
    assert home.facts() == set()
    assert await home.suggested() == [("Beans", "admins_only")]
    (waiting,) = (await home.house.act(None, "list_suggestions"))["suggestions"]

    async def accept(user: User) -> None:
        await home.house.hass.services.async_call(
            "caesar",
            "accept_suggestion",
            {"suggestion_id": waiting["id"]},
            blocking=True,
            **of(user),
        )

    with pytest.raises(ServiceValidationError) as refused:
        await accept(home.robin)
    assert refused.value.translation_key == "not_permitted"
    await accept(home.tablet)
    assert home.facts() == {"Beans"}


async def test_a_voice_that_asks_is_told_so(home: Home):
    for words in (
        "Remember that the boiler is in the basement",
        f"Remember that {DOG}",
    ):
        answer = await home.house.ask(words, **home.kitchen_voice())
        assert "put that aside as a suggestion" in answer, words
    assert home.facts() == set()
    assert {value for value, _ in await home.suggested()} == {
        "the boiler is in the basement",
        "Beans",
    }


async def test_an_administrators_login_adds_and_others_take_nothing_back(home: Home):
    said = await home.house.say(
        "Remember that the boiler is in the basement", **of(home.tablet)
    )
    kept = {"the boiler is in the basement"}
    assert home.facts() == kept
    # A satellite that carries an administrator's voice is no login.
    bedroom: dict[str, Any] = {"satellite_id": BEDROOM}
    for words in ("Undo that", "Forget the boiler"):
        for parts in (home.kitchen_voice(), of(home.robin), bedroom):
            await home.house.ask(words, conversation_id=said.conversation_id, **parts)
            assert home.facts() == kept, words
    answer = await home.house.ask("Forget the boiler", **bedroom)
    assert answer == "Only administrators may change what I know about the home."
    await home.house.ask("Forget the boiler", **of(home.tablet))
    assert home.facts() == set()


async def test_what_people_say_of_themselves_is_not_limited(home: Home):
    await home.house.ask("My dog's name is Rex.", **of(home.robin))
    await home.house.learn()
    assert home.facts(user_owner(home.robin.id)) == {"Rex"}


async def test_other_agents_are_no_way_around(
    home: Home, freezer: FrozenDateTimeFactory
):
    other = await add_other_agent(home.house.hass)
    other.calls = [
        ("caesar__remember", {"value": "Beans", "who": "dog", "what": "name"})
    ]
    await home.house.ask(DOG, agent_id=OTHER, **home.kitchen_voice())
    assert other.result["stored"] is False
    assert "administrators" in other.result["message"]
    await home.house.ask(DOG, agent_id=LOCAL, **home.kitchen_voice())
    await Observed(home.house, freezer).learn()
    assert home.facts() == set()
    assert await home.suggested() == [("Beans", "admins_only")]
