"""The models and keys of a provider, whatever its kind."""

from collections.abc import Mapping
from typing import Any

from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant

from custom_components.caesar.const import (
    CONF_PROVIDER_KIND,
    KIND_ANTHROPIC,
    KIND_OLLAMA,
    KIND_VOYAGEAI,
)

from . import claude, ollama, voyage


def has_models(data: Mapping[str, Any]) -> bool:
    """Return whether one of its models has to be chosen."""
    return data[CONF_PROVIDER_KIND] in {KIND_ANTHROPIC, KIND_OLLAMA}


async def async_models(hass: HomeAssistant, data: Mapping[str, Any]) -> list[str]:
    """Return the names of a provider's models; raises CheckError."""
    if data[CONF_PROVIDER_KIND] == KIND_ANTHROPIC:
        return await claude.async_models(hass, data[CONF_API_KEY], data[CONF_URL])
    return await ollama.async_models(hass, data[CONF_URL])


def known_model(data: Mapping[str, Any], models: list[str], typed: str) -> str:
    """Return the model that was meant; raises CheckError."""
    if data[CONF_PROVIDER_KIND] == KIND_ANTHROPIC:
        return claude.known_model(models, typed)
    return ollama.installed_model(models, typed)


async def async_check_key(
    hass: HomeAssistant, data: Mapping[str, Any], api_key: str
) -> None:
    """See whether a provider would take another key; raises CheckError."""
    if data[CONF_PROVIDER_KIND] == KIND_VOYAGEAI:
        await voyage.async_check_key(hass, api_key, data[CONF_URL])
    else:
        await claude.async_models(hass, api_key, data[CONF_URL])
