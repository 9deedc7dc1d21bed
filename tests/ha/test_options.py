"""The options: what memory may do, and whose voice a satellite carries."""

from typing import Any

from homeassistant.components.conversation import chat_log
from homeassistant.config_entries import ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, InvalidData
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.caesar.const import DOMAIN

from .forms import suggested

MEMORY = {
    "facts_enabled": False,
    "max_facts": 5,
    "max_characters": 500,
    "interval": 30,
    "retention_days": 30,
    "household_admin_only": True,
    "recall": True,
    "admins_open_facts": False,
}
KITCHEN = "assist_satellite.kitchen"
STUDY = "assist_satellite.study"


@pytest.fixture
async def entry(hass: HomeAssistant) -> MockConfigEntry:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    entry = MockConfigEntry(domain=DOMAIN, title="CAESAR")
    entry.add_to_hass(hass)
    return entry


@pytest.fixture
async def ann(hass: HomeAssistant) -> MockUser:
    """Ann and Cleo have logins; Ann and her child Ben are people."""
    ann = MockUser(name="ann_login").add_to_hass(hass)
    MockUser(name="Cleo").add_to_hass(hass)
    MockUser(name="Supervisor", system_generated=True).add_to_hass(hass)
    people = [
        {"id": "ann", "name": "Ann", "user_id": ann.id},
        {"id": "ben", "name": "Ben"},
    ]
    assert await async_setup_component(hass, "person", {"person": people})
    await hass.async_block_till_done()
    hass.states.async_set(KITCHEN, "idle", {"friendly_name": "Kitchen"})
    return ann


async def _open(
    hass: HomeAssistant, entry: MockConfigEntry, step: str | None = None
) -> ConfigFlowResult:
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    if step is None:
        return menu
    return await hass.config_entries.options.async_configure(
        menu["flow_id"], {"next_step_id": step}
    )


async def _submit(
    hass: HomeAssistant, form: ConfigFlowResult, **values: Any
) -> ConfigFlowResult:
    return await hass.config_entries.options.async_configure(form["flow_id"], values)


def _subjects(menu: Any) -> set[str]:
    return set(menu["menu_options"])


def _choices(form: Any, name: str) -> dict[str, str]:
    options = form["data_schema"].schema[name].config["options"]
    return {option["value"]: option["label"] for option in options}


async def test_memory_options_show_the_defaults_and_store_what_is_typed(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _open(hass, entry, "memory")
    assert suggested(form) == {
        "facts_enabled": True,
        "max_facts": 30,
        "max_characters": 2048,
        "interval": 60,
        "retention_days": 90,
        "household_admin_only": False,
        "recall": True,
        "admins_open_facts": False,
    }

    result = await _submit(hass, form, **MEMORY)

    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert entry.options == MEMORY
    assert isinstance(entry.options["max_facts"], int)


@pytest.mark.parametrize(
    "change",
    [
        {"max_facts": 0},
        {"max_facts": 101},
        {"max_characters": 199},
        {"max_characters": 10_001},
        {"interval": 9},
        {"interval": 3601},
    ],
)
async def test_numbers_outside_the_limits_are_refused(
    hass: HomeAssistant, entry: MockConfigEntry, change: dict[str, int]
) -> None:
    form = await _open(hass, entry, "memory")

    with pytest.raises(InvalidData):
        await _submit(hass, form, **{**MEMORY, **change})

    assert entry.options == {}


async def test_a_voice_can_be_anybodys_who_lives_here(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    form = await _open(hass, entry, "add_voice")

    assert list(_choices(form, "owner").values()) == [
        "The household",
        "Ann",
        "Ben",
        "Cleo",
    ]
    assert list(_choices(form, "owner"))[:3] == [
        "household",
        f"user:{ann.id}",
        "person:ben",
    ]


async def test_satellites_are_mapped_and_other_options_stay(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    await _submit(hass, await _open(hass, entry, "memory"), **MEMORY)

    await _submit(
        hass,
        await _open(hass, entry, "add_voice"),
        satellites=[STUDY],
        owner=f"user:{ann.id}",
    )
    await _submit(
        hass,
        await _open(hass, entry, "add_voice"),
        satellites=[KITCHEN],
        owner="person:ben",
    )

    assert entry.options == {
        **MEMORY,
        "satellites": {STUDY: f"user:{ann.id}", KITCHEN: "person:ben"},
    }


async def test_no_satellite_is_no_mapping(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    form = await _open(hass, entry, "add_voice")

    answer = await _submit(hass, form, satellites=[], owner="household")

    assert answer["errors"] == {"satellites": "no_satellite"}
    assert entry.options == {}


async def test_voices_are_listed_and_can_be_removed(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    always = {
        "memory",
        "learning",
        "meaning",
        "add_voice",
        "add_account",
        "one_person",
        "sharing",
    }
    assert _subjects(await _open(hass, entry)) == always
    hass.config_entries.async_update_entry(
        entry, options={"satellites": {KITCHEN: "household", STUDY: "person:ben"}}
    )
    menu = await _open(hass, entry)
    assert _subjects(menu) == always | {"remove_voice"}

    form = await _open(hass, entry, "remove_voice")
    assert _choices(form, "satellites") == {
        KITCHEN: "Kitchen → The household",
        STUDY: f"{STUDY} → Ben",
    }
    await _submit(hass, form, satellites=[KITCHEN])

    assert entry.options["satellites"] == {STUDY: "person:ben"}


NOTHING_SHARED = {
    "share_with_agents": False,
    "share_with_mcp": False,
    "share_conversations": False,
    "learn_from_agents": False,
    "consents": [],
}


async def test_nothing_is_shared_unless_it_is_chosen(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    form = await _open(hass, entry, "sharing")

    assert suggested(form) == NOTHING_SHARED
    fields = form["data_schema"].schema  # type: ignore[union-attr]
    consents = [option["value"] for option in fields["consents"].config["options"]]
    assert consents[:2] == [f"user:{ann.id}", "person:ben"]
    assert "household" not in consents


async def test_sharing_is_stored(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    wanted = {**NOTHING_SHARED, "share_with_mcp": True, "consents": ["person:ben"]}
    form = await _open(hass, entry, "sharing")

    await hass.config_entries.options.async_configure(form["flow_id"], wanted)

    assert {name: entry.options[name] for name in wanted} == wanted
    assert suggested(await _open(hass, entry, "sharing")) == wanted


async def test_what_home_assistant_does_not_allow_cannot_be_chosen(
    hass: HomeAssistant, entry: MockConfigEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(chat_log, "async_subscribe_chat_logs")
    form = await _open(hass, entry, "sharing")
    wanted = {**NOTHING_SHARED, "learn_from_agents": True}

    answer = await hass.config_entries.options.async_configure(form["flow_id"], wanted)

    assert answer["errors"] == {"learn_from_agents": "observer_unavailable"}
    assert "learn_from_agents" not in entry.options


async def test_a_renamed_satellite_is_listed_and_keeps_its_voice(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    registry = er.async_get(hass)
    registered = registry.async_get_or_create(
        "assist_satellite", "test", "1", suggested_object_id="hall"
    )
    form = await _open(hass, entry, "add_voice")
    await _submit(hass, form, satellites=["assist_satellite.hall"], owner="person:ben")
    assert entry.options["satellites"] == {registered.id: "person:ben"}

    registry.async_update_entity(
        registered.entity_id, new_entity_id="assist_satellite.attic"
    )

    form = await _open(hass, entry, "remove_voice")
    assert _choices(form, "satellites") == {
        registered.id: "assist_satellite.attic → Ben"
    }
    await _submit(hass, form, satellites=[registered.id])
    assert entry.options["satellites"] == {}


async def test_a_shared_login_is_mapped_and_given_back(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    form = await _open(hass, entry, "add_account")
    assert sorted(_choices(form, "accounts").values()) == ["Cleo", "ann_login"]
    form = await _submit(hass, form, accounts=[], owner="household")
    assert form["errors"] == {"accounts": "no_account"}

    await _submit(hass, form, accounts=[ann.id], owner="household")
    assert entry.options["accounts"] == {ann.id: "household"}

    form = await _open(hass, entry, "remove_account")
    assert _choices(form, "accounts") == {ann.id: "ann_login → The household"}
    await _submit(hass, form, accounts=[ann.id])
    assert entry.options["accounts"] == {}


async def test_all_voices_can_be_one_persons_and_nobodys_again(
    hass: HomeAssistant, entry: MockConfigEntry, ann: MockUser
) -> None:
    form = await _open(hass, entry, "one_person")
    assert suggested(form) == {"one_person": "nobody"}
    assert list(_choices(form, "one_person").values()) == [
        "nobody",
        "Ann",
        "Ben",
        "Cleo",
    ]

    await _submit(hass, form, one_person=f"user:{ann.id}")
    assert entry.options["one_person"] == f"user:{ann.id}"

    form = await _open(hass, entry, "one_person")
    assert suggested(form) == {"one_person": f"user:{ann.id}"}
    await _submit(hass, form, one_person="nobody")
    assert entry.options["one_person"] is None
