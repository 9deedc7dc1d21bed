"""Brings a database file to the present schema, with Alembic's parts in our own runner.

Alembic's ``command.upgrade`` keeps module-level state and is not thread-safe, and
pysqlite opens no transaction for DDL: here one explicit transaction holds all steps, so
that a failure or a kill leaves the old schema and all rows. Each revision is a module
with ``upgrade(operations)``.
"""

from pathlib import Path
import sqlite3

from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from ..errors import CorruptDatabaseError, NewerDatabaseError

FOLDER = Path(__file__).parent


def upgrade(engine: Engine, folder: Path = FOLDER) -> None:
    """Bring the database to the newest revision, or leave it as it was.

    Raises NewerDatabaseError where the file has a revision that this code does not
    know, before anything is touched.
    """
    scripts = ScriptDirectory(str(folder))
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)  # noqa: S101  for the type checker
        # Foreign keys go off before BEGIN, where SQLite still listens: with them on,
        # the rebuild of a parent table would delete its children.
        raw.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                _run(connection, scripts)
        finally:
            raw.execute("PRAGMA foreign_keys = ON")


def _run(connection: Connection, scripts: ScriptDirectory) -> None:
    context = MigrationContext.configure(connection, opts={"render_as_batch": True})
    present = context.get_current_revision()
    known = {script.revision for script in scripts.walk_revisions()}
    if present is not None and present not in known:
        raise NewerDatabaseError(f"The database has the unknown revision {present}")
    # Alembic yields the newest first.
    missing = list(scripts.iterate_revisions("head", present or "base"))
    for script in reversed(missing):
        script.module.upgrade(Operations(context))
        context.stamp(scripts, script.revision)
    if connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
        raise CorruptDatabaseError("The database refers to rows that do not exist")
