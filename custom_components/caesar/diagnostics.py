"""Diagnostics: counts and settings for a report; never texts, names or ids."""

from dataclasses import asdict, is_dataclass
from typing import Any

from homeassistant.core import HomeAssistant

from .const import (
    BUILTIN_PROVIDER,
    CONF_ACCOUNTS,
    CONF_CONSENTS,
    CONF_ONE_PERSON,
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    CONF_SATELLITES,
    SUBENTRY_CONVERSATION,
    SUBENTRY_PROVIDER,
)
from .legion import RunReport
from .runtime import CaesarConfigEntry, CaesarRuntime

_PLAIN = (bool, int, float, type(None))


async def async_get_config_entry_diagnostics(
    _hass: HomeAssistant, entry: CaesarConfigEntry
) -> dict[str, Any]:
    """Return what helps to find a fault and tells nothing of anybody."""
    runtime = entry.runtime_data
    return {
        "memory": asdict(await runtime.memory.statistics()),
        "templates_malformed": runtime.memory.templates_problem is not None,
        "learning_fails_since": runtime.learning.failing_since,
        "meaning": await _meaning(runtime),
        "jobs": {name: _run(run) for name, run in runtime.legion.reports.items()},
        "options": _options(entry),
        "providers": sorted(_kinds(entry).values()),
        "agents": [
            {
                "provider": _kinds(entry).get(subentry.data[CONF_PROVIDER], "missing"),
                "has_model": bool(subentry.data.get("model")),
            }
            for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
        ],
    }


async def _meaning(runtime: CaesarRuntime) -> dict[str, Any] | None:
    if runtime.meaning is None:
        return None
    indexing, last = runtime.meaning.indexing, runtime.meaning.self_check.last
    return {
        "model": indexing.model,
        **asdict(await indexing.standing()),
        "fails_since": indexing.failing_since,
        "self_check": None if last is None else asdict(last),
    }


def _run(report: RunReport) -> dict[str, Any]:
    outcome = report.outcome
    if is_dataclass(outcome) and not isinstance(outcome, type):
        outcome = asdict(outcome)
    return {"at": report.at, "outcome": outcome, "error": report.error}


def _options(entry: CaesarConfigEntry) -> dict[str, Any]:
    """Return switches and numbers as they are; of all else only how much there is."""
    told = {
        name: value
        for name, value in entry.options.items()
        if isinstance(value, _PLAIN)
    }
    return told | {
        CONF_SATELLITES: len(entry.options.get(CONF_SATELLITES, ())),
        CONF_ACCOUNTS: len(entry.options.get(CONF_ACCOUNTS, ())),
        CONF_CONSENTS: len(entry.options.get(CONF_CONSENTS, ())),
        CONF_ONE_PERSON: bool(entry.options.get(CONF_ONE_PERSON)),
    }


def _kinds(entry: CaesarConfigEntry) -> dict[str, str]:
    """Return the kinds of the providers by their ids; the ids stay in here."""
    own = {
        subentry.unique_id or subentry.subentry_id: subentry.data[CONF_PROVIDER_KIND]
        for subentry in entry.get_subentries_of_type(SUBENTRY_PROVIDER)
    }
    return {BUILTIN_PROVIDER: BUILTIN_PROVIDER, **own}
