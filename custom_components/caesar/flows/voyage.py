"""What the forms ask of a Voyage AI account: does the key work."""

from typing import Final
from urllib.parse import urlsplit

from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound

from custom_components.caesar.gateway.embedding import EmbeddingRequest
from custom_components.caesar.gateway.errors import (
    GatewayError,
    ModelNotFoundError,
    NoCreditError,
    ProviderRefusedError,
    RateLimitedError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.voyageai import MODELS
from custom_components.caesar.providers import async_voyage

from .ollama import CheckError

PROBE: Final = "CAESAR"
"""What is embedded to see whether that works; the server has no other question."""


async def async_check_key(hass: HomeAssistant, api_key: str, url: str) -> None:
    """See whether a key works.

    Raises CheckError where the SDK cannot be installed, or the key or the server cannot
    be used.
    """
    request = EmbeddingRequest(model=MODELS[0], texts=[PROBE], purpose="query")
    try:
        provider = await async_voyage(hass, api_key, url)
        await provider.embed(request)
    except (RequirementsNotFound, ImportError) as err:
        raise CheckError("cannot_install_voyage") from err
    except ProviderRefusedError as err:
        raise CheckError("invalid_key") from err
    except RateLimitedError, NoCreditError, ModelNotFoundError:
        # Whoever says so has taken the key.
        return
    except UnsupportedRequestError as err:
        raise CheckError("not_voyage") from err
    except GatewayError as err:
        raise CheckError("cannot_reach_voyage") from err


def account_title(url: str) -> str:
    """Return how a provider is called in lists: ``Voyage AI``, or with its server."""
    return f"Voyage AI ({urlsplit(url).netloc})" if url else "Voyage AI"
