"""What is reported about providers and budget for people to put right."""

from datetime import timedelta

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util

from .const import (
    BUILTIN_PROVIDER,
    CONF_EMBED_PROVIDER,
    CONF_LEARN_PROVIDER,
    CONF_PROVIDER,
    DATABASE_FILE,
    DOMAIN,
    EMBED_NOBODY,
    LEARN_HEARD,
    SUBENTRY_CONVERSATION,
)
from .memory.audit import Counts
from .memory.indexing import Indexing
from .memory.spending import Exhausted
from .providers import provider_subentries

_ISSUE_UNWRITTEN = "cannot_write"
_ISSUE_AUDIT = "memory_audit"
_ISSUE_REPLACED = "file_replaced"
_ISSUE_UNPURGED = "erasing_unfinished"
_ISSUE_BUDGET = "budget_reached"
_ISSUE_AGENTS = "agents_without_provider"
_ISSUE_EMBEDDER = "embedder_removed"
_ISSUE_EMBEDDING = "embedding_failing"
_ISSUE_EMBED_BUDGET = "embed_budget_reached"
_ISSUE_LEARNING = "learning_without_provider"

_ALARM_AFTER = timedelta(hours=1)


@callback
def async_report_budget(hass: HomeAssistant, exhausted: Exhausted | None) -> None:
    """Say when and by how much the day's budget was used up, while it is."""
    if exhausted is None:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_BUDGET)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_BUDGET,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=_ISSUE_BUDGET,
        translation_placeholders={
            "when": dt_util.as_local(exhausted.at).strftime("%H:%M"),
            "spent": str(exhausted.spent),
            "budget": str(exhausted.budget),
        },
    )


@callback
def async_report_indexing(hass: HomeAssistant, indexing: Indexing | None) -> None:
    """Say that the embedder does not work or has used up its budget, while so."""
    since = None if indexing is None else indexing.failing_since
    if since is None:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_EMBEDDING)
    elif dt_util.now() - since >= _ALARM_AFTER:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _ISSUE_EMBEDDING,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=_ISSUE_EMBEDDING,
        )
    exhausted = None if indexing is None else indexing.exhausted
    if exhausted is None:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_EMBED_BUDGET)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_EMBED_BUDGET,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=_ISSUE_EMBED_BUDGET,
        translation_placeholders={
            "spent": str(exhausted.spent),
            "budget": str(exhausted.budget),
        },
    )


@callback
def async_report_unwritten(hass: HomeAssistant, count: int) -> None:
    """Say that turns wait in RAM because the disk takes none, while they do."""
    if count == 0:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_UNWRITTEN)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_UNWRITTEN,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=_ISSUE_UNWRITTEN,
        translation_placeholders={"count": str(count)},
    )


@callback
def async_report_audit(hass: HomeAssistant, counts: Counts) -> None:
    """Say how many facts somebody should look at, while there are any."""
    if counts.findings == 0:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_AUDIT)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_AUDIT,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=_ISSUE_AUDIT,
        translation_placeholders={
            "duplicates": str(counts.duplicates),
            "contradictions": str(counts.contradictions),
            "reply_texts": str(counts.reply_texts),
            "secrets": str(counts.secrets),
        },
    )


@callback
def async_report_replaced(hass: HomeAssistant, *, is_replaced: bool) -> None:
    """Say that the memory's file is not the one that was opened, while that is so."""
    if not is_replaced:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_REPLACED)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_REPLACED,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=_ISSUE_REPLACED,
        translation_placeholders={"file": DATABASE_FILE},
    )


@callback
def async_report_removed_providers(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Name the agents whose provider was removed, and say what else was its work."""
    known = {BUILTIN_PROVIDER, *provider_subentries(entry)}
    agents = [
        agent.title
        for agent in entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
        if agent.data[CONF_PROVIDER] not in known
    ]
    if agents:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _ISSUE_AGENTS,
            is_fixable=False,
            severity=ir.IssueSeverity.ERROR,
            translation_key=_ISSUE_AGENTS,
            translation_placeholders={"agents": ", ".join(agents)},
        )
    else:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_AGENTS)
    chosen = entry.options.get(CONF_LEARN_PROVIDER, LEARN_HEARD)
    if chosen not in {LEARN_HEARD, *known}:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _ISSUE_LEARNING,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=_ISSUE_LEARNING,
        )
    else:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_LEARNING)
    embedder = entry.options.get(CONF_EMBED_PROVIDER, EMBED_NOBODY)
    if embedder not in {EMBED_NOBODY, *known}:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _ISSUE_EMBEDDER,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=_ISSUE_EMBEDDER,
        )
    else:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_EMBEDDER)


@callback
def async_report_unpurged(hass: HomeAssistant, *, is_purged: bool) -> None:
    """Say that the file still holds what was erased, while it does."""
    if is_purged:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_UNPURGED)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_UNPURGED,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=_ISSUE_UNPURGED,
    )
