"""The providers that an entry's subentries describe, and what may leave the house."""

from collections.abc import Mapping
from dataclasses import dataclass
import logging
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_API_KEY, CONF_ENTITY_ID, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.requirements import RequirementsNotFound
from homeassistant.util.ssl import get_default_context

from . import sdk
from .const import (
    BUILTIN_PROVIDER,
    CONF_EMBED_MODEL,
    CONF_EMBED_PROVIDER,
    CONF_LEARN_HOSTED,
    CONF_LEARN_MODEL,
    CONF_LEARN_PROVIDER,
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    KIND_AI_TASK,
    KIND_ANTHROPIC,
    KIND_OLLAMA,
    KIND_VOYAGEAI,
    LEARN_HEARD,
    SUBENTRY_CONVERSATION,
    SUBENTRY_PROVIDER,
)
from .gateway import Background, Route
from .gateway.ai_task import AiTaskProvider
from .gateway.anthropic import AnthropicProvider
from .gateway.base import Provider
from .gateway.builtin import BuiltinProvider
from .gateway.errors import GatewayError
from .gateway.ollama import OllamaProvider
from .gateway.sentences import shipped_sentences
from .gateway.unloaded import UnloadedProvider
from .gateway.voyageai import VoyageProvider

_LOGGER = logging.getLogger(__name__)


async def async_providers(
    hass: HomeAssistant, entry: ConfigEntry
) -> dict[str, Provider]:
    """Return the providers by id; one that cannot be loaded says so when asked."""
    sentences = await hass.async_add_executor_job(shipped_sentences)
    # The house's own language shall be ready for the first turn.
    await hass.async_add_executor_job(sentences.language, hass.config.language)
    providers: dict[str, Provider] = {BUILTIN_PROVIDER: BuiltinProvider(sentences)}
    for provider_id, subentry in provider_subentries(entry).items():
        try:
            providers[provider_id] = await async_provider(hass, subentry.data)
        except (RequirementsNotFound, ImportError, GatewayError) as err:
            kind = type(err).__name__
            _LOGGER.error("A provider could not be loaded: %s", kind)  # noqa: TRY400
            providers[provider_id] = UnloadedProvider()
    return providers


def provider_subentries(entry: ConfigEntry) -> dict[str, ConfigSubentry]:
    """Return the subentries of the providers by the id that agents name."""
    return {
        subentry.unique_id or subentry.subentry_id: subentry
        for subentry in entry.get_subentries_of_type(SUBENTRY_PROVIDER)
    }


def route_of(agent: ConfigSubentry) -> Route:
    """Return who answers for an agent."""
    return Route(agent.data[CONF_PROVIDER], agent.data.get(CONF_MODEL, ""))


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenEmbedder:
    """Who embeds what was said, as the options say."""

    route: Route
    kind: str
    """The kind of its provider."""


def chosen_embedder(entry: ConfigEntry) -> ChosenEmbedder | None:
    """Return who embeds, None where nobody was chosen or it was removed."""
    provider_id = entry.options.get(CONF_EMBED_PROVIDER, "")
    subentry = provider_subentries(entry).get(provider_id)
    if subentry is None:
        return None
    return ChosenEmbedder(
        route=Route(provider_id, entry.options.get(CONF_EMBED_MODEL, "")),
        kind=subentry.data[CONF_PROVIDER_KIND],
    )


def background(entry: ConfigEntry) -> Background:
    """Return where work in the background goes, and what may leave the house for it."""
    chosen = entry.options.get(CONF_LEARN_PROVIDER, LEARN_HEARD)
    # Only what is surely in the house does not count as hosted.
    providers = provider_subentries(entry)
    in_house = {
        provider_id
        for provider_id, subentry in providers.items()
        if subentry.data[CONF_PROVIDER_KIND] == KIND_OLLAMA
    }
    agents = map(route_of, entry.get_subentries_of_type(SUBENTRY_CONVERSATION))
    return Background(
        chosen=None
        if chosen == LEARN_HEARD
        else Route(chosen, entry.options.get(CONF_LEARN_MODEL, "")),
        hosted=frozenset(providers.keys() - in_house),
        shares_local=entry.options.get(CONF_LEARN_HOSTED, False),
        fallback=next(
            (route for route in agents if route.provider in in_house),
            Route(BUILTIN_PROVIDER),
        ),
    )


@callback
def async_ask_for_key(
    hass: HomeAssistant, entry: ConfigEntry, provider_id: str
) -> None:
    """Ask for a new key where a provider's was refused; all else works on."""
    subentry = provider_subentries(entry).get(provider_id)
    if subentry is None or CONF_API_KEY not in subentry.data:
        return
    entry.async_start_reauth(
        hass,
        context={"title_placeholders": {"name": subentry.title}},
        data={CONF_PROVIDER: provider_id},
    )


async def async_provider(hass: HomeAssistant, data: Mapping[str, Any]) -> Provider:
    """Return the provider that a subentry's data describe.

    Raises RequirementsNotFound, ImportError or GatewayError.
    """
    if data[CONF_PROVIDER_KIND] == KIND_ANTHROPIC:
        return await async_anthropic(hass, data[CONF_API_KEY], data[CONF_URL])
    if data[CONF_PROVIDER_KIND] == KIND_VOYAGEAI:
        return await async_voyage(hass, data[CONF_API_KEY], data[CONF_URL])
    if data[CONF_PROVIDER_KIND] == KIND_AI_TASK:
        return AiTaskProvider(hass, data[CONF_ENTITY_ID])
    module = await sdk.async_load_sdk(hass, sdk.OLLAMA)
    return await hass.async_add_executor_job(
        lambda: OllamaProvider(
            module, data[CONF_URL], ssl_context=get_default_context()
        )
    )


async def async_anthropic(
    hass: HomeAssistant, api_key: str, url: str
) -> AnthropicProvider:
    """Return a provider for a key; without an address Anthropic's own is taken.

    Raises RequirementsNotFound, ImportError or GatewayError.
    """
    module = await sdk.async_load_sdk(hass, sdk.ANTHROPIC)
    client = get_async_client(hass)
    return await hass.async_add_executor_job(
        lambda: AnthropicProvider(module, api_key, http_client=client, url=url)
    )


async def async_voyage(hass: HomeAssistant, api_key: str, url: str) -> VoyageProvider:
    """Return a provider for a key; without an address Voyage AI's own is taken.

    Raises RequirementsNotFound or ImportError.
    """
    module = await sdk.async_load_sdk(hass, sdk.VOYAGEAI)
    session = async_get_clientsession(hass)
    return VoyageProvider(module, api_key, session=session, url=url)
