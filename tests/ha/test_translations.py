"""Every text that the code asks for is there, and no text is there for nothing."""

from collections.abc import Iterator
import json
import re
from string import Formatter
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations
import pytest
import voluptuous as vol
import yaml

from custom_components.caesar import errors
from custom_components.caesar.const import DOMAIN
from custom_components.caesar.services import async_setup_services

from .texts import (
    INTEGRATION,
    check_errors,
    english,
    keys_in_code,
    placeholders_in_code,
    unknown_uses,
)

SERVER_ERRORS = check_errors("flows/ollama.py", "async_models")
URL_ERRORS = check_errors("flows/ollama.py", "clean_url")
MODEL_ERRORS = check_errors("flows/ollama.py", "installed_model")
CLAUDE_ERRORS = check_errors("flows/claude.py", "async_models")
VOYAGE_ERRORS = check_errors("flows/voyage.py")
CLAUDE_MODEL_ERRORS = check_errors("flows/claude.py", "known_model")


def _leaves(texts: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(texts, str):
        yield path, texts
        return
    for key, value in texts.items():
        yield from _leaves(value, f"{path}.{key}" if path else key)


def test_every_exception_has_its_sentence() -> None:
    asked = keys_in_code("exceptions")
    asked |= {*errors._VALIDATION.values(), *errors._FAULTS.values()}

    assert set(english()["exceptions"]) == asked


@pytest.mark.parametrize("category", ["issues", "selector"])
def test_every_issue_and_choice_has_its_text(category: str) -> None:
    asked = keys_in_code(category)
    if category == "selector":
        asked |= _selectors_of_actions()

    assert set(english()[category]) == asked


def _selectors_of_actions() -> set[str]:
    return set(re.findall(r"translation_key: (\w+)", _services_yaml()))


def test_no_key_is_asked_for_in_a_way_that_this_test_does_not_see() -> None:
    assert unknown_uses() == set()


@pytest.mark.parametrize("issue", list(english()["issues"]))
def test_issues_name_what_the_code_fills_in(issue: str) -> None:
    texts = english()["issues"][issue]

    assert set(texts) in ({"title", "description"}, {"title", "fix_flow"})
    description = texts.get("description") or _description_of_fix(texts["fix_flow"])
    named = {name for _, name, *_ in Formatter().parse(description) if name}
    assert named == placeholders_in_code(issue)


def _description_of_fix(flow: Any) -> str:
    description: str = flow["step"]["init"]["description"]
    return description


def test_every_error_of_a_form_has_its_text() -> None:
    texts = english()
    server = texts["config_subentries"]["provider"]
    agent = texts["config_subentries"]["conversation"]

    assert set(texts["config"]["error"]) == (
        SERVER_ERRORS
        | URL_ERRORS
        | MODEL_ERRORS
        | CLAUDE_ERRORS
        | CLAUDE_MODEL_ERRORS
        | VOYAGE_ERRORS
    )
    assert set(texts["config"]["abort"]) == {"provider_removed"}
    assert set(server["error"]) == (
        SERVER_ERRORS
        | URL_ERRORS
        | CLAUDE_ERRORS
        | VOYAGE_ERRORS
        | check_errors("flows/provider.py")
        | check_errors("flows/account.py")
        | check_errors("flows/ai_task.py")
    )
    assert set(agent["error"]) == (
        MODEL_ERRORS | CLAUDE_MODEL_ERRORS | check_errors("flows/conversation.py")
    )
    useless = SERVER_ERRORS | CLAUDE_ERRORS | {"provider_removed"}
    assert set(agent["abort"]) == set(texts["options"]["abort"]) == useless
    assert set(texts["options"]["error"]) == (
        MODEL_ERRORS
        | CLAUDE_MODEL_ERRORS
        | check_errors("flows/embedding.py")
        | {"no_satellite", "no_account", "observer_unavailable"}
    )


def test_every_field_of_a_form_is_named_and_explained() -> None:
    groups = {
        path.rpartition(".")[0]: None
        for path, _ in _leaves(english())
        if re.search(r"\.step\.\w+\.data\.\w+$", path)
    }
    assert len(groups) >= 9
    for group in groups:
        step: Any = english()
        for key in group.split(".")[:-1]:
            step = step[key]
        assert set(step["data"]) == set(step["data_description"]), group


def test_texts_are_literal_and_end_as_sentences_do() -> None:
    for path, text in _leaves(english()):
        assert text == text.strip(), path
        assert text, path
        assert "[%key" not in text, path
        if path.startswith(("exceptions.", "services.")) and path.endswith(
            (".message", ".description")
        ):
            assert text.endswith("."), path


def _services_yaml() -> str:
    return (INTEGRATION / "services.yaml").read_text()


async def test_actions_their_fields_texts_and_icons_agree(hass: HomeAssistant) -> None:
    async_setup_services(hass)
    registered = hass.services.async_services_for_domain(DOMAIN)
    described = yaml.safe_load(_services_yaml())
    texts = english()["services"]
    icons = json.loads((INTEGRATION / "icons.json").read_text())["services"]

    assert set(registered) == set(described) == set(texts) == set(icons)
    for name, service in registered.items():
        fields = set((described[name] or {}).get("fields", {}))
        assert fields == set(texts[name].get("fields", {})), name
        assert isinstance(service.schema, vol.Schema)
        assert fields == {str(field) for field in service.schema.schema}, name
        for field in texts[name].get("fields", {}).values():
            assert set(field) == {"name", "description"}, name


async def test_home_assistant_finds_the_sentences(hass: HomeAssistant) -> None:
    found = await async_get_translations(hass, "en", "exceptions", [DOMAIN])

    assert (
        found["component.caesar.exceptions.conflict.message"]
        == english()["exceptions"]["conflict"]["message"]
    )


def test_german_says_all_that_english_says() -> None:
    file = INTEGRATION / "translations" / "de.json"
    english_texts = dict(_leaves(english()))
    german = dict(_leaves(json.loads(file.read_text("utf-8"))))

    assert set(german) == set(english_texts)
    for path, text in german.items():
        assert text == text.strip(), path
        named = {name for _, name, *_ in Formatter().parse(text) if name}
        wanted = {n for _, n, *_ in Formatter().parse(english_texts[path]) if n}
        assert named == wanted, path
    same = {path for path in german if german[path] == english_texts[path]}
    assert len(same) < len(german) / 10, same
