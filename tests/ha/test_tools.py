"""Remembering, looking up and forgetting by the tools, through whichever agent."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.memory.errors import DatabaseError
from custom_components.caesar.memory.memory import Memory
from custom_components.caesar.memory.models import HOUSEHOLD, EventKind, user_owner

from .agents import (
    KITCHEN,
    OTHER,
    OtherAgent,
    Voice,
    add_satellite,
)
from .house import House, move_in

REMEMBER, RECALL, FORGET = (
    f"caesar__{name}" for name in ("remember", "recall_facts", "forget")
)


@pytest.fixture
async def house(hass: HomeAssistant) -> House:
    return await move_in(hass, options={"share_with_agents": True})


async def use(
    house: House, other: OtherAgent, user: Any, tool: str, **args: Any
) -> Any:
    other.calls = [(tool, args)]
    await house.ask(args.get("value", "Please do it"), user, agent_id=OTHER)
    (result,) = other.results
    return result


async def facts(house: House, owner: str) -> dict[str, str]:
    return {fact.key: fact.value for fact in house.runtime.memory.facts_of(owner)}


async def test_the_tools_say_what_they_are(house: House, other: OtherAgent):
    await house.ask("Hello", house.user("Robin"), agent_id=OTHER)
    tools = {tool.name: tool for tool in other.tools if tool.integration == "caesar"}
    assert set(tools) == {REMEMBER, RECALL, FORGET}
    assert all(tool.title and tool.description for tool in tools.values())
    assert tools[RECALL].annotations.read_only
    assert tools[FORGET].annotations.destructive
    assert not tools[REMEMBER].annotations.destructive
    assert not any(tool.annotations.open_world for tool in tools.values())


async def test_remember_keeps_the_words_as_a_note(house: House, other: OtherAgent):
    robin = house.user("Robin")
    note = "The spare key is with Mrs. Hill"
    result = await use(house, other, robin, REMEMBER, value=note)
    assert not result.error
    (fact,) = house.runtime.memory.facts_of(user_owner(robin.id))
    assert (fact.key, fact.value, fact.quote) == ("note", note, note)
    (asked,) = await house.events(robin, EventKind.REMEMBER_ASKED)
    assert (asked.id, asked.user_text) == (fact.source_audit_id, note)
    assert asked.payload["asked_through"] == "other_llm"


async def test_remember_files_under_a_slot_that_is_named(
    house: House, other: OtherAgent
):
    robin = house.user("Robin")
    owner = user_owner(robin.id)
    await use(house, other, robin, REMEMBER, value="Beans", who="dog", what="name")
    await use(house, other, robin, REMEMBER, value="Bonn", what="city")
    assert await facts(house, owner) == {"dog.name": "Beans", "address.city": "Bonn"}
    # A city one has once, a dog may have company.
    await use(house, other, robin, REMEMBER, value="Rex", who="dog", what="name")
    await use(house, other, robin, REMEMBER, value="Ulm", what="city")
    assert await facts(house, owner) == {
        "dog.name": "Beans",
        "dog.2.name": "Rex",
        "address.city": "Ulm",
    }


async def test_only_what_the_person_said_is_remembered(house: House, other: OtherAgent):
    robin = house.user("Robin")
    wish = {"value": "Beans", "who": "dog", "what": "name"}
    said = "We got a dog today. His name is Beans! Remember that."
    other.calls = [(REMEMBER, wish | {"value": "Beans the Terrible"})]
    await house.ask(said, robin, agent_id=OTHER)
    assert "words" in other.result["error"]
    assert await facts(house, user_owner(robin.id)) == {}
    other.calls = [(REMEMBER, wish)]
    await house.ask(said, robin, agent_id=OTHER)
    (fact,) = house.runtime.memory.facts_of(user_owner(robin.id))
    assert (fact.value, fact.quote) == ("Beans", "His name is Beans!")


async def test_what_they_said_before_in_the_conversation_counts_others_words_do_not(
    house: House, other: OtherAgent
):
    robin, sam = house.user("Robin"), house.user("Sam")
    talk = (await house.say("My dog is Beans.", robin, agent_id=OTHER)).conversation_id

    async def remember_that(speaker: MockUser) -> Any:
        other.calls = [(REMEMBER, {"value": "Beans", "who": "dog", "what": "name"})]
        await house.ask("Remember that", speaker, agent_id=OTHER, conversation_id=talk)
        return other.result

    assert (await remember_that(robin))["stored"]
    assert "error" in await remember_that(sam)
    # Nor do they count again once somebody else has spoken.
    await house.act(robin, "delete_fact", fact_id=fact_id(house, user_owner(robin.id)))
    assert "error" in await remember_that(robin)
    assert await facts(house, user_owner(sam.id)) == {}


def fact_id(house: House, owner: str) -> int:
    (fact,) = house.runtime.memory.facts_of(owner)
    return fact.id


async def test_remembering_again_confirms(house: House, other: OtherAgent):
    robin = house.user("Robin")
    for _ in range(2):
        result = await use(
            house, other, robin, REMEMBER, value="Beans are my favourite"
        )
    assert result.data == {"stored": True, "changes": ["confirm"]}
    assert len(house.runtime.memory.facts_of(user_owner(robin.id))) == 1


async def test_what_was_deleted_can_be_remembered_again(
    house: House, other: OtherAgent
):
    robin = house.user("Robin")
    await use(house, other, robin, REMEMBER, value="Beans", who="dog", what="name")
    await use(house, other, robin, FORGET, text="my dog's name")
    await use(house, other, robin, REMEMBER, value="Beans", who="dog", what="name")
    assert await facts(house, user_owner(robin.id)) == {"dog.name": "Beans"}


@pytest.mark.parametrize(
    "secret", ["The garage code is 4711", "my password is hunter22"]
)
async def test_a_secret_is_never_stored_and_it_is_said(
    house: House, other: OtherAgent, secret: str
):
    robin = house.user("Robin")
    result = await use(house, other, robin, REMEMBER, value=secret)
    assert result.error
    assert "never" in str(result.data)
    assert await facts(house, user_owner(robin.id)) == {}
    assert "4711" not in str(await house.events(robin))
    assert "hunter" not in str(await house.events(robin))


async def test_a_secret_that_was_told_in_two_sentences_is_none_the_less(
    house: House, other: OtherAgent
):
    robin = house.user("Robin")
    other.calls = [(REMEMBER, {"value": "sunflower"})]
    await house.ask("Remember my wifi password. It's sunflower.", robin, agent_id=OTHER)
    assert "never" in str(other.result)
    assert await facts(house, user_owner(robin.id)) == {}
    assert "sunflower" not in str(await house.events(robin))


async def test_nobody_remembers_for_an_automation(house: House, other: OtherAgent):
    result = await use(house, other, None, REMEMBER, value="The bins go out on Friday")
    assert result.error
    assert await facts(house, HOUSEHOLD) == {}


async def test_an_unknown_voice_tells_the_home_but_nothing_about_itself(
    house: House, other: OtherAgent
):
    device = add_satellite(house.hass, KITCHEN)

    async def remember(**args: Any) -> Any:
        other.calls = [(REMEMBER, args)]
        await house.ask(
            args["value"], agent_id=OTHER, satellite_id=KITCHEN, device_id=device
        )
        return other.result

    assert (await remember(value="The bins go out on Friday"))["stored"]
    assert not (await remember(value="I hate peas"))["stored"]
    assert not (await remember(value="peanuts", what="allergy"))["stored"]
    assert await facts(house, HOUSEHOLD) == {"home.note": "The bins go out on Friday"}
    suggested = await house.events(HOUSEHOLD, EventKind.FACT_SUGGESTED)
    assert {e.payload["value"] for e in suggested} == {"I hate peas", "peanuts"}


async def test_recall_tells_what_fits_first(house: House, other: OtherAgent):
    robin, sam = house.user("Robin"), house.user("Sam")
    for key, value in (("dog.name", "Beans"), ("cat.name", "Tom"), ("note", "Paris")):
        await house.act(robin, "add_fact", key=key, value=value)
    await house.act(sam, "add_fact", key="note", value="Sam's own")
    told = (await use(house, other, robin, RECALL, about="my dog")).data
    assert told["facts"][0]["fact"] == "Your dog's name is Beans."
    assert (told["matching"], told["total"]) == (1, 3)
    assert len(told["facts"]) == 3
    assert "Sam's own" not in str(told)


async def test_forget_deletes_the_only_fact_that_is_meant(
    house: House, other: OtherAgent
):
    robin = house.user("Robin")
    for key, value in (("dog.name", "Beans"), ("cat.name", "Tom")):
        await house.act(robin, "add_fact", key=key, value=value)
    result = await use(house, other, robin, FORGET, text="that my dog's name is Beans")
    assert [each["fact"] for each in result.data["deleted"]] == [
        "Your dog's name is Beans."
    ]
    assert await facts(house, user_owner(robin.id)) == {"cat.name": "Tom"}


async def test_forget_asks_where_several_are_meant(house: House, other: OtherAgent):
    robin = house.user("Robin")
    for key, value in (("dog.name", "Beans"), ("dog.birthday", "3 May")):
        await house.act(robin, "add_fact", key=key, value=value)
    told = (await use(house, other, robin, FORGET, text="my dog")).data
    assert (told["deleted"], len(told["facts"])) == ([], 2)
    assert "Ask" in told["message"]
    assert len(await facts(house, user_owner(robin.id))) == 2
    (chosen,) = [each for each in told["facts"] if "Beans" in each["fact"]]
    await use(house, other, robin, FORGET, text="dog", fact_id=chosen["fact_id"])
    assert await facts(house, user_owner(robin.id)) == {"dog.birthday": "3 May"}


async def test_forget_deletes_nothing_that_is_only_like_it(
    house: House, other: OtherAgent
):
    robin = house.user("Robin")
    await house.act(robin, "add_fact", key="dog.name", value="Beans")
    for text in ("the name of the parrot", "my", "everything about the sea"):
        await use(house, other, robin, FORGET, text=text)
        assert await facts(house, user_owner(robin.id)) == {"dog.name": "Beans"}, text


async def test_nobody_forgets_for_others(house: House, other: OtherAgent):
    robin, sam = house.user("Robin"), house.user("Sam")
    fact = await house.act(robin, "add_fact", key="dog.name", value="Beans")
    await use(house, other, sam, FORGET, text="Beans")
    await use(house, other, sam, FORGET, text="Beans", fact_id=fact["id"])
    assert await facts(house, user_owner(robin.id)) == {"dog.name": "Beans"}


async def test_only_administrators_forget_for_the_home_where_that_is_set(
    house: House, other: OtherAgent, hass: HomeAssistant
):
    hass.config_entries.async_update_entry(
        house.entry,
        options={**house.entry.options, "household_admin_only": True},
    )
    await hass.async_block_till_done()
    await house.runtime.memory.add_fact(HOUSEHOLD, "note", "Bins on Friday")
    result = await use(house, other, house.user("Robin"), FORGET, text="bins Friday")
    assert result.error
    assert await facts(house, HOUSEHOLD) == {"note": "Bins on Friday"}
    owner = await hass.auth.async_create_user("Owner", group_ids=["system-admin"])
    result = await use(house, other, owner, FORGET, text="bins Friday")
    assert not result.error
    assert await facts(house, HOUSEHOLD) == {}


async def test_a_broken_memory_ends_no_turn(
    house: House, other: OtherAgent, monkeypatch: pytest.MonkeyPatch
):
    async def broken(*_: Any, **__: Any) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr(Memory, "remember", broken)
    result = await use(house, other, house.user("Robin"), REMEMBER, value="Beans")
    assert result.error
    assert "disk" not in str(result.data)


async def test_wrong_arguments_end_no_turn(house: House, other: OtherAgent):
    result = await use(house, other, house.user("Robin"), REMEMBER, who="nobody")
    assert result.error


async def test_the_prompt_stays_the_same_to_the_byte(house: House, other: OtherAgent):
    robin = house.user("Robin")
    for key, value in (("note", "one"), ("dog.name", "Beans"), ("city", "Ulm")):
        await house.act(robin, "add_fact", key=key, value=value)
    prompts = set()
    for words in ("Hello", "What about my dog?", "And Ulm?"):
        await house.ask(words, robin, agent_id=OTHER)
        prompts.add(other.prompt)
    assert len(prompts) == 1
    assert "Beans" in prompts.pop()


async def test_a_new_user_is_known_at_once(house: House, other: OtherAgent):
    robin = await house.hass.auth.async_create_user("Robin")
    await house.runtime.memory.add_fact(user_owner(robin.id), "note", "word")
    await house.ask("Hello", agent_id=OTHER, context=Voice(user=robin).context())
    assert "word" in other.prompt
