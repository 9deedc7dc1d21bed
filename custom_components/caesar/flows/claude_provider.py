"""The forms of a provider that is an Anthropic account or compatible server."""

from typing import Any, Final

from homeassistant.config_entries import SubentryFlowResult

from custom_components.caesar.const import KIND_ANTHROPIC

from .account import AccountKind, AccountSteps
from .claude import account_title, async_models

_CLAUDE: Final = AccountKind(
    name=KIND_ANTHROPIC, title=account_title, check=async_models
)


class ClaudeSteps(AccountSteps):
    """Add an account of Anthropic, or change its key and address."""

    async def async_step_anthropic(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for the key of a new account."""
        return await self._add_account(_CLAUDE, user_input)

    async def async_step_reconfigure_anthropic(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Ask for another key or address of an account that is known."""
        return await self._change_account(_CLAUDE, user_input)
