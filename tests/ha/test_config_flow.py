"""Setting up: what a user sees in the forms, and what is stored."""

from collections.abc import AsyncIterator
from typing import Any

from homeassistant.config_entries import SOURCE_USER, ConfigEntry, ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component
import pytest

from custom_components.caesar.const import DOMAIN

from .ollama_server import OllamaServer, running_server

DEFAULT_OPTIONS = {
    "facts_enabled": True,
    "max_facts": 30,
    "max_characters": 2048,
    "interval": 60,
    "household_admin_only": False,
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
    assert menu["menu_options"] == ["builtin", "ollama"]


async def test_without_a_model_one_choice_sets_everything_up(
    hass: HomeAssistant,
) -> None:
    result = await _choose(hass, "builtin")
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = _only_entry(hass)
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
    (field,) = models["data_schema"].schema.values()
    assert field.config["options"] == ["llama3.2:latest", "qwen3:4b"]

    result = await _submit(hass, models, model="qwen3:4b")
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry = _only_entry(hass)
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
