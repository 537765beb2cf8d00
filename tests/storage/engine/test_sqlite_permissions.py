"""The files of a SQLite database are for their owner only, and one that cannot be used is an error with its path."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from fivedice.base.data_folder import make_folder
from fivedice.base.errors import UnavailableError
from fivedice.storage.engine.database import Database
from tests.capabilities import obeying_permissions
from tests.storage.rows.test_events import create

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has other permissions")


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """An umask with which others may read and write every new file."""
    before = os.umask(0)
    yield
    os.umask(before)


def permissions(folder: Path) -> dict[str, str]:
    return {path.name: f"{stat.S_IMODE(path.stat().st_mode):o}" for path in (folder, *folder.iterdir())}


def test_all_files_are_for_their_owner_whatever_the_umask(file: Path) -> None:
    database = Database(f"sqlite:///{file}", serves=True)
    create(database)
    found = permissions(file.parent)
    database.close()
    assert found.pop("folder") == "700"
    assert set(found) >= {"fivedice.db", *(f"fivedice.db-{end}" for end in ("wal", "shm", "mark"))}
    assert set(found.values()) == {"600"}


def test_only_the_programs_own_folder_changes_its_mode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in ("shared", "fivedice"):
        (tmp_path / name).mkdir()
        make_folder(tmp_path / name)
    make_folder(tmp_path / "new" / "folder")
    found = {name: f"{stat.S_IMODE((tmp_path / name).stat().st_mode):o}" for name in ("shared", "fivedice", "new")}
    assert found == {"shared": "777", "fivedice": "700", "new": "700"}


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


def test_what_is_missing_is_named(file: Path) -> None:
    with pytest.raises(UnavailableError, match=f"No such file or directory: {file}"):
        Database(f"sqlite:///{file}", changes=False)
    assert not file.exists()
