"""AI tasks: CAESAR's own entity, texts for automations, and others' as a provider."""

import asyncio
import sys
from typing import Any

from homeassistant import setup
from homeassistant.components import ai_task
from homeassistant.components.ai_task import AITaskEntity
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryDataWithId
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import llm
from homeassistant.helpers.selector import selector
import pytest
from pytest_homeassistant_custom_component.common import MockUser
import voluptuous as vol

from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    EventKind,
    NewEvent,
    user_owner,
)
from tests.gateway.ollama_server import OllamaServer, fails, says

from .agents import AI_TASK, add_ai_task
from .house import House, agent, move_in, ollama

OURS = "ai_task.caesar"
STRUCTURE = vol.Schema({vol.Required("breakfast"): selector({"text": {}})})


async def with_model(
    hass: HomeAssistant, server: OllamaServer, **options: Any
) -> House:
    house = await move_in(
        hass,
        ollama(server.url),
        agent("ollama", "qwen3:4b", llm_hass_api=["assist"]),
        options=options,
    )
    await house.runtime.memory.add_fact(HOUSEHOLD, "note", "Homesword")
    return house


async def with_word(house: House, name: str) -> MockUser:
    user = house.user(name)
    await house.runtime.memory.add_fact(user_owner(user.id), "note", f"{name}sword")
    return user


async def generate(
    hass: HomeAssistant, user: MockUser | None = None, **parts: Any
) -> Any:
    context = Context(user_id=user.id if user else None)
    result = await hass.async_create_task(
        ai_task.async_generate_data(
            hass,
            task_name="greeting",
            entity_id=OURS,
            instructions="Greet me",
            **{"context": context, **parts},
        )
    )
    return result.data


def words_in(body: dict[str, Any]) -> set[str]:
    return {w for w in ("Homesword", "Annsword", "Bobsword") if w in str(body)}


async def test_a_task_knows_the_home_and_the_caller(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    ann, bob = await with_word(house, "Ann"), await with_word(house, "Bob")
    heard = []
    for caller in (ann, bob, None):
        server.replies += (says("Good morning!"),)
        assert await generate(hass, caller) == "Good morning!"
        heard.append(words_in(server.bodies[-1]))
    assert heard == [
        {"Annsword", "Homesword"},
        {"Bobsword", "Homesword"},
        {"Homesword"},
    ]


async def test_a_task_without_a_caller_is_nobodys(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    ann = await with_word(house, "Ann")
    server.replies += (says("Hi"), says("Hi"))
    await generate(hass, ann)
    # In the next moment, while the entity still bears Ann's context.
    await generate(hass, context=None)
    assert words_in(server.bodies[-1]) == {"Homesword"}


async def test_tasks_at_the_same_time_keep_their_callers(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    people = [await with_word(house, name) for name in ("Ann", "Bob")]
    server.replies += (says("Hi"), says("Hi"))
    await asyncio.gather(*(generate(hass, user) for user in people))
    heard = [words_in(body) for body in server.bodies]
    assert {frozenset(words) for words in heard} == {
        frozenset({"Annsword", "Homesword"}),
        frozenset({"Bobsword", "Homesword"}),
    }


async def test_a_task_answers_in_a_structure(hass: HomeAssistant, server: OllamaServer):
    house = await with_model(hass, server)
    ann = await with_word(house, "Ann")
    server.replies += (says('{"breakfast": "eggs"}'),)
    assert await generate(hass, ann, structure=STRUCTURE) == {"breakfast": "eggs"}
    (body,) = server.bodies
    assert body["format"]["properties"] == {"breakfast": {"type": "string"}}
    assert words_in(body) == {"Annsword", "Homesword"}


@pytest.mark.parametrize("answer", ["eggs", "{}", '{"breakfast": 3}'])
async def test_another_structure_is_an_error(
    hass: HomeAssistant, server: OllamaServer, answer: str
):
    house = await with_model(hass, server)
    server.replies += (says(answer),)
    with pytest.raises(HomeAssistantError, match="structure"):
        await generate(hass, house.user("Ann"), structure=STRUCTURE)


async def test_facts_that_assist_has_told_are_not_told_twice(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server, share_with_agents=True)
    ann = await with_word(house, "Ann")
    server.replies += (says("Hi"),)
    (assist,) = [api for api in llm.async_get_apis(hass) if api.id == "assist"]
    await generate(hass, ann, llm_api=assist)
    (body,) = server.bodies
    assert str(body["messages"]).count("Annsword") == 1
    assert str(body["tools"]).count("caesar__remember") == 1


async def test_the_built_in_provider_says_that_it_cannot(hass: HomeAssistant):
    await move_in(hass)
    with pytest.raises(HomeAssistantError, match="AI model"):
        await generate(hass)


async def test_a_model_that_is_down_says_so(hass: HomeAssistant, server: OllamaServer):
    await with_model(hass, server)
    server.replies += (fails(500, "broken"),)
    with pytest.raises(HomeAssistantError, match="does not answer"):
        await generate(hass)


async def test_without_ai_tasks_all_else_works(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
):
    original = setup._async_setup_component

    async def broken(hass_: HomeAssistant, domain: str, config: Any) -> bool:
        return domain != "ai_task" and await original(hass_, domain, config)

    monkeypatch.setattr(setup, "_async_setup_component", broken)
    # What AI tasks import may be missing then.
    monkeypatch.setitem(sys.modules, "custom_components.caesar.ai_task", None)
    house = await move_in(hass)
    assert hass.states.get(OURS) is None
    robin = house.user("Robin")
    await house.ask("My dog's name is Beans.", robin)
    await house.learn()
    assert "Beans" in await house.ask("What's my dog's name?", robin)
    assert await hass.config_entries.async_unload(house.entry.entry_id)
    assert house.entry.state is ConfigEntryState.NOT_LOADED


async def test_a_text_knows_whoever_asks_for_it(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    ann = await with_word(house, "Ann")
    server.replies += (says(" Good morning!\n"),)
    answer = await house.act(ann, "generate", instructions="Greet me")
    assert answer == {"text": "Good morning!"}
    (body,) = server.bodies
    assert words_in(body) == {"Annsword", "Homesword"}
    assert body["messages"][-1]["content"] == "Greet me"


async def test_an_automation_needs_a_persons_consent(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    ann, bob = await with_word(house, "Ann"), await with_word(house, "Bob")
    hass.states.async_set("person.ann", "home", {"id": "ann", "user_id": ann.id})
    server.replies += (says("Hi"),)
    await house.act(None, "generate", instructions="Greet")
    assert words_in(server.bodies[-1]) == {"Homesword"}
    for owner in ("person.ann", user_owner(ann.id)):
        with pytest.raises(ServiceValidationError, match="agreed"):
            await house.act(None, "generate", instructions="Greet", owner=owner)
    options = {"consents": [user_owner(ann.id)]}
    hass.config_entries.async_update_entry(house.entry, options=options)
    await hass.async_block_till_done()
    server.replies += (says("Hi"),)
    await house.act(None, "generate", instructions="Greet", owner="person.ann")
    assert words_in(server.bodies[-1]) == {"Annsword", "Homesword"}
    owner = user_owner(bob.id)
    with pytest.raises(ServiceValidationError, match="agreed"):
        await house.act(None, "generate", instructions="Greet", owner=owner)
    # Consent is for automations, not for other people.
    with pytest.raises(ServiceValidationError, match="nobody else"):
        await house.act(bob, "generate", instructions="Greet", owner="person.ann")
    assert len(server.bodies) == 2


async def test_a_text_needs_a_model(hass: HomeAssistant):
    house = await move_in(hass)
    with pytest.raises(ServiceValidationError, match="AI model"):
        await house.act(house.user("Ann"), "generate", instructions="Greet me")


async def test_a_text_that_fails_says_why(hass: HomeAssistant, server: OllamaServer):
    house = await with_model(hass, server)
    server.replies += (fails(500, "broken"),)
    with pytest.raises(HomeAssistantError, match="does not answer"):
        await house.act(None, "generate", instructions="Greet me")
    server.replies += (says(""),)
    with pytest.raises(HomeAssistantError, match="empty"):
        await house.act(None, "generate", instructions="Greet me")


def ai_task_provider(entity_id: str = AI_TASK) -> ConfigSubentryDataWithId:
    return ConfigSubentryDataWithId(
        subentry_id="background",
        subentry_type="provider",
        title="Background",
        unique_id="background",
        data={"kind": "ai_task", "entity_id": entity_id},
    )


async def heard_by_entity(house: House, text: str) -> str:
    """Keep an exchange that the AI Task entity is to learn from; return its owner."""
    robin = house.user("Robin")
    event = NewEvent(
        kind=EventKind.CHAT_COMPLETED,
        owner=user_owner(robin.id),
        language="en",
        user_text=text,
        payload={"heard_by": "background|"},
    )
    await house.runtime.memory.finish(None, event)
    await house.learn()
    return user_owner(robin.id)


FOUND = {
    "kind": "lasting",
    "facts": [{"who": "dog", "what": "name", "value": "Beans", "holds": "true"}],
}


@pytest.mark.usefixtures("model_reads_alone")
async def test_another_integrations_entity_learns(hass: HomeAssistant):
    house = await move_in(hass, agent(), ai_task_provider())
    entity = await add_ai_task(hass, FOUND)
    await house.act(house.user("Sam"), "add_fact", key="note", value="Samsword")
    owner = await heard_by_entity(house, "My dog's name is Beans.")
    (fact,) = house.runtime.memory.facts_of(owner)
    assert (fact.key, fact.value) == ("dog.name", "Beans")
    # It is asked with the person's words, and told no facts.
    assert "Samsword" not in f"{entity.prompts}{entity.tasks[0].instructions}"


@pytest.mark.usefixtures("model_reads_alone")
@pytest.mark.parametrize("allowed", [True, False])
async def test_it_learns_what_the_house_heard_only_where_that_may_leave_it(
    hass: HomeAssistant, allowed: bool
):
    house = await move_in(hass, agent(), ai_task_provider())
    entity = await add_ai_task(hass, FOUND)
    flows = hass.config_entries.options
    menu = await flows.async_init(house.entry.entry_id)
    form = await flows.async_configure(menu["flow_id"], {"next_step_id": "learning"})
    # It has no models to choose from.
    await flows.async_configure(
        form["flow_id"],
        {"learn_provider": "background", "learn_hosted": allowed, "daily_tokens": 0},
    )
    await hass.async_block_till_done()
    robin = house.user("Robin")

    await house.ask("My dog's name is Beans.", robin)
    await house.learn()

    (fact,) = house.runtime.memory.facts_of(user_owner(robin.id))
    assert fact.value == "Beans"
    assert len(entity.tasks) == (1 if allowed else 0)


@pytest.mark.usefixtures("model_reads_alone")
@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "lasting", "facts": [{**FOUND["facts"][0], "value": "Rex"}]},  # type: ignore[dict-item]
        {"kind": "lasting", "facts": [{"who": "emperor", "value": "sea at Brighton"}]},
        {"kind": "lasting", "facts": "Beans"},
        ["Beans"],
        "My dog's name is Beans.",
        7,
    ],
)
async def test_what_it_answers_is_checked(hass: HomeAssistant, answer: Any):
    house = await move_in(hass, agent(), ai_task_provider())
    await add_ai_task(hass, answer)
    owner = await heard_by_entity(house, "I love the sea at Brighton.")
    assert house.runtime.memory.facts_of(owner) == ()


@pytest.mark.usefixtures("model_reads_alone")
async def test_an_entity_that_is_gone_loses_no_words(hass: HomeAssistant):
    house = await move_in(hass, agent(), ai_task_provider())
    owner = await heard_by_entity(house, "My dog's name is Beans.")
    assert (await house.runtime.learn_now()).problem == "unavailable"
    await add_ai_task(hass, FOUND)
    await house.learn()
    assert [f.value for f in house.runtime.memory.facts_of(owner)] == ["Beans"]


async def test_our_own_entity_is_never_asked_to_learn(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(
        hass, ollama(server.url), agent("ollama", "qwen3:4b"), ai_task_provider(OURS)
    )
    await heard_by_entity(house, "My dog's name is Beans.")
    assert isinstance(hass.data["ai_task"].get_entity(OURS), AITaskEntity)
    assert server.bodies == []
