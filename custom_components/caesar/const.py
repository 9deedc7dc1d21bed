"""Names and defaults of the integration."""

from datetime import time
from typing import Final

DOMAIN: Final = "caesar"

SUBENTRY_CONVERSATION: Final = "conversation"
SUBENTRY_PROVIDER: Final = "provider"

# Data of a provider subentry. CONF_URL and CONF_API_KEY come from Home Assistant.
CONF_PROVIDER_KIND: Final = "kind"
KIND_BUILTIN: Final = "builtin"
KIND_OLLAMA: Final = "ollama"
KIND_ANTHROPIC: Final = "anthropic"
KIND_AI_TASK: Final = "ai_task"
KIND_VOYAGEAI: Final = "voyageai"
"""Embeds and does nothing else: it neither answers nor learns."""

# Data of a conversation subentry. CONF_MODEL, CONF_PROMPT and CONF_LLM_HASS_API come
# from Home Assistant.
CONF_PROVIDER: Final = "provider"
BUILTIN_PROVIDER: Final = "builtin"
"""The id of the provider that every installation has and that needs no subentry."""

CONF_THINKS: Final = "thinks"

# Options of the entry.
CONF_FACTS_ENABLED: Final = "facts_enabled"
CONF_MAX_FACTS: Final = "max_facts"
CONF_MAX_CHARACTERS: Final = "max_characters"
CONF_INTERVAL: Final = "interval"
CONF_RETENTION_DAYS: Final = "retention_days"
"""For how many days exchanges are kept; 0 keeps them for good."""
CONF_HOUSEHOLD_ADMIN_ONLY: Final = "household_admin_only"
CONF_ADMINS_OPEN_FACTS: Final = "admins_open_facts"
CONF_SATELLITES: Final = "satellites"
"""Mapping of a satellite to the owner whose voice it carries.

Its key is the id of the satellite's entry in the entity registry, which outlives
renames, or the entity id of one that is not registered.
"""
CONF_ACCOUNTS: Final = "accounts"
"""Mapping of a shared account's user id to the owner who speaks through it."""
CONF_ONE_PERSON: Final = "one_person"
"""The owner to whom all voices belong that no other rule knows; may be missing."""

CONF_LEARN_PROVIDER: Final = "learn_provider"
CONF_LEARN_MODEL: Final = "learn_model"
CONF_LEARN_HOSTED: Final = "learn_hosted"
"""What local agents hear may go to a hosted model to be learned from."""
CONF_DAILY_TOKENS: Final = "daily_tokens"
LEARN_HEARD: Final = "heard"
"""Instead of a provider's id: whoever heard the words learns from them."""

CONF_EMBED_PROVIDER: Final = "embed_provider"
CONF_EMBED_MODEL: Final = "embed_model"
CONF_EMBED_DAILY_TOKENS: Final = "embed_daily_tokens"
EMBED_NOBODY: Final = "none"
"""Instead of a provider's id: conversations are found by their words alone."""

CONF_RECALL: Final = "recall"
DEFAULT_RECALL: Final = True
CONF_SHARE_CONVERSATIONS: Final = "share_conversations"
CONF_SHARE_WITH_AGENTS: Final = "share_with_agents"
CONF_SHARE_WITH_MCP: Final = "share_with_mcp"
CONF_LEARN_FROM_AGENTS: Final = "learn_from_agents"
CONF_CONSENTS: Final = "consents"
"""The owners whose facts automations may have read by ``caesar.generate``."""

DEFAULT_FACTS_ENABLED: Final = True
DEFAULT_MAX_FACTS: Final = 30
DEFAULT_MAX_CHARACTERS: Final = 2048
DEFAULT_INTERVAL: Final = 60
DEFAULT_RETENTION_DAYS: Final = 90

DATABASE_FILE: Final = "caesar.db"
TEMPLATES_FILE: Final = "caesar/templates.yaml"
TRANSFER_FOLDER: Final = "caesar/transfer"
"""Where exported memories are written and looked for."""

JOB_EXTRACT: Final = "memory_extract"
JOB_INDEX: Final = "semantic_index"
JOB_SWEEP: Final = "memory_sweep"
JOB_AUDIT: Final = "memory_audit"
AUDIT_AT: Final = time(3, 30)
"""When the house sleeps and before Home Assistant's own work at four."""
JOB_RETENTION: Final = "memory_retention"
RETENTION_AT: Final = time(3, 40)
"""After the nightly look at the facts, which may still want to see what taught them."""
JOB_FILE: Final = "file_check"
FILE_INTERVAL: Final = 30
"""Seconds between two looks whether the file is still the one that was opened."""
SWEEP_INTERVAL: Final = 86400
"""Seconds between two looks for plans that ended long ago."""
WAKE_DELAY: Final = 5
"""Seconds from a finished exchange to the learning it wakes."""
INDEX_DELAY: Final = 15
"""Seconds from a finished exchange to its embedding, which learning goes before."""
INDEX_INTERVAL: Final = 60
"""Seconds between two looks for what is not embedded yet."""

MAX_TOOL_ROUNDS: Final = 10
