"""Databases: missing, invalid or migrated; what fails, or is cancelled, loses nothing else. An SQLite file is served
once, is for its owner only, and its mark notices at the start what was lost."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, make_url, text

from fivedice.base.data_folder import make_folder
from fivedice.base.errors import IllegalError, MalformedError, UnavailableError
from fivedice.storage.backup import backup, restore
from fivedice.storage.engine import database
from fivedice.storage.engine.database import Database, default_url, sqlite_file
from fivedice.storage.engine.sqlite_files import Mark
from fivedice.storage.migrate import newest_schema
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS
from fivedice.storage.schema import metadata
from tests.capabilities import obeying_permissions
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
    "url",
    [
        *("", "mysql://ann:hunter2@localhost/x", "postgresql://ann:hunter2@localhost:port/x", "postgresql:/x"),
        *("sqlite://", "sqlite:///:memory:", "fivedice.db"),
    ],
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
    monkeypatch.setenv("FIVEDICE_DATA", "/home/ann/what? 100%41")
    assert sqlite_file(default_url()) == Path("/home/ann/what? 100%41/fivedice.db")
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
    for one in opened:
        assert one.read(lambda c: MigrationContext.configure(c).get_current_revision()) == newest_schema()
        assert one.read(difference) == []
        one.close()


@pytest.fixture
def served(open_database: OpenDatabase, file: Path) -> Database:
    """A database with one table of four events, which a server has open."""
    opened = open_database(f"sqlite:///{file}", serves=True)
    create(opened)
    for version in (2, 3, 4):
        assert opened.append(entry(version)).result()
    return opened


def test_a_start_without_acknowledged_events_is_refused_with_their_number(
    open_database: OpenDatabase, served: Database, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_a_file_is_served_once_under_a_symbolic_link_too(served: Database, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "other.db"
    other.parent.mkdir()
    other.symlink_to(file)
    with pytest.raises(IllegalError, match="another fivedice serves"):
        Database(f"sqlite:///{other}", serves=True)


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


@pytest.mark.parametrize(
    ("number", "found", "missing"),
    [
        (None, 5, 0),  # there is no mark yet
        (7, 7, 0),
        (7, 4, 3),
        (7, 9, 0),  # after a power failure the mark may be too low
        (2, MAX_EVENT_NUMBERS - 3, 5),  # the mark has begun again at 0, the older database has not
        (MAX_EVENT_NUMBERS - 3, 2, 0),  # the other way round the mark is too low
    ],
)
def test_what_a_database_lacks_is_counted_across_the_end_of_the_numbers(
    tmp_path: Path, number: int | None, found: int, missing: int
) -> None:
    written = Mark(tmp_path / "mark")
    if number is not None:
        written.write(number)
    written.close()
    mark = Mark(tmp_path / "mark")
    assert mark.number == number
    assert mark.missing(found) == missing
    mark.close()


posix = pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")


@pytest.fixture
def umask() -> Iterator[None]:
    """An umask with which others may read and write every new file."""
    before = os.umask(0)
    yield
    os.umask(before)


def permissions(folder: Path) -> dict[str, str]:
    return {path.name: f"{stat.S_IMODE(path.stat().st_mode):o}" for path in (folder, *folder.iterdir())}


@posix
@pytest.mark.usefixtures("umask")
def test_all_files_are_for_their_owner_whatever_the_umask(file: Path) -> None:
    database = Database(f"sqlite:///{file}", serves=True)
    create(database)
    found = permissions(file.parent)
    database.close()
    assert found.pop("folder") == "700"
    assert set(found) >= {"fivedice.db", *(f"fivedice.db-{end}" for end in ("wal", "shm", "mark"))}
    assert set(found.values()) == {"600"}


@posix
@pytest.mark.usefixtures("umask")
def test_only_the_programs_own_folder_changes_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in ("shared", "fivedice"):
        (tmp_path / name).mkdir()
        make_folder(tmp_path / name)
    make_folder(tmp_path / "new" / "folder")
    found = {name: f"{stat.S_IMODE((tmp_path / name).stat().st_mode):o}" for name in ("shared", "fivedice", "new")}
    assert found == {"shared": "777", "fivedice": "700", "new": "700"}


@posix
@pytest.mark.parametrize("name", ["fivedice.db", "fivedice.db-mark", "."])
def test_what_is_read_only_is_named_when_a_server_starts(file: Path, name: str) -> None:
    database = Database(f"sqlite:///{file}", serves=True)
    create(database)
    database.close()
    path = file.parent / name
    path.chmod(0o555 if path.is_dir() else 0o444)
    with obeying_permissions(), pytest.raises(UnavailableError) as caught:
        Database(f"sqlite:///{file}", serves=True)
    path.chmod(0o755)
    assert str(file.resolve()) in str(caught.value)
