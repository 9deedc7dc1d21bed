"""The panel's people and rooms: whose words are whose, and whose memory."""

from homeassistant.helpers import (
    entity_registry as er,
)
import pytest

from custom_components.caesar.memory.models import (
    HOUSEHOLD,
    person_owner,
    user_owner,
)

from .house import House
from .panel import Open


async def test_a_satellite_is_mapped_and_its_words_land_there(
    house: House, panel_of: Open, satellite: er.RegistryEntry
):
    ann, admin = house.user("Ann"), house.admin()
    owner = user_owner(ann.id)
    tab, anns = await panel_of(admin), await panel_of(ann)
    (row,) = (await tab.ask("people/list"))["satellites"]
    assert (row["id"], row["area"]["name"], row["owner"]) == (
        satellite.id,
        "Kitchen",
        None,
    )
    assert row["landing"]["rule"] == "unknown_voice"

    await tab.ask("people/map_satellite", satellite=satellite.id, owner=owner)
    await house.hass.async_block_till_done()

    await house.say("My dog's name is Beans", satellite_id=satellite.entity_id)
    await house.learn()
    assert [fact["value"] for fact in await anns.facts()] == ["Beans"]
    (row,) = (await anns.ask("people/list"))["satellites"]
    assert (row["owner"], row["landing"]["owner"]["name"]) == (owner, "Ann")
    (event,) = (await anns.ask("events/list", kinds=["memory.voice.mapped"]))["events"]
    assert event["voice"]["mapped"]
    assert event["actor"]["name"] == "Admin"

    await tab.ask("people/map_satellite", satellite=satellite.id, owner=None)
    await house.hass.async_block_till_done()
    (row,) = (await tab.ask("people/list"))["satellites"]
    assert row["owner"] is None
    event, _ = (await anns.ask("events/list", kinds=["memory.voice.mapped"]))["events"]
    assert not event["voice"]["mapped"]


async def test_a_shared_account_uses_the_memory_that_it_is_mapped_to(
    house: House, panel_of: Open
):
    tablet, admin = house.user("Tablet"), house.admin()
    await house.act(tablet, "add_fact", key="gate", value="blue", owner=HOUSEHOLD)
    await house.act(tablet, "add_fact", key="dog.name", value="Beans")
    tablets, admins = await panel_of(tablet), await panel_of(admin)
    account = {"user_id": tablet.id}

    await admins.ask("people/map_account", **account, owner=HOUSEHOLD)
    await house.hass.async_block_till_done()

    people = await tablets.ask("people/list")
    assert people["me"]["owner"] == HOUSEHOLD
    assert people["landing"]["rule"] == "account_mapped"
    assert [one["owner"] for one in people["accounts"]] == [HOUSEHOLD]
    assert [fact["value"] for fact in await tablets.facts()] == ["blue"]


async def test_a_person_sees_who_they_are_and_no_others_counts(
    house: House, panel_of: Open
):
    ann, bob = house.user("Ann"), house.user("Bob")
    for user in (ann, bob):
        await house.act(user, "add_fact", key="dog.name", value="Beans")
    admin = house.admin()

    mine = await (await panel_of(ann)).ask("people/list")
    all_of_them = await (await panel_of(admin)).ask("people/list")

    assert mine["landing"]["rule"] == "account"
    assert [(one["name"], one["facts"], one["is_me"]) for one in mine["people"]] == [
        ("Ann", 1, True),
        ("The household", 0, False),
    ]
    assert [account["name"] for account in mine["accounts"]] == ["Ann"]
    counts = {one["name"]: one["facts"] for one in all_of_them["people"]}
    assert {"Admin": 0, "The household": 0, "Ann": 1, "Bob": 1}.items() <= (
        counts.items()
    )
    assert not any(one["may_open"] for one in all_of_them["people"])


async def test_everybody_reads_their_own_language(house: House, panel_of: Open):
    tab = await panel_of(house.user("Ann"))
    english = await tab.ask("people/list", language="en")
    german = await tab.ask("people/list", language="de")
    assert [people["people"][-1]["name"] for people in (english, german)] == [
        "The household",
        "Der Haushalt",
    ]
    assert german["landing"]["reason"].startswith("Die Worte")
    status = await (await tab.subscribe("status", language="de")).next()
    assert status["providers"][0]["name"] == "Eingebaut, ohne KI-Modell"


async def test_memories_are_merged_after_a_look_and_parted_again(
    house: House, panel_of: Open
):
    kim, ann, admin = person_owner("kim"), house.user("Ann"), house.admin()
    memory = house.runtime.memory
    await memory.add_fact(kim, "dog.name", "Beans")
    await house.act(ann, "add_fact", key="dog.name", value="Rex")
    tab, anns = await panel_of(admin), await panel_of(ann)
    facts = await anns.subscribe("facts")
    await facts.next()
    both = {"source": kim, "target": user_owner(ann.id)}

    shown = await tab.ask("people/preview_move", **both)
    assert (shown["facts"], shown["renamed"], shown["merged"]) == (1, 1, 0)
    # Whose these are may not be read by the administrator.
    assert shown["renamed_facts"] == []
    moved = await tab.ask("people/move", **both)

    assert moved["facts"] == 1
    assert [fact["key"] for fact in (await facts.next())["put"]] == ["dog.2.name"]
    history = await anns.ask("events/list", kinds=["memory.owner.moved"])
    assert history["events"][0]["moved"]["source"]["id"] == kim
    (undoable,) = (await tab.ask("people/list"))["moves"]
    assert (undoable["event_id"], undoable["facts"]) == (moved["event_id"], 1)
    assert (await anns.ask("people/list"))["moves"] == []
    undone = await tab.ask("people/undo_move", event_id=moved["event_id"])
    assert undone["facts"] == 1
    assert (await tab.ask("people/list"))["moves"] == []
    assert len((await facts.next())["del"]) == 1
    history = await anns.ask("events/list", kinds=["memory.owner.moved"])
    assert history["events"][0]["moved"]["undone"]
    history = await anns.ask("events/list", kinds=["memory.owner.move_undone"])
    assert history["events"][0]["moved"]["facts"] == 1
    assert [fact.value for fact in memory.facts_of(kim)] == ["Beans"]


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("person:kim", "me", "not_permitted"),
        ("person:kim", HOUSEHOLD, "not_permitted"),
        ("person:kim", "person:kim", "invalid"),
        ("person:kim", "user:unknown", "not_found"),
        (HOUSEHOLD, "me", None),
        ("me", HOUSEHOLD, None),
    ],
)
async def test_nobodys_memory_is_moved_to_where_it_could_then_be_read(
    house: House, panel_of: Open, source: str, target: str, code: str | None
):
    admin = house.admin()
    await house.runtime.memory.add_fact(person_owner("kim"), "dog.name", "Beans")
    tab = await panel_of(admin)
    own = {"me": user_owner(admin.id)}
    both = {"source": own.get(source, source), "target": own.get(target, target)}
    answer = await tab.command("caesar/people/preview_move", **both)
    assert answer.get("error", {}).get("code") == code
