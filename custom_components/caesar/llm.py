"""Memory for every agent that uses Assist: Home Assistant's own platform for that.

Home Assistant asks here on each turn of each such agent, and of each MCP client. What
is told depends on the speaker, the language and the facts alone, so that providers can
cache it.
"""

from typing import Final

from homeassistant.components.llm import LLMTools
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.llm import LLM_API_ASSIST, LLMContext

from .callers import async_identify_caller_at_once
from .const import (
    CONF_SHARE_CONVERSATIONS,
    CONF_SHARE_WITH_AGENTS,
    CONF_SHARE_WITH_MCP,
    DOMAIN,
)
from .memory_tool import language_of
from .own_words import own_words
from .runtime import CaesarConfigEntry
from .tools import conversation_tools, fact_tools

_MCP_SERVER: Final = "mcp_server"


@callback
def async_get_tools(
    hass: HomeAssistant, llm_context: LLMContext, api_id: str
) -> LLMTools | None:
    """Return the speaker's facts and the memory tools, where they may be told."""
    if api_id != LLM_API_ASSIST or llm_context.platform == DOMAIN:
        # Our own agents tell these facts and offer these tools themselves.
        return None
    entry = _loaded_entry(hass)
    if entry is None or not _is_shared(entry, llm_context):
        return None
    scope = async_identify_caller_at_once(hass, entry.options, llm_context)
    own_words(entry.runtime_data.speakers, scope.owner)
    section = entry.runtime_data.section(scope, "", language_of(hass, llm_context))
    tools = fact_tools(entry)
    if entry.options.get(CONF_SHARE_CONVERSATIONS, False):
        tools += conversation_tools(entry)
    return LLMTools(tools=tools, prompt=section.text or None)


def _loaded_entry(hass: HomeAssistant) -> CaesarConfigEntry | None:
    loaded: list[CaesarConfigEntry] = hass.config_entries.async_loaded_entries(DOMAIN)
    return loaded[0] if loaded else None


def _is_shared(entry: CaesarConfigEntry, llm_context: LLMContext) -> bool:
    if not entry.runtime_data.facts_enabled:
        return False
    is_mcp = llm_context.platform == _MCP_SERVER
    switch = CONF_SHARE_WITH_MCP if is_mcp else CONF_SHARE_WITH_AGENTS
    return bool(entry.options.get(switch, False))
