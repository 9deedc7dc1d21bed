"""Finding by meaning, put together: who embeds, the index, the job that fills it."""

from dataclasses import dataclass
from datetime import timedelta

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from .const import CONF_EMBED_DAILY_TOKENS, INDEX_INTERVAL, JOB_INDEX
from .embedder import GatewayEmbedder
from .gateway import Gateway
from .generator import Outcomes
from .issues import async_report_indexing
from .legion import Job
from .memory.indexing import Indexing, IndexingReport
from .memory.memory import Memory
from .memory.vectors import DEFAULT_INDEX, open_index
from .memory.vectors.base import VectorIndex
from .memory.vectors.check import SelfCheck
from .providers import background, chosen_embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class Meaning:
    """What finds exchanges by their meaning, where somebody was chosen to embed."""

    embedder: GatewayEmbedder
    index: VectorIndex
    indexing: Indexing
    self_check: SelfCheck


def create_meaning(
    entry: ConfigEntry, memory: Memory, gateway: Gateway, outcomes: Outcomes
) -> Meaning | None:
    """Return the parts, None where the options name nobody who embeds."""
    chosen = chosen_embedder(entry)
    if chosen is None:
        return None
    embedder = GatewayEmbedder(
        gateway,
        chosen.route,
        outcomes,
        kind=chosen.kind,
        privacy=background(entry),
    )
    index = open_index(DEFAULT_INDEX, memory.database, embedder.model)
    self_check = SelfCheck(index, memory.database, embedder.model, memory)
    return Meaning(
        embedder=embedder,
        index=index,
        self_check=self_check,
        indexing=Indexing(
            memory,
            embedder,
            index,
            daily_tokens=entry.options.get(CONF_EMBED_DAILY_TOKENS, 0),
        ),
    )


def follow_moves(
    hass: HomeAssistant, entry: ConfigEntry, memory: Memory, meaning: Meaning
) -> None:
    """Let what a person has said be found as theirs once it is another owner's."""

    @callback
    def moved() -> None:
        entry.async_create_background_task(
            hass, meaning.index.rebuild(), "CAESAR index after a move"
        )

    entry.async_on_unload(memory.on_move(moved))


def indexing_job(hass: HomeAssistant, meaning: Meaning) -> Job:
    """Return the job that embeds what was said, and checks that it is found then."""

    async def embed() -> IndexingReport:
        report = await meaning.indexing.tick()
        async_report_indexing(hass, meaning.indexing)
        if report.problem is None:
            await meaning.self_check.run_if_grown()
        return report

    return Job(name=JOB_INDEX, interval=timedelta(seconds=INDEX_INTERVAL), run=embed)
