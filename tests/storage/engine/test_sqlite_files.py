"""An SQLite file is served once, is for its owner only, and its mark notices at the start what was lost."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from fivedice.base.data_folder import make_folder
from fivedice.base.errors import IllegalError, UnavailableError
from fivedice.storage.backup import backup, restore
from fivedice.storage.engine import database
from fivedice.storage.engine.database import Database
from fivedice.storage.engine.sqlite_files import Mark
from fivedice.storage.rows.event import MAX_EVENT_NUMBERS
from tests.capabilities import obeying_permissions
from tests.storage.empty import OpenDatabase
from tests.storage.rows.test_events import create, entry, versions


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
