"""The only door to the SQLite file.

All writes go through one thread, each as one complete transaction, so that whoever
waits may be cancelled at any time and the database stays whole. Reads run beside it on
connections that cannot write. Neither may run on the event loop.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
import contextlib
from functools import partial
import os
from pathlib import Path
import sqlite3
from typing import Any, Concatenate

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError as SqlAlchemyDatabaseError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from . import words
from .errors import (
    CorruptDatabaseError,
    DatabaseClosedError,
    DatabaseError,
    DatabaseReplacedError,
    EventLoopError,
)
from .extraction.text import fold
from .holding import LONGEST, Hold, end_rest
from .migrations import upgrade
from .opened_file import FileState, OpenedFile
from .purging import purge
from .sqlite_errors import translated

READERS = 2
BUSY_TIMEOUT = 5_000
"""Milliseconds that SQLite waits for a lock, which only another process could hold."""
_CONTENTS = (
    "SELECT (SELECT count(*) FROM audit_log), (SELECT max(id) FROM audit_log),"
    " (SELECT count(*) FROM personal_facts), (SELECT sum(revision) FROM personal_facts)"
)


class Database:
    """One SQLite file with one writer thread.

    Functions given to ``read`` and ``write`` take a SQLAlchemy connection and return
    plain values.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._executor: ThreadPoolExecutor | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._writer: Engine | None = None
        self._reader: Engine | None = None
        self._file = OpenedFile(path)
        self._listeners: list[Callable[[], None]] = []
        self._hold: Hold | None = None
        self._hold_ends: asyncio.TimerHandle | None = None

    @property
    def path(self) -> Path:
        """Return where the file is."""
        return self._path

    async def open(self) -> None:
        """Create or upgrade the file and start the writer thread.

        Raises NewerDatabaseError, CorruptDatabaseError or DatabaseError; the file is
        then as it was and nothing is left running.
        """
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="caesar-database")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="caesar-reader")
        try:
            await asyncio.wrap_future(self._executor.submit(self._open))
        except BaseException:
            await self.close()
            raise

    async def write[**P, T](
        self,
        work: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run the work in one transaction on the writer thread.

        It commits as a whole even where the caller is cancelled meanwhile.
        """
        if self._executor is None or self._writer is None:
            raise DatabaseClosedError("The database is not open")
        future = asyncio.wrap_future(
            self._executor.submit(
                self._transact, lambda connection: work(connection, *args, **kwargs)
            )
        )
        future.add_done_callback(self._tell_written)
        return await asyncio.shield(future)

    async def is_replaced(self) -> bool:
        """Return whether somebody deleted, replaced or overwrote the file meanwhile.

        Nothing can be written then, and closing leaves alone what is in its place.
        """
        if self._executor is None:
            raise DatabaseClosedError("The database is not open")
        return await asyncio.wrap_future(self._executor.submit(self._is_replaced))

    async def purge(self) -> bool:
        """Remove from the file what rows that are gone have left in it.

        Returns whether that is done, or there was nothing to do; somebody else who
        reads the file may keep it from being done.
        """
        if self._executor is None:
            raise DatabaseClosedError("The database is not open")
        return await asyncio.wrap_future(self._executor.submit(self._purge))

    async def hold(self, seconds: float) -> None:
        """Bring all that is written into the file itself, and let it be copied.

        For so many seconds nothing is written, and the file itself stays as it is until
        ``release``; who writes meanwhile waits. Raises DatabaseError.
        """
        if self._executor is None:
            raise DatabaseClosedError("The database is not open")
        self.release()
        hold = self._hold = Hold(seconds)
        loop = asyncio.get_running_loop()
        self._hold_ends = loop.call_later(LONGEST, self.release)
        resting = self._executor.submit(self._rest, hold)
        await asyncio.to_thread(hold.wait, resting)

    def release(self) -> bool:
        """Let everything be written again; return whether some was already."""
        hold, self._hold = self._hold, None
        if hold is None or self._executor is None:
            return False
        if self._hold_ends is not None:
            self._hold_ends.cancel()
        hold.let_go()
        self._executor.submit(self._end_rest)
        return hold.expired

    def on_write(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener after each transaction that wrote; return how to stop that.

        It is called on the event loop, and even where the writer's caller is gone.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def read[**P, T](
        self,
        work: Callable[Concatenate[Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run the work on a connection that cannot write."""
        if self._readers is None or self._reader is None:
            raise DatabaseClosedError("The database is not open")
        return await asyncio.wrap_future(
            self._readers.submit(
                self._query, lambda connection: work(connection, *args, **kwargs)
            )
        )

    async def close(self) -> None:
        """Finish all queued writes, then close the file; idempotent."""
        self.release()
        executor, self._executor = self._executor, None
        readers, self._readers = self._readers, None
        if executor is None or readers is None:
            return
        # A read that is still under way would keep its connection open beyond the end.
        await asyncio.to_thread(readers.shutdown)
        await asyncio.shield(asyncio.wrap_future(executor.submit(self._close)))
        await asyncio.to_thread(executor.shutdown)

    def _tell_written(self, future: asyncio.Future[Any]) -> None:
        if future.cancelled() or future.exception() is not None:
            return
        for listener in tuple(self._listeners):
            listener()

    def _open(self) -> None:
        with contextlib.suppress(FileExistsError):
            # SQLite gives the -wal and -shm files the mode of the database itself.
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL, mode=0o600))
        self._writer = _create_engine(self._path, pool_size=1)
        event.listen(self._writer, "connect", _prepare_writer)
        event.listen(self._writer, "begin", _begin_immediate)
        with translated():
            upgrade(self._writer)
            with self._writer.begin() as connection:
                words.prepare(connection)
        self._file = OpenedFile(self._path)
        self._reader = _create_engine(self._path, pool_size=READERS)
        event.listen(self._reader, "connect", _prepare_reader)
        # All at once: one that came later might open what was put in the file's place.
        with translated(), contextlib.ExitStack() as connections:
            for _ in range(READERS):
                reader = connections.enter_context(self._reader.connect())
                reader.exec_driver_sql("SELECT 1 FROM sqlite_master").first()

    def _transact[T](self, work: Callable[[Connection], T]) -> T:
        _refuse_event_loop()
        if self._writer is None:
            raise DatabaseClosedError("The database is not open")
        if self._is_replaced():
            raise DatabaseReplacedError("The file is not the one that was opened")
        with translated(), self._writer.begin() as connection:
            result = work(connection)
        self._file.note()
        return result

    def _purge(self) -> bool:
        if self._writer is None:
            raise DatabaseClosedError("The database is not open")
        if self._hold is not None:
            return False
        with translated():
            try:
                return purge(self._writer, self._raw_writer())
            finally:
                self._file.note()

    def _rest(self, hold: Hold) -> None:
        if self._writer is None or self._is_replaced():
            raise DatabaseClosedError("The database is not open")
        with translated():
            hold.rest(self._raw_writer(), self._file.note)

    def _end_rest(self) -> None:
        if self._writer is not None:
            end_rest(self._raw_writer())

    def _raw_writer(self) -> sqlite3.Connection:
        """Return the writer's only connection, outside of any transaction."""
        assert self._writer is not None  # noqa: S101  whoever calls has checked
        with self._writer.connect() as connection:
            raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)  # noqa: S101
        return raw

    def _is_replaced(self) -> bool:
        state = self._file.state()
        if state is FileState.SAME:
            return False
        if state is FileState.REPLACED or not self._holds_the_same():
            return True
        self._file.note()
        return False

    def _holds_the_same(self) -> bool:
        """Return whether a file that somebody wrote to still holds our database.

        Another program may well bring SQLite's log into it, as a backup of it does.
        """
        try:
            known = self._query(_contents)
            # Immutable: the file by itself, without SQLite's log, which is ours.
            with contextlib.closing(_connect(self._path, "immutable=1")) as alone:
                found = alone.execute(_CONTENTS).fetchone()
        except CorruptDatabaseError, sqlite3.DatabaseError:
            return False
        return bool(found == known)

    def _query[T](self, work: Callable[[Connection], T]) -> T:
        _refuse_event_loop()
        if self._reader is None:
            raise DatabaseClosedError("The database is not open")
        # Leaving the block ends the read transaction: one left open would keep SQLite
        # from ever shortening the write-ahead log, and erased bytes in it.
        with translated(), self._reader.connect() as connection:
            return work(connection)

    def _close(self) -> None:
        is_replaced = False
        with contextlib.suppress(DatabaseError):
            is_replaced = self._is_replaced()
        reader, self._reader = self._reader, None
        writer, self._writer = self._writer, None
        if reader is not None:
            reader.dispose()
        if writer is None:
            return
        with (
            contextlib.suppress(SqlAlchemyDatabaseError, sqlite3.DatabaseError),
            writer.connect() as connection,
        ):
            raw = connection.connection.driver_connection
            if raw is not None and is_replaced:
                raw.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE)
            elif raw is not None:
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        writer.dispose()
        if is_replaced:
            self._file.remove_log()


def _connect(path: Path, parameter: str = "mode=rw") -> sqlite3.Connection:
    # Connections move between threads, but the pool lends each to one at a time.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{parameter}", uri=True, check_same_thread=False
    )


def open_with_extension(path: Path, extension: str) -> sqlite3.Connection:
    """Open a file of its own for an extension of SQLite, creating it where it is not.

    No connection to the store itself ever loads one. Blocks. Raises
    sqlite3.DatabaseError.
    """
    _refuse_event_loop()
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, mode=0o600))
    connection = _connect(path)
    connection.enable_load_extension(True)  # noqa: FBT003  SQLite's own signature
    connection.load_extension(extension)
    connection.enable_load_extension(False)  # noqa: FBT003
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _create_engine(path: Path, pool_size: int) -> Engine:
    return create_engine(
        "sqlite://",
        creator=partial(_connect, path),
        poolclass=QueuePool,
        pool_size=pool_size,
        max_overflow=0,
        # What people said must not reach a log by way of an error's text.
        hide_parameters=True,
    )


def _contents(connection: Connection) -> tuple[Any, ...]:
    return tuple(connection.exec_driver_sql(_CONTENTS).one())


def _prepare(connection: sqlite3.Connection) -> None:
    # Otherwise pysqlite decides when transactions begin, and never for DDL.
    connection.isolation_level = None
    connection.create_function("folded", 1, _folded, deterministic=True)
    connection.create_function("searchable", -1, words.searchable, deterministic=True)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")


def _folded(text: str | None) -> str:
    # SQLite itself knows upper and lower case of English letters alone.
    return "" if text is None else fold(text)


def _prepare_writer(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    # Larger pages suit embeddings. SQLite takes them only before WAL and any table.
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    # FULL: what was acknowledged survives a power cut. Few rows are written, off the
    # reply's path, so the price does not matter.
    connection.execute("PRAGMA synchronous = FULL")
    _prepare(connection)


def _prepare_reader(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    _prepare(connection)
    connection.execute("PRAGMA query_only = ON")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _refuse_event_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise EventLoopError("Database work was called on the event loop")
