"""How CAESAR is doing: jobs, learning, providers, the database."""

from dataclasses import asdict, is_dataclass
from typing import Any, ClassVar, Final, override

from homeassistant.loader import async_get_integration
import voluptuous as vol

from custom_components.caesar.const import (
    BUILTIN_PROVIDER,
    CONF_PROVIDER_KIND,
    DOMAIN,
    JOB_EXTRACT,
    JOB_INDEX,
    SUBENTRY_CONVERSATION,
)
from custom_components.caesar.gateway.routes import Route
from custom_components.caesar.gateway.unloaded import UnloadedProvider
from custom_components.caesar.legion import Job, RunReport
from custom_components.caesar.memory import cursor as cursors
from custom_components.caesar.memory.errors import ExchangeNotFoundError
from custom_components.caesar.memory.events import EXCHANGE_KINDS
from custom_components.caesar.memory.learning import Progress
from custom_components.caesar.memory.set_aside import SetAside
from custom_components.caesar.memory.statistics import Statistics
from custom_components.caesar.providers import provider_subentries, route_of
from custom_components.caesar.runtime import CaesarRuntime
from custom_components.caesar.self_test import SelfTest

from .caller import NOT_FOUND, Caller, Refusal
from .command import NUMBER, Command, Schema, Subscription, several
from .feed import RefreshingFeed
from .names import Names
from .wire import exchange_row, moment


class StatusFeed(RefreshingFeed):
    """The whole status, told again when something is different."""

    delay: ClassVar[float] = 0.5

    @override
    def watch(self, caller: Caller) -> None:
        runtime = caller.runtime
        self.keep(runtime.memory.database.on_write(self.async_refresh_soon))
        self.keep(runtime.legion.async_on_change(self.async_refresh_soon))
        self.keep(runtime.learning.on_progress(self.async_refresh_soon))
        if runtime.meaning is not None:
            indexing = runtime.meaning.indexing
            self.keep(indexing.on_progress(self.async_refresh_soon))

    @override
    async def async_state(self, caller: Caller) -> dict[str, Any]:
        runtime = caller.runtime
        integration = await async_get_integration(caller.hass, DOMAIN)
        counted = await runtime.memory.statistics()
        problem = runtime.memory.templates_problem
        return {
            "type": "status",
            "version": str(integration.version),
            "facts_enabled": runtime.facts_enabled,
            "jobs": [_job(runtime, job) for job in runtime.legion.jobs],
            "learning": await _learning(caller, counted),
            "meaning": await _meaning(runtime),
            "providers": await _providers(caller),
            "database": _database(runtime, counted),
            "templates_problem": problem if caller.permissions.is_admin else None,
        }


def _job(runtime: CaesarRuntime, job: Job) -> dict[str, Any]:
    started_at = runtime.legion.started.get(job.name)
    progress = _progress(runtime, job)
    return {
        "name": job.name,
        "interval": job.interval.total_seconds(),
        # Somebody may have asked for it out of turn.
        "running": started_at is not None or progress is not None,
        "started_at": moment(started_at),
        "progress": None if progress is None else asdict(progress),
        "last": _last(job.name, runtime.legion.reports.get(job.name)),
    }


def _progress(runtime: CaesarRuntime, job: Job) -> Progress | None:
    if job.name == JOB_EXTRACT:
        return runtime.learning.progress
    if job.name == JOB_INDEX and runtime.meaning is not None:
        return runtime.meaning.indexing.progress
    return None


def _last(name: str, report: RunReport | None) -> dict[str, Any] | None:
    if report is None:
        return None
    return {
        "at": moment(report.at),
        "outcome": _outcome(name, report.outcome),
        "error": report.error,
    }


def _outcome(name: str, outcome: object) -> dict[str, Any]:
    """Return what a job did as names with numbers; a plain number has the job's."""
    if is_dataclass(outcome) and not isinstance(outcome, type):
        return asdict(outcome)
    return {name: int(outcome)} if isinstance(outcome, int) else {}


async def _learning(caller: Caller, counted: Statistics) -> dict[str, Any]:
    learning = caller.runtime.learning
    position = await caller.memory.database.read(cursors.load)
    return {
        "waiting": counted.waiting,
        "set_aside": len(await caller.memory.set_aside(caller.scope)),
        "failing_since": moment(learning.failing_since),
        "next_try_at": moment(position.next_try_at),
        "budget_exhausted": learning.exhausted is not None,
    }


async def _meaning(runtime: CaesarRuntime) -> dict[str, Any] | None:
    """Return how far embedding is, None where nobody embeds."""
    if runtime.meaning is None:
        return None
    indexing = runtime.meaning.indexing
    return {
        "model": indexing.model,
        **asdict(await indexing.standing()),
        "failing_since": moment(indexing.failing_since),
        "budget_exhausted": indexing.exhausted is not None,
    }


async def _providers(caller: Caller) -> list[dict[str, Any]]:
    names = await Names.of(caller)
    kinds = {
        provider_id: subentry.data[CONF_PROVIDER_KIND]
        for provider_id, subentry in provider_subentries(caller.entry).items()
    }
    agents = caller.entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    used_by: dict[str, list[str]] = {}
    for agent in agents:
        used_by.setdefault(route_of(agent).provider, []).append(agent.title)
    gateway = caller.runtime.gateway
    return [
        {
            "id": provider_id,
            "name": names.providers.get(provider_id, provider_id),
            "kind": kind,
            "loaded": not isinstance(
                gateway.provider(Route(provider_id)), UnloadedProvider
            ),
            "agents": used_by.get(provider_id, []),
        }
        for provider_id, kind in {BUILTIN_PROVIDER: BUILTIN_PROVIDER, **kinds}.items()
    ]


def _database(runtime: CaesarRuntime, counted: Statistics) -> dict[str, Any]:
    return {
        "bytes": counted.bytes,
        "schema_revision": counted.schema_revision,
        "facts": counted.facts,
        "owners": counted.owners,
        "events": sum(
            number
            for kind, number in counted.events.items()
            if kind.startswith("memory.")
        ),
        "exchanges": sum(counted.events.get(kind, 0) for kind in EXCHANGE_KINDS),
        "unwritten": runtime.turns.unwritten,
    }


async def _history(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    days = await caller.archive.over_time(caller.permissions.sees, request["days"])
    return {
        "days": [
            {
                "date": day.day.isoformat(),
                "facts": day.facts,
                "exchanges": day.exchanges,
            }
            for day in days
        ]
    }


async def _set_aside(caller: Caller, _request: dict[str, Any]) -> dict[str, Any]:
    names = await Names.of(caller)
    own = await caller.memory.set_aside(caller.scope)
    hidden = 0
    if caller.permissions.is_admin:
        hidden = len(await caller.memory.set_aside(None)) - len(own)
    return {
        "exchanges": [await _aside(caller, names, one) for one in own],
        "hidden": hidden,
    }


async def _aside(caller: Caller, names: Names, one: SetAside) -> dict[str, Any]:
    exchange = None
    try:
        record = await caller.archive.exchange(caller.permissions.sees, one.exchange_id)
    except ExchangeNotFoundError:
        # Its words were deleted meanwhile.
        pass
    else:
        exchange = exchange_row(record, names)
    return {
        "exchange_id": one.exchange_id,
        "owner": names.owner(one.owner),
        "at": moment(one.at),
        "reason": "unusable_answer",
        "exchange": exchange,
    }


async def _retry(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    await _require_set_aside(caller, request["exchange_ids"])
    return asdict(await caller.runtime.learning.retry(request["exchange_ids"]))


async def _dismiss(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    await _require_set_aside(caller, request["exchange_ids"])
    return {"dismissed": await caller.memory.dismiss(request["exchange_ids"])}


async def _require_set_aside(caller: Caller, exchange_ids: list[int]) -> None:
    owners = {
        one.exchange_id: one.owner
        for one in await caller.memory.set_aside(caller.scope)
    }
    for exchange_id in exchange_ids:
        if exchange_id not in owners:
            raise Refusal(NOT_FOUND, translation_key="exchange_not_found")
        caller.require_edits(owners[exchange_id])


async def _learn_now(caller: Caller, _request: dict[str, Any]) -> dict[str, Any]:
    return asdict(await caller.runtime.learn_now())


async def _self_test(caller: Caller, _request: dict[str, Any]) -> dict[str, Any]:
    runtime = caller.runtime
    route = runtime.gateway.default
    return await SelfTest(hass=caller.hass, runtime=runtime, route=route).run()


_IDS: Final[Schema] = {vol.Required("exchange_ids"): several(NUMBER)}

COMMANDS: Final = (
    Subscription(name="status/subscribe", feed=StatusFeed, schema={}),
    Command(
        name="status/history",
        handler=_history,
        schema={
            vol.Optional("days", default=90): vol.All(int, vol.Range(min=1, max=365))
        },
    ),
    Command(name="status/set_aside", handler=_set_aside, schema={}),
    Command(name="status/retry", handler=_retry, schema=_IDS),
    Command(name="status/dismiss", handler=_dismiss, schema=_IDS),
    Command(name="status/learn_now", handler=_learn_now, schema={}),
    Command(name="status/self_test", handler=_self_test, schema={}, admin=True),
)
