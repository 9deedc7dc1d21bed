"""An index by sqlite-vec, an extension of SQLite, where its package can be installed.

It scans all vectors of an owner exactly, in a file of its own beside the store's: the
store's connections load no foreign code. The file may be deleted at any time.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
import importlib
from pathlib import Path
import sqlite3
from typing import Final, override

from ..database import Database, open_with_extension
from ..errors import DatabaseClosedError, DatabaseError
from . import stored
from .base import VectorRow
from .numbers import microseconds
from .ranked import Period, RankedIndex
from .stored import Ranked, Wanted

PACKAGE: Final = "sqlite_vec"
SUFFIX: Final = ".vectors"
"""What the name of the index's file has behind that of the store."""
MAX_COUNT: Final = 4096
"""The most that sqlite-vec finds at once."""

_NEAREST: Final = "SELECT id FROM vectors WHERE vector MATCH ? AND k = ? AND owner = ?"


class SqliteVecIndex(RankedIndex):
    """The vectors of one model in a file of their own."""

    def __init__(self, database: Database, model: str) -> None:
        super().__init__(database, model)
        self._path = database.path.with_name(f"{database.path.name}{SUFFIX}")
        # One thread, which alone has the connection.
        self._executor: ThreadPoolExecutor | None = ThreadPoolExecutor(
            1, thread_name_prefix="caesar-vectors"
        )
        self._file: _File | None = None

    @override
    async def add(self, rows: Sequence[VectorRow]) -> None:
        """Take rows in the place of those with their ids."""
        if rows:
            await self._do(lambda file: file.add(rows))

    @override
    async def remove(self, ids: Collection[int]) -> None:
        """Let go of rows."""
        if ids:
            await self._do(lambda file: file.remove(ids))

    @override
    async def count(self) -> int:
        """Return how many rows the file holds."""
        return await self._do(lambda file: file.count())

    @override
    async def rebuild(self) -> None:
        """Fill the file anew."""
        await self._do(lambda file: file.clear())
        after: int | None = 0
        while after is not None:
            page, after = await self._database.read(stored.rows, self._model, after)
            await self.add(page)

    @override
    async def close(self) -> None:
        """Close the file."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        file, self._file = self._file, None
        if file is not None:
            await asyncio.wrap_future(executor.submit(file.close))
        await asyncio.to_thread(executor.shutdown)

    @override
    async def _ranked(self, wanted: Wanted, period: Period) -> Ranked:
        ids = await self._do(lambda file: file.nearest(wanted, period))
        return await self._database.read(stored.ranked, wanted, ids)

    async def _do[T](self, work: Callable[[_File], T]) -> T:
        if self._executor is None:
            raise DatabaseClosedError("The index is closed")

        def do() -> T:
            try:
                if self._file is None:
                    self._file = _File(self._path, self._model)
                return work(self._file)
            except sqlite3.DatabaseError as err:
                raise DatabaseError(str(err)) from err

        return await asyncio.wrap_future(self._executor.submit(do))


class _File:
    """The file, on the thread that has it open."""

    def __init__(self, path: Path, model: str) -> None:
        extension = importlib.import_module(PACKAGE).loadable_path()
        self._model = model
        self._connection = open_with_extension(path, extension)
        try:
            self._dimension = self._prepared()
        except sqlite3.DatabaseError:
            # Damaged, or no database at all: it is only a copy.
            self._connection.close()
            path.unlink()
            self._connection = open_with_extension(path, extension)
            self._dimension = self._prepared()

    def add(self, rows: Sequence[VectorRow]) -> None:
        self._take(len(rows[0].vector))
        with self._connection:
            self._delete([row.id for row in rows])
            self._connection.executemany(
                "INSERT INTO vectors (id, owner, at, vector) VALUES (?, ?, ?, ?)",
                [
                    (row.id, row.owner, microseconds(row.at), row.vector.tobytes())
                    for row in rows
                ],
            )

    def remove(self, ids: Collection[int]) -> None:
        if self._dimension is not None:
            with self._connection:
                self._delete(ids)

    def clear(self) -> None:
        with self._connection:
            self._connection.execute("DROP TABLE IF EXISTS vectors")
            self._connection.execute("DELETE FROM kept")
        self._dimension = None

    def count(self) -> int:
        if self._dimension is None:
            return 0
        found: int = self._connection.execute(
            "SELECT count(*) FROM vectors"
        ).fetchone()[0]
        return found

    def nearest(self, wanted: Wanted, period: Period) -> Sequence[int]:
        """Return the nearest ids of each owner."""
        if self._dimension is None:
            return ()
        query, times = _NEAREST, []
        for bound, moment in ((">=", period.since), ("<", period.until)):
            if moment is not None:
                query += f" AND at {bound} ?"
                times.append(microseconds(moment))
        count = min(wanted.count, MAX_COUNT)
        return [
            row[0]
            for owner in wanted.owners
            for row in self._connection.execute(
                query, (wanted.vector.tobytes(), count, owner, *times)
            )
        ]

    def close(self) -> None:
        self._connection.close()

    def _prepared(self) -> int | None:
        """Return the dimension of what is kept of the model, None where nothing is."""
        with self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS kept (model TEXT, dimension INTEGER)"
            )
        kept = self._connection.execute("SELECT model, dimension FROM kept").fetchone()
        if kept is None:
            return None
        model, dimension = kept
        if model != self._model:
            self.clear()
            return None
        return int(dimension)

    def _take(self, dimension: int) -> None:
        if self._dimension is not None:
            return
        with self._connection:
            self._connection.execute(
                "CREATE VIRTUAL TABLE vectors USING vec0"
                " (id INTEGER PRIMARY KEY, owner TEXT PARTITION KEY, at INTEGER,"
                f" vector FLOAT[{dimension}] DISTANCE_METRIC=cosine)"
            )
            self._connection.execute(
                "INSERT INTO kept VALUES (?, ?)", (self._model, dimension)
            )
        self._dimension = dimension

    def _delete(self, ids: Collection[int]) -> None:
        rows = [(row_id,) for row_id in ids]
        nothing = bytes(4 * (self._dimension or 0))
        # The extension would leave the numbers where they are.
        self._connection.executemany(
            "UPDATE vectors SET vector = ? WHERE id = ?",
            [(nothing, row_id) for row_id in ids],
        )
        self._connection.executemany("DELETE FROM vectors WHERE id = ?", rows)
