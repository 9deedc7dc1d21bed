"""A house's file with as much in it as one wishes, written as the product writes it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, insert

from custom_components.caesar.memory import semantic
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.models import EventKind
from custom_components.caesar.memory.schema import audit_log, semantic_memory

from .embeddings import END, OWNERS, Said

MODEL: Final = "benchmark|1"
AREAS: Final = ("kitchen", "living_room", "bedroom", "office", "garage", "hall")

_CHUNK: Final = 2_000
_VOCABULARY: Final = 20_000
_WORDS: Final = 14


class Words:
    """Texts whose words are as rare and as common as in a language."""

    def __init__(self) -> None:
        self._numbers = np.random.default_rng(3)
        syllables = [a + b for a in "bdfgklmnprstvw" for b in "aeiou"]
        picked = self._numbers.integers(len(syllables), size=(_VOCABULARY, 3))
        self.known = ["".join(syllables[n] for n in word) for word in picked]
        shares = 1 / np.arange(1, _VOCABULARY + 1) ** 1.05
        self._shares = shares / shares.sum()

    def texts(self, count: int) -> list[str]:
        """Return some texts of fourteen words."""
        picked = self._numbers.choice(_VOCABULARY, size=(count, _WORDS), p=self._shares)
        return [" ".join(self.known[n] for n in text) for text in picked]


class HouseClock:
    """A clock that stands at the end of what was said."""

    def now(self) -> datetime:
        """Return that moment."""
        return END


async def fill(
    database: Database, said: Said, *, count: int | None = None, days: int = 730
) -> None:
    """Write exchanges with their vectors, of so many days; words are left out.

    Where more exchanges are wanted than were said, the same vectors come again.
    """
    words, count = Words(), count or len(said)
    for start in range(0, count, _CHUNK):
        rows = range(start, min(start + _CHUNK, count))
        exchanges = [
            exchange(
                row + 1,
                OWNERS[said.owners[row % len(said)]],
                END - timedelta(days=days) * ((count - row) / count),
                text,
            )
            for row, text in zip(rows, words.texts(len(rows)), strict=True)
        ]
        vectors = {row + 1: said.vectors[row % len(said)] for row in rows}
        await database.write(_write, exchanges)
        await database.write(semantic.store, MODEL, vectors)


async def fill_exchanges(database: Database, count: int) -> None:
    """Write exchanges of two years that have neither words nor vectors."""
    texts = Words().texts(_CHUNK)
    for start in range(0, count, _CHUNK):
        exchanges = [
            exchange(
                row + 1,
                OWNERS[row % len(OWNERS)],
                END - timedelta(days=730) * ((count - row) / count),
                texts[row % _CHUNK],
            )
            for row in range(start, min(start + _CHUNK, count))
        ]
        await database.write(_write, exchanges)


async def fill_words(database: Database) -> None:
    """Let the file be opened with all words in it."""
    await database.write(
        lambda connection: connection.exec_driver_sql("DROP TABLE semantic_words")
    )
    await database.close()
    await database.open()


def exchange(row_id: int, owner: str, at: datetime, text: str) -> dict[str, Any]:
    """Return an exchange as a row of the audit log."""
    return {
        "id": row_id,
        "at": at,
        "kind": EventKind.CHAT_COMPLETED.value,
        "owner": owner,
        "area_id": AREAS[row_id % len(AREAS)],
        "conversation_id": f"conversation-{row_id // 3}",
        "language": "en",
        "user_text": text,
        "assistant_text": text[::-1],
        "payload": {"heard_by": "benchmark"},
    }


def _write(connection: Connection, exchanges: Sequence[dict[str, Any]]) -> None:
    connection.execute(insert(audit_log), list(exchanges))
    connection.execute(
        insert(semantic_memory),
        [{key: row[key] for key in ("id", "owner", "at")} for row in exchanges],
    )
