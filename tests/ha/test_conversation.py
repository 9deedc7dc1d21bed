"""A turn with CAESAR's agent, from the words to the answer, the row and the fact."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.caesar.memory.models import EventKind
from tests.gateway.ollama_server import OllamaServer, calls, fails, says
from tests.ha.house import add_lamp, agent, is_lit, move_in, ollama, speech

DOG = "Hey CAESAR, by the way my dog's name is Beans."
QUESTION = "What's my dog's name?"


async def test_told_once_it_stays_told(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    assert "Beans" not in await house.ask(QUESTION, robin)
    await house.ask(DOG, robin)
    await house.learn()
    assert "Beans" in await house.ask(QUESTION, robin)


async def test_it_survives_a_reload(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    await house.learn()
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    assert "Beans" in await house.ask(QUESTION, robin)


async def test_words_that_were_not_yet_learned_survive_a_reload(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    await house.ask(DOG, robin)
    assert await hass.config_entries.async_reload(house.entry.entry_id)
    await house.learn()
    assert "Beans" in await house.ask(QUESTION, robin)


async def test_a_turn_is_one_row(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    result = await house.say(DOG, robin)
    (event,) = await house.events(robin)
    assert event.kind == EventKind.CHAT_COMPLETED
    assert (event.user_text, event.assistant_text) == (DOG, speech(result))
    assert event.conversation_id == result.conversation_id
    assert event.language == "en"
    assert event.payload["provider"] == "builtin"


async def test_the_row_names_the_facts_that_were_told(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    fact = await house.act(robin, "add_fact", key="dog.name", value="Beans")
    await house.ask(QUESTION, robin)
    (event,) = await house.events(robin, EventKind.CHAT_COMPLETED)
    assert event.payload["fact_ids"] == [fact["id"]]


async def test_the_house_obeys_without_a_model(hass: HomeAssistant):
    house = await move_in(hass)
    await add_lamp(hass)
    robin = house.user("Robin")
    result = await house.say("Turn on the kitchen lamp", robin)
    assert is_lit(hass)
    await house.say("Turn it off", robin, conversation_id=result.conversation_id)
    assert not is_lit(hass)
    events = await house.events(robin)
    assert [event.payload["handed_off"] for event in events] == [True, True]


async def test_a_secret_is_neither_kept_nor_promised(hass: HomeAssistant):
    house = await move_in(hass)
    robin = house.user("Robin")
    answer = await house.ask("Remember that the garage code is 4711.", robin)
    assert "remember that" not in answer.lower()
    assert "code" in answer.lower()
    await house.learn()
    assert (await house.act(robin, "list_facts"))["facts"] == []
    assert "4711" not in str(await house.events(robin))


async def test_with_facts_off_nothing_is_told_or_learned(hass: HomeAssistant):
    house = await move_in(hass, options={"facts_enabled": False})
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="cat.name", value="Tom")
    assert "Tom" not in await house.ask("What's my cat's name?", robin)
    await house.ask(DOG, robin)
    await house.learn()
    keys = {fact["key"] for fact in (await house.act(robin, "list_facts"))["facts"]}
    assert keys == {"cat.name"}
    # What was said meanwhile stays unlearned when they are turned on again.
    hass.config_entries.async_update_entry(house.entry, options={"facts_enabled": True})
    await hass.async_block_till_done()
    await house.learn()
    assert "Tom" in await house.ask("What's my cat's name?", robin)
    assert "Beans" not in await house.ask(QUESTION, robin)


async def with_model(hass: HomeAssistant, server: OllamaServer, **data):
    return await move_in(
        hass,
        ollama(server.url),
        agent("ollama", "qwen3:4b", **data),
    )


async def test_a_model_is_told_what_is_known(hass: HomeAssistant, server: OllamaServer):
    house = await with_model(hass, server, prompt="Be brief.")
    robin, sam = house.user("Robin"), house.user("Sam")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    server.replies += (says("A ball."), says("I don't know him."))
    assert await house.ask("What should I get Beans?", robin) == "A ball."
    assert await house.ask("Who is Rex?", sam) == "I don't know him."
    first, second = (body["messages"][0]["content"] for body in server.bodies)
    assert first.startswith("Be brief.")
    assert "What you've told me:\n  - Your dog's name is Beans." in first
    assert "Beans" not in second


@pytest.mark.usefixtures("model_reads_alone")
async def test_a_models_words_are_learned_by_the_model_that_heard_them(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    robin = house.user("Robin")
    server.replies += (
        says("Nice name!"),
        says(
            '{"kind": "lasting", "facts": [{"who": "dog", "what": "name",'
            ' "value": "Beans", "holds": "true"}]}'
        ),
    )
    await house.ask(DOG, robin)
    await house.learn()
    facts = (await house.act(robin, "list_facts", include_text=True))["facts"]
    assert [fact["sentence"] for fact in facts] == ["Your dog's name is Beans."]
    assert server.bodies[1]["model"] == "qwen3:4b"
    assert server.bodies[1]["messages"][-1]["content"].endswith(DOG)
    assert "Nice name" not in str(server.bodies[1])


async def test_a_model_switches_a_light(hass: HomeAssistant, server: OllamaServer):
    house = await with_model(hass, server, llm_hass_api=["assist"])
    await add_lamp(hass)
    server.replies += (
        calls(("intent__HassTurnOn", {"name": "Kitchen lamp"})),
        says("Done."),
    )
    assert await house.ask("Light please", house.user("Robin")) == "Done."
    assert is_lit(hass)


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (fails(500, "boom"), "The AI model's server does not answer"),
        (
            fails(404, "model 'qwen3:4b' not found"),
            "The AI model's server does not have the model that this agent uses",
        ),
        (fails(401, "no"), "The AI model's server did not accept the login"),
    ],
)
async def test_a_failing_model_is_one_sentence_and_the_words_are_kept(
    hass: HomeAssistant, server: OllamaServer, reply, sentence
):
    house = await with_model(hass, server)
    robin = house.user("Robin")
    server.replies += (reply,)
    result = await house.say(DOG, robin)
    assert speech(result) == sentence
    assert result.conversation_id is not None
    (event,) = await house.events(robin)
    assert (event.kind, event.user_text) == (EventKind.CHAT_FAILED, DOG)


async def test_a_provider_that_cannot_load_stops_nothing_else(hass: HomeAssistant):
    house = await move_in(
        hass,
        ollama("http://[broken"),
        agent("ollama", "qwen3:4b", title="Broken"),
        agent(title="CAESAR"),
    )
    robin = house.user("Robin")
    assert await house.ask("Hello", robin, agent_id="conversation.broken") == (
        "The provider that this agent uses could not be loaded. The log says why"
    )
    await house.ask(DOG, robin)
    await house.learn()
    assert "Beans" in await house.ask(QUESTION, robin)


async def test_what_another_person_said_is_not_sent(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    robin, sam = house.user("Robin"), house.user("Sam")
    server.replies += (says("Noted."), says("Hello Sam."), says("Yes."))
    result = await house.say("My diary says I am sad.", robin)
    cid = result.conversation_id
    await house.say("Hi, it's Sam.", sam, conversation_id=cid)
    await house.say("Still me.", sam, conversation_id=cid)
    sent = [str(body["messages"][1:]) for body in server.bodies]
    assert "diary" in sent[0]
    assert "diary" not in sent[1] + sent[2]
    assert "it's Sam" in sent[2]


async def test_template_syntax_in_a_fact_stays_text(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server)
    robin = house.user("Robin")
    value = "{{ 6 * 7 }} {% if %} <b>x</b>"
    await house.act(robin, "add_fact", key="note", value=value)
    server.replies += (says("Okay."),)
    assert await house.ask("Hello", robin) == "Okay."
    assert value in server.bodies[0]["messages"][0]["content"]


async def test_a_broken_prompt_of_ones_own_is_said(
    hass: HomeAssistant, server: OllamaServer
):
    house = await with_model(hass, server, prompt="{{ nonsense( }}")
    robin = house.user("Robin")
    assert "template" in await house.ask(DOG, robin)
    (event,) = await house.events(robin)
    assert event.kind == EventKind.CHAT_FAILED
