"""The composition root: the only place that picks concrete parts and joins them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util

from .commands import MemoryCommands
from .const import (
    AUDIT_AT,
    BUILTIN_PROVIDER,
    CONF_DAILY_TOKENS,
    CONF_FACTS_ENABLED,
    CONF_INTERVAL,
    CONF_MAX_CHARACTERS,
    CONF_MAX_FACTS,
    CONF_RETENTION_DAYS,
    DATABASE_FILE,
    DEFAULT_FACTS_ENABLED,
    DEFAULT_INTERVAL,
    DEFAULT_MAX_CHARACTERS,
    DEFAULT_MAX_FACTS,
    DEFAULT_RETENTION_DAYS,
    DOMAIN,
    FILE_INTERVAL,
    INDEX_DELAY,
    JOB_AUDIT,
    JOB_EXTRACT,
    JOB_FILE,
    JOB_INDEX,
    JOB_RETENTION,
    JOB_SWEEP,
    RETENTION_AT,
    SUBENTRY_CONVERSATION,
    SWEEP_INTERVAL,
    TEMPLATES_FILE,
    WAKE_DELAY,
)
from .gateway import Gateway, Route
from .gateway.base import KnownFact
from .gateway.commands import shipped_commands
from .generator import GatewayGenerator
from .issues import (
    async_report_audit,
    async_report_budget,
    async_report_indexing,
    async_report_removed_providers,
    async_report_replaced,
    async_report_unpurged,
    async_report_unwritten,
)
from .legion import Job, Legion
from .meaning import Meaning, create_meaning, follow_moves, indexing_job
from .memory.audit import Counts, audit
from .memory.composer import Caps, Section
from .memory.learning import Learning, Report
from .memory.memory import Memory
from .memory.models import Owner, Scope
from .memory.recall import Recall
from .memory.retention import Retention
from .providers import async_ask_for_key, async_providers, background, route_of
from .refusals import Refusals
from .speaker import SpeakerChanges
from .turns import Turns

_ALARM_AFTER = timedelta(hours=1)
_ISSUE_FAILING = "extraction_failing"
_ISSUE_TEMPLATES = "templates_malformed"

type CaesarConfigEntry = ConfigEntry[CaesarRuntime]


@dataclass(frozen=True, kw_only=True, slots=True)
class CaesarRuntime:
    """What one loaded entry consists of."""

    memory: Memory
    gateway: Gateway
    learning: Learning
    retention: Retention
    recall: Recall
    meaning: Meaning | None
    """What finds by meaning; None where nobody embeds."""
    legion: Legion
    turns: Turns
    caps: Caps
    facts_enabled: bool
    speakers: SpeakerChanges
    known: KnownFacts
    platforms: list[Platform] = field(default_factory=list)
    """The platforms that are set up."""
    commands: MemoryCommands
    refusals: Refusals
    forgetting: list[Callable[[Owner], Awaitable[None]]] = field(default_factory=list)
    """What else keeps words in RAM for a while, and forgets an owner's when called."""
    self_testing: asyncio.Lock = field(default_factory=asyncio.Lock)

    def section(self, scope: Scope, text: str, language: str) -> Section:
        """Return what the next turn of this speaker would be told."""
        if not self.facts_enabled:
            return Section()
        return self.memory.section(scope, text, self.caps, language)

    def route_of(self, subentry: ConfigSubentry) -> Route:
        """Return who answers for an agent."""
        return route_of(subentry)

    async def learn_now(self) -> Report:
        """Learn at once what was answered by now; raises DatabaseError."""
        await self.turns.written()
        await self.turns.write_again()
        return await self.learning.tick(impatient=True)

    @callback
    def wake_jobs(self) -> None:
        """Let what was said be learned from and embedded soon."""
        self.legion.async_wake(JOB_EXTRACT, WAKE_DELAY)
        if self.meaning is not None:
            self.legion.async_wake(JOB_INDEX, INDEX_DELAY)

    async def close(self) -> None:
        """Finish all writes and release everything; idempotent."""
        await self.turns.written()
        if self.meaning is not None:
            await self.meaning.index.close()
        await self.gateway.close()
        await self.memory.close()


class KnownFacts:
    """The facts of a scope with their sentences, made anew only after a change."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cache: dict[
            tuple[Owner, str], tuple[tuple[datetime | None, KnownFact], ...]
        ] = {}
        memory.on_change(lambda _: self._cache.clear())

    def of(self, scope: Scope, language: str) -> tuple[KnownFact, ...]:
        """Return the facts that a speaker may hear."""
        if (scope.owner, language) not in self._cache:
            self._cache[(scope.owner, language)] = tuple(
                (
                    fact.expires_at,
                    KnownFact(
                        key=fact.key,
                        value=fact.value,
                        sentence=self._memory.sentence(fact, language),
                    ),
                )
                for fact in self._memory.facts(scope)
            )
        now = self._memory.now()
        return tuple(
            known
            for end, known in self._cache[(scope.owner, language)]
            if end is None or now < end
        )


async def async_create_runtime(
    hass: HomeAssistant, entry: CaesarConfigEntry
) -> CaesarRuntime:
    """Build everything; raises DatabaseError and leaves nothing running then."""
    memory = Memory(
        Path(hass.config.path(DATABASE_FILE)),
        clock=_HouseClock(),
        templates_file=Path(hass.config.path(TEMPLATES_FILE)),
        language=hass.config.language,
    )
    await memory.open()
    try:
        commands = await hass.async_add_executor_job(shipped_commands)
        # The home's own language; another one waits until somebody speaks it.
        await commands.async_language(hass.config.language)
        gateway = Gateway(
            await async_providers(hass, entry),
            _default_route(entry),
            background=background(entry),
            on_refused=lambda provider_id: async_ask_for_key(hass, entry, provider_id),
        )
    except BaseException:
        await memory.close()
        raise
    _report_templates(hass, memory)
    refusals = Refusals(hass, entry)
    generator = GatewayGenerator(gateway, refusals)
    async_report_removed_providers(hass, entry)
    learning = Learning(
        memory,
        generator,
        daily_tokens=entry.options.get(CONF_DAILY_TOKENS, 0),
    )
    retention = Retention(
        memory=memory,
        days=entry.options.get(CONF_RETENTION_DAYS, DEFAULT_RETENTION_DAYS),
    )
    meaning = create_meaning(entry, memory, gateway, refusals)
    async_report_indexing(hass, None)
    if meaning is not None:
        follow_moves(hass, entry, memory, meaning)
    speakers = SpeakerChanges()
    turns = Turns(hass, memory)
    return CaesarRuntime(
        memory=memory,
        gateway=gateway,
        learning=learning,
        retention=retention,
        recall=Recall(
            memory.database,
            embedder=None if meaning is None else meaning.embedder,
            index=None if meaning is None else meaning.index,
        ),
        meaning=meaning,
        legion=Legion(
            hass,
            entry,
            _learning_job(hass, entry, learning, turns),
            Job(
                name=JOB_SWEEP,
                interval=timedelta(seconds=SWEEP_INTERVAL),
                run=memory.sweep,
            ),
            _audit_job(hass, memory),
            Job(
                name=JOB_RETENTION,
                interval=timedelta(days=1),
                run=retention.sweep,
                at=RETENTION_AT,
            ),
            _file_job(hass, memory),
            *([] if meaning is None else [indexing_job(hass, meaning)]),
        ),
        turns=turns,
        caps=Caps(
            facts=entry.options.get(CONF_MAX_FACTS, DEFAULT_MAX_FACTS),
            characters=entry.options.get(CONF_MAX_CHARACTERS, DEFAULT_MAX_CHARACTERS),
        ),
        facts_enabled=entry.options.get(CONF_FACTS_ENABLED, DEFAULT_FACTS_ENABLED),
        speakers=speakers,
        known=KnownFacts(memory),
        commands=MemoryCommands(
            hass,
            entry.options,
            memory=memory,
            generator=generator,
            commands=commands,
            speakers=speakers,
            turns=turns,
        ),
        refusals=refusals,
    )


def _learning_job(
    hass: HomeAssistant, entry: CaesarConfigEntry, learning: Learning, turns: Turns
) -> Job:
    async def learn() -> Report:
        await turns.write_again()
        async_report_unwritten(hass, turns.unwritten)
        report = await learning.tick()
        _report_failing(hass, learning)
        async_report_budget(hass, learning.exhausted)
        return report

    interval = timedelta(seconds=entry.options.get(CONF_INTERVAL, DEFAULT_INTERVAL))
    return Job(name=JOB_EXTRACT, interval=interval, run=learn)


def _audit_job(hass: HomeAssistant, memory: Memory) -> Job:
    async def look() -> Counts:
        found = await memory.database.read(audit)
        async_report_audit(hass, found.counts)
        return found.counts

    return Job(name=JOB_AUDIT, interval=timedelta(days=1), run=look, at=AUDIT_AT)


def _file_job(hass: HomeAssistant, memory: Memory) -> Job:
    async def look() -> bool:
        is_replaced = await memory.database.is_replaced()
        async_report_replaced(hass, is_replaced=is_replaced)
        if not is_replaced:
            is_purged = await memory.database.purge()
            async_report_unpurged(hass, is_purged=is_purged)
        return is_replaced

    return Job(name=JOB_FILE, interval=timedelta(seconds=FILE_INTERVAL), run=look)


class _HouseClock:
    """The time as Home Assistant has it."""

    def now(self) -> datetime:
        return dt_util.now()


def _default_route(entry: CaesarConfigEntry) -> Route:
    agents = entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    first = next(iter(agents), None)
    return Route(BUILTIN_PROVIDER) if first is None else route_of(first)


@callback
def _report_templates(hass: HomeAssistant, memory: Memory) -> None:
    if memory.templates_problem is None:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_TEMPLATES)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _ISSUE_TEMPLATES,
        is_fixable=False,
        severity=ir.IssueSeverity.WARNING,
        translation_key=_ISSUE_TEMPLATES,
        translation_placeholders={"problem": memory.templates_problem},
    )


@callback
def _report_failing(hass: HomeAssistant, learning: Learning) -> None:
    since = learning.failing_since
    if since is None:
        ir.async_delete_issue(hass, DOMAIN, _ISSUE_FAILING)
    elif dt_util.now() - since >= _ALARM_AFTER:
        ir.async_create_issue(
            hass,
            DOMAIN,
            _ISSUE_FAILING,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=_ISSUE_FAILING,
        )
