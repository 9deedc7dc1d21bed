"""Finding by meaning, put together: who embeds, the index, the job that fills it."""

from dataclasses import dataclass
from datetime import timedelta

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

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
from .providers import background, chosen_embedder


@dataclass(frozen=True, kw_only=True, slots=True)
class Meaning:
    """What finds exchanges by their meaning, where somebody was chosen to embed."""

    embedder: GatewayEmbedder
    index: VectorIndex
    indexing: Indexing


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
    return Meaning(
        embedder=embedder,
        index=index,
        indexing=Indexing(
            memory,
            embedder,
            index,
            daily_tokens=entry.options.get(CONF_EMBED_DAILY_TOKENS, 0),
        ),
    )


def indexing_job(hass: HomeAssistant, indexing: Indexing) -> Job:
    """Return the job that embeds what was said."""

    async def embed() -> IndexingReport:
        report = await indexing.tick()
        async_report_indexing(hass, indexing)
        return report

    return Job(name=JOB_INDEX, interval=timedelta(seconds=INDEX_INTERVAL), run=embed)
