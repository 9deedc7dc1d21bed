"""What the forms ask of an Anthropic account: does the key work, and which models."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import (
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.requirements import RequirementsNotFound

from custom_components.caesar.gateway.errors import (
    GatewayError,
    ProviderRefusedError,
    UnsupportedRequestError,
)
from custom_components.caesar.providers import async_anthropic

from .ollama import CheckError, clean_url

KEY_SELECTOR: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.PASSWORD))


async def async_models(hass: HomeAssistant, api_key: str, url: str) -> list[str]:
    """Return the names of the models that a key may use, the newest first.

    Raises CheckError where the SDK cannot be installed, the key or the server cannot be
    used or there is no model.
    """
    try:
        provider = await async_anthropic(hass, api_key, url)
        models = await provider.list_models()
    except (RequirementsNotFound, ImportError) as err:
        raise CheckError("cannot_install_claude") from err
    except ProviderRefusedError as err:
        raise CheckError("invalid_key") from err
    except UnsupportedRequestError as err:
        raise CheckError("not_anthropic") from err
    except GatewayError as err:
        raise CheckError("cannot_reach_claude") from err
    if not models:
        raise CheckError("no_claude_models")
    return list(models)


def clean_address(text: str) -> str:
    """Return an address as it is stored; empty stands for Anthropic's own.

    Raises CheckError.
    """
    return clean_url(text) if text.strip() else ""


def default_model(models: Sequence[str]) -> str:
    """Return the model to suggest: a quick and cheap one, since somebody waits."""
    return next((model for model in models if "haiku" in model), models[0])


def known_model(models: Sequence[str], typed: str) -> str:
    """Return the model that was meant, which may be named without its date.

    Raises CheckError if the account does not have it.
    """
    name = typed.strip()
    without_date = {
        model.rpartition("-")[0]
        for model in models
        if model.rpartition("-")[2].isdecimal()
    }
    if name and (name in models or name in without_date):
        return name
    raise CheckError("unknown_claude_model")


def account_title(url: str) -> str:
    """Return how a provider is called in lists: ``Claude``, or with its server."""
    return f"Claude ({urlsplit(url).netloc})" if url else "Claude"


def errors_of(error: CheckError | None) -> dict[str, str] | None:
    """Return a form's errors: the key's stand at the key, all others at the address."""
    if error is None:
        return None
    field = CONF_API_KEY if error.key == "invalid_key" else CONF_URL
    return {field: error.key}
