"""The log of an SQLite file and its mark: nothing acknowledged is lost."""

import logging
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from fivedice.base.errors import IllegalError
from fivedice.storage.backup import backup, restore
from fivedice.storage.engine import database, sqlite_connections
from fivedice.storage.engine import sqlite as engine
from fivedice.storage.engine.database import Database, UnavailableError
from fivedice.storage.engine.sqlite_files import Mark
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS
from tests.storage.empty import OpenDatabase
from tests.storage.rows.test_events import create, entry, versions
from tests.waiting import wait_for

NAMES = ("fivedice.db", "fivedice.db-wal", "fivedice.db-shm")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fivedice.db"


@pytest.fixture
def served(open_database: OpenDatabase, file: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database with one table of four events, which a server has open; it checks the files when it is used."""
    monkeypatch.setattr(engine.SqliteDatabase, "idle_seconds", 60.0)
    opened = open_database(f"sqlite:///{file}", serves=True)
    create(opened)
    for version in (2, 3, 4):
        assert opened.append(entry(version)).result()
    return opened


def versions_after_a_kill(file: Path, folder: Path) -> list[int]:
    """The events that a new process would find now: those in the files that have names."""
    folder.mkdir()
    for name in NAMES:
        if (file.parent / name).exists():
            shutil.copy(file.parent / name, folder)
    with closing(sqlite3.connect(folder / "fivedice.db")) as connection:
        return [version for (version,) in connection.execute("SELECT version FROM events ORDER BY version")]


def delete(path: Path) -> None:
    path.unlink()


def replace_by_an_old_copy(path: Path) -> None:
    """Put a file with other contents at a path."""
    other = path.with_suffix(".other")
    other.write_bytes(b"an older log")
    other.replace(path)


def shorten(path: Path) -> None:
    """Truncate a log after a checkpoint, as `PRAGMA wal_checkpoint(TRUNCATE)` of another program does."""
    with closing(sqlite3.connect(path.with_name("fivedice.db"))) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)


@pytest.mark.parametrize(
    ("name", "lose"),
    [
        ("fivedice.db-wal", delete),
        ("fivedice.db-wal", replace_by_an_old_copy),
        ("fivedice.db-wal", shorten),
        ("fivedice.db-shm", delete),
    ],
)
def test_a_lost_log_is_noticed_before_the_next_answer_and_saved(
    name: str,
    lose: Callable[[Path], None],
    served: Database,
    file: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    lose(file.with_name(name))
    with pytest.raises(UnavailableError, match=r"its (write-ahead log|shared-memory file) was deleted, replaced or"):
        served.append(entry(5)).result()
    assert versions_after_a_kill(file, tmp_path / "killed") == [1, 2, 3, 4]
    assert served.append(entry(5)).result()
    assert versions(served) == versions_after_a_kill(file, tmp_path / "again") == [1, 2, 3, 4, 5]
    [line] = caplog.records
    assert line.levelno == logging.ERROR
    assert "everything acknowledged was written into the database" in line.getMessage()


def test_a_log_that_is_deleted_during_a_transaction_is_noticed_before_its_answer(
    served: Database, file: Path, tmp_path: Path
) -> None:
    late = served.write(lambda _: file.with_name("fivedice.db-wal").unlink())
    with pytest.raises(UnavailableError, match="its write-ahead log was deleted"):
        late.result()
    assert versions_after_a_kill(file, tmp_path / "killed") == [1, 2, 3, 4]


def test_a_lost_log_is_saved_while_nothing_is_written(
    open_database: OpenDatabase, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.SqliteDatabase, "idle_seconds", 0.01)
    served = open_database(f"sqlite:///{file}", serves=True)
    create(served)
    log = file.with_name("fivedice.db-wal")
    log.unlink()
    failure = wait_for(lambda: served.write_failure, "the loss is noticed")
    assert "its write-ahead log was deleted" in str(failure)
    assert log.exists()
    assert versions_after_a_kill(file, tmp_path / "killed") == [1]


def test_a_reader_that_notices_a_lost_log_has_it_saved(served: Database, file: Path, tmp_path: Path) -> None:
    file.with_name("fivedice.db-wal").unlink()
    with pytest.raises(UnavailableError, match="its write-ahead log was deleted"):
        versions(served)
    assert versions(served) == versions_after_a_kill(file, tmp_path / "killed") == [1, 2, 3, 4]


def test_a_lost_log_that_cannot_be_saved_yet_is_kept(
    served: Database, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (engine, sqlite_connections):
        monkeypatch.setattr(module, "RESCUE_SECONDS", 0.01)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM events").fetchone()  # which another process goes on reading
        file.with_name("fivedice.db-wal").unlink()
        for _ in range(2):
            with pytest.raises(UnavailableError, match="cannot be used now: its write-ahead log was deleted"):
                served.append(entry(5)).result()
    with pytest.raises(UnavailableError, match="could not be used: its write-ahead log was deleted"):
        served.append(entry(5)).result()
    assert served.append(entry(5)).result()
    assert versions_after_a_kill(file, tmp_path / "killed") == [1, 2, 3, 4, 5]


def test_a_log_that_was_put_in_the_place_of_another_is_set_aside(served: Database, file: Path) -> None:
    replace_by_an_old_copy(file.with_name("fivedice.db-wal"))
    with pytest.raises(UnavailableError):
        versions(served)
    [aside] = file.parent.glob("fivedice.db-wal-set-aside-*")
    assert aside.read_bytes() == b"an older log"


def test_a_deleted_database_is_saved_beside_its_place_and_continues_when_it_is_put_back(
    served: Database, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.unlink()
    with pytest.raises(UnavailableError, match="No such file"):
        served.append(entry(5)).result()
    [rescued] = file.parent.glob("fivedice.db-rescued-*")
    assert rescued.name in caplog.text
    assert os.name != "posix" or rescued.stat().st_mode & 0o777 == 0o600, "it is for its owner only"
    assert not file.exists(), "nobody asked for it"
    rescued.rename(file)
    assert versions(served) == [1, 2, 3, 4]
    assert served.append(entry(5)).result()


def test_a_replaced_database_is_saved_and_the_log_does_not_reach_the_new_one(
    served: Database, file: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(tmp_path / "older.db")) as older:
        source.backup(older)
    assert served.append(entry(5)).result()
    (tmp_path / "older.db").replace(file)
    assert versions(served) == [1, 2, 3, 4]
    assert served.append(entry(5, "another")).result()
    [rescued] = file.parent.glob("fivedice.db-rescued-*")
    with closing(sqlite3.connect(rescued)) as copy:
        assert copy.execute("SELECT count(*) FROM events").fetchone() == (5,)
    with closing(sqlite3.connect(file)) as found:
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_start_without_acknowledged_events_is_refused_with_their_number(
    open_database: OpenDatabase,
    served: Database,
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backup(f"sqlite:///{file}", tmp_path / "backup.jsonl")
    served.write(lambda c: c.execute(text("PRAGMA wal_autocheckpoint = 0"))).result()
    url = f"sqlite:///{tmp_path / 'killed' / file.name}"
    (tmp_path / "killed").mkdir()
    for name in ("fivedice.db", "fivedice.db-mark"):
        shutil.copy(file.with_name(name), tmp_path / "killed")  # without the log
    with monkeypatch.context() as patch:
        patch.setattr(database, "migrate", lambda engine: pytest.fail("nothing may be written before the log is back"))
        with pytest.raises(UnavailableError, match=r"lacks 4 events .* delete fivedice.db-mark"):
            Database(url, serves=True)
    shutil.copy(file.with_name("fivedice.db-wal"), tmp_path / "killed")
    Database(url, serves=True).close()
    for kept in (tmp_path / "killed").glob("fivedice.db*"):
        if kept.name != "fivedice.db-mark":
            kept.unlink()
    with pytest.raises(UnavailableError, match=r"fivedice.db lacks 4 events"):
        Database(url, serves=True)
    assert not Path(f"{tmp_path}/killed/fivedice.db").exists()
    restore(url, tmp_path / "backup.jsonl")
    assert versions(open_database(url, serves=True)) == [1, 2, 3, 4]


def test_a_refused_restore_keeps_the_mark(served: Database, file: Path, tmp_path: Path) -> None:
    backup(f"sqlite:///{file}", tmp_path / "backup.jsonl")
    served.close()
    mark = file.with_name("fivedice.db-mark")
    mark.write_text("0000000009\n")
    with pytest.raises(IllegalError, match="not empty"):
        restore(f"sqlite:///{file}", tmp_path / "backup.jsonl")
    assert mark.read_text() == "0000000009\n"


def test_event_numbers_may_wrap_around(served: Database, file: Path) -> None:
    served.write(lambda c: c.execute(text(f"PRAGMA user_version = {2**31 - 2}"))).result()
    for version in (5, 6, 7):
        assert served.append(entry(version)).result()
    served.close()
    assert file.with_name("fivedice.db-mark").read_text() == "0000000001\n"
    Database(f"sqlite:///{file}", serves=True).close()


@pytest.mark.parametrize("link", [os.symlink, os.link, os.rename])
def test_a_file_is_served_once_under_all_its_names(
    link: Callable[[Path, Path], None], served: Database, file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    link(file, other)
    reason = "has 2 names" if link is os.link else "another fivedice serves"
    with pytest.raises(IllegalError, match=reason):
        Database(f"sqlite:///{other}", serves=True)


def test_a_program_that_only_reads_leaves_the_rescue_to_the_server(
    open_database: OpenDatabase, served: Database, file: Path, tmp_path: Path
) -> None:
    reading = open_database(f"sqlite:///{file}", changes=False)
    file.with_name("fivedice.db-wal").unlink()
    with pytest.raises(UnavailableError, match="cannot be used now: its write-ahead log was deleted"):
        versions(reading)
    assert not file.with_name("fivedice.db-wal").exists()
    with pytest.raises(UnavailableError, match="could not be used: its write-ahead log was deleted"):
        served.append(entry(5)).result()
    assert versions(served) == versions_after_a_kill(file, tmp_path / "killed") == [1, 2, 3, 4]


def test_only_the_writers_connection_writes_or_checkpoints(served: Database, file: Path, tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="readonly database"):
        served.read(lambda c: c.execute(text("DELETE FROM events")))
    # A backup in another process, too, leaves the database and its log as they are.
    before = [(path.stat().st_size, path.stat().st_mtime_ns) for path in (file, file.with_name("fivedice.db-wal"))]
    command = "from fivedice.cli.app import main; main()", "backup", tmp_path / "backup", "--database-url"
    subprocess.run([sys.executable, "-c", *command, f"sqlite:///{file}"], check=True, capture_output=True)  # noqa: S603
    reading = Database(f"sqlite:///{file}", changes=False)
    with pytest.raises(UnavailableError, match="readonly database"):
        reading.write(lambda c: c.execute(text("DELETE FROM events"))).result()
    reading.close()
    after = [(path.stat().st_size, path.stat().st_mtime_ns) for path in (file, file.with_name("fivedice.db-wal"))]
    assert after == before
    assert served.append(entry(5)).result()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fivedice.mark"


def mark_at(path: Path, number: int) -> Mark:
    """A mark that was written and read again."""
    written = Mark(path)
    written.write(number)
    written.close()
    return Mark(path)


@pytest.mark.parametrize(
    ("number", "found", "missing"),
    [
        (7, 7, 0),
        (7, 4, 3),
        (7, 9, 0),  # after a power failure the mark may be too low
        (2, MAX_EVENT_NUMBERS - 3, 5),  # the mark has begun again at 0, the older database has not
        (MAX_EVENT_NUMBERS - 3, 2, 0),  # the other way round the mark is too low
    ],
)
def test_what_a_database_lacks_is_counted_across_the_end_of_the_numbers(
    path: Path, number: int, found: int, missing: int
) -> None:
    mark = mark_at(path, number)
    assert mark.number == number
    assert mark.missing(found) == missing
    mark.close()


def test_without_a_number_nothing_is_missing(path: Path) -> None:
    mark = Mark(path)
    assert mark.number is None
    assert mark.missing(5) == 0
    mark.close()
