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
from fivedice.storage.rows.tables import withholding_game
from fivedice.storage.schema import metadata
from tests.repository import ROOT


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


def test_games_in_progress_at_the_migration_withhold_advice_if_their_tables_give_none(bare_url: str) -> None:
    settings = {"none": "", "old": '"tutor":0.0,', "always": '"advice":"always",', "tutor": '"tutor":0.05,', "over": ""}
    engine = create_engine(make_url(bare_url.replace("postgresql:", "postgresql+psycopg:")))
    with engine.begin() as connection:
        upgrade(connection, "0050")
        connection.execute(text("INSERT INTO holders (id, created, seen) VALUES ('ann', 1, 1)"))
        for id, setting in settings.items():
            values = {"id": id, "secret": b"s", "stage": "over" if id == "over" else "begun"}
            # A name may contain what looks like a setting.
            values["body"] = '{"type":"created",%s"name":"\\"advice\\":\\"always\\"","at":1}' % setting  # noqa: UP031
            connection.execute(
                text("INSERT INTO tables (id, secret, created, stage) VALUES (:id, :secret, 1, :stage)"), values
            )
            event = "INSERT INTO events (table_id, version, command, at, body) VALUES (:id, 1, 'a', 1, :body)"
            connection.execute(text(event), values)
            seat = "INSERT INTO seat_holders (table_id, seat, holder, since) VALUES (:id, 11, 'ann', 1)"
            connection.execute(text(seat), values)
    engine.dispose()
    database = Database(bare_url)
    assert database.read(lambda c: withholding_game(c, "ann", 0.5, "none")) == "old"
    assert database.read(lambda c: withholding_game(c, "ann", 0.5, "old")) == "none"
    found = database.read(lambda c: c.execute(text("SELECT id FROM tables WHERE withheld_from <> 0 ORDER BY id")))
    assert [id for (id,) in found] == ["none", "old"]
    database.close()


def test_several_servers_may_start_at_once(bare_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [bare_url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        database.close()


def test_every_migration_has_a_backup_of_the_schema_before_it() -> None:
    folder = ROOT / "src/fivedice/storage/migrations/versions"
    schemas = sorted(file.name[:4] for file in folder.glob("[0-9]*.py"))
    backups = {file.stem.removeprefix("schema_") for file in (ROOT / "tests/reliability").glob("schema_*.jsonl")}
    # Migrations 0040 and 0050 came together, so that no program ever had 0040 as its newest schema.
    assert backups == {*schemas[:-1]} - {"0040"}
