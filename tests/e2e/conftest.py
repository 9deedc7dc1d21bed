"""A browser, and a Home Assistant that it can look at."""

from collections.abc import Iterator
from typing import Any

from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from scripts.house.browser import Browser
from tests.ha.house import move_in
from tests.ha.speech import add_pipeline

from .home import Home


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
async def home(
    browser: Browser,
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    socket_enabled: None,
    hass_client: ClientSessionGenerator,
) -> Home:
    """A home with pages, Assist, CAESAR, and Robin, who looks after it, and Kim."""
    done = ["user", "core_config", "analytics", "integration"]
    hass_storage["onboarding"] = {"version": 4, "data": {"done": done}}
    for component in ("homeassistant", "http", "persistent_notification", "frontend"):
        assert await async_setup_component(hass, component, {})
    house = await move_in(hass)
    await add_pipeline(hass)
    robin = await hass.auth.async_create_user("Robin", group_ids=[GROUP_ID_ADMIN])
    kim = await hass.auth.async_create_user("Kim", group_ids=[GROUP_ID_USER])
    address = str((await hass_client()).make_url("")).rstrip("/")
    return Home(house=house, browser=browser, address=address, robin=robin, kim=kim)
