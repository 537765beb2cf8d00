"""Databases: missing, invalid or migrated; what fails, or is cancelled, loses nothing else."""

import shutil
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, make_url, text

from fivedice.base.errors import IllegalError, MalformedError, UnavailableError
from fivedice.storage.backup import backup
from fivedice.storage.engine.database import Database, default_url
from fivedice.storage.migrate import newest_schema
from fivedice.storage.schema import metadata
from tests.storage.empty import OpenDatabase
from tests.storage.rows.test_events import create, entry, versions
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture
def sqlite(open_database: OpenDatabase, file: Path) -> Database:
    opened = open_database(f"sqlite:///{file}")
    create(opened)
    return opened


def test_sqlite_commits_are_durable_and_do_not_block_readers(sqlite: Database) -> None:
    def pragma(name: str) -> object:
        return sqlite.write(lambda c: c.execute(text(f"PRAGMA {name}")).scalar()).result()

    assert pragma("synchronous") == 2  # FULL
    assert pragma("journal_mode") == "wal"
    assert pragma("foreign_keys") == 1


def test_a_missing_or_damaged_file_and_an_unreachable_server_are_errors(file: Path) -> None:
    with pytest.raises(UnavailableError, match=f"No such file or directory: {file}"):
        Database(f"sqlite:///{file}", changes=False)
    assert not file.exists()
    file.write_text("milk and eggs, today we played yahtzee until midnight\n" * 100)
    with pytest.raises(UnavailableError, match="file is not a database"):
        Database(f"sqlite:///{file}")
    with pytest.raises(UnavailableError, match="the database cannot be used now"):
        Database(f"postgresql://ann:hunter2@/x?host={file.parent}")


def test_a_typo_in_a_folder_begins_no_new_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("FIVEDICE_DATA", str(tmp_path / "own" / "data"))
    for name in ("file", "typo"):
        with pytest.raises(IllegalError, match=f"there is no folder {tmp_path / name} for the database: create it"):
            Database(f"sqlite:///{tmp_path / name / 'fivedice.db'}")
    assert not (tmp_path / "typo").exists()
    Database(default_url()).close()


def test_close_completes_queued_writes_and_a_copy_of_the_closed_file_is_complete(
    open_database: OpenDatabase, sqlite: Database, file: Path
) -> None:
    waiting = [sqlite.append(entry(version)) for version in range(2, 102)]
    sqlite.close()
    assert all(future.result(timeout=0) for future in waiting)
    copy = shutil.copy(file, file.with_name("copy.db"))
    assert versions(open_database(f"sqlite:///{copy}")) == list(range(1, 102))


def test_a_cancelled_write_does_not_stop_the_writer(sqlite: Database) -> None:
    go_on = Event()
    writing = sqlite.write(lambda _: go_on.wait(TIMEOUT_SECONDS))
    cancelled: Future[None] = sqlite.write(lambda _: pytest.fail("it was cancelled"))
    assert cancelled.cancel()
    go_on.set()
    assert writing.result(TIMEOUT_SECONDS)
    assert sqlite.write(lambda _: "written").result(TIMEOUT_SECONDS) == "written"


@pytest.mark.parametrize(
    "url", ["", "mysql://ann:hunter2@localhost/x", "sqlite://", "sqlite:///:memory:", "fivedice.db", "postgresql:/x"]
)
def test_an_unsupported_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(MalformedError, match="want sqlite:///PATH or postgresql://") as caught:
        Database(url)
    assert "hunter2" not in str(caught.value)


def test_an_event_that_postgres_refuses_does_not_spoil_those_that_follow(postgres_database: Database) -> None:
    create(postgres_database)
    with pytest.raises(UnavailableError, match="events_stream_fkey"):
        postgres_database.append(replace(entry(1), stream="unknown")).result()
    assert postgres_database.append(entry(2)).result()


def test_the_default_is_a_file_in_the_users_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIVEDICE_DATABASE", "FIVEDICE_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/home/ann/data")
    assert default_url() == "sqlite:////home/ann/data/fivedice/fivedice.db"
    monkeypatch.setenv("FIVEDICE_DATA", "/home/ann/games")
    assert default_url() == "sqlite:////home/ann/games/fivedice.db"
    monkeypatch.setenv("FIVEDICE_DATABASE", "postgresql:///tables")
    assert default_url() == "postgresql:///tables"


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
    "there is no column events.at": "ALTER TABLE events RENAME COLUMN at TO moved",
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


def test_a_program_works_in_a_later_schema_unless_that_takes_something_away(url: str) -> None:
    change(url, LATER)
    Database(url).close()
    change(url, TOO_LATE.values())
    with pytest.raises(IllegalError, match=r"schema 9990, in which this fivedice cannot work: .*: use") as caught:
        Database(url)
    reasons = str(caught.value).partition("cannot work: ")[2].partition(": use")[0].split("; ")
    assert {*TOO_LATE} <= {*reasons}


def test_a_backup_by_another_version_says_which_one_can_make_it(url: str, tmp_path: Path) -> None:
    for at, remedy in (
        ("0000", "use the version that has served it, or let `fivedice serve` of"),
        ("9990", "use that ver"),
    ):
        change(url, [], at)
        with pytest.raises(IllegalError, match=f"is at schema {at}.*{remedy}"):
            backup(url, tmp_path / "backup.jsonl")


def test_several_servers_may_start_at_once_and_migrations_create_the_schema(bare_url: str) -> None:
    def difference(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(MigrationContext.configure(connection), metadata)
        return found

    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(Database, [bare_url] * 4))
    for database in opened:
        assert database.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        assert database.read(difference) == []
        database.close()
