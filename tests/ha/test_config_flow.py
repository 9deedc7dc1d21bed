"""Setting up: what a user sees in the forms, and what is stored."""

from collections.abc import AsyncIterator
from typing import Any

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigEntryState,
    ConfigFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.loader import async_get_integration
from homeassistant.requirements import RequirementsNotFound
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.caesar.const import DOMAIN

from .forms import field, suggested
from .ollama_server import OllamaServer, running_server

DEFAULT_OPTIONS = {
    "facts_enabled": True,
    "max_facts": 30,
    "max_characters": 2048,
    "interval": 60,
    "retention_days": 90,
    "household_admin_only": False,
    "recall": True,
    "admins_open_facts": False,
}


@pytest.fixture(autouse=True)
async def _homeassistant(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})


@pytest.fixture
async def ollama(socket_enabled: None) -> AsyncIterator[OllamaServer]:
    async with running_server() as server:
        yield server


async def _start(hass: HomeAssistant) -> ConfigFlowResult:
    return await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )


async def _choose(hass: HomeAssistant, step: str) -> ConfigFlowResult:
    menu = await _start(hass)
    return await hass.config_entries.flow.async_configure(
        menu["flow_id"], {"next_step_id": step}
    )


async def _submit(
    hass: HomeAssistant, form: ConfigFlowResult, **values: Any
) -> ConfigFlowResult:
    return await hass.config_entries.flow.async_configure(form["flow_id"], values)


def _only_entry(hass: HomeAssistant) -> ConfigEntry:
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    return entry


async def test_first_the_user_chooses_who_answers(hass: HomeAssistant) -> None:
    menu = await _start(hass)

    assert menu["type"] is FlowResultType.MENU
    assert menu["menu_options"] == ["builtin", "ollama", "anthropic"]


async def test_without_a_model_one_choice_sets_everything_up(
    hass: HomeAssistant,
) -> None:
    result = await _choose(hass, "builtin")
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = _only_entry(hass)
    assert entry.state is ConfigEntryState.LOADED
    assert (entry.title, dict(entry.data)) == ("CAESAR", {})
    assert entry.options == DEFAULT_OPTIONS
    (agent,) = entry.subentries.values()
    assert (agent.subentry_type, agent.title) == ("conversation", "CAESAR")
    assert agent.data == {"provider": "builtin", "model": ""}


async def test_only_one_memory_per_home(hass: HomeAssistant) -> None:
    await _choose(hass, "builtin")
    await hass.async_block_till_done()

    again = await _start(hass)

    assert again["type"] is FlowResultType.ABORT
    assert again["reason"] == "single_instance_allowed"


async def test_with_ollama_the_agent_points_at_the_provider(
    hass: HomeAssistant, ollama: OllamaServer
) -> None:
    form = await _choose(hass, "ollama")
    assert form["step_id"] == "ollama"

    models = await _submit(hass, form, url=f"  {ollama.url}/ ")
    assert models["step_id"] == "model"
    assert field(models, "model").config["options"] == ["llama3.2:latest", "qwen3:4b"]

    result = await _submit(hass, models, model="qwen3:4b")
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = _only_entry(hass)
    assert entry.state is ConfigEntryState.LOADED
    assert dict(entry.data) == {}
    assert entry.options == DEFAULT_OPTIONS
    (provider,) = entry.get_subentries_of_type("provider")
    (agent,) = entry.get_subentries_of_type("conversation")
    assert provider.data == {"kind": "ollama", "url": ollama.url}
    assert provider.unique_id
    assert agent.title == "CAESAR"
    assert agent.data == {
        "provider": provider.unique_id,
        "model": "qwen3:4b",
        "llm_hass_api": ["assist"],
    }


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://host",
        "http://",
        "http://ann:pw@host",
        "http://h:x",
    ],
)
async def test_an_address_that_cannot_work_is_refused(
    hass: HomeAssistant, url: str
) -> None:
    form = await _choose(hass, "ollama")

    answer = await _submit(hass, form, url=url)

    assert answer["errors"] == {"url": "invalid_url"}
    assert hass.config_entries.async_entries(DOMAIN) == []


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"status": 401}, "invalid_auth"),
        ({"status": 403}, "invalid_auth"),
        ({"status": 404}, "not_ollama"),
        ({"body": "<html>A router</html>"}, "not_ollama"),
        ({"status": 500}, "cannot_connect"),
        ({"models": []}, "no_models"),
    ],
)
async def test_a_server_of_no_use_is_told_and_can_be_put_right(
    hass: HomeAssistant, ollama: OllamaServer, change: dict[str, Any], error: str
) -> None:
    healthy = {name: getattr(ollama, name) for name in change}
    for name, value in change.items():
        setattr(ollama, name, value)
    form = await _choose(hass, "ollama")

    answer = await _submit(hass, form, url=ollama.url)

    assert (answer["step_id"], answer["errors"]) == ("ollama", {"url": error})
    assert suggested(answer) == {"url": ollama.url}
    assert hass.config_entries.async_entries(DOMAIN) == []
    for name, value in healthy.items():
        setattr(ollama, name, value)
    assert (await _submit(hass, answer, url=ollama.url))["step_id"] == "model"


async def test_nobody_listening_is_told(
    hass: HomeAssistant, socket_enabled: None, unused_tcp_port: int
) -> None:
    form = await _choose(hass, "ollama")

    answer = await _submit(hass, form, url=f"http://127.0.0.1:{unused_tcp_port}")

    assert answer["errors"] == {"url": "cannot_connect"}


async def test_a_package_that_cannot_be_installed_is_told(
    hass: HomeAssistant, ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise RequirementsNotFound(DOMAIN, ["ollama==0.6.2"])

    monkeypatch.setattr("custom_components.caesar.sdk.async_process_requirements", fail)
    form = await _choose(hass, "ollama")

    answer = await _submit(hass, form, url=ollama.url)

    assert answer["errors"] == {"url": "cannot_install"}
    assert ollama.requests == 0


async def test_the_package_is_taken_at_home_assistants_own_pin(
    hass: HomeAssistant, ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    async def note(
        _hass: HomeAssistant, _name: str, requirements: list[str], **_: bool
    ) -> None:
        asked.append(requirements)

    monkeypatch.setattr("custom_components.caesar.sdk.async_process_requirements", note)
    core = await async_get_integration(hass, "ollama")

    await _submit(hass, await _choose(hass, "ollama"), url=ollama.url)

    assert asked == [core.requirements]


async def test_an_unknown_model_is_told_and_nothing_is_stored(
    hass: HomeAssistant, ollama: OllamaServer
) -> None:
    form = await _submit(hass, await _choose(hass, "ollama"), url=ollama.url)

    answer = await _submit(hass, form, model="gpt-9")

    assert (answer["step_id"], answer["errors"]) == (
        "model",
        {"model": "model_not_found"},
    )
    assert hass.config_entries.async_entries(DOMAIN) == []


async def test_a_model_may_be_typed_without_its_tag_or_pulled_meanwhile(
    hass: HomeAssistant, ollama: OllamaServer
) -> None:
    ollama.models = ["qwen3:4b"]
    form = await _submit(hass, await _choose(hass, "ollama"), url=ollama.url)
    ollama.models = ["qwen3:4b", "llama3.2:latest"]

    result = await _submit(hass, form, model=" llama3.2 ")
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    (agent,) = _only_entry(hass).get_subentries_of_type("conversation")
    assert agent.data["model"] == "llama3.2:latest"


async def test_a_server_that_goes_away_at_the_last_step_is_told(
    hass: HomeAssistant, ollama: OllamaServer
) -> None:
    form = await _submit(hass, await _choose(hass, "ollama"), url=ollama.url)
    ollama.status = 500

    answer = await _submit(hass, form, model="qwen3:4b")

    assert (answer["step_id"], answer["errors"]) == (
        "ollama",
        {"url": "cannot_connect"},
    )
    assert hass.config_entries.async_entries(DOMAIN) == []


@pytest.mark.parametrize("alone", [True, False])
async def test_in_a_home_with_one_person_all_voices_can_be_theirs(
    hass: HomeAssistant, alone: bool
) -> None:
    ann = MockUser(name="Ann").add_to_hass(hass)
    form = await _choose(hass, "builtin")
    assert form["step_id"] == "one_person"
    assert form["description_placeholders"] == {"name": "Ann"}

    # Off by default.
    await _submit(hass, form, **({"one_person": True} if alone else {}))

    theirs = {"one_person": f"user:{ann.id}"} if alone else {}
    assert _only_entry(hass).options == {**DEFAULT_OPTIONS, **theirs}


async def test_where_several_people_live_nobody_is_asked_whose_the_voices_are(
    hass: HomeAssistant,
) -> None:
    MockUser(name="Ann").add_to_hass(hass)
    MockUser(name="Bob").add_to_hass(hass)
    result = await _choose(hass, "builtin")
    assert result["type"] is FlowResultType.CREATE_ENTRY
