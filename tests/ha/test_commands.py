"""What people say to memory itself is done at once, by every agent, in every turn."""

from datetime import timedelta
from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.caesar.memory.models import HOUSEHOLD, EventKind
from tests.gateway.ollama_server import OllamaServer, says
from tests.ha.dialogue import Talk
from tests.ha.house import House, agent, move_in, ollama

BEANS = "Remember that my dog's name is Beans."
KITCHEN = "assist_satellite.kitchen"
TEA, MILK = "Remember that I like tea", "Remember that I like oat milk"


@pytest.fixture
def robin(house: House) -> Talk:
    return Talk(house, house.user("Robin"))


async def test_what_shall_be_remembered_is_there_in_the_same_turn(robin: Talk):
    answer = await robin.say(BEANS)
    assert answer == "Okay, I'll remember: your dog's name is Beans."
    assert robin.values() == {"Beans"}


async def test_it_says_from_whom_and_where_it_was_learned(house: House, robin: Talk):
    await robin.say(BEANS)
    (fact,) = house.runtime.memory.facts_of(robin.owner)
    (row,) = await house.events(robin.owner, EventKind.CHAT_COMPLETED)
    assert (fact.source_audit_id, fact.quote) == (row.id, BEANS)
    assert row.user_text == BEANS
    assert row.assistant_text == "Okay, I'll remember: your dog's name is Beans."
    assert row.payload["command"] == "remember"


async def test_the_background_job_adds_nothing_to_it(house: House, robin: Talk):
    await robin.hear(BEANS, "Remember that the vet is on Elm Street")
    await house.learn()
    assert robin.values() == {"Beans", "the vet is on Elm Street"}
    assert len(house.runtime.memory.facts_of(robin.owner)) == 2


async def test_what_is_known_already_is_said_to_be(robin: Talk):
    answer = await robin.hear(BEANS, "remember that my dog's name is Beans")
    assert answer == "I know that already: your dog's name is Beans."
    assert len(robin.house.runtime.memory.facts_of(robin.owner)) == 1


async def test_what_takes_the_place_of_an_old_fact_says_so(robin: Talk):
    answer = await robin.hear(
        "Remember that my bedtime is 22:30", "Remember that my bedtime is 23:00"
    )
    assert answer.startswith("Okay, I'll remember: ")
    assert "instead of" in answer
    assert "22:30" in answer
    await robin.say("undo that")
    assert any("22:30" in value for value in robin.values())


async def test_nothing_that_was_said_beside_it_is_lost(robin: Talk):
    said = "my dog's name is Beans and the vet is on Elm Street"
    await robin.say(f"Remember that {said}")
    assert robin.values() == {"Beans", said}


async def test_what_no_form_reads_is_kept_in_the_persons_own_words(robin: Talk):
    answer = await robin.say("Note that the boiler was serviced in May.")
    assert answer == "Okay, I'll remember: “the boiler was serviced in May”."
    assert robin.values() == {"the boiler was serviced in May"}


async def test_an_unknown_voice_teaches_about_the_home_alone(house: House):
    voice = Talk(house, satellite_id=KITCHEN)
    await voice.say("Remember that the boiler is in the basement.")
    answer = await voice.say("Remember that I like tea.")
    assert "suggestion" in answer
    assert voice.values() == {"the boiler is in the basement"}
    answer = await voice.say("What do you know about me?")
    assert answer.startswith("I can't tell who is speaking, so this is the home's")
    assert "basement" in answer
    assert "tea" not in answer


async def test_an_automation_commands_nothing(house: House):
    nobody = Talk(house)
    await nobody.say(BEANS)
    await house.learn()
    assert nobody.values() == set()


async def test_with_facts_off_nothing_is_promised(hass: HomeAssistant):
    house = await move_in(hass, options={"facts_enabled": False})
    robin = Talk(house, house.user("Robin"))
    for line in (BEANS, "What do you know about me?"):
        assert await robin.say(line) == (
            "Memory is switched off at the moment, so I neither keep nor tell anything."
        )
    assert robin.values() == set()


async def test_a_memory_that_cannot_be_changed_says_so(house: House, robin: Talk):
    await house.runtime.memory.database.close()
    assert await robin.say(BEANS) == (
        "My memory cannot be changed at the moment. Please try again later."
    )


async def test_an_answer_about_all_is_bounded_and_says_so(house: House, robin: Talk):
    for what in (
        "red",
        "blue",
        "green",
        "grey",
        "black",
        "white",
        "pink",
        "gold",
        "tin",
    ):
        await robin.say(f"Remember that the {what} box holds cables")
    answer = await robin.say("What do you know about me?")
    assert answer.count("holds cables") == 6
    assert answer.endswith("And there are 3 more.")


async def test_a_being_is_known_by_its_name_and_its_kind(robin: Talk):
    await robin.hear(BEANS, "Remember that my sister Anna lives in Oslo")
    for asked in ("about Anna", "about my sister"):
        answer = await robin.say(f"What do you know {asked}?")
        assert "Oslo" in answer
        assert "Beans" not in answer


async def test_what_memory_does_not_know_is_left_to_the_model(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = Talk(house, house.user("Robin"))
    server.replies += (says("They are dense."),)
    assert await robin.say("What do you know about black holes?") == "They are dense."
    assert await robin.say("What do you know about my boat?") == (
        "I have nothing stored about your boat."
    )


async def test_no_model_is_asked(hass: HomeAssistant, server: OllamaServer):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = Talk(house, house.user("Robin"))
    answer = await robin.hear(
        BEANS, "What do you know about me?", "Forget my dog", "Undo that"
    )
    assert answer == "Okay, I've brought it back: your dog's name is Beans."
    await house.learn()
    assert server.bodies == []


async def test_another_persons_commands_are_not_sent_to_a_model(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin, sam = Talk(house, house.user("Robin")), Talk(house, house.user("Sam"))
    server.replies += (says("Hello."), says("Hello again."))
    await robin.say("Hello")
    sam.conversation_id = robin.conversation_id
    await sam.say("Remember that I have a rash")
    await robin.say("Hello again")
    assert "rash" not in str(server.bodies)


async def test_one_match_is_forgotten_and_can_be_brought_back(robin: Talk):
    await robin.say(BEANS)
    assert await robin.say("Forget my dog's name.") == (
        "Forgotten: your dog's name is Beans. Say “undo that” to bring it back."
    )
    assert robin.values() == set()
    assert await robin.say("Undo that") == (
        "Okay, I've brought it back: your dog's name is Beans."
    )
    assert robin.values() == {"Beans"}


async def test_what_was_just_remembered_can_be_undone(robin: Talk):
    assert await robin.hear(BEANS, "Undo that") == "Okay, I've taken it out again."
    assert robin.values() == set()


async def test_a_change_by_others_is_not_undone(house: House, robin: Talk):
    await robin.hear(BEANS, "No, he's called Rex now")
    (fact,) = house.runtime.memory.facts_of(robin.owner)
    await house.act(robin.user, "edit_fact", fact_id=fact.id, value="Max")
    assert "changed that since" in await robin.say("undo that")
    assert robin.values() == {"Max"}


async def test_undo_without_a_change_is_the_houses(robin: Talk):
    assert "understand" in await robin.say("Undo that")


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ("the second one", {"oat milk"}),
        ("number 1", {"tea"}),
        ("the one with the tea", {"oat milk"}),
        ("oat milk", {"tea"}),
        ("all of them", set()),
        ("both", set()),
        ("the first and the second", set()),
        ("none of them", {"tea", "oat milk"}),
        ("never mind", {"tea", "oat milk"}),
        ("forget it", {"tea", "oat milk"}),
        ("the fifth one", {"tea", "oat milk"}),
        ("yes", {"tea", "oat milk"}),
        ("Turn on the light", {"tea", "oat milk"}),
        ("what's the weather", {"tea", "oat milk"}),
    ],
)
async def test_only_the_chosen_are_forgotten(robin: Talk, choice: str, left: set[str]):
    answer = await robin.hear(TEA, MILK, "Forget my preferences")
    assert answer == (
        "I know 2 things about that: 1. You like oat milk. 2. You like tea."
        " Which one should I forget?"
    )
    await robin.say(choice)
    assert robin.values() == left


async def test_a_list_is_asked_about_once(robin: Talk):
    await robin.hear(TEA, MILK, "Forget my preferences", "Hello", "the second one")
    assert robin.values() == {"tea", "oat milk"}


async def test_a_list_grows_old(robin: Talk, freezer: Any):
    await robin.hear(TEA, MILK, "Forget my preferences")
    freezer.tick(timedelta(minutes=6))
    await robin.say("all of them")
    assert robin.values() == {"tea", "oat milk"}


async def test_nobody_else_answers_the_question(house: House, robin: Talk):
    await robin.hear(TEA, MILK, "Forget my preferences")
    sam = Talk(house, house.user("Sam"), conversation_id=robin.conversation_id)
    await sam.hear("all of them", "undo that")
    assert robin.values() == {"tea", "oat milk"}
    await robin.say("all of them")
    assert robin.values() == set()


async def test_what_is_only_similar_is_asked_about(robin: Talk):
    await robin.say("Remember that my printer is a Brother")
    answer = await robin.say("Forget the printing machine")
    assert answer.endswith("Should I forget that?")
    assert robin.values() != set()
    await robin.say("yes")
    assert robin.values() == set()


@pytest.mark.parametrize(("answer", "left"), [("yes", set()), ("no", {"Beans", "tea"})])
async def test_everything_is_forgotten_only_when_confirmed(
    robin: Talk, answer: str, left: set[str]
):
    question = await robin.hear(BEANS, TEA, "Forget everything about me")
    assert question == (
        "That would be 2 things that I know about you. Should I really forget them all?"
    )
    assert robin.values() == {"Beans", "tea"}
    await robin.say(answer)
    assert robin.values() == left
    if not left:
        await robin.say("undo that")
        assert robin.values() == {"Beans", "tea"}


async def test_a_fact_of_somebody_else_is_neither_told_nor_forgotten(
    house: House, robin: Talk
):
    await robin.say(BEANS)
    for other in (Talk(house, house.user("Sam")), Talk(house, satellite_id=KITCHEN)):
        assert "Beans" not in await other.say("What do you know about my dog?")
        assert "nothing to forget" in await other.say("Forget Beans")
    assert robin.values() == {"Beans"}


async def test_a_correction_is_marked_and_can_be_undone(house: House, robin: Talk):
    answer = await robin.hear(BEANS, "What do you know about Beans?", "No, it's Rex.")
    assert answer == (
        "Okay, I've corrected it: your dog's name is Rex."
        " Say “undo that” to get the old one back."
    )
    (event,) = await house.events(robin.owner, EventKind.FACT_UPDATED)
    assert event.payload["correction"] is True
    await robin.say("undo that")
    assert robin.values() == {"Beans"}


async def test_a_correction_follows_a_providers_answer_too(robin: Talk):
    await robin.hear(BEANS, "What's my dog's name?", "No, he's called Rex now.")
    assert robin.values() == {"Rex"}


async def test_no_correction_is_read_into_something_else(
    hass: HomeAssistant, server: OllamaServer
):
    house = await move_in(hass, ollama(server.url), agent("ollama", "qwen3:4b"))
    robin = Talk(house, house.user("Robin"))
    long = "Beans might like a walk. " + "It is five now, and the sun sets soon. " * 3
    server.replies += (says(long), says("So it is."), says("Beans?"), says("I see."))
    await robin.say(BEANS)
    assert await robin.hear("What time is it?", "No, it's late") == "So it is."
    assert await robin.hear("Who?", "No, it is 6 pm") == "I see."
    assert robin.values() == {"Beans"}


async def test_with_several_told_it_asks_which_is_wrong(robin: Talk):
    await robin.hear(TEA, BEANS)
    answer = await robin.hear("What do you know about me?", "That's wrong, it's cocoa")
    assert answer.endswith("Which one should I correct?")
    await robin.say("the tea")
    assert robin.values() == {"cocoa", "Beans"}


async def test_that_it_is_wrong_alone_asks_for_what_is_right(robin: Talk):
    answer = await robin.hear(BEANS, "What's my dog's name?", "That's wrong.")
    assert "Tell me what is right" in answer
    await robin.say("No, it is Rex")
    assert robin.values() == {"Rex"}


async def test_it_works_in_german(house: House):
    robin = Talk(house, house.user("Robin"), language="de")
    assert await robin.say("Merk dir, dass die Heizung im Keller steht.") == (
        "Okay, ich merke mir: „die Heizung im Keller steht“."
    )
    assert "Keller" in await robin.say("Was weißt du über die Heizung?")
    assert (await robin.say("Vergiss die Heizung.")).startswith("Vergessen: „die Heiz")
    assert robin.values() == set()
    assert "zurückgeholt" in await robin.say("Mach das rückgängig")
    assert "wirklich" in await robin.say("Vergiss alles über mich")
    await robin.say("ja")
    assert robin.values() == set()
    assert "nicht gespeichert" in await robin.say(
        "Merk dir, dass der Code der Garage 4711 ist"
    )
    await robin.say("Unter uns: ich plane eine Feier.")
    assert "Feier" not in str(await house.events(robin.owner))


async def test_a_german_fact_is_told_in_the_persons_own_words(house: House):
    robin = Talk(house, house.user("Robin"), language="de")
    answer = await robin.say("Merk dir: Mein Hund heißt Bohne.")
    assert answer == "Okay, ich merke mir: „Mein Hund heißt Bohne“."
    answer = await robin.say("Nein, er heißt jetzt Rex.")
    assert answer.startswith("Okay, berichtigt: „Nein, er heißt jetzt Rex“.")
    assert robin.values() == {"Rex"}


async def test_the_homes_facts_are_for_all_and_named_as_such(house: House):
    voice, robin = Talk(house, satellite_id=KITCHEN), Talk(house, house.user("Robin"))
    await voice.say("Remember that the boiler is in the basement")
    assert "basement" in await robin.say("What do you know about the boiler?")
    answer = await robin.say("What do you know about this house?")
    assert answer.startswith("About this home:")
    await robin.say("Forget the boiler")
    (event,) = await house.events(HOUSEHOLD, EventKind.FACT_USER_DELETED)
    assert event.actor == robin.owner
