"""Learning from what people say to other agents, where they chose that."""

import asyncio

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import ai_task
from homeassistant.components.conversation import (
    AssistantContent,
    ConversationInput,
    async_converse,
    async_get_chat_log,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.chat_session import async_get_chat_session
import pytest

from custom_components.caesar import observer
from custom_components.caesar.memory.models import HOUSEHOLD, EventKind, user_owner
from tests.gateway.ollama_server import OllamaServer, says

from .agents import (
    BEDROOM,
    KITCHEN,
    LOCAL,
    OTHER,
    OtherAgent,
    add_ai_task,
    add_other_agent,
    add_satellite,
)
from .house import House, add_lamp, agent, move_in, ollama
from .observed import Observed

DOG = "By the way, my dog's name is Beans."


@pytest.fixture
async def house(hass: HomeAssistant) -> House:
    return await move_in(hass, options={"learn_from_agents": True})


async def test_it_learns_from_another_agent(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    other.says = "What a lovely name!"
    await house.ask(DOG, robin, agent_id=OTHER)
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}
    (event,) = await house.events(robin, EventKind.CHAT_COMPLETED)
    assert (event.user_text, event.assistant_text) == (DOG, "What a lovely name!")
    assert event.payload["agent"] == OTHER
    assert "You are other" not in str(event)


async def test_an_agent_without_assist_is_heard_too(house: House, observed: Observed):
    await add_other_agent(house.hass, api=None)
    robin = house.user("Robin")
    await house.ask(DOG, robin, agent_id=OTHER)
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}


async def test_it_learns_from_the_local_agent(house: House, observed: Observed):
    robin = house.user("Robin")
    await house.ask(DOG, robin, agent_id=LOCAL)
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}


async def test_each_turn_of_a_conversation_is_its_speakers(
    house: House, other: OtherAgent, observed: Observed
):
    robin, sam = house.user("Robin"), house.user("Sam")
    first = await house.say(DOG, robin, agent_id=OTHER)
    await house.say(
        "My cat's name is Tom.",
        sam,
        agent_id=OTHER,
        conversation_id=first.conversation_id,
    )
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}
    assert observed.facts(user_owner(sam.id)) == {"cat.name": "Tom"}


async def test_a_mapped_satellite_teaches_for_its_person(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    options = {"learn_from_agents": True, "satellites": {BEDROOM: "person:kim"}}
    house = await move_in(hass, options=options)
    await add_other_agent(hass)
    for satellite in (BEDROOM, KITCHEN):
        device = add_satellite(hass, satellite)
        await house.ask(DOG, agent_id=OTHER, satellite_id=satellite, device_id=device)
    observed = Observed(house, freezer)
    await observed.learn()
    assert observed.facts("person:kim") == {"dog.name": "Beans"}
    # The kitchen's voice is known to be the home's, which may know its dog.
    assert observed.facts(HOUSEHOLD) == {"dog.name": "Beans"}


async def test_naming_a_satellite_changes_nothing_for_a_user(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    options = {"learn_from_agents": True, "satellites": {BEDROOM: "person:kim"}}
    house = await move_in(hass, options=options)
    await add_other_agent(hass)
    robin, device = house.user("Robin"), add_satellite(hass, BEDROOM)
    await house.ask(DOG, robin, agent_id=OTHER, satellite_id=BEDROOM, device_id=device)
    observed = Observed(house, freezer)
    await observed.learn()
    assert observed.facts("person:kim") == {}
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}


async def test_an_automation_teaches_nothing(
    house: House, other: OtherAgent, observed: Observed
):
    await house.ask(DOG, agent_id=OTHER)
    await house.ask(DOG, agent_id=LOCAL)
    await observed.learn()
    assert await house.events(HOUSEHOLD) == []


async def through_pipeline(
    hass: HomeAssistant,
    words: str,
    context: Context,
    agent_id: str,
    local_reply: str | None = None,
) -> str:
    """Say something as a voice pipeline passes it on; return the conversation's id.

    It opens the conversation first. What it answers itself no agent ever sees.
    """
    with (
        async_get_chat_session(hass, None) as session,
        async_get_chat_log(
            hass,
            session,
            ConversationInput(
                text=words,
                context=context,
                conversation_id=session.conversation_id,
                device_id=None,
                satellite_id=None,
                language="en",
                agent_id=agent_id,
            ),
        ) as log,
    ):
        if local_reply is None:
            await async_converse(
                hass, words, session.conversation_id, context, "en", agent_id=agent_id
            )
        else:
            log.async_add_assistant_content_without_tools(
                AssistantContent(agent_id=LOCAL, content=local_reply)
            )
    return session.conversation_id


async def test_a_pipelines_turn_is_its_speakers(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    context = Context(user_id=robin.id)
    await house.hass.async_create_task(
        through_pipeline(house.hass, DOG, context, OTHER)
    )
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}


async def test_what_a_pipeline_answers_itself_is_only_suggested(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    # The same words from somebody who is known, shortly before.
    await house.ask(DOG, robin, agent_id=LOCAL)
    await house.hass.async_create_task(
        through_pipeline(
            house.hass, DOG, Context(user_id=robin.id), OTHER, local_reply="Done"
        )
    )
    await observed.learn()
    assert observed.facts(HOUSEHOLD) == {}
    (suggested,) = await house.events(HOUSEHOLD, EventKind.FACT_SUGGESTED)
    assert (suggested.payload["key"], suggested.payload["value"]) == (
        "dog.name",
        "Beans",
    )
    assert len(await house.events(robin, EventKind.CHAT_COMPLETED)) == 1


async def test_our_own_agents_are_not_heard_twice(
    hass: HomeAssistant, server: OllamaServer, freezer: FrozenDateTimeFactory
):
    house = await move_in(
        hass,
        ollama(server.url),
        agent(),
        agent("ollama", "qwen3:4b", title="Brutus", llm_hass_api=["assist"]),
        options={"learn_from_agents": True},
    )
    await add_lamp(hass)
    robin, observed = house.user("Robin"), Observed(house, freezer)
    context = Context(user_id=robin.id)
    server.replies += (says("Okay."), says("Okay."))
    # Answered by the provider without a model, handed to the local agent, and by a
    # model; each directly and through a pipeline.
    said = (
        (DOG, "conversation.caesar"),
        ("Turn on the kitchen lamp", "conversation.caesar"),
        ("Hello", "conversation.brutus"),
    )
    for words, agent_id in said:
        await house.ask(words, robin, agent_id=agent_id)
        await hass.async_create_task(through_pipeline(hass, words, context, agent_id))
    await observed.wait()
    events = await house.events(robin, EventKind.CHAT_COMPLETED, EventKind.CHAT_FAILED)
    assert len(events) == 2 * len(said)
    assert not any("observed" in event.payload for event in events)
    assert await house.events(HOUSEHOLD) == []


async def test_ai_tasks_are_not_heard(house: House, observed: Observed):
    await add_ai_task(house.hass, "Fine.")
    robin = house.user("Robin")
    await house.hass.async_create_task(
        ai_task.async_generate_data(
            house.hass,
            task_name="test",
            entity_id="ai_task.other",
            instructions=DOG,
            context=Context(user_id=robin.id),
        )
    )
    await observed.learn()
    assert await house.events(robin) == []
    assert await house.events(HOUSEHOLD) == []


async def test_a_slow_turn_is_waited_for(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    other.holds = asyncio.Event()
    context = Context(user_id=robin.id)
    # A task that Home Assistant does not wait for.
    turn = asyncio.create_task(
        async_converse(house.hass, DOG, None, context, "en", agent_id=OTHER)
    )
    await observed.wait()
    assert await house.events(robin) == []
    other.holds.set()
    await turn
    await observed.learn()
    (event,) = await house.events(robin, EventKind.CHAT_COMPLETED)
    assert event.assistant_text == "Okay."


async def test_words_to_an_agent_that_failed_are_kept(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    other.fails = HomeAssistantError("no model")
    await house.ask(DOG, robin, agent_id=OTHER)
    for _ in range(observer.TRIES):
        await observed.wait()
        assert await house.events(robin) == []
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}
    (event,) = await house.events(robin, EventKind.CHAT_FAILED)
    assert (event.user_text, event.assistant_text) == (DOG, None)


async def test_agents_that_pass_words_on_are_not_heard_as_people(
    house: House, other: OtherAgent, observed: Observed
):
    robin = house.user("Robin")
    other.passes_on = "My cat's name is Tom."
    await house.ask(DOG, robin, agent_id=OTHER)
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {"dog.name": "Beans"}
    assert observed.facts(HOUSEHOLD) == {}


async def test_an_earlier_turn_tells_nothing_of_who_speaks_now(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
):
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin, agent_id=LOCAL)
    hass.config_entries.async_update_entry(
        house.entry, options={"learn_from_agents": True}
    )
    await hass.async_block_till_done()
    await hass.async_create_task(
        through_pipeline(hass, DOG, Context(), OTHER, local_reply="Done")
    )
    observed = Observed(house, freezer)
    await observed.learn()
    assert observed.facts(user_owner(robin.id)) == {}
    assert len(await house.events(HOUSEHOLD, EventKind.FACT_SUGGESTED)) == 1
