"""A database that is missing or invalid has clear errors; what fails, or is cancelled, loses nothing else."""

import shutil
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text

from fivedice.base.errors import IllegalError, MalformedError, UnavailableError
from fivedice.storage.engine.database import Database, default_url
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


def test_a_damaged_file_is_refused(file: Path) -> None:
    file.write_text("milk and eggs, today we played yahtzee until midnight\n" * 100)
    with pytest.raises(UnavailableError, match="file is not a database"):
        Database(f"sqlite:///{file}")


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


def test_an_unreachable_postgres_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="the database cannot be used now"):
        Database(f"postgresql://ann:hunter2@/x?host={tmp_path}")


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
