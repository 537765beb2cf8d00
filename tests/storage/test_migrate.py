"""Migrations: they create the schema of `schema`, in both databases, and run once when several servers start."""

from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema
from fivedice.storage.schema import metadata


def test_the_migrations_create_the_schema(database: Database) -> None:
    def difference(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(MigrationContext.configure(connection), metadata)
        return found

    assert database.read(difference) == []


def test_several_servers_may_start_at_once(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        database.close()
