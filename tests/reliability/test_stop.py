"""Servers stop in time, and tests stop the servers they started."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.amount import cases
from tests.reliability.client import call
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Json
from tests.reliability.process import ServerProcess
from tests.waiting import TIMEOUT_SECONDS, wait_for

SERVICE_STOP_SECONDS = 20
"""The time that the service manager in docs/deployment.md allows."""

LATE = 1
"""The exit status of a process that could not finish its work in time."""

STOP_TIMEOUT = "fivedice.server.process.server.STOP_SECONDS"

CLEAN_EXITS = (0, -signal.SIGTERM)

BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class Player:
    """Holds both seats of a new table and rolls."""

    def __init__(self, url: str) -> None:
        self._url = url
        seats = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
        status, created, self._cookie = call(f"{url}/api/tables", {"rules": "yahtzee", "seats": seats})
        assert status == 201
        self.table = created["table"]
        self._path = f"/api/tables/{self.table}/commands"

    def roll(self, version: int = 1) -> tuple[int, Json]:
        """Roll, and return the status and content of the response."""
        status, answer, _ = call(self._url + self._path, _roll(version), self._cookie)
        return status, answer

    @contextmanager
    def open(self) -> Iterator[HTTPResponse]:
        """Have the table open, as a page does."""
        events = Request(f"{self._url}{self._path.removesuffix('/commands')}/stream", headers={"cookie": self._cookie})
        with urlopen(events, timeout=TIMEOUT_SECONDS) as response:
            response.readline()  # the server has it among those that are open
            yield response

    def send_roll(self, version: int) -> HTTPConnection:
        """Send a roll, and return once the server has received it; the response is still to be read."""
        connection = HTTPConnection(self._url.removeprefix("http://"), timeout=TIMEOUT_SECONDS)
        headers = {"content-type": "application/json", "cookie": self._cookie}
        connection.request("POST", self._path, json.dumps(_roll(version)), headers)
        # The server accepts connections in order: when it answers a later one, it has read this one.
        with urlopen(f"{self._url}/health", timeout=TIMEOUT_SECONDS) as response:
            assert response.status == 200
        return connection


def _roll(version: int) -> Json:
    kept = [] if version == 1 else [False] * 5
    return {"type": "roll", "id": f"roll-number-{version}", "version": version, "seat": 0, "kept": kept}


@contextmanager
def frozen(database: TargetDatabase) -> Iterator[None]:
    """Pause the processes of a PostgreSQL database, as a hanging disk would; connections stay open."""
    pids = [int(pid) for (pid,) in database.select(BACKENDS)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):  # it was ending when it was frozen
                os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize("number", cases([signal.SIGTERM], full=[signal.SIGTERM, signal.SIGINT]))
def test_a_server_with_a_frozen_postgres_stops_and_logs_the_cause(
    postgres_database: TargetDatabase, tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "log"
    server = ServerProcess(postgres_database.url, constants={STOP_TIMEOUT: 1.0}, log=log)
    server.start()
    ann = Player(server.url)
    assert ann.roll(1)[0] == 200
    # It reads no table before a command that somebody has open, once it listens to others.
    listening = "SELECT count(*) FROM pg_stat_activity WHERE query ~ '^LISTEN'"
    wait_for(lambda: postgres_database.select(listening) == [(1,)], "the server listens")
    with ann.open() as table, frozen(postgres_database), closing(ann.send_roll(2)) as connection:
        assert table.status == 200
        server.send_signal(number)
        assert server.wait(TIMEOUT_SECONDS) == LATE
        with pytest.raises(ConnectionError):
            connection.getresponse()
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    [line] = [one for one in lines if one["event"] == "shutdown timed out" or "did not stop" in one["event"]]
    assert (line["waiting_for"], line["level"]) == ("answers to commands", "error")
    # Acknowledged commands are stored. An unacknowledged command may be stored or not.
    assert set(postgres_database.commands()[ann.table].values()) >= {1, 2}


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on this system")
def test_a_terminal_that_closes_stops_the_server_as_a_stop_signal_does(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'fivedice.db'}")
    server.start()
    ann = Player(server.url)
    assert ann.roll(1)[0] == 200
    server.send_signal(signal.SIGHUP)
    assert server.wait(SERVICE_STOP_SECONDS) in CLEAN_EXITS
    server.start()
    assert ann.roll(2)[0] == 200
    server.stop()
