"""Whose memory a turn belongs to, by how it came in."""

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.models import HOUSEHOLD, Scope, user_owner
from custom_components.caesar.speaker import SpeakerChanges
from tests.gateway.ollama_server import OllamaServer, says
from tests.ha.house import House, agent, move_in, ollama

DOG = "My dog's name is Beans."
KITCHEN, BEDROOM = "assist_satellite.kitchen", "assist_satellite.bedroom"


async def keys(house: House, owner: str) -> set[str]:
    return {fact.key for fact in house.runtime.memory.facts_of(owner)}


@pytest.fixture
async def house(hass: HomeAssistant) -> House:
    return await move_in(hass, options={"satellites": {BEDROOM: "person:kim"}})


async def test_a_user_teaches_for_themselves(house: House):
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    await house.learn()
    assert await keys(house, user_owner(robin.id)) == {"dog.name"}
    assert await keys(house, HOUSEHOLD) == set()


async def test_a_user_cannot_speak_for_another_by_naming_a_satellite(house: House):
    robin = house.user("Robin")
    await house.ask(DOG, robin, satellite_id=BEDROOM, device_id="x")
    await house.learn()
    assert await keys(house, "person:kim") == set()
    assert await keys(house, user_owner(robin.id)) == {"dog.name"}


async def test_a_mapped_satellite_speaks_for_its_person(house: House):
    await house.ask(DOG, satellite_id=BEDROOM)
    await house.learn()
    assert await keys(house, "person:kim") == {"dog.name"}
    assert "Beans" in await house.ask("What's my dog's name?", satellite_id=BEDROOM)
    assert "Beans" not in await house.ask("What's my dog's name?", satellite_id=KITCHEN)


async def test_an_unmapped_satellite_speaks_for_the_home(house: House):
    await house.ask(DOG, satellite_id=KITCHEN)
    await house.learn()
    assert await keys(house, HOUSEHOLD) == {"dog.name"}
    # What the home knows, each of its people may hear.
    assert "Beans" in await house.ask("What's my dog's name?", house.user("Robin"))


async def test_an_unknown_voices_own_liking_is_a_suggestion(house: House):
    await house.ask("I'm allergic to peanuts.", satellite_id=KITCHEN)
    await house.learn()
    assert await keys(house, HOUSEHOLD) == set()
    (event,) = await house.events(HOUSEHOLD, "memory.fact.suggested")
    assert event.payload["value"] == "peanuts"


async def test_an_automation_teaches_nothing(house: House):
    await house.ask(DOG)
    await house.learn()
    assert await keys(house, HOUSEHOLD) == set()
    (event,) = await house.events(HOUSEHOLD)
    assert event.user_text == DOG


async def test_a_system_user_speaks_for_the_home(house: House, hass: HomeAssistant):
    phone = await hass.auth.async_create_system_user("Phone line")
    await house.ask(DOG, context=Context(user_id=phone.id))
    await house.learn()
    assert await keys(house, HOUSEHOLD) == {"dog.name"}


async def test_where_it_was_said_is_noted(
    house: House, hass: HomeAssistant, area_registry
):
    area = area_registry.async_create("Kitchen")
    registry = er.async_get(hass)
    registry.async_get_or_create(
        "assist_satellite", "test", "1", suggested_object_id="kitchen"
    )
    registry.async_update_entity(KITCHEN, area_id=area.id)
    await house.ask("Hello", satellite_id=KITCHEN)
    (event,) = await house.events(HOUSEHOLD)
    assert event.area_id == area.id
    assert event.payload["satellite_id"] == KITCHEN


def test_a_change_of_speaker_hides_what_came_before():
    changes = SpeakerChanges()
    assert changes.since("c", "user:robin", 1) == 0
    assert changes.since("c", "user:robin", 3) == 0
    assert changes.since("c", "user:sam", 5) == 5
    assert changes.since("c", "user:sam", 7) == 5
    assert changes.since("c", "user:robin", 9) == 9
    assert changes.since("other", "user:sam", 1) == 0


def test_a_conversation_that_begins_anew_hides_nothing():
    changes = SpeakerChanges()
    changes.since("c", "user:robin", 1)
    changes.since("c", "user:sam", 5)
    # Home Assistant forgets a conversation after five minutes; its id may come again.
    assert changes.since("c", "user:sam", 1) == 1


PEOPLE = ("user:robin", "user:sam", "person:kim", HOUSEHOLD)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    facts=st.lists(
        st.tuples(
            st.sampled_from(PEOPLE),
            st.sampled_from(["dog.name", "preference.like", "note", "allergy"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_nothing_holds_another_persons_text(tmp_path_factory, facts):
    """Neither section, known facts, nor lists: for each person, whatever is stored."""
    import asyncio

    from custom_components.caesar.memory.composer import Caps
    from custom_components.caesar.memory.memory import Memory
    from custom_components.caesar.runtime import KnownFacts
    from tests.memory.conftest import TestClock

    async def run() -> None:
        memory = Memory(tmp_path_factory.mktemp("m") / "caesar.db", clock=TestClock())
        await memory.open()
        known = KnownFacts(memory)
        for number, (owner, key) in enumerate(facts):
            await memory.add_fact(owner, key, f"word{number}of{owner}")
        for owner in PEOPLE:
            scope = Scope(owner=owner)
            seen = " ".join(
                (
                    memory.section(scope, "", Caps()).text,
                    str(known.of(scope, "en")),
                    str(memory.facts(scope)),
                    str(await memory.events(scope)),
                )
            )
            for other in PEOPLE:
                if other not in scope.visible:
                    assert f"of{other}" not in seen
        await memory.close()

    asyncio.run(run())


async def test_no_model_is_told_of_another_person(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    people: list[MockUser] = [house.user(name) for name in ("Ann", "Bob", "Eve")]
    for user in people:
        await house.act(user, "add_fact", key="note", value=f"word of {user.name}")
    for user in people:
        server.replies += (says("Okay."),)
        await house.ask("Tell me about Ann, Bob and Eve's words", user)
        prompt = server.bodies[-1]["messages"][0]["content"]
        assert f"word of {user.name}" in prompt
        for other in people:
            assert other is user or f"word of {other.name}" not in prompt
