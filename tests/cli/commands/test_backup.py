"""`fivedice backup` and `fivedice restore`, and errors of `fivedice serve` about databases."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fivedice.storage.engine.database import Database
from tests.cli.run_command import fivedice


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'fivedice.db'}"
    Database(url).close()
    with closing(sqlite3.connect(tmp_path / "fivedice.db")) as connection, connection:
        connection.execute("INSERT INTO holders VALUES ('ann', 1.5)")
    return url


def test_a_backup_is_restored_to_a_new_database(url: str, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "backup.jsonl.gz"), f"sqlite:///{tmp_path / 'new' / 'copy.db'}"
    assert fivedice("backup", file, "--database-url", url).out == f"1 row written to {file}\n"
    assert fivedice("restore", file, "--database-url", copy).out == f"1 row restored from {file}\n"
    with closing(sqlite3.connect(tmp_path / "new" / "copy.db")) as connection:
        assert connection.execute("SELECT * FROM holders").fetchall() == [("ann", 1.5)]
    again = fivedice("restore", file, "--database-url", copy)
    assert (again.status, again.out) == (2, "")
    assert "this database is not empty" in again.err
    replaced = fivedice("restore", file, "--database-url", copy, "--replace", "--json")
    assert json.loads(replaced.out) == {"file": file, "rows": 1}
    assert json.loads(fivedice("backup", file, "--database-url", copy, "--json").out) == {"file": file, "rows": 1}


def test_errors_get_status_2_and_one_sentence(url: str, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.jsonl")
    for arguments, sentence in (
        (("backup", f"{tmp_path}/none/file", "--database-url", url), "cannot be written: No such file or directory"),
        (("backup", missing, "--database-url", f"sqlite:///{missing}"), "database cannot be used now: No such file"),
        (("backup", missing, "--database-url", "mysql://x"), "want sqlite:///PATH or postgresql://"),
        (("restore", missing, "--database-url", url), "cannot be read: No such file or directory"),
        (("restore", f"{tmp_path}/fivedice.db", "--database-url", url, "--replace"), "this is not a fivedice backup"),
        (("serve", "--workers", "2", "--database-url", url), "only one process can serve a SQLite file"),
        (("serve", "--workers", "0", "--database-url", url), "--workers 0: want 1 to 64"),
    ):
        result = fivedice(*arguments)
        assert (result.status, result.out) == (2, ""), arguments
        assert sentence in result.err
        assert result.err.count("\n") == 1
    assert not Path(missing).exists()
