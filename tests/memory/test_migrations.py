"""A database file reaches the present schema as a whole or not at all."""

from pathlib import Path
import shutil
import sqlite3

import pytest
from sqlalchemy import inspect

from custom_components.caesar.memory import migrations
from custom_components.caesar.memory.database import Database
from custom_components.caesar.memory.schema import metadata

LATER = '''
"""Rebuild the parent table, then {then}."""
import sqlalchemy as sa

revision = "later"
down_revision = "0002"


def upgrade(operations):
    with operations.batch_alter_table("audit_log", recreate="always") as batch:
        batch.add_column(sa.Column("extra", sa.Text))
    {then}
'''


@pytest.fixture
def later_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "migrations"
    shutil.copytree(migrations.FOLDER, folder)
    monkeypatch.setattr(migrations.upgrade, "__defaults__", (folder,))

    def write(then: str) -> None:
        (folder / "versions" / "later.py").write_text(LATER.format(then=then))

    return write


async def test_the_migrations_make_the_schema(path: Path):
    database = Database(path)
    await database.open()

    def tables(connection):
        inspector = inspect(connection)
        return {
            table: (
                {
                    (c["name"], str(c["type"]), c["nullable"])
                    for c in inspector.get_columns(table)
                },
                {i["name"] for i in inspector.get_indexes(table)},
                {u["name"] for u in inspector.get_unique_constraints(table)},
            )
            for table in metadata.tables
        }

    made = await database.read(tables)
    await database.close()
    for name, table in metadata.tables.items():
        columns, indexes, uniques = made[name]
        assert columns == {
            (
                c.name,
                "DATETIME"
                if c.type.__class__.__name__ == "UtcDateTime"
                else str(c.type),
                bool(c.nullable),
            )
            for c in table.columns
        }
        assert indexes == {index.name for index in table.indexes}
        assert uniques == {
            c.name
            for c in table.constraints
            if c.__class__.__name__ == "UniqueConstraint"
        }
    sql = sqlite3.connect(path).execute(
        "SELECT sql FROM sqlite_master WHERE name IN ('audit_log', 'personal_facts')"
    )
    assert all("AUTOINCREMENT" in row[0] for row in sql)


async def fill(path: Path) -> None:
    database = Database(path)
    await database.open()
    await database.close()
    with sqlite3.connect(path) as raw:
        raw.execute(
            "INSERT INTO audit_log (id, at, kind, owner, payload)"
            " VALUES (7, '2026-01-01', 'chat.completed', 'household', '{}')"
        )
        raw.execute(
            "INSERT INTO personal_facts (owner, key, value, first_seen_at,"
            " last_confirmed_at, source_audit_id)"
            " VALUES ('household', 'dog.name', 'Beans', '2026-01-01', '2026-01-01', 7)"
        )


async def test_rebuilding_a_table_keeps_what_refers_to_it(path: Path, later_version):
    await fill(path)
    later_version("pass")
    database = Database(path)
    await database.open()
    await database.close()
    raw = sqlite3.connect(path)
    assert raw.execute(
        "SELECT value, source_audit_id FROM personal_facts"
    ).fetchall() == [("Beans", 7)]
    assert (
        "extra"
        in raw.execute(
            "SELECT sql FROM sqlite_master WHERE name='audit_log'"
        ).fetchone()[0]
    )


async def test_a_failing_step_leaves_the_old_schema_and_all_rows(
    path: Path, later_version
):
    await fill(path)
    later_version("raise RuntimeError")
    with pytest.raises(RuntimeError):
        await Database(path).open()
    raw = sqlite3.connect(path)
    assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == (
        "0002",
    )
    assert raw.execute("SELECT value FROM personal_facts").fetchone() == ("Beans",)
    assert (
        "extra"
        not in raw.execute(
            "SELECT sql FROM sqlite_master WHERE name='audit_log'"
        ).fetchone()[0]
    )
