"""A database that is away, full, read-only or not what was meant: clear sentences, nothing lost, back by itself."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from fivedice.errors import IllegalError, MalformedError
from fivedice.storage.engine.database import Database, UnavailableError, default_url
from fivedice.storage.rows.event import StoredEvent
from fivedice.storage.rows.tables import create_table, load_table
from tests.storage.conftest import emptied
from tests.storage.rows.test_events import SECRET, create, entry


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "fivedice.db"


@pytest.fixture
def sqlite(file: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{file}")
    create(opened)
    yield opened
    opened.close()


def versions(database: Database) -> list[int]:
    stored = database.read(lambda c: load_table(c, "one"))
    assert stored is not None
    return [found.version for found in stored.entries]


def test_sqlite_commits_are_on_the_disk_and_readers_do_not_wait(sqlite: Database) -> None:
    def pragma(name: str) -> object:
        return sqlite.write(lambda c: c.execute(text(f"PRAGMA {name}")).scalar()).result()

    assert pragma("synchronous") == 2  # FULL
    assert pragma("journal_mode") == "wal"
    assert pragma("foreign_keys") == 1


def test_a_file_that_is_gone_is_an_error_and_back_again_goes_on(sqlite: Database, file: Path) -> None:
    away = file.parent.rename(file.parent.with_name("away"))
    with pytest.raises(UnavailableError, match="the database cannot be used now: No such file"):
        sqlite.append(entry(2)).result()
    with pytest.raises(UnavailableError):
        versions(sqlite)
    assert not file.exists()
    away.rename(file.parent)
    assert sqlite.append(entry(2)).result()
    assert versions(sqlite) == [1, 2]


def test_a_file_that_was_replaced_is_written_and_not_the_one_without_a_name(sqlite: Database, file: Path) -> None:
    backup = file.with_suffix(".backup")
    with sqlite3.connect(file) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    source.close()
    target.close()
    assert sqlite.append(entry(2)).result()
    for leftover in file.parent.glob("fivedice.db-*"):
        leftover.unlink()
    os.replace(backup, file)
    assert versions(sqlite) == [1]
    assert sqlite.append(entry(2, "another")).result()
    sqlite.close()
    again = Database(f"sqlite:///{file}")
    assert versions(again) == [1, 2]
    again.close()


def test_a_full_disk_is_an_error_that_loses_nothing_and_goes_away(sqlite: Database) -> None:
    pages = sqlite.write(lambda c: c.execute(text("PRAGMA page_count")).scalar()).result()
    sqlite.write(lambda c: c.execute(text(f"PRAGMA max_page_count = {pages}")).scalar()).result()
    big = StoredEvent("one", 2, "big", 1.0, "x" * 100_000, "command-1")
    with pytest.raises(UnavailableError, match="database or disk is full"):
        sqlite.append(big).result()
    sqlite.write(lambda c: c.execute(text("PRAGMA max_page_count = 100000")).scalar()).result()
    assert versions(sqlite) == [1]
    assert sqlite.append(big).result()


def test_a_read_only_database_is_an_error_that_goes_away(sqlite: Database) -> None:
    def make_read_only(value: int) -> None:
        # The very connection that writes, for a test may run as root, to whom no file is read-only.
        with sqlite._writing.raw_connection() as connection:
            connection.execute(f"PRAGMA query_only = {value}")

    make_read_only(1)
    with pytest.raises(UnavailableError, match="attempt to write a readonly database"):
        sqlite.append(entry(2)).result()
    assert versions(sqlite) == [1]
    make_read_only(0)
    assert sqlite.append(entry(2)).result()


def test_a_damaged_file_is_refused_in_a_sentence(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("dear diary, today we played yahtzee until midnight\n" * 100)
    with pytest.raises(UnavailableError, match="file is not a database"):
        Database(f"sqlite:///{file}")


def test_a_folder_that_cannot_be_made_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnavailableError, match=r"the database cannot be used now: (Not a directory|File exists)"):
        Database(f"sqlite:///{tmp_path / 'file' / 'fivedice.db'}")


def test_a_database_of_a_later_program_is_left_alone(sqlite: Database, file: Path) -> None:
    sqlite.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'"))).result()
    with pytest.raises(IllegalError, match="schema 9999, which this fivedice does not know"):
        Database(f"sqlite:///{file}")
    assert versions(sqlite) == [1]


def test_what_waits_is_written_before_the_database_is_closed(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    create(database)
    waiting = [database.append(entry(version)) for version in range(2, 102)]
    database.close()
    assert all(future.result(timeout=0) for future in waiting)


@pytest.mark.parametrize(
    "url", ["", "mysql://localhost/x", "sqlite://", "sqlite:///:memory:", "fivedice.db", "postgresql:/x"]
)
def test_another_url_is_refused_in_a_sentence(url: str) -> None:
    with pytest.raises(MalformedError, match="want sqlite:///PATH or postgresql://"):
        Database(url)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(MalformedError) as caught:
        Database("mysql://ann:hunter2@localhost/x")
    assert "hunter2" not in str(caught.value)


def test_a_postgres_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="the database cannot be used now"):
        Database(f"postgresql://ann:hunter2@/x?host={tmp_path}")


def test_a_postgres_whose_connections_were_cut_goes_on(postgres: str) -> None:
    database = Database(emptied(postgres))
    create(database)

    def cut(connection: Connection) -> None:
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        connection.execute(text(f"SELECT pg_terminate_backend(pid) {others}"))

    database.read(cut)
    assert database.append(entry(2)).result()
    database.write(cut).result()
    assert versions(database) == [1, 2]
    database.close()


def test_the_default_is_a_file_of_the_user_unless_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIVEDICE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "/home/ann/data")
    assert default_url() == "sqlite:////home/ann/data/fivedice/fivedice.db"
    monkeypatch.setenv("FIVEDICE_DATABASE", "postgresql:///tables")
    assert default_url() == "postgresql:///tables"


def test_a_copy_of_the_closed_file_is_a_whole_database(file: Path, tmp_path: Path) -> None:
    database = Database(f"sqlite:///{file}")
    database.write(lambda c: create_table(c, SECRET, entry(1), [])).result()
    database.close()
    copy = Path(shutil.copy(file, tmp_path / "copy.db"))
    again = Database(f"sqlite:///{copy}")
    assert versions(again) == [1]
    again.close()
