"""The actions: who may see and change which facts, and what they answer."""

from collections.abc import Callable, Coroutine
from typing import Any

from homeassistant.components.conversation import async_converse
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from .house import House

type Call = Callable[..., Coroutine[Any, Any, dict[str, Any]]]

AUTOMATION = None


@pytest.fixture
def entry(house: House) -> MockConfigEntry:
    return house.entry


@pytest.fixture
def act(house: House) -> Call:
    """Call an action as somebody and return its answer."""
    return house.act


@pytest.fixture
def admin(house: House) -> MockUser:
    return house.admin()


async def _values(act: Call, user: MockUser | None, **data: Any) -> list[str]:
    answer = await act(user, "list_facts", include_text=True, **data)
    return [fact["value"] for fact in answer["facts"]]


async def test_facts_are_listed_without_their_text_unless_asked(
    act: Call, ann: MockUser
) -> None:
    await act(ann, "add_fact", key="dog.name", value="Beans")

    (fact,) = (await act(ann, "list_facts"))["facts"]
    (told,) = (await act(ann, "list_facts", include_text=True))["facts"]

    assert (fact["key"], fact["owner"]) == ("dog.name", f"user:{ann.id}")
    assert "Beans" not in str(fact)
    assert told["value"] == "Beans"
    assert "Beans" in told["sentence"]
    assert told["quote"] is None


async def test_the_last_confirmed_stands_first(
    act: Call, ann: MockUser, freezer: Any
) -> None:
    for key, value in (("dog.name", "Beans"), ("cat.name", "Tom")):
        await act(ann, "add_fact", key=key, value=value)
        freezer.tick(60)
    assert await _values(act, ann) == ["Tom", "Beans"]

    await act(ann, "add_fact", key="dog.name", value="beans")

    assert await _values(act, ann) == ["Beans", "Tom"]


async def test_everybody_sees_their_own_facts_and_the_homes(
    act: Call, ann: MockUser, bob: MockUser, admin: MockUser
) -> None:
    await act(ann, "add_fact", key="dog.name", value="Beans")
    await act(bob, "add_fact", key="cat.name", value="Tom")
    await act(bob, "add_fact", key="wifi.name", value="Nest", owner="household")

    assert set(await _values(act, ann)) == {"Beans", "Nest"}
    assert set(await _values(act, bob)) == {"Tom", "Nest"}
    assert await _values(act, admin) == ["Nest"]
    assert await _values(act, AUTOMATION) == ["Nest"]
    assert await _values(act, ann, owner="me") == ["Beans"]
    assert await _values(act, ann, owner="household") == ["Nest"]


@pytest.mark.parametrize("action", ["list_facts", "add_fact"])
async def test_nobody_reaches_another_persons_facts(
    act: Call, ann: MockUser, admin: MockUser, action: str
) -> None:
    data = {"key": "dog.name", "value": "Rex"} if action == "add_fact" else {}

    for stranger in (admin, AUTOMATION):
        with pytest.raises(ServiceValidationError) as refused:
            await act(stranger, action, owner=f"user:{ann.id}", **data)
        assert refused.value.translation_key == "foreign_owner"

    assert await _values(act, ann) == []


@pytest.mark.parametrize(
    ("action", "data"),
    [("edit_fact", {"value": "Rex"}), ("delete_fact", {}), ("restore_fact", {})],
)
async def test_nobody_changes_another_persons_fact(
    act: Call, ann: MockUser, admin: MockUser, action: str, data: dict[str, Any]
) -> None:
    fact = await act(ann, "add_fact", key="dog.name", value="Beens")
    await act(ann, "edit_fact", fact_id=fact["id"], value="Beans")

    for stranger in (admin, AUTOMATION):
        with pytest.raises(ServiceValidationError) as refused:
            await act(stranger, action, fact_id=fact["id"], **data)
        assert refused.value.translation_key == "fact_not_found"

    assert await _values(act, ann) == ["Beans"]


async def test_a_fact_is_edited_deleted_and_restored(act: Call, ann: MockUser) -> None:
    fact = await act(ann, "add_fact", key="dog.name", value="Beens")
    number = fact["id"]

    edited = await act(ann, "edit_fact", fact_id=number, value="Beans", pinned=True)
    assert edited["pinned"] is True
    assert edited["revision"] == fact["revision"] + 1
    assert await _values(act, ann) == ["Beans"]
    await act(ann, "delete_fact", fact_id=number, revision=edited["revision"])
    assert await _values(act, ann) == []
    restored = await act(ann, "restore_fact", fact_id=number)

    assert restored["id"] == number
    assert await _values(act, ann) == ["Beans"]
    await act(ann, "edit_fact", fact_id=number, key="pet.name")
    assert (await act(ann, "list_facts"))["facts"][0]["key"] == "pet.name"


async def test_what_somebody_else_changed_meanwhile_is_not_overwritten(
    act: Call, ann: MockUser, bob: MockUser
) -> None:
    fact = await act(ann, "add_fact", key="wifi.name", value="Net", owner="household")
    await act(bob, "edit_fact", fact_id=fact["id"], value="Nest")

    for action, data in (("edit_fact", {"value": "Nets"}), ("delete_fact", {})):
        with pytest.raises(ServiceValidationError) as refused:
            await act(
                ann, action, fact_id=fact["id"], revision=fact["revision"], **data
            )
        assert refused.value.translation_key == "conflict"

    assert await _values(act, ann) == ["Nest"]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"key": "dog name!", "value": "Beans"}, "invalid_fact"),
        ({"key": "dog.name", "value": "  "}, "invalid_fact"),
        ({"key": "dog.name", "value": "x" * 501}, "invalid_fact"),
        ({"key": "bank.pin", "value": "my PIN is 4711"}, "secret_refused"),
    ],
)
async def test_what_cannot_be_stored_is_refused(
    act: Call, ann: MockUser, data: dict[str, str], key: str
) -> None:
    with pytest.raises(ServiceValidationError) as refused:
        await act(ann, "add_fact", **data)

    assert refused.value.translation_key == key
    assert await _values(act, ann) == []


async def test_an_edit_must_say_what_to_change(act: Call, ann: MockUser) -> None:
    fact = await act(ann, "add_fact", key="dog.name", value="Beans")

    with pytest.raises(ServiceValidationError) as refused:
        await act(ann, "edit_fact", fact_id=fact["id"])

    assert refused.value.translation_key == "nothing_to_change"


async def test_household_facts_can_be_left_to_administrators(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    act: Call,
    ann: MockUser,
    admin: MockUser,
) -> None:
    wifi = await act(ann, "add_fact", key="wifi.name", value="Nest", owner="household")
    own = await act(ann, "add_fact", key="dog.name", value="Beans")
    hass.config_entries.async_update_entry(
        entry, options={**entry.options, "household_admin_only": True}
    )
    await hass.async_block_till_done()

    async def refused(action: str, **data: Any) -> None:
        with pytest.raises(ServiceValidationError) as refusal:
            await act(ann, action, **data)
        assert refusal.value.translation_key == "not_permitted"

    await refused("add_fact", key="door.colour", value="red", owner="household")
    await refused("edit_fact", fact_id=wifi["id"], value="Nets")
    await refused("delete_fact", fact_id=wifi["id"])
    await act(admin, "delete_fact", fact_id=wifi["id"])
    await refused("restore_fact", fact_id=wifi["id"])

    # Their own facts stay theirs, and automations are made by administrators.
    await act(ann, "delete_fact", fact_id=own["id"])
    await act(ann, "restore_fact", fact_id=own["id"])
    await act(AUTOMATION, "restore_fact", fact_id=wifi["id"])
    assert set(await _values(act, ann)) == {"Beans", "Nest"}


async def test_an_automation_adds_to_the_home(act: Call, ann: MockUser) -> None:
    fact = await act(AUTOMATION, "add_fact", key="bins.day", value="Tuesday")

    assert fact["owner"] == "household"
    assert await _values(act, ann) == ["Tuesday"]


async def test_the_preview_is_what_the_model_would_be_told(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    act: Call,
    ann: MockUser,
    bob: MockUser,
) -> None:
    await act(ann, "add_fact", key="dog.name", value="Beans")
    await act(bob, "add_fact", key="cat.name", value="Tom")
    hass.config_entries.async_update_entry(entry, options={"max_facts": 1})
    await hass.async_block_till_done()
    fact = await act(ann, "add_fact", key="hobby", value="chess")

    preview = await act(ann, "preview_section", text="Shall we play chess?")

    assert "chess" in preview["text"]
    assert "Tom" not in preview["text"]
    assert "Beans" not in preview["text"]
    assert preview["fact_ids"] == [fact["id"]]
    assert (preview["facts"], preview["facts_total"], preview["max_facts"]) == (1, 2, 1)
    assert preview["characters"] == len(preview["text"])
    assert preview["max_characters"] == 2048


async def test_the_preview_is_empty_while_facts_are_off(
    hass: HomeAssistant, entry: MockConfigEntry, act: Call, ann: MockUser
) -> None:
    await act(ann, "add_fact", key="dog.name", value="Beans")
    hass.config_entries.async_update_entry(entry, options={"facts_enabled": False})
    await hass.async_block_till_done()

    preview = await act(ann, "preview_section")

    assert (preview["facts_enabled"], preview["text"]) == (False, "")


async def test_learning_can_be_asked_for(
    hass: HomeAssistant, act: Call, ann: MockUser
) -> None:
    await async_converse(
        hass,
        "By the way, my dog's name is Beans.",
        None,
        Context(user_id=ann.id),
        language="en",
        agent_id=hass.states.async_entity_ids("conversation")[-1],
    )
    await hass.async_block_till_done()

    report = await act(ann, "learn_now")

    assert report == {
        "read": 1,
        "changed": 1,
        "set_aside": 0,
        "waiting": 0,
        "problem": None,
    }
    (fact,) = (await act(ann, "list_facts", include_text=True))["facts"]
    assert (fact["key"], fact["value"]) == ("dog.name", "Beans")
    assert "my dog's name is Beans" in fact["quote"]
    assert (await act(ann, "learn_now"))["read"] == 0


async def test_actions_tell_when_caesar_is_not_loaded(
    hass: HomeAssistant, entry: MockConfigEntry, act: Call, ann: MockUser
) -> None:
    await hass.config_entries.async_unload(entry.entry_id)

    with pytest.raises(ServiceValidationError):
        await act(ann, "list_facts")


async def test_a_database_that_fails_is_one_sentence(
    entry: MockConfigEntry, act: Call, ann: MockUser
) -> None:
    await entry.runtime_data.memory.close()

    with pytest.raises(HomeAssistantError) as failure:
        await act(ann, "add_fact", key="dog.name", value="Beans")

    assert failure.value.translation_key == "database_error"


async def test_a_plan_is_listed_with_its_end_and_then_no_longer_told(
    hass: HomeAssistant, act: Call, ann: MockUser, freezer: Any
) -> None:
    freezer.move_to("2026-11-30 12:00:00+00:00")
    context = Context(user_id=ann.id)
    said = "We're going to Madeira in May."
    await async_converse(
        hass, said, None, context, "en", agent_id="conversation.caesar"
    )
    await hass.async_block_till_done()
    await act(ann, "learn_now")
    (fact,) = (await act(ann, "list_facts"))["facts"]
    assert fact["expires_at"].startswith("2027-06-01")
    asked = ("What are our plans?", None, context, "en")
    answer = await async_converse(hass, *asked, agent_id="conversation.caesar")
    assert "Madeira" in answer.response.speech["plain"]["speech"]

    freezer.move_to("2027-06-02 12:00:00+00:00")

    answer = await async_converse(hass, *asked, agent_id="conversation.caesar")
    assert "Madeira" not in answer.response.speech["plain"]["speech"]
    assert (await act(ann, "preview_section"))["text"] == ""
    assert len((await act(ann, "list_facts"))["facts"]) == 1
