"""Claude in the forms: setting up, adding, changing, and a key that is refused."""

from typing import Any

from aiohttp import web
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.loader import async_get_integration
from homeassistant.requirements import RequirementsNotFound
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.caesar.const import DOMAIN
from tests.gateway.anthropic_server import CLAUDE, THINKER, AnthropicServer
from tests.ha.house import agent, claude as account

from .forms import suggested

STORED = {"kind": "anthropic", "api_key": "key"}


@pytest.fixture(autouse=True)
async def _homeassistant(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})


async def _set_up(hass: HomeAssistant, **values: Any) -> Any:
    flows = hass.config_entries.flow
    menu = await flows.async_init(DOMAIN, context={"source": SOURCE_USER})
    form = await flows.async_configure(menu["flow_id"], {"next_step_id": "anthropic"})
    return await flows.async_configure(form["flow_id"], values)


async def _submit(hass: HomeAssistant, form: Any, **values: Any) -> Any:
    return await hass.config_entries.flow.async_configure(form["flow_id"], values)


async def test_an_account_becomes_a_provider_and_its_agent(
    hass: HomeAssistant, claude: AnthropicServer
) -> None:
    models = await _set_up(hass, api_key=" key ", url=f"{claude.url}/")
    assert models["step_id"] == "claude"
    # Who speaks should not wait: the quick one is suggested, not the newest.
    assert suggested(models) == {"model": CLAUDE}

    result = await _submit(hass, models, model=CLAUDE)
    await hass.async_block_till_done()

    assert result["type"] is FlowResultType.CREATE_ENTRY
    (entry,) = hass.config_entries.async_entries(DOMAIN)
    (provider,) = entry.get_subentries_of_type("provider")
    (made,) = entry.get_subentries_of_type("conversation")
    assert provider.data == {**STORED, "url": claude.url}
    assert provider.title == f"Claude ({claude.url.removeprefix('http://')})"
    assert made.data == {
        "provider": provider.unique_id,
        "model": CLAUDE,
        "llm_hass_api": ["assist"],
    }
    assert set(claude.keys) == {"key"}


async def test_a_model_may_be_named_without_its_date(
    hass: HomeAssistant, claude: AnthropicServer
) -> None:
    form = await _set_up(hass, api_key="key", url=claude.url)
    refused = await _submit(hass, form, model="gpt-9")
    assert refused["errors"] == {"model": "unknown_claude_model"}

    await _submit(hass, refused, model="claude-haiku-4-5")

    (entry,) = hass.config_entries.async_entries(DOMAIN)
    (made,) = entry.get_subentries_of_type("conversation")
    assert made.data["model"] == "claude-haiku-4-5"


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"refuses": True}, {"api_key": "invalid_key"}),
        ({"models": web.Response(text="<html>")}, {"url": "not_anthropic"}),
        ({"models": web.Response(status=502)}, {"url": "cannot_reach_claude"}),
        ({"models": web.json_response({"data": []})}, {"url": "no_claude_models"}),
    ],
)
async def test_an_account_is_checked_before_it_is_stored(
    hass: HomeAssistant,
    claude: AnthropicServer,
    change: dict[str, Any],
    errors: dict[str, str],
) -> None:
    for name, value in change.items():
        setattr(claude, name, value)

    form = await _set_up(hass, api_key="key", url=claude.url)

    assert (form["step_id"], form["errors"]) == ("anthropic", errors)
    assert hass.config_entries.async_entries(DOMAIN) == []


async def test_an_address_has_to_be_one(hass: HomeAssistant) -> None:
    form = await _set_up(hass, api_key="key", url="api.anthropic.com")
    assert form["errors"] == {"url": "invalid_url"}


async def test_the_package_is_home_assistants_own(
    hass: HomeAssistant, claude: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    async def install(
        _hass: HomeAssistant, _name: str, requirements: list[str], **_: Any
    ) -> None:
        asked.append(requirements)
        if len(asked) == 2:
            raise RequirementsNotFound("anthropic", requirements)

    monkeypatch.setattr(
        "custom_components.caesar.sdk.async_process_requirements", install
    )
    core = await async_get_integration(hass, "anthropic")
    await _set_up(hass, api_key="key", url=claude.url)
    form = await _set_up(hass, api_key="key", url=claude.url)
    assert asked == [core.requirements] * 2
    assert form["errors"] == {"url": "cannot_install_claude"}


@pytest.fixture
def entry(hass: HomeAssistant, claude: AnthropicServer) -> MockConfigEntry:
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="CAESAR",
        subentries_data=[
            account(claude.url),
            agent("claude", THINKER, prompt="Be brief."),
        ],
    )
    entry.add_to_hass(hass)
    return entry


async def _add(hass: HomeAssistant, entry: MockConfigEntry, kind: str) -> Any:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, kind), context={"source": SOURCE_USER}
    )


async def _fill(hass: HomeAssistant, form: Any, **values: Any) -> Any:
    return await hass.config_entries.subentries.async_configure(form["flow_id"], values)


async def _reconfigure(hass: HomeAssistant, entry: MockConfigEntry, name: str) -> Any:
    return await hass.config_entries.subentries.async_init(
        (entry.entry_id, entry.subentries[name].subentry_type),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": name},
    )


async def test_another_account_can_be_added_but_not_twice(
    hass: HomeAssistant, entry: MockConfigEntry, claude: AnthropicServer
) -> None:
    menu = await _add(hass, entry, "provider")
    form = await _fill(hass, menu, next_step_id="anthropic")
    again = await _fill(hass, form, api_key="key", url=claude.url)
    assert again["errors"] == {"url": "account_configured"}

    await _fill(hass, again, api_key="other", url=claude.url)

    *_, added = entry.subentries.values()
    assert added.data == {**STORED, "api_key": "other", "url": claude.url}
    assert added.unique_id not in {None, "claude"}


async def test_a_key_can_be_changed_and_is_never_shown(
    hass: HomeAssistant, entry: MockConfigEntry, claude: AnthropicServer
) -> None:
    form = await _reconfigure(hass, entry, "claude-subentry")
    assert suggested(form) == {"api_key": None, "url": claude.url}
    claude.refuses = True
    refused = await _fill(hass, form, api_key="wrong", url=claude.url)
    assert refused["errors"] == {"api_key": "invalid_key"}
    claude.refuses = False

    result = await _fill(hass, refused, api_key="new", url=claude.url)

    assert result["reason"] == "reconfigure_successful"
    provider = entry.subentries["claude-subentry"]
    assert provider.data == {**STORED, "api_key": "new", "url": claude.url}
    assert provider.unique_id == "claude"


async def test_a_key_that_is_left_empty_stays(
    hass: HomeAssistant, entry: MockConfigEntry, claude: AnthropicServer
) -> None:
    form = await _reconfigure(hass, entry, "claude-subentry")
    await _fill(hass, form, url=f"{claude.url}/")
    assert entry.subentries["claude-subentry"].data["api_key"] == "key"


async def test_an_agent_may_think_before_it_answers(
    hass: HomeAssistant, entry: MockConfigEntry
) -> None:
    form = await _add(hass, entry, "conversation")
    model = await _fill(hass, form, name="Study", provider="claude")
    assert model["step_id"] == "claude"
    assert suggested(model)["model"] == CLAUDE

    await _fill(hass, model, model=THINKER, prompt="Be kind.", thinks=True)

    *_, added = entry.subentries.values()
    assert added.data == {
        "provider": "claude",
        "model": THINKER,
        "prompt": "Be kind.",
        "thinks": True,
    }


async def test_an_agent_that_moves_to_claude_is_offered_its_model(
    hass: HomeAssistant, entry: MockConfigEntry, claude: AnthropicServer
) -> None:
    hass.config_entries.async_update_subentry(
        entry,
        entry.subentries["caesar"],
        data={"provider": "ollama", "model": "qwen3:4b", "prompt": "Be brief."},
    )
    form = await _reconfigure(hass, entry, "caesar")
    model = await _fill(hass, form, name="CAESAR", provider="claude")
    assert suggested(model)["model"] == CLAUDE
    assert suggested(model)["prompt"] == "Be brief."
