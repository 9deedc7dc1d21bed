"""The composition root: the only place that picks concrete parts and joins them."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
import logging
from pathlib import Path
from types import MappingProxyType
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_ENTITY_ID, CONF_MODEL, CONF_URL, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.requirements import RequirementsNotFound
from homeassistant.util import dt as dt_util
from homeassistant.util.ssl import get_default_context

from . import sdk
from .const import (
    BUILTIN_PROVIDER,
    CONF_FACTS_ENABLED,
    CONF_INTERVAL,
    CONF_MAX_CHARACTERS,
    CONF_MAX_FACTS,
    CONF_PROVIDER,
    CONF_PROVIDER_KIND,
    DATABASE_FILE,
    DEFAULT_FACTS_ENABLED,
    DEFAULT_INTERVAL,
    DEFAULT_MAX_CHARACTERS,
    DEFAULT_MAX_FACTS,
    DOMAIN,
    JOB_EXTRACT,
    KIND_AI_TASK,
    SUBENTRY_CONVERSATION,
    SUBENTRY_PROVIDER,
    TEMPLATES_FILE,
    WAKE_DELAY,
)
from .gateway import Gateway, Route
from .gateway.ai_task import AiTaskProvider
from .gateway.base import GenerationRequest, KnownFact, Provider, Task
from .gateway.builtin import BuiltinProvider
from .gateway.errors import GatewayError
from .gateway.ollama import OllamaProvider
from .gateway.sentences import Sentences
from .legion import Job, Legion
from .memory.composer import Caps, Section
from .memory.learning import Learning, Report
from .memory.memory import Memory
from .memory.models import Owner, Scope
from .memory.ports import (
    ExtractionRequest,
    Generation,
    GeneratorUnavailableError,
)
from .speaker import SpeakerChanges
from .turns import Turns

_LOGGER = logging.getLogger(__name__)
_SENTENCES = Path(__file__).parent / "sentences"
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
    legion: Legion
    turns: Turns
    caps: Caps
    facts_enabled: bool
    speakers: SpeakerChanges = field(default_factory=SpeakerChanges)
    known: KnownFacts
    platforms: list[Platform] = field(default_factory=list)
    """The platforms that are set up."""

    def section(self, scope: Scope, text: str = "") -> Section:
        """Return what the next turn of this speaker would be told."""
        if not self.facts_enabled:
            return Section()
        return self.memory.section(scope, text, self.caps)

    def route_of(self, subentry: ConfigSubentry) -> Route:
        """Return who answers for an agent."""
        return _route(subentry)

    async def learn_now(self) -> Report:
        """Learn at once what was answered by now; raises DatabaseError."""
        await self.turns.written()
        return await self.learning.tick(impatient=True)

    @callback
    def wake_learning(self) -> None:
        """Let the next learning come soon."""
        self.legion.async_wake(JOB_EXTRACT, WAKE_DELAY)

    async def close(self) -> None:
        """Finish all writes and release everything; idempotent."""
        await self.turns.written()
        await self.gateway.close()
        await self.memory.close()


class KnownFacts:
    """The facts of a scope with their sentences, made anew only after a change."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._cache: dict[Owner, tuple[KnownFact, ...]] = {}
        memory.on_change(lambda _: self._cache.clear())

    def of(self, scope: Scope) -> tuple[KnownFact, ...]:
        """Return the facts that a speaker may hear."""
        if scope.owner not in self._cache:
            self._cache[scope.owner] = tuple(
                KnownFact(
                    key=fact.key, value=fact.value, sentence=self._memory.sentence(fact)
                )
                for fact in self._memory.facts(scope)
            )
        return self._cache[scope.owner]


async def async_create_runtime(
    hass: HomeAssistant, entry: CaesarConfigEntry
) -> CaesarRuntime:
    """Build everything; raises DatabaseError and leaves nothing running then."""
    memory = Memory(
        Path(hass.config.path(DATABASE_FILE)),
        clock=_HouseClock(),
        templates_file=Path(hass.config.path(TEMPLATES_FILE)),
    )
    await memory.open()
    try:
        gateway = Gateway(await _async_providers(hass, entry), _default_route(entry))
    except BaseException:
        await memory.close()
        raise
    _report_templates(hass, memory)
    learning = Learning(memory, _GatewayGenerator(gateway))
    return CaesarRuntime(
        memory=memory,
        gateway=gateway,
        learning=learning,
        legion=Legion(hass, entry, _learning_job(hass, entry, learning)),
        turns=Turns(hass, memory),
        caps=Caps(
            facts=entry.options.get(CONF_MAX_FACTS, DEFAULT_MAX_FACTS),
            characters=entry.options.get(CONF_MAX_CHARACTERS, DEFAULT_MAX_CHARACTERS),
        ),
        facts_enabled=entry.options.get(CONF_FACTS_ENABLED, DEFAULT_FACTS_ENABLED),
        known=KnownFacts(memory),
    )


def _learning_job(
    hass: HomeAssistant, entry: CaesarConfigEntry, learning: Learning
) -> Job:
    async def learn() -> Report:
        report = await learning.tick()
        _report_failing(hass, learning)
        return report

    interval = timedelta(seconds=entry.options.get(CONF_INTERVAL, DEFAULT_INTERVAL))
    return Job(name=JOB_EXTRACT, interval=interval, run=learn)


class _HouseClock:
    """The time as Home Assistant has it."""

    def now(self) -> datetime:
        return dt_util.now()


class _GatewayGenerator:
    """The gateway as memory's generator."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def is_costly(self, heard_by: str | None) -> bool:
        route = self._gateway.resolve(Task.MEMORY_EXTRACT, heard_by)
        return route.provider != BUILTIN_PROVIDER

    async def generate(self, request: ExtractionRequest) -> Generation:
        task = Task.MEMORY_EXTRACT
        route = self._gateway.resolve(task, request.heard_by)
        try:
            result = await self._gateway.generate(
                GenerationRequest(
                    task=task,
                    model=route.model,
                    instructions=request.instructions,
                    examples=request.examples,
                    text=request.text,
                    language=request.language,
                    local_date=request.local_date,
                    answer_schema=request.answer_schema,
                    max_tokens=request.max_tokens,
                ),
                route,
            )
        except GatewayError as err:
            raise GeneratorUnavailableError(type(err).__name__) from err
        return Generation(
            text=result.text,
            model=result.model,
            input_tokens=result.usage.input_tokens,
            output_tokens=result.usage.output_tokens,
        )


async def _async_providers(
    hass: HomeAssistant, entry: CaesarConfigEntry
) -> dict[str, Provider]:
    sentences = await hass.async_add_executor_job(Sentences.load, _SENTENCES)
    providers: dict[str, Provider] = {BUILTIN_PROVIDER: BuiltinProvider(sentences)}
    for subentry in entry.get_subentries_of_type(SUBENTRY_PROVIDER):
        try:
            provider = await _async_provider(hass, subentry.data)
        except (RequirementsNotFound, ImportError, GatewayError) as err:
            # Its agents will say that it is missing; memory and the others work on.
            kind = type(err).__name__
            _LOGGER.error("A provider could not be loaded: %s", kind)  # noqa: TRY400
            continue
        providers[subentry.unique_id or subentry.subentry_id] = provider
    return providers


async def _async_provider(
    hass: HomeAssistant, data: MappingProxyType[str, Any]
) -> Provider:
    if data[CONF_PROVIDER_KIND] == KIND_AI_TASK:
        return AiTaskProvider(hass, data[CONF_ENTITY_ID])
    return await _async_ollama(hass, data)


async def _async_ollama(
    hass: HomeAssistant, data: MappingProxyType[str, Any]
) -> OllamaProvider:
    module = await sdk.async_load_sdk(hass, sdk.OLLAMA)
    return await hass.async_add_executor_job(
        lambda: OllamaProvider(
            module, data[CONF_URL], ssl_context=get_default_context()
        )
    )


def _default_route(entry: CaesarConfigEntry) -> Route:
    agents = entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    first = next(iter(agents), None)
    return Route(BUILTIN_PROVIDER) if first is None else _route(first)


def _route(subentry: ConfigSubentry) -> Route:
    return Route(subentry.data[CONF_PROVIDER], subentry.data.get(CONF_MODEL, ""))


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
