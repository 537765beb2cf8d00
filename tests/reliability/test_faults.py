"""Play continues after faults, one by one and many at random, and servers stop in time."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from fivedice.server.identity.holders import COOKIE
from tests import clients
from tests.amount import amount, cases
from tests.conftest import NO_PROXY
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase
from tests.reliability.process import ServerProcess
from tests.reliability.proxy import find_proxy
from tests.server.serving import Browser
from tests.waiting import TIMEOUT_SECONDS, wait_for

FAULTS = amount(4, full=20)
TABLES = amount(2, full=NUM_TABLES)

SEED = 2000
"""Its first four faults on SQLite are a full disk, a start from a read-only file, a full pipe for the server's
messages, and a kill at the start; on PostgreSQL a crash, a full disk, a full pipe, and a killed process of it."""


def test_faults_during_play_lose_and_double_no_acknowledged_command(database: TargetDatabase, tmp_path: Path) -> None:
    outcome = asyncio.run(crash(database, FAULTS, SEED, tmp_path, num_tables=TABLES))
    assert outcome.findings == []
    assert outcome.ledger.num_acknowledged > 50 * TABLES  # at least one whole game at each table
    assert outcome.num_views > outcome.ledger.num_acknowledged / 2


def test_faults_of_one_of_two_processes_lose_and_double_nothing(
    postgres_database: TargetDatabase, tmp_path: Path
) -> None:
    if not find_proxy("nginx"):
        pytest.skip(NO_PROXY["nginx"])
    outcome = asyncio.run(crash(postgres_database, FAULTS, SEED, tmp_path, num_tables=NUM_TABLES, num_processes=2))
    assert outcome.findings == []
    assert outcome.ledger.num_acknowledged > 50 * NUM_TABLES


ROLLS: dict[int, dict[str, Any]] = {
    1: {"type": "roll", "seat": 0, "kept": []},
    2: {"type": "roll", "seat": 0, "kept": [False] * 5},
}
"""Rolls by the version that they are made against."""


def roll(ann: Browser, table: str, version: int) -> int:
    return ann.send(table, version=version, **ROLLS[version]).status_code


def begin_second_roll(ann: Browser, table: str) -> HTTPConnection:
    """Send a roll, and return once the server has received it; the response is still to be read."""
    connection = HTTPConnection(ann.url.removeprefix("http://"), timeout=TIMEOUT_SECONDS)
    headers = {"content-type": "application/json", "cookie": f"{COOKIE}={ann.http.cookies[COOKIE]}"}
    command = {"id": "a-second-roll", "version": 2, **ROLLS[2]}
    connection.request("POST", f"/api/tables/{table}/commands", json.dumps(command), headers)
    # The server accepts connections in order: when it answers a later one, it has read this one.
    assert clients.get(f"{ann.url}/health").status_code == 200
    return connection


@contextmanager
def frozen(database: TargetDatabase) -> Iterator[None]:
    """Pause the processes of a PostgreSQL database, as a hanging disk would; connections stay open."""
    backends = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    pids = [int(pid) for (pid,) in database.select(backends)]
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
    log, constants = tmp_path / "log", {"fivedice.server.process.server.STOP_SECONDS": 1.0}
    server = ServerProcess(postgres_database.url, constants=constants, log=log)
    server.start()
    ann = Browser(server.url)
    table = ann.create()
    assert roll(ann, table, 1) == 200
    # It reads no table before a command that somebody has open, once it listens to others.
    listening = "SELECT count(*) FROM pg_stat_activity WHERE query ~ '^LISTEN'"
    wait_for(lambda: postgres_database.select(listening) == [(1,)], "the server listens")
    with ann.socket(table), frozen(postgres_database), closing(begin_second_roll(ann, table)) as connection:
        server.send_signal(number)
        assert server.wait(TIMEOUT_SECONDS) == 1
        with pytest.raises(ConnectionError):
            connection.getresponse()
    ann.close()
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    [line] = [one for one in lines if one["event"] == "shutdown timed out" or "did not stop" in one["event"]]
    assert (line["waiting_for"], line["level"]) == ("answers to commands", "error")
    # Acknowledged commands are stored. An unacknowledged command may be stored or not.
    assert set(postgres_database.commands()[table].values()) >= {1, 2}


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP on this system")
def test_a_terminal_that_closes_stops_the_server_as_a_stop_signal_does(tmp_path: Path) -> None:
    server = ServerProcess(f"sqlite:///{tmp_path / 'fivedice.db'}")
    server.start()
    ann = Browser(server.url)
    table = ann.create()
    assert roll(ann, table, 1) == 200
    server.send_signal(signal.SIGHUP)
    assert server.wait(20) in (0, -signal.SIGTERM), "in the time that docs/deployment.md allows a service manager"
    server.start()
    assert roll(ann, table, 2) == 200
    server.stop()
    ann.close()
