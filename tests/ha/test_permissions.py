"""Every command and every action, sent by everybody who could send it.

Each has a row here that names what belongs to Ann; one without a row fails. Whatever
the answer is, it tells nobody else Ann's words, and what is refused changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
import json
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.const import DOMAIN
from custom_components.caesar.memory.models import Event, Scope, user_owner
from custom_components.caesar.websocket_api import COMMANDS

from .belongings import SECRET, WORD, Belongings, furnish
from .house import House, move_in
from .panel import CommandError, Open

OK: Final = "ok"
GUESSED: Final = 4711
HUGE: Final = 2**63 - 1

type Request = Callable[[Belongings], dict[str, Any]]
type Refused = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True, kw_only=True)
class Row:
    """What each caller is answered who names Ann's things in a request."""

    request: Request = lambda ann: {}
    own: str = OK
    other: str = "not_found"
    admin: str | None = None
    """As another, unless it says so."""
    guessed: str | None = None
    """What Ann is answered to an id that nobody has; None where there is no id."""


def seen(ann: Belongings) -> dict[str, Any]:
    return {"facts": [{"fact_id": ann.fact, "revision": None}]}


def one(ann: Belongings) -> dict[str, Any]:
    return {"fact_id": ann.fact}


def edited(ann: Belongings) -> dict[str, Any]:
    return {"fact_id": ann.fact, "revision": ann.revision}


EVERYBODY: Final = Row(other=OK)
SEVERAL: Final = Row(request=seen, guessed="not_found")

# Commands for everybody tell each their own.
COMMAND_ROWS: Final[dict[str, Row]] = {
    "facts/subscribe": EVERYBODY,
    "facts/add": Row(
        request=lambda ann: {"owner": ann.owner, "key": "x", "value": "y"},
        other="not_permitted",
    ),
    "facts/edit": Row(
        request=lambda ann: {**edited(ann), "value": "eels"}, guessed="not_found"
    ),
    "facts/revert": Row(
        request=lambda ann: {**edited(ann), "event_id": ann.event},
        guessed="not_found",
    ),
    "facts/pin": Row(
        request=lambda ann: {**seen(ann), "pinned": True}, guessed="not_found"
    ),
    "facts/move": Row(
        request=lambda ann: {**seen(ann), "owner": "me"}, guessed="not_found"
    ),
    "facts/delete": SEVERAL,
    "facts/restore": Row(
        request=lambda ann: {
            "facts": [{"fact_id": ann.deleted_fact, "revision": None}]
        },
        guessed="not_found",
    ),
    "facts/reveal": Row(
        request=lambda ann: {"fact_id": ann.secret}, guessed="not_found"
    ),
    "facts/source": Row(request=one, guessed="not_found"),
    "facts/history": Row(request=one, guessed="not_found"),
    "suggestions/list": EVERYBODY,
    "suggestions/accept": Row(
        request=lambda ann: {"suggestion_ids": [ann.suggestion]}, guessed="not_found"
    ),
    "suggestions/reject": Row(
        request=lambda ann: {"suggestion_ids": [ann.suggestion]}, guessed="not_found"
    ),
    "events/list": EVERYBODY,
    "exchanges/list": EVERYBODY,
    "exchanges/delete": Row(
        request=lambda ann: {"exchange_id": ann.exchange, "facts": "delete"},
        guessed="not_found",
    ),
    "section/subscribe": Row(request=lambda ann: {"text": WORD[:3]}, other=OK),
    "people/list": EVERYBODY,
    "people/map_satellite": Row(
        request=lambda ann: {"satellite": "none", "owner": ann.owner},
        own="not_permitted",
        other="not_permitted",
        admin="not_found",
    ),
    "people/map_account": Row(
        request=lambda ann: {
            "user_id": ann.owner.removeprefix("user:"),
            "owner": "user:unknown",
        },
        own="not_permitted",
        other="not_permitted",
        admin="not_found",
    ),
    "people/preview_move": Row(
        request=lambda ann: {"source": ann.owner, "target": "household"},
        own="not_permitted",
        other="not_permitted",
    ),
    "people/move": Row(
        request=lambda ann: {"source": ann.owner, "target": "household"},
        own="not_permitted",
        other="not_permitted",
    ),
    "people/undo_move": Row(
        # Where it came from is nobody of the administrator's either.
        request=lambda ann: {"event_id": ann.move},
        own="not_permitted",
        other="not_permitted",
        admin=OK,
    ),
    "status/subscribe": EVERYBODY,
    "status/history": EVERYBODY,
    "status/set_aside": EVERYBODY,
    "status/retry": Row(
        request=lambda ann: {"exchange_ids": [ann.set_aside]}, guessed="not_found"
    ),
    "status/dismiss": Row(
        request=lambda ann: {"exchange_ids": [ann.set_aside]}, guessed="not_found"
    ),
    "status/learn_now": EVERYBODY,
    "status/self_test": Row(own="not_permitted", other="not_permitted", admin=OK),
    "changes/subscribe": EVERYBODY,
}


@dataclass(frozen=True, kw_only=True)
class ActionRow:
    """The same for an action; an automation has no user."""

    request: Request = lambda ann: {}
    own: str = OK
    other: str = "fact_not_found"
    admin: str | None = None
    automation: str | None = None
    guessed: str | None = None


ALL: Final = ActionRow(other=OK)

ACTION_ROWS: Final[dict[str, ActionRow]] = {
    "list_facts": ActionRow(
        request=lambda ann: {"owner": ann.owner, "include_text": True},
        other="foreign_owner",
    ),
    "add_fact": ActionRow(
        request=lambda ann: {"owner": ann.owner, "key": "x", "value": "y"},
        other="foreign_owner",
    ),
    "edit_fact": ActionRow(
        request=lambda ann: {**one(ann), "value": "eels"}, guessed="fact_not_found"
    ),
    "delete_fact": ActionRow(request=one, guessed="fact_not_found"),
    "restore_fact": ActionRow(
        request=lambda ann: {"fact_id": ann.deleted_fact}, guessed="fact_not_found"
    ),
    "list_suggestions": ActionRow(request=lambda ann: {"include_text": True}, other=OK),
    "accept_suggestion": ActionRow(
        request=lambda ann: {"suggestion_id": ann.suggestion},
        other="suggestion_not_found",
        guessed="suggestion_not_found",
    ),
    "reject_suggestion": ActionRow(
        request=lambda ann: {"suggestion_id": ann.suggestion},
        other="suggestion_not_found",
        guessed="suggestion_not_found",
    ),
    "learn_now": ALL,
    "preview_section": ActionRow(request=lambda ann: {"text": WORD[:3]}, other=OK),
    "generate": ActionRow(
        request=lambda ann: {"instructions": "Greet", "owner": ann.owner},
        own="needs_model",
        other="foreign_owner",
        automation="no_consent",
    ),
    "where_would_this_land": ActionRow(
        request=lambda ann: {"account": ann.owner.removeprefix("user:")},
        other="admin_only",
        admin=OK,
        automation=OK,
    ),
    "audit_memory": ActionRow(request=lambda ann: {"include_text": True}, other=OK),
    "erase": ActionRow(
        request=lambda ann: {"owner": ann.owner},
        other="foreign_owner",
        admin=OK,
        automation=OK,
    ),
    "export": ActionRow(
        request=lambda ann: {"owner": ann.owner},
        other="foreign_owner",
        admin=OK,
        automation=OK,
    ),
    "import_memory": ActionRow(
        request=lambda ann: {"file": "a.jsonl", "owners": {"user:x": ann.owner}},
        own="file_not_found",
        other="file_not_found",
    ),
    "sweep_exchanges": ActionRow(
        own="admin_only", other="admin_only", admin=OK, automation=OK
    ),
    "self_test": ActionRow(
        own="admin_only", other="admin_only", admin=OK, automation=OK
    ),
}


@dataclass(frozen=True, kw_only=True)
class People:
    house: House
    ann: MockUser
    bob: MockUser
    admin: MockUser
    anns: Belongings


@pytest.fixture
async def people(hass: HomeAssistant) -> People:
    house = await move_in(hass)
    ann, bob, admin = house.user("Ann"), house.user("Bob"), house.admin()
    anns = await furnish(house.runtime, user_owner(ann.id))
    return People(house=house, ann=ann, bob=bob, admin=admin, anns=anns)


async def log(people: People) -> list[Event]:
    """Return all that is stored of Ann; learning and self-tests leave it alone."""
    memory = people.house.runtime.memory
    events = await memory.events(Scope(owner=people.anns.owner), limit=1000)
    return [event for event in events if event.owner == people.anns.owner]


def guesses(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the request with ids that nobody has."""

    def guess(value: Any, number: int) -> Any:
        match value:
            case dict():
                return {
                    name: guess(part, number)
                    if isinstance(part, dict | list) or name.endswith("_id")
                    else part
                    for name, part in value.items()
                }
            case list():
                return [guess(part, number) for part in value]
            case _:
                return number

    return [guess(request, number) for number in (GUESSED, HUGE)]


def refused(answer: Any) -> str | None:
    """Return why all of several was refused, None where it was not."""
    failed = answer.get("failed") if isinstance(answer, dict) else None
    return failed[0]["code"] if failed and not answer["done"] else None


async def send(tab: Any, name: str, request: dict[str, Any]) -> tuple[str, str]:
    """Return whether a command was done or why not, and all that was answered."""
    try:
        if name.endswith("/subscribe"):
            feed = await tab.subscribe(name.removesuffix("/subscribe"), **request)
            return OK, json.dumps(await feed.next())
        answer = await tab.ask(name, **request)
    except CommandError as err:
        return err.code, json.dumps(err.error)
    return refused(answer) or OK, json.dumps(answer)


def test_every_command_and_every_action_has_a_row(people: People) -> None:
    hass = people.house.hass
    registered = {
        name.removeprefix("caesar/")
        for name in hass.data["websocket_api"]
        if name.startswith("caesar/")
    }
    assert set(COMMAND_ROWS) == registered == {command.name for command in COMMANDS}
    assert set(ACTION_ROWS) == set(hass.services.async_services()[DOMAIN])


@pytest.mark.parametrize("name", sorted(COMMAND_ROWS))
async def test_a_command_serves_everybody_their_own(
    people: People, panel_of: Open, name: str
) -> None:
    row = COMMAND_ROWS[name]
    request, before = row.request(people.anns), await log(people)
    for user, expected in (
        (people.bob, row.other),
        (people.admin, row.other if row.admin is None else row.admin),
    ):
        code, answer = await send(await panel_of(user), name, request)
        assert code == expected
        assert WORD not in answer
        assert SECRET not in answer
        if code != OK or expected == row.other:
            assert await log(people) == before

    anns = await panel_of(people.ann)
    if row.guessed is not None:
        for guessed in guesses(request):
            assert (await send(anns, name, guessed))[0] == row.guessed
        assert await log(people) == before
    code, answer = await send(anns, name, request)
    assert code == row.own
    assert (SECRET in answer) == (name == "facts/reveal")


@pytest.mark.parametrize("name", sorted(COMMAND_ROWS))
async def test_home_assistants_own_parts_get_nothing(
    people: People, panel_of: Open, name: str
) -> None:
    system = MockUser(name="Supervisor", system_generated=True).add_to_hass(
        people.house.hass
    )
    before = await log(people)
    request = COMMAND_ROWS[name].request(people.anns)

    code, answer = await send(await panel_of(system), name, request)

    assert (code, WORD in answer) == ("not_permitted", False)
    assert await log(people) == before


async def act(
    people: People, user: MockUser | None, name: str, data: dict[str, Any]
) -> tuple[str, str]:
    try:
        answer = await people.house.act(user, name, **data)
    except ServiceValidationError as err:
        return err.translation_key or "", str(err)
    return OK, json.dumps(answer)


@pytest.mark.parametrize("name", sorted(ACTION_ROWS))
async def test_an_action_serves_everybody_their_own(people: People, name: str) -> None:
    row = ACTION_ROWS[name]
    request, before = row.request(people.anns), await log(people)
    system = MockUser(name="Supervisor", system_generated=True).add_to_hass(
        people.house.hass
    )
    callers: list[tuple[MockUser | None, str | None]] = [
        (people.bob, row.other),
        (system, row.other),
        (people.admin, row.admin),
        (None, row.automation),
    ]
    for user, expected in callers:
        code, answer = await act(people, user, name, request)
        assert code == (row.other if expected is None else expected)
        assert WORD not in answer
        assert SECRET not in answer
        assert await log(people) == before

    if row.guessed is not None:
        for guessed in guesses(request):
            assert (await act(people, people.ann, name, guessed))[0] == row.guessed
    code, answer = await act(people, people.ann, name, request)
    assert code == row.own
    assert SECRET not in answer
