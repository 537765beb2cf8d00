"""Migrations: they create the schema of `schema`, in both databases, and run once when several servers start."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, make_url, text

from fivedice.base.errors import IllegalError
from fivedice.storage.backup import backup
from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema
from fivedice.storage.schema import metadata
from tests.storage.empty import OpenDatabase

LATER = [
    "ALTER TABLE streams ADD COLUMN later TEXT",
    "ALTER TABLE events ADD COLUMN later INTEGER NOT NULL DEFAULT 1",
    "CREATE INDEX later ON events (at)",
    "CREATE TABLE later_table (id TEXT PRIMARY KEY)",
    # One that goes with another table:
    "CREATE TABLE later_reference (id VARCHAR(64), FOREIGN KEY(id) REFERENCES streams (id) ON DELETE CASCADE)",
]
"""What a later version may add while programs of this one serve the database."""

TOO_LATE = {
    "there is no table server": "DROP TABLE server",
    "there is no column events.at": "ALTER TABLE events RENAME COLUMN at TO later",
}
"""What it may do only once no program needs it any more, by what a program of this version says."""


def change(url: str, statements: Iterable[str], schema: str = "9990") -> None:
    """Give a database a schema of a later version."""
    engine = create_engine(make_url(url.replace("postgresql:", "postgresql+psycopg:")))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
        connection.execute(text("UPDATE alembic_version SET version_num = :schema"), {"schema": schema})
    engine.dispose()


def test_a_program_works_in_a_later_schema_that_only_adds(url: str) -> None:
    change(url, LATER)
    Database(url).close()


def test_a_backup_by_another_version_says_which_one_can_make_it(url: str, tmp_path: Path) -> None:
    for at, remedy in (
        ("0000", "use the version that has served it, or let `fivedice serve` of"),
        ("9990", "use that ver"),
    ):
        change(url, [], at)
        with pytest.raises(IllegalError, match=f"is at schema {at}.*{remedy}"):
            backup(url, tmp_path / "backup.jsonl")


def test_a_program_refuses_a_later_schema_that_takes_something_away(url: str) -> None:
    change(url, TOO_LATE.values())
    with pytest.raises(IllegalError, match=r"schema 9990, in which this fivedice cannot work: .*: use") as caught:
        Database(url)
    reasons = str(caught.value).partition("cannot work: ")[2].partition(": use")[0].split("; ")
    assert {*TOO_LATE} <= {*reasons}


def test_the_migrations_create_the_schema(open_database: OpenDatabase, bare_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(MigrationContext.configure(connection), metadata)
        return found

    assert open_database(bare_url).read(difference) == []


def test_several_servers_may_start_at_once(bare_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [bare_url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        database.close()
