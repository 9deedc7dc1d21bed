"""What the forms ask about embedding models: which there are, and whether one works."""

from collections.abc import Mapping, Sequence
import re
from typing import Any, Final

from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound

from custom_components.caesar.const import (
    CONF_PROVIDER_KIND,
    KIND_OLLAMA,
    KIND_VOYAGEAI,
)
from custom_components.caesar.gateway.embedding import (
    EmbeddingProvider,
    EmbeddingRequest,
    EmbeddingResult,
)
from custom_components.caesar.gateway.errors import (
    GatewayError,
    ModelNotFoundError,
    ProviderRefusedError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.voyageai import MODELS
from custom_components.caesar.providers import async_provider

from . import ollama
from .ollama import CheckError
from .voyage import PROBE

EMBEDDING_KINDS: Final = (KIND_OLLAMA, KIND_VOYAGEAI)

_LIKELY: Final = re.compile(r"embed|minilm|bge|\be5\b|gte")
"""How embedding models are mostly called."""


async def async_models(hass: HomeAssistant, data: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of a provider's models, likely ones first; raises CheckError."""
    if data[CONF_PROVIDER_KIND] == KIND_VOYAGEAI:
        return MODELS
    models = await ollama.async_models(hass, data[CONF_URL])
    return sorted(models, key=lambda model: not _LIKELY.search(model))


def suggestion(data: Mapping[str, Any], models: Sequence[str], stored: str) -> str:
    """Return the model to suggest, empty where none of them is likely to embed."""
    if data[CONF_PROVIDER_KIND] == KIND_VOYAGEAI:
        return stored or models[0]
    if stored in models:
        return stored
    return models[0] if _LIKELY.search(models[0]) else ""


async def async_usable_model(
    hass: HomeAssistant, data: Mapping[str, Any], models: Sequence[str], typed: str
) -> str:
    """Return the model that was meant, which can embed.

    Raises CheckError where it cannot, or cannot be asked now.
    """
    model = typed.strip()
    if data[CONF_PROVIDER_KIND] == KIND_OLLAMA:
        model = ollama.installed_model(list(models), typed)
    try:
        made = await _probe(hass, data, model)
    except (RequirementsNotFound, ImportError) as err:
        raise CheckError("cannot_load_embedder") from err
    except ProviderRefusedError as err:
        if CONF_API_KEY in data:
            raise CheckError("invalid_key") from err
        raise CheckError("invalid_auth") from err
    except (ModelNotFoundError, UnsupportedRequestError) as err:
        raise CheckError("no_embedding_model") from err
    except GatewayError as err:
        raise CheckError("cannot_embed") from err
    if len(made.vectors) != 1 or not made.vectors[0]:
        raise CheckError("no_embedding_model")
    return model


async def _probe(
    hass: HomeAssistant, data: Mapping[str, Any], model: str
) -> EmbeddingResult:
    provider = await async_provider(hass, data)
    assert isinstance(provider, EmbeddingProvider)  # noqa: S101  these kinds are
    request = EmbeddingRequest(model=model, texts=[PROBE], purpose="document")
    try:
        return await provider.embed(request)
    finally:
        await provider.close()
