"""Other ways to find what is near, each as somebody would write it for a house."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
import importlib.util
import json
import math
from pathlib import Path
import sqlite3
from typing import Any, Final, override

import numpy as np

from .embeddings import OWNERS, Said, Vectors

_CHUNK: Final = 2_000
_RESCORED: Final = 200
"""As many as the sketches rescore."""


class Peer(ABC):
    """Searches the rows of one owner."""

    package: str | None = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder / type(self).__name__
        self.folder.mkdir()

    @classmethod
    def is_installed(cls) -> bool:
        """Return whether what it needs is there."""
        return cls.package is None or importlib.util.find_spec(cls.package) is not None

    @abstractmethod
    def build(self, said: Said) -> None:
        """Take all rows."""

    @abstractmethod
    def search(self, question: Vectors, count: int, owner: str) -> Sequence[int]:
        """Return the nearest rows of an owner."""

    @property
    def disk(self) -> int:
        """Return how much disk it takes."""
        return sum(file.stat().st_size for file in self.folder.rglob("*"))


class JsonAndPython(Peer):
    """Vectors as JSON in SQLite, cosines in Python: what needs no thought."""

    @override
    def build(self, said: Said) -> None:
        self._connection = _connect(self.folder)
        self._connection.execute(
            "CREATE TABLE memory"
            " (id INTEGER PRIMARY KEY, owner TEXT, at TEXT, text TEXT, embedding TEXT)"
        )
        for rows in _chunks(said):
            vectors = np.round(said.vectors[rows].astype(np.float64), 8).tolist()
            self._connection.executemany(
                "INSERT INTO memory VALUES (?, ?, ?, ?, ?)",
                [
                    (
                        row,
                        OWNERS[said.owners[row]],
                        said.at(row).isoformat(),
                        "x" * 170,
                        json.dumps(vector),
                    )
                    for row, vector in zip(rows, vectors, strict=True)
                ],
            )
        self._connection.execute("CREATE INDEX of_owner ON memory (owner, at)")
        self._connection.commit()

    @override
    def search(self, question: Vectors, count: int, owner: str) -> Sequence[int]:
        asked = question.tolist()
        scored = [
            (_cosine(asked, json.loads(stored)), row)
            for row, stored in self._connection.execute(
                "SELECT id, embedding FROM memory WHERE owner = ?", (owner,)
            )
        ]
        scored.sort(reverse=True)
        return [row for _, row in scored[:count]]


class SqliteVecFloat(Peer):
    """The extension sqlite-vec, which looks at all float32 vectors of an owner."""

    package = "sqlite_vec"
    _column = "FLOAT[{}] DISTANCE_METRIC=cosine"
    _value = "?"

    @override
    def build(self, said: Said) -> None:
        sqlite_vec = importlib.import_module("sqlite_vec")
        self._connection = _connect(self.folder)
        self._connection.enable_load_extension(True)  # noqa: FBT003
        sqlite_vec.load(self._connection)
        column = self._column.format(said.vectors.shape[1])
        self._connection.execute(
            "CREATE VIRTUAL TABLE memory USING vec0"
            f" (id INTEGER PRIMARY KEY, owner TEXT PARTITION KEY, vector {column})"
        )
        for rows in _chunks(said):
            self._connection.executemany(
                f"INSERT INTO memory VALUES (?, ?, {self._value})",  # noqa: S608
                [
                    (row, OWNERS[said.owners[row]], self._encoded(said.vectors[row]))
                    for row in rows
                ],
            )
        self._keep(said)
        self._connection.commit()

    @override
    def search(self, question: Vectors, count: int, owner: str) -> Sequence[int]:
        return self._nearest(question, count, owner)

    def _nearest(self, question: Vectors, count: int, owner: str) -> list[int]:
        found = self._connection.execute(
            f"SELECT id FROM memory WHERE vector MATCH {self._value}"  # noqa: S608
            " AND k = ? AND owner = ?",
            (self._encoded(question), count, owner),
        )
        return [row[0] for row in found]

    def _encoded(self, vector: Vectors) -> bytes:
        return vector.tobytes()

    def _keep(self, said: Said) -> None:
        """Keep what a later step needs besides."""


class SqliteVecBit(SqliteVecFloat):
    """The same extension with signs alone, and the best of them read exactly."""

    _column = "BIT[{}]"
    _value = "vec_bit(?)"

    @override
    def search(self, question: Vectors, count: int, owner: str) -> Sequence[int]:
        ids = self._nearest(question, _RESCORED, owner)
        holes = ", ".join("?" * len(ids))
        found = self._connection.execute(
            f"SELECT id, vector FROM exact WHERE id IN ({holes})",  # noqa: S608
            ids,
        ).fetchall()
        vectors = np.frombuffer(b"".join(row[1] for row in found), np.float32)
        cosines = np.vecdot(vectors.reshape(len(found), -1), question)
        return [found[place][0] for place in np.argsort(-cosines)[:count]]

    @override
    def _encoded(self, vector: Vectors) -> bytes:
        return np.packbits(vector > 0).tobytes()

    @override
    def _keep(self, said: Said) -> None:
        self._connection.execute(
            "CREATE TABLE exact (id INTEGER PRIMARY KEY, vector BLOB)"
        )
        self._connection.executemany(
            "INSERT INTO exact VALUES (?, ?)",
            ((row, said.vectors[row].tobytes()) for row in range(len(said))),
        )


class Chroma(Peer):
    """ChromaDB in this process, with the owner as a filter."""

    package = "chromadb"

    @override
    def build(self, said: Said) -> None:
        chromadb: Any = importlib.import_module("chromadb")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(self.folder), settings=settings)
        self._collection = client.create_collection(
            "memory", metadata={"hnsw:space": "cosine"}
        )
        for rows in _chunks(said):
            self._collection.add(
                ids=[str(row) for row in rows],
                embeddings=said.vectors[rows],
                metadatas=[{"owner": OWNERS[said.owners[row]]} for row in rows],
            )

    @override
    def search(self, question: Vectors, count: int, owner: str) -> Sequence[int]:
        found = self._collection.query(
            query_embeddings=[question],
            n_results=count,
            where={"owner": owner},
            include=[],
        )
        return [int(row) for row in found["ids"][0]]


PEERS: Final[dict[str, type[Peer]]] = {
    "json": JsonAndPython,
    "sqlite-vec-float": SqliteVecFloat,
    "sqlite-vec-bit": SqliteVecBit,
    "chroma": Chroma,
}


def _connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "memory.db")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _chunks(said: Said) -> Iterator[range]:
    for start in range(0, len(said), _CHUNK):
        yield range(start, min(start + _CHUNK, len(said)))


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    lengths = sum(a * a for a in one), sum(b * b for b in other)
    return dot / (math.sqrt(lengths[0]) * math.sqrt(lengths[1]))
