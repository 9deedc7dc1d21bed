"""The panel's facts: live, changed from everywhere, and what is never shown."""

import logging
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.const import CONF_FACTS_ENABLED
from custom_components.caesar.memory.editing import Editor
from custom_components.caesar.memory.facts import Typed
from custom_components.caesar.memory.models import HOUSEHOLD, user_owner
from custom_components.caesar.memory.schema import audit_log

from .house import House
from .panel import CommandError, Open, Tab


def seen(fact: dict[str, Any]) -> dict[str, Any]:
    return {"fact_id": fact["id"], "revision": fact["revision"]}


async def add(tab: Tab, key: str, value: str, owner: str = "me", **more: Any) -> Any:
    answer = await tab.ask("facts/add", owner=owner, key=key, value=value, **more)
    return answer["fact"]


async def test_an_open_panel_sees_what_was_said_a_moment_ago(
    house: House, panel_of: Open
):
    ann = house.user("Ann")
    facts = await (await panel_of(ann)).subscribe("facts")
    snapshot = await facts.next()
    assert (snapshot["type"], snapshot["rev"], snapshot["facts"]) == ("snapshot", 0, [])
    assert snapshot["me"]["name"] == "Ann"

    await house.say("My dog's name is Beans", ann)
    await house.learn()

    event = await facts.next()
    assert (event["type"], event["rev"], event["del"]) == ("changed", 1, [])
    (fact,) = event["put"]
    assert (fact["key"], fact["value"]) == ("dog.name", "Beans")
    assert fact["quote"] == "My dog's name is Beans"
    assert "Beans" in fact["sentence"]
    assert fact["owner"] == snapshot["me"]["owner"]


async def test_changes_from_an_action_and_from_another_tab_arrive(
    house: House, panel_of: Open
):
    ann = house.user("Ann")
    first, second = await panel_of(ann), await panel_of(ann)
    facts = await first.subscribe("facts")
    await facts.next()

    await house.act(ann, "add_fact", key="cat.name", value="Tom")
    (tom,) = (await facts.next())["put"]
    dog = await add(second, "dog.name", "Beans")
    assert (await facts.next())["put"] == [dog]
    await second.ask("facts/delete", facts=[seen(tom), seen(dog)])

    event = await facts.next()
    assert (event["put"], set(event["del"])) == ([], {tom["id"], dog["id"]})
    assert event["rev"] == 3


async def test_nobody_elses_changes_arrive_but_the_homes_do(
    house: House, panel_of: Open
):
    ann, bob = house.user("Ann"), house.user("Bob")
    anns, bobs = await panel_of(ann), await panel_of(bob)
    facts = await anns.subscribe("facts")
    await facts.next()

    mine = await add(bobs, "dog.name", "Rex")
    assert await facts.nothing()
    moved = await bobs.ask("facts/move", facts=[seen(mine)], owner="household")
    (fact,) = (await facts.next())["put"]
    assert (fact["value"], fact["owner"]) == ("Rex", "household")
    await bobs.ask("facts/move", facts=[seen(moved["facts"][-1])], owner="me")

    assert (await facts.next())["del"] == [mine["id"]]


async def test_a_moved_fact_stays_in_the_panel_of_who_sees_both(
    house: House, panel_of: Open
):
    tab = await panel_of(house.user("Ann"))
    fact = await add(tab, "dog.name", "Beans")
    facts = await tab.subscribe("facts")
    await facts.next()

    await tab.ask("facts/move", facts=[seen(fact)], owner="household")

    event = await facts.next()
    assert (event["del"], event["put"][0]["owner"]) == ([], "household")


async def test_a_stale_edit_is_told_the_present_value(house: House, panel_of: Open):
    tab = await panel_of(house.user("Ann"))
    old = await add(tab, "coffee", "black")
    new = (await tab.ask("facts/edit", **seen(old), value="with milk"))["fact"]

    with pytest.raises(CommandError) as caught:
        await tab.ask("facts/edit", **seen(old), value="with sugar")

    assert caught.value.code == "conflict"
    assert caught.value.error["data"]["fact"] == new
    assert caught.value.error["translation_key"] == "conflict"
    done = await tab.ask("facts/delete", facts=[seen(old)])
    assert done["failed"] == [
        {
            "fact_id": old["id"],
            "code": "conflict",
            "translation_key": "conflict",
            "fact": new,
        }
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"key": "Not a key!", "value": "x"}, "invalid"),
        ({"key": "dog.name", "value": "  "}, "invalid"),
        ({"key": "dog.name", "value": "x" * 501}, "invalid"),
        ({"key": "note", "value": "my password is tree house"}, "secret"),
        ({"key": "dog.name", "value": 5}, "invalid_format"),
        ({"key": "dog.name"}, "invalid_format"),
        ({"key": "dog.name", "value": "x", "more": 1}, "invalid_format"),
    ],
)
async def test_what_cannot_be_stored_is_refused(
    house: House, panel_of: Open, data: dict[str, Any], code: str
):
    tab = await panel_of(house.user("Ann"))
    with pytest.raises(CommandError) as caught:
        await tab.ask("facts/add", owner="me", **data)
    assert caught.value.code == code
    assert caught.value.error["message"]


async def test_an_undo_brings_back_the_very_fact(house: House, panel_of: Open):
    tab = await panel_of(house.user("Ann"))
    fact = await add(tab, "dog.name", "Beans")
    await tab.ask("facts/pin", facts=[seen(fact)], pinned=True)
    facts = await tab.subscribe("facts")
    (pinned,) = (await facts.next())["facts"]
    await tab.ask("facts/delete", facts=[seen(pinned)])

    undo = [{"fact_id": fact["id"], "revision": None}]
    (back,) = (await tab.ask("facts/restore", facts=undo))["facts"]

    assert pinned["pinned"]
    volatile = {"revision", "last_confirmed_at"}
    assert {k: v for k, v in back.items() if k not in volatile} == {
        k: v for k, v in pinned.items() if k not in volatile
    }


async def test_undoing_a_deletion_takes_nothing_back_that_came_after(
    house: House, panel_of: Open
):
    ann, bob = house.user("Ann"), house.user("Bob")
    await house.act(ann, "add_fact", key="gate", value="blue", owner=HOUSEHOLD)
    anns, bobs = await panel_of(ann), await panel_of(bob)
    (fact,) = await anns.facts()
    gone = {"fact_id": fact["id"], "revision": None}
    await anns.ask("facts/delete", facts=[seen(fact)])
    (back,) = (await bobs.ask("facts/restore", facts=[gone]))["facts"]
    edited = await bobs.ask(
        "facts/edit", fact_id=back["id"], revision=back["revision"], value="green"
    )

    undone = await anns.ask("facts/restore", facts=[gone])

    assert [one["code"] for one in undone["failed"]] == ["conflict"]
    assert await anns.facts() == [edited["fact"]]


async def test_a_fact_whose_past_is_gone_has_an_empty_history(
    house: House, panel_of: Open, ann: MockUser
):
    await house.act(ann, "add_fact", key="gate", value="blue")
    await house.runtime.memory.database.write(
        lambda connection: connection.execute(audit_log.delete())
    )
    tab = await panel_of(ann)
    (fact,) = await tab.facts()
    assert await tab.ask("facts/history", fact_id=fact["id"]) == {"events": []}


async def test_where_a_fact_comes_from(house: House, panel_of: Open):
    ann = house.user("Ann")
    await house.say("Hello 🐶! My dog's name is Beans. He is nice.", ann)
    await house.learn()
    tab = await panel_of(ann)
    facts = await tab.subscribe("facts")
    fact = next(
        one for one in (await facts.next())["facts"] if one["key"] == "dog.name"
    )

    source = await tab.ask("facts/source", fact_id=fact["id"])

    assert source["state"] == "exchange"
    exchange = source["exchange"]
    ((start, end),) = exchange["quotes"]
    said = exchange["user_text"].encode("utf-16-le")
    assert said[2 * start : 2 * end].decode("utf-16-le") == fact["quote"]
    assert exchange["provider"]["id"] == "builtin"
    assert exchange["fact_ids"] == [fact["id"]]
    typed = await add(tab, "cat.name", "Tom")
    assert (await tab.ask("facts/source", fact_id=typed["id"]))["state"] == "typed"


async def test_the_history_of_a_fact_and_back_to_an_earlier_value(
    house: House, panel_of: Open
):
    ann, bob = house.user("Ann"), house.user("Bob")
    anns, bobs = await panel_of(ann), await panel_of(bob)
    fact = await add(anns, "gate", "blue", "household")
    fact = (await bobs.ask("facts/edit", **seen(fact), value="green"))["fact"]

    events = (await anns.ask("facts/history", fact_id=fact["id"]))["events"]

    edited, added = events
    assert (added["kind"], added["after"]["value"]) == ("memory.fact.added", "blue")
    assert edited["kind"] == "memory.fact.user_edited"
    assert (edited["before"]["value"], edited["after"]["value"]) == ("blue", "green")
    assert edited["actor"]["name"] == "Bob"
    back = await anns.ask("facts/revert", **seen(fact), event_id=added["id"])
    assert back["fact"]["value"] == "blue"


async def test_a_secret_is_masked_everywhere_but_for_who_asks_to_see_it(
    house: House, panel_of: Open
):
    ann = house.user("Ann")
    tab = await panel_of(ann)
    changes = await tab.subscribe("facts")
    await changes.next()
    word = "blackbird"
    secret = await add(
        tab, "note", f"my password is {word}", keep_secret=True, language="en"
    )
    assert secret["secret"]
    key, other = "alarm.code", "4711"
    await add(tab, key, other, "household", keep_secret=True)

    snapshot = await (await tab.subscribe("facts")).next()
    section = await (await tab.subscribe("section", text=word)).next()
    everything = [
        secret,
        await changes.next(),
        snapshot,
        section,
        await tab.ask("events/list", text=""),
        await tab.ask("facts/history", fact_id=secret["id"]),
        await tab.ask("facts/source", fact_id=secret["id"]),
        await house.act(ann, "list_facts", include_text=True),
        await house.ask("What is my password?", ann),
        await house.ask("What do you know about me?", ann),
    ]

    assert word not in str(everything)
    assert other not in str([row["sentence"] for row in snapshot["facts"]])
    revealed = await tab.ask("facts/reveal", fact_id=secret["id"])
    assert word in revealed["value"]
    bobs = await panel_of(house.user("Bob"))
    with pytest.raises(CommandError) as caught:
        await bobs.ask("facts/reveal", fact_id=secret["id"])
    assert caught.value.code == "not_found"


async def test_panels_outlive_a_reload_of_the_memory(house: House, panel_of: Open):
    tab = await panel_of(house.user("Ann"))
    fact = await add(tab, "dog.name", "Beans")
    facts, section = await tab.subscribe("facts"), await tab.subscribe("section")
    status, changes = await tab.subscribe("status"), await tab.subscribe("changes")
    await facts.next()
    assert "Beans" in (await section.next())["text"]

    house.hass.config_entries.async_update_entry(
        house.entry, options={CONF_FACTS_ENABLED: False}
    )
    await house.hass.async_block_till_done()

    assert await facts.next() == {"type": "unavailable"}
    assert (await facts.next())["facts"] == [fact]
    assert not (await section.until("section"))["facts_enabled"]
    assert await status.until("unavailable")
    assert not (await status.until("status"))["facts_enabled"]
    assert await changes.until("unavailable")
    assert await changes.until("loaded")
    await add(tab, "cat.name", "Tom")
    assert (await facts.next())["rev"] == 1


async def test_a_panel_that_is_open_before_the_memory_waits_for_it(
    house: House, panel_of: Open
):
    tab = await panel_of(house.user("Ann"))
    await house.hass.config_entries.async_unload(house.entry.entry_id)
    facts = await tab.subscribe("facts")
    assert await facts.next() == {"type": "unavailable"}
    with pytest.raises(CommandError) as caught:
        await tab.ask("suggestions/list")
    assert caught.value.code == "not_loaded"

    await house.hass.config_entries.async_setup(house.entry.entry_id)

    assert (await facts.next())["type"] == "snapshot"


async def test_nothing_that_was_typed_reaches_the_log(
    house: House, panel_of: Open, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    tab = await panel_of(house.user("Ann"))
    word = "blackbird"
    for data in (
        {"key": "note", "value": f"my password is {word}"},
        {"key": "note", "value": [word]},
        {"key": word + "!", "value": "x"},
        {"key": "note", "value": word, "owner": word},
    ):
        with pytest.raises(CommandError):
            await tab.ask("facts/add", **{"owner": "me", **data})
    fact = await add(tab, "note", f"a {word}")
    await tab.ask("facts/delete", facts=[seen(fact)])
    assert word not in caplog.text


async def test_a_closed_panel_leaves_nothing_behind(house: House, panel_of: Open):
    memory = house.runtime.memory
    listeners = len(memory._listeners)
    tab = await panel_of(house.user("Ann"))
    for name in ("facts", "section", "status", "changes"):
        await (await tab.subscribe(name)).next()
    assert len(memory._listeners) > listeners

    await tab.close()
    await house.hass.async_block_till_done()

    assert len(memory._listeners) == listeners
    assert not memory.database._listeners
    assert not house.runtime.legion._listeners


async def test_hundreds_of_changes_at_once_arrive_in_order(
    house: House, panel_of: Open
):
    ann = house.user("Ann")
    editor = Editor(
        memory=house.runtime.memory, owners=[user_owner(ann.id)], actor="user:x"
    )
    for number in range(150):
        typed = Typed(key=f"item_{number}", value=str(number))
        await editor.add(user_owner(ann.id), typed)
    tab = await panel_of(ann)
    facts = await tab.subscribe("facts")
    rows = (await facts.next())["facts"]

    several = [{"fact_id": row["id"], "revision": None} for row in rows]
    await tab.ask("facts/pin", facts=several, pinned=True)
    await tab.ask("facts/delete", facts=several[:1])
    await tab.ask("facts/delete", facts=several[1:])
    done = await tab.ask("facts/restore", facts=several)

    pinned, one, rest, back = [await facts.next() for _ in range(4)]
    assert [event["rev"] for event in (pinned, one, rest, back)] == [1, 2, 3, 4]
    assert len(pinned["put"]) == 150
    assert one["del"] == [several[0]["fact_id"]]
    assert len(rest["del"]) == 149
    assert back["put"] == done["facts"]
    assert all(row["pinned"] for row in back["put"])
