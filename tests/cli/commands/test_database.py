"""`fivedice backup`, `restore`, `grade`, `forget` and `doctor`, on databases of a server."""

import json
import os
import sqlite3
from contextlib import closing
from http.client import BadStatusLine
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import IntegrityError

from fivedice.server.live.live_stream import state_of
from fivedice.storage.backup import backup
from fivedice.storage.engine.database import Database
from fivedice.storage.rows.streams import load_streams
from tests.cli.run_command import fivedice, refused
from tests.reliability.process import free_port
from tests.server.serving import serving


@pytest.fixture
def one_row(tmp_path: Path) -> str:
    """A database with one row, that of a browser."""
    url = f"sqlite:///{tmp_path / 'fivedice.db'}"
    Database(url).close()
    with closing(sqlite3.connect(tmp_path / "fivedice.db")) as connection, connection:
        connection.execute("INSERT INTO holders (id, created, seen, skeleton) VALUES ('ann', 1.5, 2.5, 'luke3:l6')")
    return url


def test_a_backup_is_restored_to_a_new_database(one_row: str, tmp_path: Path) -> None:
    file, copy = str(tmp_path / "backup.jsonl.gz"), f"sqlite:///{tmp_path / 'new' / 'copy.db'}"
    assert fivedice("backup", file, "--database-url", one_row).out == f"1 row written to {file}\n"
    assert f"there is no folder {tmp_path / 'new'} for the database" in refused("restore", file, "--database-url", copy)
    (tmp_path / "new").mkdir()
    assert fivedice("restore", file, "--database-url", copy).out == f"1 row restored from {file}\n"
    with closing(sqlite3.connect(tmp_path / "new" / "copy.db")) as connection:
        assert connection.execute("SELECT id, created, seen FROM holders").fetchall() == [("ann", 1.5, 2.5)]
    assert "this database is not empty" in refused("restore", file, "--database-url", copy)
    replaced = fivedice("restore", file, "--database-url", copy, "--replace", "--json")
    assert json.loads(replaced.out) == {"file": file, "rows": 1}


def test_a_file_that_exists_is_overwritten_only_with_force(one_row: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.jsonl"
    file.write_text("the only copy of last year")
    sentence = f"fivedice: {file} already exists: give a new name, or pass --force to overwrite it\n"
    assert refused("backup", str(file), "--database-url", one_row) == sentence
    assert file.read_text() == "the only copy of last year"
    assert fivedice("backup", str(file), "--database-url", one_row, "--force").status == 0
    assert "ann" in file.read_text()
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup.jsonl"], "no draft is left"
    os.mkfifo(tmp_path / "null")  # as /dev/null is no file
    assert "null cannot be written: Not a regular file" in refused(
        "backup", f"{tmp_path}/null", "--database-url", one_row, "--force"
    )
    assert "null cannot be written: Not a regular file" in refused("play", "--record", f"{tmp_path}/null")
    assert (tmp_path / "null").is_fifo()


def test_errors_get_status_2_and_one_sentence(one_row: str, tmp_path: Path) -> None:
    missing, other, none = f"{tmp_path}/missing", f"{tmp_path}/fivedice.db", "No such file or directory"
    for command, file, url, sentence in (
        ("backup", f"{tmp_path}/none/file", one_row, f"cannot be written: {none}"),
        ("backup", missing, f"sqlite:///{missing}", f"{none}: {missing}; fivedice serve"),
        ("backup", missing, "mysql://x", "want sqlite:///PATH or postgresql://"),
        ("restore", missing, one_row, f"cannot be read: {none}"),
        ("restore", other, one_row, "this is not a fivedice backup"),
    ):
        options = ["--replace"] if file == other else []
        assert sentence in refused(command, file, "--database-url", url, *options)
    assert not Path(missing).exists()
    assert fivedice("forget", "person", "Luke 3:16", "--database-url", one_row).status == 0


def test_all_finished_games_are_graded_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'fivedice.db'}"
    given = ("--database-url", url)
    with serving(tmp_path) as server:
        ann = server.visit()
        ann.finished()
        ann.create()
    with closing(Database(url, serves=True)):  # a server may still log a request in the output of the command
        assert "a server uses this SQLite file" in refused("grade", *given)
    assert fivedice("grade", *given).out == "1 game graded\n"
    assert json.loads(fivedice("grade", *given, "--json").out) == {"games": 1}


ANN: list[dict[str, Any]] = [{"kind": "person", "name": "Ann Ärger", "here": True}, {"kind": "person"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A database that no server uses, with a table of Ann and Ben and a club of Ann: its file, and their ids."""
    folder = tmp_path_factory.mktemp("forget")
    with serving(folder) as server:
        ann, ben = server.visit(), server.visit()
        table = ann.create(ANN)
        ben.do(table, "sit", seat=1, name="Ben")
        real = ann.create(
            [{"kind": "person", "name": name, "here": True} for name in ("Ann Ärger", "Cleo")], dice="real"
        )
        ann.do(real, "enter", seat=0, dice=[1, 2, 3, 4, 5], kept=[])
        club = ann.http.post("/api/clubs", json={"name": "Thursday"}).json()["id"]
        joined = ann.send_import(f"/api/clubs/{club}/commands", json={"type": "join", "name": "Ann Ärger"})
        assert joined.status_code == 200, joined.text
        for command in ({"type": "join", "name": "Former"}, {"type": "part"}):
            assert ben.send_import(f"/api/clubs/{club}/commands", json=command).status_code == 200
    return folder / "fivedice.db", table, club


@pytest.fixture
def database(served: tuple[Path, str, str], tmp_path: Path) -> str:
    """The URL of a copy of it."""
    (tmp_path / "copy.db").write_bytes(served[0].read_bytes())
    return f"sqlite:///{tmp_path / 'copy.db'}"


def stored(url: str, folder: Path) -> str:
    backup(url, folder / "all.jsonl", replace=True)
    return (folder / "all.jsonl").read_text()


@pytest.mark.parametrize("which", ["person", "name"])
def test_a_person_and_a_name_become_a_pseudonym(
    which: str, database: str, served: tuple[Path, str, str], tmp_path: Path
) -> None:
    given = (which, f"{served[1]}:0" if which == "person" else "Ann Ärger", "--database-url", database)
    assert "Nothing was deleted." in fivedice("forget", *given, "--dry-run").out
    assert "Ann Ärger" in stored(database, tmp_path)
    assert json.loads(fivedice("forget", *given, "--json").out)["is_deleted"]
    after = stored(database, tmp_path)
    assert ("Ann Ärger" in after, "Ben" in after) == (False, True)
    assert "forget" not in refused("forget", *given), "there is nothing left"
    assert "nobody is" in refused("forget", "person", f"{served[1]}:{10**19}", "--database-url", database)
    assert fivedice("forget", "name", "Former", "--database-url", database).status == 0
    with closing(Database(database)) as opened:
        [log] = opened.read(lambda connection: load_streams(connection, [served[2]])).values()
    assert state_of(log).members == {}


def test_a_club_and_a_table_are_deleted(database: str, served: tuple[Path, str, str], tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "fivedice.storage.rows.deletion.drop_streams", Mock(side_effect=IntegrityError("", (), OSError()))
        )
        assert "try again" in refused("forget", "table", served[1], "--database-url", database)
    for kind, id in (("table", served[1]), ("club", served[2])):
        assert fivedice("forget", kind, id, "--database-url", database).out.endswith("delete or replace those, too.\n")
        assert id not in stored(database, tmp_path)
        assert f"there is no {kind}" in refused("forget", kind, id, "--database-url", database)


def test_a_server_that_has_all_gets_one_line_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", str(tmp_path / "cache"))
    with serving(tmp_path) as server:
        done = fivedice("doctor", "--database-url", f"sqlite:///{tmp_path / 'fivedice.db'}", "--url", server.url)
    assert done.status == 0, done.out
    found = [line.partition(": ")[0] for line in done.out.splitlines() if line[:4] in ("ok  ", "!!  ")]
    assert found == [f"ok  {what}" for what in ("database", "schema", "clock", "solutions", "address", "name")]


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIVEDICE_CACHE", "/dev/null")
    url = f"https://127.0.0.1:{free_port()}"
    given = ("doctor", "--database-url", f"sqlite:///{tmp_path / 'none.db'}", "--url")
    done = fivedice(*given, url, "--json")
    found = {one["what"]: one["about"] for one in json.loads(done.out) if not one["is_well"]}
    assert "No such file or directory" in found["database"]
    assert "set FIVEDICE_CACHE to another one" in found["solutions"]
    assert (done.status, found["address"]) == (1, f"{url} cannot be reached: [Errno 111] Connection refused")
    assert "!!  address: https://[::1 cannot be reached: ValueError(" in fivedice(*given, "https://[::1").out
    monkeypatch.setattr("fivedice.cli.commands.database._ask", Mock(side_effect=BadStatusLine("SSH-2.0\r\n")))
    assert f"{url} cannot be reached: BadStatusLine('SSH-2.0\\r\\n')\n" in fivedice(*given, url).out


def test_a_proxy_that_does_not_tell_of_https_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.cli.commands.database._ask", lambda request: (421, request))
    Database(url := f"sqlite:///{tmp_path / 'fivedice.db'}").close()
    sqlite3.connect(tmp_path / "fivedice.db").execute("DROP TABLE server").connection.close()  # as if it was damaged
    done = fivedice("doctor", "--database-url", url, "--url", "https://dice.example.org")
    assert done.out.startswith("!!  database: the database cannot be used now: no such table: server\n")
    assert "!!  name: name it with --allow-host\n" in done.out
    assert "!!  proxy: the server does not know that people use https: name the proxy with --proxy" in done.out
