"""What the house keeps, for how long, and what an action deletes of it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    async_fire_time_changed,
)

from custom_components.caesar.chat_log_hook import stored_log
from custom_components.caesar.memory.events import EXCHANGE_KINDS
from custom_components.caesar.memory.models import EventKind, NewEvent, user_owner

from .house import House, move_in


async def _said(house: House, user: MockUser) -> list[str]:
    return [e.user_text or "" for e in await house.events(user, *EXCHANGE_KINDS)]


async def test_old_conversations_go_by_night(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    house = await move_in(hass, options={"retention_days": 30})
    ann = house.user("Ann")
    await house.ask("My dog's name is Beans.", ann)
    await house.learn()
    freezer.tick(timedelta(days=29))
    await house.ask("What time is it?", ann)
    await house.learn()

    freezer.move_to((dt_util.now() + timedelta(days=2)).replace(hour=3, minute=40))
    async_fire_time_changed(hass)
    await hass.async_block_till_done(wait_background_tasks=True)

    assert await _said(house, ann) == ["What time is it?"]
    assert "Beans" in await house.ask("What's my dog's name?", ann)


async def test_old_conversations_are_counted_before_they_are_deleted(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    house = await move_in(hass, options={"retention_days": 0})
    ann, admin = house.user("Ann"), house.admin()
    await house.ask("My dog's name is Beans.", ann)
    await house.learn()
    freezer.tick(timedelta(days=8))

    assert (await house.act(admin, "sweep_exchanges"))["exchanges"] == 0
    counted = await house.act(admin, "sweep_exchanges", days=7)
    assert (counted["dry_run"], counted["exchanges"]) == (True, 1)
    assert len(await _said(house, ann)) == 1
    with pytest.raises(ServiceValidationError):
        await house.act(ann, "sweep_exchanges", days=7, dry_run=False)
    swept = await house.act(admin, "sweep_exchanges", days=7, dry_run=False)

    assert swept["exchanges"] == 1
    assert await _said(house, ann) == []


async def test_a_person_erases_themselves_and_an_administrator_anybody(
    house: House, ann: MockUser, bob: MockUser
) -> None:
    admin = house.admin()
    for user in (ann, bob):
        await house.ask("My dog's name is Beans.", user)
    await house.learn()

    counted = await house.act(ann, "erase", owner="me")
    assert (counted["erased"], counted["facts"], counted["exchanges"]) == (False, 1, 1)
    assert "Beans" in await house.ask("What's my dog's name?", ann)
    erased = await house.act(ann, "erase", owner="me", confirm=True)
    assert (erased["erased"], erased["facts"], erased["exchanges"]) == (True, 1, 2)
    assert erased["file_cleaned"] is True
    assert await house.events(ann) == []
    assert "Beans" not in await house.ask("What's my dog's name?", ann)

    for owner, refused in (("household", "admin_only"), (f"user:{bob.id}", "foreign")):
        with pytest.raises(ServiceValidationError) as error:
            await house.act(ann, "erase", owner=owner, confirm=True)
        assert str(error.value.translation_key).startswith(refused)
    assert (await house.act(bob, "list_facts"))["facts"]
    await house.act(admin, "erase", owner=f"user:{bob.id}", confirm=True)
    assert (await house.act(bob, "list_facts"))["facts"] == []


async def test_what_waits_in_ram_and_open_conversations_is_erased_too(
    hass: HomeAssistant, house: House, ann: MockUser
) -> None:
    said = await house.say("My dog's name is Beans.", ann)
    await house.ask("Undo that.", ann, conversation_id=said.conversation_id)
    event = NewEvent(
        kind=EventKind.CHAT_COMPLETED, owner=user_owner(ann.id), user_text="Beans"
    )
    house.runtime.turns._unwritten.append((None, event))

    erased = await house.act(ann, "erase", owner="me", confirm=True)

    assert erased["unwritten"] == 1
    await house.learn()
    assert await house.events(ann) == []
    assert said.conversation_id is not None
    log = stored_log(hass, said.conversation_id)
    assert log is not None
    assert "Beans" not in str(log.content)


async def test_a_person_takes_their_memory_along(
    hass: HomeAssistant, house: House, ann: MockUser, bob: MockUser
) -> None:
    await house.ask("My dog's name is Beans.", ann)
    await house.learn()

    counted = await house.act(ann, "export")
    assert (counted["facts"], counted["exchanges"], counted["file"]) == (1, 1, None)
    exported = await house.act(ann, "export", dry_run=False)
    path = Path(hass.config.path(exported["file"]))
    assert path.parent == Path(hass.config.path("caesar/transfer"))
    asked: dict[str, Any] = {"file": path.name}
    asked["owners"] = {f"user:{ann.id}": "me"}
    tried = await house.act(bob, "import_memory", **asked)
    assert (tried["dry_run"], tried["facts_new"], tried["problems"]) == (True, 1, [])
    assert "Beans" not in await house.ask("What's my dog's name?", bob)
    await house.act(bob, "import_memory", **asked, dry_run=False)
    assert "Beans" in await house.ask("What's my dog's name?", bob)

    # Nobody else's words come to others than the importer.
    for owner in ("household", f"user:{ann.id}"):
        asked["owners"] = {f"user:{ann.id}": owner}
        with pytest.raises(ServiceValidationError):
            await house.act(bob, "import_memory", **asked)
    erased = await house.act(ann, "erase", owner="me", confirm=True)
    assert erased["exports"] == 1
    assert not path.exists()
    for owner in ("household", "everybody", f"user:{bob.id}"):
        with pytest.raises(ServiceValidationError):
            await house.act(ann, "export", owner=owner)
