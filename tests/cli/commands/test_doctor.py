"""`fivedice doctor`: one line for each thing that a server needs."""

import json
from pathlib import Path

import pytest

from fivedice.storage.engine.database import Database
from tests.cli.run_command import fivedice
from tests.reliability.process import free_port
from tests.server.serving import serving


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
    done = fivedice("doctor", "--database-url", f"sqlite:///{tmp_path / 'none.db'}", "--url", url, "--json")
    found = {one["what"]: one["about"] for one in json.loads(done.out) if not one["is_well"]}
    assert done.status == 1
    assert "No such file or directory" in found["database"]
    assert "set FIVEDICE_CACHE to another one" in found["solutions"]
    assert found["address"] == f"{url} cannot be reached: [Errno 111] Connection refused"


def test_a_proxy_that_does_not_tell_of_https_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fivedice.cli.commands.database._ask", lambda request: (421, request))
    Database(f"sqlite:///{tmp_path / 'fivedice.db'}").close()
    done = fivedice(
        "doctor", "--database-url", f"sqlite:///{tmp_path / 'fivedice.db'}", "--url", "https://dice.example.org"
    )
    assert "!!  name: name it with --allow-host\n" in done.out
    assert "!!  proxy: the server does not know that people use https: name the proxy with --proxy" in done.out
