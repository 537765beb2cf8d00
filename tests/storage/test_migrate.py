"""Migrations: they create the schema of `schema`, in both databases, and run once when several servers start."""

import time
from concurrent.futures import ThreadPoolExecutor

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, make_url, text

from fivedice.server.config.limits import LINK_SECONDS
from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema, upgrade
from fivedice.storage.rows.holders import hash_of
from fivedice.storage.rows.seat_links import link_of
from fivedice.storage.schema import metadata


def test_the_migrations_create_the_schema(bare_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(MigrationContext.configure(connection), metadata)
        return found

    database = Database(bare_url)
    assert database.read(difference) == []
    database.close()


def test_links_of_earlier_versions_are_valid_for_a_week_from_the_migration(bare_url: str) -> None:
    engine = create_engine(make_url(bare_url.replace("postgresql:", "postgresql+psycopg:")))
    with engine.begin() as connection:
        upgrade(connection, "0020")
        connection.execute(
            text("INSERT INTO tables (id, secret, created) VALUES ('one', :secret, 1)"), {"secret": b"s"}
        )
        link = "INSERT INTO seat_secrets (hash, table_id, seat, created) VALUES (:hash, 'one', 0, 1)"
        connection.execute(text(link), {"hash": hash_of("old")})
    engine.dispose()
    began = time.time()
    database = Database(bare_url)
    found = database.read(lambda c: link_of(c, "one", "old"))
    assert found is not None
    assert (found.kind, found.used) == ("link", None)
    assert began <= found.expires - LINK_SECONDS <= time.time()
    database.close()


def test_several_servers_may_start_at_once(bare_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [bare_url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        database.close()
