"""Voyage AI in the forms, and the choice of who embeds."""

from typing import Any

from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER
from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.caesar.const import DOMAIN
from tests.gateway.ollama_server import (
    EMBEDDING_MODEL,
    MODEL,
    OllamaServer,
    Reply,
    nobody,
)
from tests.gateway.voyage_server import VOYAGE, VoyageServer, fails

from .forms import field, suggested
from .house import agent, ollama, voyage as voyager


@pytest.fixture
async def entry(
    hass: HomeAssistant, server: OllamaServer, voyage: VoyageServer
) -> MockConfigEntry:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "conversation", {})
    server.names = [MODEL, EMBEDDING_MODEL]
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="CAESAR",
        subentries_data=[ollama(server.url), voyager(voyage.url), agent()],
    )
    entry.add_to_hass(hass)
    return entry


async def _add(hass: HomeAssistant, entry: MockConfigEntry) -> Any:
    menu = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "provider"), context={"source": SOURCE_USER}
    )
    return await _fill(hass, menu, next_step_id="voyageai")


async def _fill(hass: HomeAssistant, form: Any, **values: Any) -> Any:
    return await hass.config_entries.subentries.async_configure(form["flow_id"], values)


async def _options(hass: HomeAssistant, entry: MockConfigEntry, step: str) -> Any:
    menu = await hass.config_entries.options.async_init(entry.entry_id)
    return await _submit(hass, menu, next_step_id=step)


async def _submit(hass: HomeAssistant, form: Any, **values: Any) -> Any:
    return await hass.config_entries.options.async_configure(form["flow_id"], values)


def _values(form: Any, name: str) -> list[str]:
    return [option["value"] for option in field(form, name).config["options"]]


async def test_an_account_is_checked_with_one_word_and_stored(
    hass: HomeAssistant, entry: MockConfigEntry, voyage: VoyageServer
):
    form = await _add(hass, entry)
    again = await _fill(hass, form, api_key="key", url=voyage.url)
    assert again["errors"] == {"url": "account_configured"}
    await _fill(hass, again, api_key=" other ", url=f"{voyage.url}/")
    *_, added = entry.subentries.values()
    assert added.data == {"kind": "voyageai", "api_key": "other", "url": voyage.url}
    assert added.title.startswith("Voyage AI (127.0.0.1")
    assert added.unique_id not in {None, "voyage"}
    assert voyage.texts == ["CAESAR"]
    assert voyage.keys == ["Bearer other"]


@pytest.mark.parametrize(
    ("reply", "errors"),
    [
        (fails(401), {"api_key": "invalid_key"}),
        (fails(404), {"url": "not_voyage"}),
        (fails(503), {"url": "cannot_reach_voyage"}),
    ],
)
async def test_an_account_that_does_not_work_is_not_stored(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    voyage: VoyageServer,
    reply: Any,
    errors: dict[str, str],
):
    voyage.replies = [reply]
    form = await _add(hass, entry)
    form = await _fill(hass, form, api_key="other", url=voyage.url)
    assert form["errors"] == errors
    assert len(entry.subentries) == 3
    # Whoever is told to wait has a key that works.
    voyage.replies = [fails(429, "slow")]
    await _fill(hass, form, api_key="other", url=voyage.url)
    assert len(entry.subentries) == 4


async def test_the_package_is_installed_on_demand(
    hass: HomeAssistant,
    entry: MockConfigEntry,
    voyage: VoyageServer,
    monkeypatch: pytest.MonkeyPatch,
):
    asked: list[list[str]] = []

    async def install(
        _hass: HomeAssistant, _name: str, requirements: list[str], **_: Any
    ) -> None:
        asked.append(requirements)
        raise RequirementsNotFound("voyageai", requirements)

    monkeypatch.setattr(
        "custom_components.caesar.sdk.async_process_requirements", install
    )
    form = await _add(hass, entry)
    form = await _fill(hass, form, api_key="other", url=voyage.url)
    assert asked == [["voyageai==0.3.3"]]
    assert form["errors"] == {"url": "cannot_install_voyage"}


async def test_a_key_can_be_changed_and_is_never_shown(
    hass: HomeAssistant, entry: MockConfigEntry, voyage: VoyageServer
):
    form = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "provider"),
        context={"source": SOURCE_RECONFIGURE, "subentry_id": "voyage-subentry"},
    )
    assert suggested(form) == {"api_key": None, "url": voyage.url}
    voyage.refuses = True
    refused = await _fill(hass, form, api_key="wrong", url=voyage.url)
    assert refused["errors"] == {"api_key": "invalid_key"}
    voyage.refuses = False
    await _fill(hass, refused, api_key="new", url=voyage.url)
    assert entry.subentries["voyage-subentry"].data["api_key"] == "new"


async def test_voyage_can_neither_answer_nor_learn(
    hass: HomeAssistant, entry: MockConfigEntry
):
    form: Any = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"), context={"source": SOURCE_USER}
    )
    assert _values(form, "provider") == ["builtin", "ollama"]
    form = await _options(hass, entry, "learning")
    assert _values(form, "learn_provider") == ["heard", "builtin", "ollama"]


async def test_nobody_embeds_by_default(hass: HomeAssistant, entry: MockConfigEntry):
    form = await _options(hass, entry, "meaning")
    assert suggested(form) == {"embed_provider": "none", "embed_daily_tokens": 0}
    assert _values(form, "embed_provider") == ["none", "ollama", "voyage"]
    await _submit(hass, form, embed_provider="none", embed_daily_tokens=0)
    assert entry.options["embed_provider"] == "none"


async def test_a_model_of_ollama_has_to_embed(
    hass: HomeAssistant, entry: MockConfigEntry, server: OllamaServer
):
    form = await _options(hass, entry, "meaning")
    form = await _submit(hass, form, embed_provider="ollama", embed_daily_tokens=500)
    assert form["step_id"] == "meaning_model"
    assert suggested(form) == {"embed_model": EMBEDDING_MODEL}
    for typed, error in (
        (MODEL, "no_embedding_model"),
        ("no:1b", "model_not_found"),
    ):
        form = await _submit(hass, form, embed_model=typed)
        assert form["errors"] == {"embed_model": error}
    server.embeddings = [Reply(status=500, lines=["{}"]), Reply(lines=["[]"])]
    for _ in range(2):
        form = await _submit(hass, form, embed_model=EMBEDDING_MODEL)
        assert form["errors"] == {"embed_model": "cannot_embed"}

    await _submit(hass, form, embed_model="nomic-embed-text")

    assert {name: entry.options[name] for name in entry.options if "embed" in name} == {
        "embed_provider": "ollama",
        "embed_model": EMBEDDING_MODEL,
        "embed_daily_tokens": 500,
    }
    assert [text for body in server.embedded for text in body["input"]] == [
        "search_document: CAESAR" if body["model"] == EMBEDDING_MODEL else "CAESAR"
        for body in server.embedded
    ]


async def test_a_model_of_voyage_may_be_typed_and_is_suggested_again(
    hass: HomeAssistant, entry: MockConfigEntry, voyage: VoyageServer
):
    form = await _options(hass, entry, "meaning")
    form = await _submit(hass, form, embed_provider="voyage", embed_daily_tokens=0)
    assert suggested(form) == {"embed_model": VOYAGE}
    voyage.replies = [fails(400, "Model no is not supported"), fails(401)]
    form = await _submit(hass, form, embed_model="no")
    assert form["errors"] == {"embed_model": "no_embedding_model"}
    form = await _submit(hass, form, embed_model="voyage-9")
    assert form["errors"] == {"embed_model": "invalid_key"}
    await _submit(hass, form, embed_model="voyage-9")
    assert entry.options["embed_model"] == "voyage-9"
    form = await _options(hass, entry, "meaning")
    assert suggested(form)["embed_provider"] == "voyage"
    form = await _submit(hass, form, embed_provider="voyage", embed_daily_tokens=0)
    assert suggested(form) == {"embed_model": "voyage-9"}


async def test_a_server_that_is_gone_cannot_be_chosen(
    hass: HomeAssistant, entry: MockConfigEntry
):
    gone = entry.subentries["ollama-subentry"]
    hass.config_entries.async_update_subentry(
        entry, gone, data={**gone.data, "url": nobody()}
    )
    form = await _options(hass, entry, "meaning")
    end = await _submit(hass, form, embed_provider="ollama", embed_daily_tokens=0)
    assert end["reason"] == "cannot_connect"
    assert "embed_provider" not in entry.options
