"""Adding and changing agents and servers: what the forms show, and what is stored."""

from collections.abc import AsyncIterator
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigSubentry,
    ConfigSubentryDataWithId,
    SubentryFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.caesar.const import DOMAIN

from .agents import AI_TASK, add_ai_task
from .forms import field, suggested
from .ollama_server import OllamaServer, running_server

PROVIDER_ID = "01K0000000000000000000PROV"


@pytest.fixture(autouse=True)
async def _homeassistant(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})


@pytest.fixture
async def ollama(socket_enabled: None) -> AsyncIterator[OllamaServer]:
    async with running_server() as server:
        yield server


@pytest.fixture
def entry(hass: HomeAssistant, ollama: OllamaServer) -> MockConfigEntry:
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="CAESAR",
        subentries_data=[
            ConfigSubentryDataWithId(
                subentry_id="server",
                subentry_type="provider",
                title="Ollama (box)",
                unique_id=PROVIDER_ID,
                data={"kind": "ollama", "url": ollama.url},
            ),
            ConfigSubentryDataWithId(
                subentry_id="agent",
                subentry_type="conversation",
                title="CAESAR",
                unique_id=None,
                data={
                    "provider": PROVIDER_ID,
                    "model": "qwen3:4b",
                    "prompt": "Be brief.",
                    "llm_hass_api": ["assist", "gone"],
                },
            ),
        ],
    )
    entry.add_to_hass(hass)
    return entry


async def _add(
    hass: HomeAssistant, entry: MockConfigEntry, kind: str
) -> SubentryFlowResult:
    form = await hass.config_entries.subentries.async_init(
        (entry.entry_id, kind), context={"source": SOURCE_USER}
    )
    if form["type"] is not FlowResultType.MENU:
        return form
    assert form["menu_options"] == ["ollama", "anthropic", "voyageai", "ai_task"]
    return await hass.config_entries.subentries.async_configure(
        form["flow_id"], {"next_step_id": "ollama"}
    )


async def _reconfigure(
    hass: HomeAssistant, entry: MockConfigEntry, subentry_id: str
) -> SubentryFlowResult:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, entry.subentries[subentry_id].subentry_type),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": subentry_id},
    )


async def _submit(
    hass: HomeAssistant, form: SubentryFlowResult, **values: Any
) -> SubentryFlowResult:
    return await hass.config_entries.subentries.async_configure(form["flow_id"], values)


def _newest(entry: MockConfigEntry) -> ConfigSubentry:
    *_, newest = entry.subentries.values()
    assert isinstance(newest, ConfigSubentry)
    return newest


async def test_a_second_server_can_be_added(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    async with running_server() as second:
        form = await _add(hass, entry, "provider")
        assert suggested(form) == {"url": "http://localhost:11434"}

        result = await _submit(hass, form, url=second.url)

    assert result["type"] is FlowResultType.CREATE_ENTRY
    added = _newest(entry)
    assert added.data == {"kind": "ollama", "url": second.url}
    assert added.title == f"Ollama ({second.url.removeprefix('http://')})"
    assert added.unique_id not in {None, PROVIDER_ID}


async def test_the_same_server_is_not_added_twice(
    hass: HomeAssistant, entry: MockConfigEntry, ollama: OllamaServer
) -> None:
    form = await _add(hass, entry, "provider")

    answer = await _submit(hass, form, url=f"{ollama.url}/")

    assert answer["errors"] == {"url": "already_configured"}
    assert len(entry.subentries) == 2


async def test_a_server_that_does_not_answer_is_not_added(
    hass: HomeAssistant, entry: MockConfigEntry, unused_tcp_port: int
) -> None:
    form = await _add(hass, entry, "provider")

    answer = await _submit(hass, form, url=f"http://127.0.0.1:{unused_tcp_port}")

    assert answer["errors"] == {"url": "cannot_connect"}
    assert len(entry.subentries) == 2


async def test_a_server_can_move_and_its_agents_follow(
    hass: HomeAssistant, entry: MockConfigEntry, ollama: OllamaServer
) -> None:
    async with running_server() as moved:
        form = await _reconfigure(hass, entry, "server")
        assert suggested(form) == {"url": ollama.url}
        refused = await _submit(hass, form, url="nonsense")
        assert refused["errors"] == {"url": "invalid_url"}

        result = await _submit(hass, refused, url=moved.url)

    assert result["reason"] == "reconfigure_successful"
    assert entry.subentries["server"].data == {"kind": "ollama", "url": moved.url}
    assert entry.subentries["server"].unique_id == PROVIDER_ID
    assert entry.subentries["agent"].data["provider"] == PROVIDER_ID


async def test_a_new_agent_without_a_model_is_asked_for_its_name_only(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _add(hass, entry, "conversation")
    assert suggested(form) == {"name": "CAESAR", "provider": "builtin"}
    assert [
        (option["value"], option["label"])
        for option in field(form, "provider").config["options"]
    ] == [("builtin", "Built-in"), (PROVIDER_ID, "Ollama (box)")]

    result = await _submit(hass, form, name=" Kitchen ", provider="builtin")

    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert _newest(entry).title == "Kitchen"
    assert _newest(entry).data == {"provider": "builtin", "model": ""}


async def test_an_agent_needs_a_name(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _add(hass, entry, "conversation")

    answer = await _submit(hass, form, name="  ", provider="builtin")

    assert answer["errors"] == {"name": "name_missing"}
    assert len(entry.subentries) == 2


async def test_a_new_agent_with_a_model_may_control_the_house(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _add(hass, entry, "conversation")

    model = await _submit(hass, form, name="Study", provider=PROVIDER_ID)
    assert model["step_id"] == "model"
    assert field(model, "model").config["options"] == ["llama3.2:latest", "qwen3:4b"]
    shown = suggested(model)
    assert shown["llm_hass_api"] == ["assist"]
    assert shown["prompt"] == llm.DEFAULT_INSTRUCTIONS_PROMPT
    unknown = await _submit(hass, model, model="gpt-9", prompt="Be kind.")
    assert unknown["errors"] == {"model": "model_not_found"}
    assert suggested(unknown)["prompt"] == "Be kind."

    await _submit(
        hass, unknown, model="llama3.2", prompt="Be kind.", llm_hass_api=["assist"]
    )

    assert _newest(entry).title == "Study"
    assert _newest(entry).data == {
        "provider": PROVIDER_ID,
        "model": "llama3.2:latest",
        "prompt": "Be kind.",
        "llm_hass_api": ["assist"],
    }


async def test_a_reconfigured_agent_starts_from_what_it_has(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _reconfigure(hass, entry, "agent")
    assert suggested(form) == {"name": "CAESAR", "provider": PROVIDER_ID}

    model = await _submit(hass, form, name="Brutus", provider=PROVIDER_ID)
    # An API that is gone cannot be chosen, so it is not suggested either.
    assert suggested(model) == {
        "model": "qwen3:4b",
        "prompt": "Be brief.",
        "llm_hass_api": ["assist"],
    }
    result = await _submit(hass, model, model="llama3.2:latest")

    assert result["reason"] == "reconfigure_successful"
    agent = entry.subentries["agent"]
    assert agent.title == "Brutus"
    assert agent.data == {"provider": PROVIDER_ID, "model": "llama3.2:latest"}


async def test_an_agent_can_go_back_to_no_model(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _reconfigure(hass, entry, "agent")

    await _submit(hass, form, name="CAESAR", provider="builtin")

    assert entry.subentries["agent"].data == {"provider": "builtin", "model": ""}


async def test_a_removed_provider_is_not_suggested(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    hass.config_entries.async_remove_subentry(entry, "server")

    form = await _reconfigure(hass, entry, "agent")

    assert suggested(form) == {"name": "CAESAR", "provider": None}


async def test_a_provider_removed_while_the_form_is_open_is_told(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _add(hass, entry, "conversation")
    hass.config_entries.async_remove_subentry(entry, "server")

    result = await _submit(hass, form, name="Study", provider=PROVIDER_ID)

    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "provider_removed"


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"status": 500}, "cannot_connect"), ({"models": []}, "no_models")],
)
async def test_an_agent_is_not_added_while_its_server_is_of_no_use(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    ollama: OllamaServer,
    change: dict[str, Any],
    reason: str,
) -> None:
    for name, value in change.items():
        setattr(ollama, name, value)
    form = await _add(hass, entry, "conversation")

    result = await _submit(hass, form, name="Study", provider=PROVIDER_ID)

    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == reason
    assert len(entry.subentries) == 2


@pytest.fixture
async def entity(hass: HomeAssistant) -> str:
    await add_ai_task(hass)
    return AI_TASK


async def _pick_entity(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    menu = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "provider"), context={"source": SOURCE_USER}
    )
    return await hass.config_entries.subentries.async_configure(
        menu["flow_id"], {"next_step_id": "ai_task"}
    )


async def test_an_ai_task_entity_can_be_a_provider(
    hass: HomeAssistant, entry: MockConfigEntry, entity: str
) -> None:
    form = await _pick_entity(hass, entry)
    (config,) = field(form, "entity_id").config["filter"]
    assert config == {"domain": ["ai_task"], "supported_features": [1]}

    result = await _submit(hass, form, entity_id=entity)

    assert result["type"] is FlowResultType.CREATE_ENTRY
    added = _newest(entry)
    assert added.title == "Other"
    assert added.data == {"kind": "ai_task", "entity_id": entity}
    assert added.unique_id


async def test_the_same_entity_is_added_once(
    hass: HomeAssistant, entry: MockConfigEntry, entity: str
) -> None:
    await _submit(hass, await _pick_entity(hass, entry), entity_id=entity)

    again = await _submit(hass, await _pick_entity(hass, entry), entity_id=entity)

    assert again["errors"] == {"entity_id": "already_configured"}
    assert suggested(again) == {"entity_id": entity}


async def test_our_own_entity_cannot_be_picked(
    hass: HomeAssistant, entry: MockConfigEntry, entity: str
) -> None:
    own = er.async_get(hass).async_get_or_create("ai_task", DOMAIN, "agent").entity_id
    form = await _pick_entity(hass, entry)
    assert field(form, "entity_id").config["exclude_entities"] == [own]


async def test_another_entity_can_take_its_place(
    hass: HomeAssistant, entry: MockConfigEntry, entity: str
) -> None:
    await _submit(hass, await _pick_entity(hass, entry), entity_id=entity)
    added = _newest(entry)

    form = await _reconfigure(hass, entry, added.subentry_id)
    assert suggested(form) == {"entity_id": entity}
    result = await _submit(hass, form, entity_id="ai_task.third")

    assert result["type"] is FlowResultType.ABORT
    assert result["reason"] == "reconfigure_successful"
    assert _newest(entry).data["entity_id"] == "ai_task.third"
    assert _newest(entry).title == "ai_task.third"


async def test_an_ai_task_entity_is_not_offered_to_agents(
    hass: HomeAssistant, entry: MockConfigEntry, entity: str
) -> None:
    await _submit(hass, await _pick_entity(hass, entry), entity_id=entity)

    form = await _add(hass, entry, "conversation")

    offered = {o["value"] for o in field(form, "provider").config["options"]}
    assert offered == {"builtin", PROVIDER_ID}
