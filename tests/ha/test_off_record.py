"""What shall not be kept, or not any longer, leaves no trace."""

from homeassistant.core import HomeAssistant
import pytest

from tests.gateway.ollama_server import OllamaServer, says
from tests.ha.dialogue import Talk
from tests.ha.house import House, agent, move_in, ollama

BEANS, TEA = "Remember that my dog's name is Beans.", "Remember that I like tea"


@pytest.fixture
def robin(house: House) -> Talk:
    return Talk(house, house.user("Robin"))


async def test_what_is_off_the_record_leaves_no_trace(house: House, robin: Talk):
    answer = await robin.say("Off the record, I'm planning a party for Anna.")
    assert answer == (
        "Okay, this stays off the record: I keep neither your words nor this answer."
    )
    await house.learn()
    assert robin.values() == set()
    assert await house.events(robin.owner) == []


async def test_a_question_off_the_record_is_answered(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = Talk(house, house.user("Robin"))
    server.replies += (says("A kite."),)
    question = "Off the record, what should I get Anna for her birthday?"
    assert await robin.say(question) == "A kite."
    await house.learn()
    assert await house.events(robin.owner) == []
    assert len(server.bodies) == 1


async def test_the_next_turn_can_be_off_the_record(house: House, robin: Talk):
    await robin.hear("Off the record.", "My cat's name is Tom.")
    await house.learn()
    assert robin.values() == set()
    assert await house.events(robin.owner) == []
    await robin.say("My dog's name is Beans.")
    await house.learn()
    assert robin.values() == {"Beans"}


async def test_what_was_just_said_can_be_taken_back(house: House, robin: Talk):
    await robin.hear(TEA, "My cat's name is Tom.")
    await house.learn()
    assert robin.values() == {"tea", "Tom"}
    answer = await robin.say("Forget what I just said.")
    assert "what I had learned from it: your cat's name is Tom" in answer
    assert robin.values() == {"tea"}
    assert "Tom" not in str(await house.events(robin.owner))
    await house.learn()
    assert robin.values() == {"tea"}


async def test_what_was_taken_back_before_it_was_learned_is_not_learned(
    house: House, robin: Talk
):
    await robin.hear("My cat's name is Tom.", "Don't remember that.")
    await house.learn()
    assert robin.values() == set()
    assert "Tom" not in str(await house.events(robin.owner))


async def test_what_was_taken_back_is_not_sent_to_the_model(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = Talk(house, house.user("Robin"))
    server.replies += (says("Congratulations!"), says("Hi."))
    await robin.hear("I'm pregnant.", "Forget what I just said", "Hello")
    assert "pregnant" not in str(server.bodies[1]["messages"])


async def test_taking_back_a_correction_gives_the_old_value_back(
    house: House, robin: Talk
):
    await robin.hear(BEANS, "No, he's called Rex now.", "Forget what I just said.")
    assert robin.values() == {"Beans"}
    assert "Rex" not in str(await house.events(robin.owner))


async def test_another_conversations_words_stay(house: House, robin: Talk):
    await robin.say(BEANS)
    elsewhere = Talk(house, robin.user)
    assert "nothing that you said before" in await elsewhere.say(
        "Forget what I just said."
    )
    assert robin.values() == {"Beans"}
