"""Names and defaults of the integration."""

from typing import Final

DOMAIN: Final = "caesar"

SUBENTRY_CONVERSATION: Final = "conversation"
SUBENTRY_PROVIDER: Final = "provider"

# Data of a provider subentry. CONF_URL comes from Home Assistant.
CONF_PROVIDER_KIND: Final = "kind"
KIND_BUILTIN: Final = "builtin"
KIND_OLLAMA: Final = "ollama"
KIND_AI_TASK: Final = "ai_task"

# Data of a conversation subentry. CONF_MODEL, CONF_PROMPT and CONF_LLM_HASS_API come
# from Home Assistant.
CONF_PROVIDER: Final = "provider"
BUILTIN_PROVIDER: Final = "builtin"
"""The id of the provider that every installation has and that needs no subentry."""

# Options of the entry.
CONF_FACTS_ENABLED: Final = "facts_enabled"
CONF_MAX_FACTS: Final = "max_facts"
CONF_MAX_CHARACTERS: Final = "max_characters"
CONF_INTERVAL: Final = "interval"
CONF_HOUSEHOLD_ADMIN_ONLY: Final = "household_admin_only"
CONF_SATELLITES: Final = "satellites"
"""Mapping of satellite entity id to the owner whose voice it carries."""
CONF_SHARE_WITH_AGENTS: Final = "share_with_agents"
CONF_SHARE_WITH_MCP: Final = "share_with_mcp"
CONF_LEARN_FROM_AGENTS: Final = "learn_from_agents"
CONF_CONSENTS: Final = "consents"
"""The owners whose facts automations may have read by ``caesar.generate``."""

DEFAULT_FACTS_ENABLED: Final = True
DEFAULT_MAX_FACTS: Final = 30
DEFAULT_MAX_CHARACTERS: Final = 2048
DEFAULT_INTERVAL: Final = 60

DATABASE_FILE: Final = "caesar.db"
TEMPLATES_FILE: Final = "caesar/templates.yaml"

JOB_EXTRACT: Final = "memory_extract"
WAKE_DELAY: Final = 5
"""Seconds from a finished exchange to the learning it wakes."""

MAX_TOOL_ROUNDS: Final = 10
