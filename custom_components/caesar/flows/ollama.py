"""What the forms ask of an Ollama server: is it there, and which models has it."""

from collections.abc import Sequence
from types import ModuleType
from typing import Final
from urllib.parse import urlsplit

from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import (
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
from homeassistant.requirements import RequirementsNotFound
from homeassistant.util.ssl import get_default_context

from custom_components.caesar.gateway.errors import (
    GatewayError,
    ProviderRefusedError,
    UnsupportedRequestError,
)
from custom_components.caesar.gateway.ollama import OllamaProvider
from custom_components.caesar.sdk import OLLAMA, async_load_sdk

DEFAULT_URL: Final = "http://localhost:11434"

URL_SELECTOR: Final = TextSelector(TextSelectorConfig(type=TextSelectorType.URL))


class CheckError(Exception):
    """What was entered cannot be used; ``key`` names the text that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def clean_url(text: str) -> str:
    """Return the address of a server without what surrounds it.

    Raises CheckError unless it is http or https, with a host and without a login: the
    SDK would drop a login silently.
    """
    url = text.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as err:
        raise CheckError("invalid_url") from err
    usable = parts.scheme in {"http", "https"} and parts.hostname and port != 0
    if not usable or parts.username is not None or parts.query or parts.fragment:
        raise CheckError("invalid_url")
    return url


def server_title(url: str) -> str:
    """Return how a server is called in lists: ``Ollama (localhost:11434)``."""
    return f"Ollama ({urlsplit(url).netloc})"


async def async_models(hass: HomeAssistant, url: str) -> list[str]:
    """Return the names of the models that a server has installed, sorted.

    Raises CheckError where the SDK cannot be installed, the server cannot be used or it
    has no model.
    """
    try:
        sdk = await async_load_sdk(hass, OLLAMA)
    except (RequirementsNotFound, ImportError) as err:
        raise CheckError("cannot_install") from err
    try:
        models = await _list_models(sdk, url)
    except ProviderRefusedError as err:
        raise CheckError("invalid_auth") from err
    except UnsupportedRequestError as err:
        raise CheckError("not_ollama") from err
    except GatewayError as err:
        raise CheckError("cannot_connect") from err
    if not models:
        raise CheckError("no_models")
    return list(models)


def model_selector(models: list[str]) -> SelectSelector:
    """Return a field that offers the installed models and takes a typed name."""
    return SelectSelector(
        SelectSelectorConfig(
            options=models,
            custom_value=True,
            mode=SelectSelectorMode.DROPDOWN,
        )
    )


def installed_model(models: list[str], typed: str) -> str:
    """Return the installed model that was meant, with its tag.

    Raises CheckError if the server does not have it.
    """
    name = typed.strip()
    for candidate in (name, f"{name}:latest"):
        if candidate in models:
            return candidate
    raise CheckError("model_not_found")


async def _list_models(sdk: ModuleType, url: str) -> Sequence[str]:
    provider = OllamaProvider(sdk, url, ssl_context=get_default_context())
    try:
        return await provider.list_models()
    finally:
        await provider.close()
