"""The forms of a provider that is a Voyage AI account or compatible server."""

from typing import Any, Final

from homeassistant.config_entries import SubentryFlowResult

from custom_components.caesar.const import KIND_VOYAGEAI

from .account import AccountKind, AccountSteps
from .voyage import account_title, async_check_key

_VOYAGE: Final = AccountKind(
    name=KIND_VOYAGEAI, title=account_title, check=async_check_key
)


class VoyageSteps(AccountSteps):
    """Add an account of Voyage AI, or change its key and address."""

    async def async_step_voyageai(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the key of a new account."""
        return await self._add_account(_VOYAGE, user_input)

    async def async_step_reconfigure_voyageai(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another key or address of an account that is known."""
        return await self._change_account(_VOYAGE, user_input)
