"""The panel: in the sidebar, served from memory, and gone with the integration."""

from collections.abc import Callable
import hashlib
from pathlib import Path

from homeassistant.components import frontend, panel_custom
from homeassistant.const import EVENT_PANELS_UPDATED
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.caesar import panel

from .house import House, move_in

BUILT = b"customElements.define('caesar-panel', class extends HTMLElement {});"


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], str]:
    """Put a built panel in the place of the shipped one; return its hash."""
    file = tmp_path / "caesar-panel.js"
    monkeypatch.setattr(panel, "_FILE", file)

    def write(content: bytes) -> str:
        file.write_bytes(content)
        return hashlib.sha256(content).hexdigest()[:12]

    return write


@pytest.fixture
async def _frontend(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "frontend", {})


def panels(hass: HomeAssistant) -> dict[str, frontend.Panel]:
    return hass.data.get(frontend.DATA_PANELS, {})


async def reload(house: House) -> None:
    assert await house.hass.config_entries.async_reload(house.entry.entry_id)


@pytest.mark.usefixtures("_frontend")
async def test_the_panel_is_as_home_assistants_own_helper_makes_it(
    hass: HomeAssistant, build: Callable[[bytes], str]
):
    digest = build(BUILT)
    await move_in(hass)
    shown = panels(hass)["caesar"]

    await panel_custom.async_register_panel(
        hass,
        "other",
        "caesar-panel",
        sidebar_title="CAESAR",
        sidebar_icon=shown.sidebar_icon,
        module_url=f"/api/caesar/panel/{digest}.js",
        config={"bundle": digest},
        handle_safe_area=True,
    )

    other = panels(hass)["other"]
    assert {**shown.to_response(), "url_path": "other"} == other.to_response()
    assert not shown.require_admin


@pytest.mark.usefixtures("_frontend")
async def test_the_file_is_served_to_anybody_and_kept_only_under_its_hash(
    hass: HomeAssistant,
    hass_client_no_auth: ClientSessionGenerator,
    build: Callable[[bytes], str],
):
    digest = build(BUILT)
    await move_in(hass)
    client = await hass_client_no_auth()

    for encoding in ("gzip", "identity"):
        answer = await client.get(
            f"/api/caesar/panel/{digest}.js", headers={"Accept-Encoding": encoding}
        )
        assert await answer.read() == BUILT
        assert answer.headers.get("Content-Encoding", "identity") == encoding
        assert answer.content_type == "text/javascript"
        assert "immutable" in answer.headers["Cache-Control"]
    old = await client.get("/api/caesar/panel/000000000000.js")
    assert (await old.read(), old.headers["Cache-Control"]) == (BUILT, "no-store")


@pytest.mark.usefixtures("_frontend")
async def test_a_new_file_gets_a_new_address_only_when_the_memory_is_loaded_anew(
    hass: HomeAssistant,
    hass_client_no_auth: ClientSessionGenerator,
    build: Callable[[bytes], str],
):
    old = build(BUILT)
    house = await move_in(hass)
    client = await hass_client_no_auth()
    new = build(b"// newer")

    answer = await client.get(f"/api/caesar/panel/{old}.js")
    assert await answer.read() == BUILT
    await reload(house)

    config = panels(hass)["caesar"].config
    assert config is not None
    assert config["bundle"] == new
    assert new in config["_panel_custom"]["module_url"]
    answer = await client.get(f"/api/caesar/panel/{new}.js")
    assert await answer.read() == b"// newer"


@pytest.mark.usefixtures("_frontend")
async def test_the_panel_stays_over_a_reload_and_goes_with_the_integration(
    hass: HomeAssistant, build: Callable[[bytes], str]
):
    build(BUILT)
    house = await move_in(hass)
    updates: list[object] = []
    hass.bus.async_listen(EVENT_PANELS_UPDATED, updates.append)

    await hass.config_entries.async_unload(house.entry.entry_id)
    assert "caesar" in panels(hass)
    await hass.config_entries.async_setup(house.entry.entry_id)
    await hass.async_block_till_done()
    assert updates == []
    await hass.config_entries.async_remove(house.entry.entry_id)

    assert "caesar" not in panels(hass)


@pytest.mark.parametrize("has_frontend", [True, False])
async def test_without_a_built_file_or_a_frontend_all_else_works(
    hass: HomeAssistant, build: Callable[[bytes], str], has_frontend: bool
):
    if has_frontend:
        assert await async_setup_component(hass, "frontend", {})
    else:
        build(BUILT)

    house = await move_in(hass)

    assert "caesar" not in panels(hass)
    ann = house.user("Ann")
    await house.act(ann, "add_fact", key="dog.name", value="Beans")
    await hass.config_entries.async_remove(house.entry.entry_id)
