"""The vendor packages that only some installations need.

They are installed when a provider is picked and again at every start, because an update
of Home Assistant's container wipes what was installed. Where Home Assistant has an
integration of the same vendor, its own pin is taken, so that the two never reinstall
over each other.
"""

from types import ModuleType
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.importlib import async_import_module
from homeassistant.loader import IntegrationNotFound, async_get_integration
from homeassistant.requirements import async_process_requirements

from .const import DOMAIN

# Each is the name of the package, of its module and of Home Assistant's integration.
OLLAMA: Final = "ollama"
ANTHROPIC: Final = "anthropic"
VOYAGEAI: Final = "voyageai"

_RANGES: Final = {
    OLLAMA: "ollama>=0.6.2,<0.7",
    # The next major version refuses Home Assistant's shared HTTP client.
    ANTHROPIC: "anthropic>=0.125,<1",
    # The last one that does not bring an agent framework along.
    VOYAGEAI: "voyageai==0.3.3",
}


async def async_load_sdk(hass: HomeAssistant, name: str) -> ModuleType:
    """Install a vendor's package if need be and import it off the event loop.

    Raises RequirementsNotFound where it cannot be installed, ImportError where it
    cannot be imported.
    """
    requirement = await _async_requirement(hass, name)
    await async_process_requirements(hass, DOMAIN, [requirement], is_built_in=False)
    return await async_import_module(hass, name)


async def _async_requirement(hass: HomeAssistant, name: str) -> str:
    try:
        integration = await async_get_integration(hass, name)
    except IntegrationNotFound:
        return _RANGES[name]
    pins = [pin for pin in integration.requirements if pin.startswith(f"{name}==")]
    return pins[0] if pins else _RANGES[name]
