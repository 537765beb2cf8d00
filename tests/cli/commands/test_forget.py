"""`fivedice forget`: what an operator deletes for somebody."""

import json
from pathlib import Path
from typing import Any

import pytest

from fivedice.storage.backup import backup
from tests.cli.run_command import fivedice, refused
from tests.server.serving import serving

ANN: list[dict[str, Any]] = [{"kind": "person", "name": "Ann Ärger", "here": True}, {"kind": "person"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A database that no server uses, with a table of Ann and Ben and a club of Ann: its file, and their ids."""
    folder = tmp_path_factory.mktemp("forget")
    with serving(folder) as server:
        ann, ben = server.visit(), server.visit()
        table = ann.create(ANN)
        ben.do(table, "sit", seat=1, name="Ben")
        club = ann.http.post("/api/clubs", json={"name": "Thursday"}).json()["id"]
        joined = ann.send_import(f"/api/clubs/{club}/commands", json={"type": "join", "name": "Ann Ärger"})
        assert joined.status_code == 200, joined.text
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
    dry = fivedice("forget", *given, "--dry-run")
    assert "Nothing was deleted." in dry.out
    assert "Backups that were made before still have it" in dry.out
    assert "Ann Ärger" in stored(database, tmp_path)
    assert json.loads(fivedice("forget", *given, "--json").out)["is_deleted"]
    after = stored(database, tmp_path)
    assert "Ann Ärger" not in after
    assert "Ben" in after
    assert "forget" not in refused("forget", *given), "there is nothing left"


def test_a_club_and_a_table_are_deleted(database: str, served: tuple[Path, str, str], tmp_path: Path) -> None:
    for kind, id in (("table", served[1]), ("club", served[2])):
        assert fivedice("forget", kind, id, "--database-url", database).out.endswith("delete or replace those, too.\n")
        assert id not in stored(database, tmp_path)
        assert f"there is no {kind}" in refused("forget", kind, id, "--database-url", database)
