"""Migrations: they create the schema of `schema`, in both databases, and run once when several servers start."""

import re
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, create_engine, make_url, text

from fivedice.base.errors import IllegalError
from fivedice.server.config.limits import LINK_SECONDS
from fivedice.storage.engine.database import Database
from fivedice.storage.migrate import newest_schema, obstacles, upgrade
from fivedice.storage.rows.holders import hash_of
from fivedice.storage.rows.seat_links import link_of
from fivedice.storage.rows.tables import withholding_game
from fivedice.storage.schema import metadata
from tests.amount import cases
from tests.repository import ROOT
from tests.storage.empty import OpenDatabase

VERSIONS = sorted((ROOT / "src/fivedice/storage/migrations/versions").glob("[0-9]*.py"))


def engine_of(url: str) -> Engine:
    """An engine for the URL of a database."""
    return create_engine(make_url(url.replace("postgresql:", "postgresql+psycopg:")))


LATER = [
    "ALTER TABLE tables ADD COLUMN later TEXT",
    "ALTER TABLE events ADD COLUMN later INTEGER NOT NULL DEFAULT 1",
    "CREATE INDEX later ON events (at)",
    "CREATE TABLE later_table (id TEXT PRIMARY KEY)",
    # One that goes with another table:
    "CREATE TABLE later_reference (id VARCHAR(64), FOREIGN KEY(id) REFERENCES tables (id) ON DELETE CASCADE)",
]
"""What a later version may add while programs of this one serve the database."""

TOO_LATE = {
    "there is no table trusted_time": "DROP TABLE trusted_time",
    "there is no column events.at": "ALTER TABLE events RENAME COLUMN at TO later",
    "tables.later must have a value": "ALTER TABLE tables ADD COLUMN later TEXT NOT NULL",
    "later must be unique": "CREATE UNIQUE INDEX later ON lessons (holder)",
    "records_by_game is no longer unique": "DROP INDEX records_by_game",
    "rows to which later_table refers cannot be deleted": (
        "CREATE TABLE later_table (id VARCHAR(64) PRIMARY KEY REFERENCES tables (id))"
    ),
}
"""What it may do only once no program needs it any more, by what a program of this version says."""


BEFORE_THE_RULE = {"0010", "0030", "0040", "0060"}
"""Migrations before the first release, with which no earlier program works."""


def change(url: str, statements: Iterable[str]) -> None:
    """Give a database a schema of a later version."""
    engine = engine_of(url)
    with engine.begin() as connection:
        for statement in [*statements, "UPDATE alembic_version SET version_num = '9990'"]:
            connection.execute(text(statement))
    engine.dispose()


def test_a_program_works_in_a_later_schema_that_only_adds(url: str) -> None:
    change(url, LATER)
    Database(url).close()


def test_a_program_refuses_a_later_schema_that_takes_something_away(url: str) -> None:
    change(url, TOO_LATE.values())
    with pytest.raises(IllegalError, match=r"schema 9990, in which this fivedice cannot work: .*: use") as caught:
        Database(url)
    reasons = str(caught.value).partition("cannot work: ")[2].partition(": use")[0].split("; ")
    assert {*TOO_LATE} <= {*reasons}


@pytest.mark.parametrize("bare_url", cases(["sqlite"], full=["sqlite", "postgres"]), indirect=True)
def test_each_migration_leaves_the_version_before_it_working_or_is_marked(bare_url: str) -> None:
    engine = engine_of(bare_url)
    found, marked = {}, set()
    for file in VERSIONS:
        with engine.begin() as connection:
            (before := MetaData()).reflect(connection)
            upgrade(connection, file.name[:4])
            if reasons := list(obstacles(connection, before)):
                found[file.name[:4]] = reasons
        if re.search(r"^contracts = True\b", file.read_text(), re.M):
            marked.add(file.name[:4])
    engine.dispose()
    assert found.keys() == marked | BEFORE_THE_RULE, found


def test_the_migrations_create_the_schema(open_database: OpenDatabase, bare_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(MigrationContext.configure(connection), metadata)
        return found

    assert open_database(bare_url).read(difference) == []


def test_links_of_earlier_versions_are_valid_for_a_week_from_the_migration(
    open_database: OpenDatabase, bare_url: str
) -> None:
    engine = engine_of(bare_url)
    with engine.begin() as connection:
        upgrade(connection, "0020")
        connection.execute(
            text("INSERT INTO tables (id, secret, created) VALUES ('one', :secret, 1)"), {"secret": b"s"}
        )
        link = "INSERT INTO seat_secrets (hash, table_id, seat, created) VALUES (:hash, 'one', 0, 1)"
        connection.execute(text(link), {"hash": hash_of("old")})
    engine.dispose()
    began = time.time()
    database = open_database(bare_url)
    found = database.read(lambda c: link_of(c, "one", "old"))
    assert found is not None
    assert (found.kind, found.used) == ("link", None)
    assert began <= found.expires - LINK_SECONDS <= time.time()


def test_games_in_progress_at_the_migration_withhold_advice_if_their_tables_give_none(
    open_database: OpenDatabase, bare_url: str
) -> None:
    settings = {"none": "", "old": '"tutor":0.0,', "always": '"advice":"always",', "tutor": '"tutor":0.05,', "over": ""}
    engine = engine_of(bare_url)
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
    database = open_database(bare_url)
    assert database.read(lambda c: withholding_game(c, "ann", 0.5, "none")) == "old"
    assert database.read(lambda c: withholding_game(c, "ann", 0.5, "old")) == "none"
    found = database.read(lambda c: c.execute(text("SELECT id FROM tables WHERE withheld_from <> 0 ORDER BY id")))
    assert [id for (id,) in found] == ["none", "old"]


def test_several_servers_may_start_at_once(bare_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [bare_url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        database.close()


def test_every_migration_has_a_backup_of_the_schema_before_it() -> None:
    schemas = [file.name[:4] for file in VERSIONS]
    backups = {file.stem.removeprefix("schema_") for file in (ROOT / "tests/reliability").glob("schema_*.jsonl")}
    # Of migrations that came together, no program ever had another as its newest schema than the last.
    assert backups == {*schemas[:-1]} - {"0040", "0130", "0140", "0150", "0160", "0180"}
