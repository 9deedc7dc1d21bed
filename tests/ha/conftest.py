"""What these tests share: a house, who is in it, and that every form has its texts."""

from collections.abc import Callable, Iterator
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.repairs import RepairsFlow
from homeassistant.config_entries import ConfigSubentryFlow, OptionsFlow
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowHandler
from homeassistant.helpers import area_registry as ar, entity_registry as er, frame
import pytest
from pytest_homeassistant_custom_component.common import MockUser
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from scripts.evaluation.ablation import without_sentences
from tests.gateway.conftest import claude, server, voyage  # noqa: F401  fixtures

from .agents import OtherAgent, add_other_agent
from .house import House, move_in
from .observed import Observed
from .panel import Open, Tab, access_token
from .texts import english
from .town import town  # noqa: F401  the fixture


@pytest.fixture
async def house(hass: HomeAssistant) -> House:
    return await move_in(hass)


@pytest.fixture
def ann(house: House) -> MockUser:
    return house.user("Ann")


@pytest.fixture
def bob(house: House) -> MockUser:
    return house.user("Bob")


@pytest.fixture
async def other(house: House) -> OtherAgent:
    return await add_other_agent(house.hass)


@pytest.fixture
def observed(house: House, freezer: FrozenDateTimeFactory) -> Observed:
    return Observed(house, freezer)


@pytest.fixture
def satellite(hass: HomeAssistant, house: House) -> er.RegistryEntry:
    entities = er.async_get(hass)
    area = ar.async_get(hass).async_create("Kitchen")
    entity = entities.async_get_or_create(
        "assist_satellite", "test", "1", suggested_object_id="kitchen"
    )
    return entities.async_update_entity(entity.entity_id, area_id=area.id)


@pytest.fixture(autouse=True)
def _forms_have_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    for method, check in (
        ("async_show_form", _check_form),
        ("async_show_menu", _check_menu),
        ("async_abort", _check_abort),
    ):
        original = getattr(FlowHandler, method)
        monkeypatch.setattr(FlowHandler, method, _checked(original, check))


def _checked(
    original: Callable[..., Any], check: Callable[[Any, Any], None]
) -> Callable[..., Any]:
    def show(flow: FlowHandler[Any, Any, Any], **given: Any) -> Any:
        result = original(flow, **given)
        if type(flow).__module__.startswith("custom_components.caesar"):
            check(_texts_of(flow), result)
        return result

    return show


def _texts_of(flow: FlowHandler[Any, Any, Any]) -> Any:
    if isinstance(flow, ConfigSubentryFlow):
        return english()["config_subentries"][flow.handler[1]]
    if isinstance(flow, RepairsFlow):
        return english()["issues"][flow.issue_id]["fix_flow"]
    return english()["options" if isinstance(flow, OptionsFlow) else "config"]


def _check_form(texts: Any, form: Any) -> None:
    step = texts["step"][form["step_id"]]
    fields = {str(field) for field in form["data_schema"].schema}
    assert fields == set(step["data"]) == set(step["data_description"])
    assert "title" in step
    for error in (form["errors"] or {}).values():
        assert error in texts["error"]


def _check_menu(texts: Any, menu: Any) -> None:
    assert set(menu["menu_options"]) <= set(
        texts["step"][menu["step_id"]]["menu_options"]
    )


def _check_abort(texts: Any, result: Any) -> None:
    # Home Assistant's own reasons bring their own texts.
    if result.get("translation_domain") is None:
        assert result["reason"] in texts["abort"]


@pytest.fixture(autouse=True)
def _nothing_is_reported(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail where Home Assistant reports that CAESAR uses it wrongly."""
    # Home Assistant reports each place in the code once only.
    frame._REPORTED_INTEGRATIONS.clear()
    yield
    for phase in ("setup", "call"):
        for record in caplog.get_records(phase):
            message = record.getMessage()
            assert "Detected that custom integration" not in message
            assert "caesar" not in message.lower() or "deprecat" not in message.lower()


@pytest.fixture
def panel_of(hass: HomeAssistant, hass_ws_client: WebSocketGenerator) -> Open:
    """Open the panel as somebody."""

    async def open_panel(user: MockUser) -> Tab:
        return Tab(await hass_ws_client(hass, await access_token(hass, user)))

    return open_panel


@pytest.fixture
def model_reads_alone() -> Iterator[None]:
    """Let sentence files understand nothing, so that the model is asked for facts."""
    with without_sentences():
        yield
