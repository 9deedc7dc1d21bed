"""The repair that is shown while a provider refuses its key."""

from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN, SUBENTRY_PROVIDER
from .gateway.errors import GatewayError, ProviderRefusedError

KEY_REJECTED: Final = "key_rejected"


class Refusals:
    """Notices what providers say to their keys."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
        self._hass = hass
        self._entry = entry
        self._refused: set[str] = set()

    @callback
    def failed(self, err: GatewayError) -> None:
        """Show the repair where the error is a refusal."""
        if not isinstance(err, ProviderRefusedError) or err.provider in self._refused:
            return
        self._refused.add(err.provider)
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            f"{KEY_REJECTED}_{err.provider}",
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=KEY_REJECTED,
            translation_placeholders={"provider": self._title(err.provider)},
        )

    @callback
    def succeeded(self, provider: str) -> None:
        """Take the repair back."""
        if provider in self._refused:
            self._refused.remove(provider)
            ir.async_delete_issue(self._hass, DOMAIN, f"{KEY_REJECTED}_{provider}")

    def _title(self, provider: str) -> str:
        for subentry in self._entry.get_subentries_of_type(SUBENTRY_PROVIDER):
            if provider in (subentry.unique_id, subentry.subentry_id):
                return subentry.title
        return provider
