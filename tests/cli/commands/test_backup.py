"""`fivedice backup` and `fivedice restore`, and errors of `fivedice serve` about databases."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from fivedice.storage import backup as module
from fivedice.storage.engine.database import Database
from tests.cli.run_command import fivedice, refused


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'fivedice.db'}"
    Database(url).close()
    with closing(sqlite3.connect(tmp_path / "fivedice.db")) as connection, connection:
        connection.execute("INSERT INTO holders VALUES ('ann', 1.5, 2.5)")
    return url


def test_a_backup_is_restored_to_a_new_database(url: str, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "backup.jsonl.gz"), f"sqlite:///{tmp_path / 'new' / 'copy.db'}"
    assert fivedice("backup", file, "--database-url", url).out == f"1 row written to {file}\n"
    assert f"there is no folder {tmp_path / 'new'} for the database" in refused("restore", file, "--database-url", copy)
    (tmp_path / "new").mkdir()
    assert fivedice("restore", file, "--database-url", copy).out == f"1 row restored from {file}\n"
    with closing(sqlite3.connect(tmp_path / "new" / "copy.db")) as connection:
        assert connection.execute("SELECT * FROM holders").fetchall() == [("ann", 1.5, 2.5)]
    assert "this database is not empty" in refused("restore", file, "--database-url", copy)
    replaced = fivedice("restore", file, "--database-url", copy, "--replace", "--json")
    assert json.loads(replaced.out) == {"file": file, "rows": 1}
    second = fivedice("backup", f"{file}.gz", "--database-url", copy, "--json")
    assert json.loads(second.out) == {"file": f"{file}.gz", "rows": 1}


def test_a_file_that_exists_is_overwritten_only_with_force(url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.jsonl"
    file.write_text("the only copy of last year")
    sentence = f"fivedice: {file} already exists: give a new name, or pass --force to overwrite it\n"
    assert refused("backup", str(file), "--database-url", url) == sentence
    assert file.read_text() == "the only copy of last year"
    assert fivedice("backup", str(file), "--database-url", url, "--force").status == 0
    assert "ann" in file.read_text()
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup.jsonl"], "no draft is left"


def test_a_file_created_during_the_backup_is_kept(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "backup.jsonl"

    def write_and_lose_the_race(connection: object, out: BinaryIO) -> int:
        file.write_text("another backup")
        return out.write(b"this one")

    monkeypatch.setattr(module, "_write", write_and_lose_the_race)
    assert "already exists" in refused("backup", str(file), "--database-url", url)
    assert file.read_text() == "another backup"
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup.jsonl"], "no draft is left"


def test_errors_get_status_2_and_one_sentence(url: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.jsonl")
    for arguments, sentence in (
        (("backup", f"{tmp_path}/none/file", "--database-url", url), "cannot be written: No such file or directory"),
        (
            ("backup", missing, "--database-url", f"sqlite:///{missing}"),
            f"No such file or directory: {missing}; fivedice serve",
        ),
        (("prune", "--database-url", f"sqlite:///{missing}"), f"No such file or directory: {missing}; fivedice serve"),
        (("backup", missing, "--database-url", "mysql://x"), "want sqlite:///PATH or postgresql://"),
        (("restore", missing, "--database-url", url), "cannot be read: No such file or directory"),
        (("restore", f"{tmp_path}/fivedice.db", "--database-url", url, "--replace"), "this is not a fivedice backup"),
    ):
        assert sentence in refused(*arguments)
    assert not Path(missing).exists()
