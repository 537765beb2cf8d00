"""A server that is told to stop ends, whatever hangs; the bounds are shorter here than they are in earnest."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.reliability.client import call
from tests.reliability.databases import Place
from tests.reliability.ledger import Json
from tests.reliability.process import ServerProcess
from tests.waiting import wait_for

SECONDS = 30
"""How long what takes a second may take on a busy machine."""

IN_EARNEST = 20
"""What a service manager waits for: docs/deployment.md."""

LATE = 1
"""The exit status of a process that had to give something up."""

DATABASE_BOUND = "fivedice.server.process.shutdown.STOP_WRITE_SECONDS"

ENDED_WELL = (0, -signal.SIGTERM)

BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class Player:
    """Ann, who sits at both seats of a table, and rolls."""

    def __init__(self, url: str) -> None:
        self._url = url
        seats = [{"kind": "person", "name": name, "here": True} for name in ("Ann", "Ben")]
        status, made, self._cookie = call(f"{url}/api/tables", {"rules": "yahtzee", "seats": seats})
        assert status == 201
        self.table = made["table"]

    def roll(self, version: int = 1) -> tuple[int, Json]:
        """The status and answer of the roll that follows a version."""
        kept = [] if version == 1 else [False] * 5
        command = {"type": "roll", "id": f"roll-number-{version}", "version": version, "seat": 0, "kept": kept}
        status, answer, _ = call(f"{self._url}/api/tables/{self.table}/commands", command, self._cookie)
        return status, answer

    @contextmanager
    def rolling(self, version: int) -> Iterator[list[tuple[int, Json]]]:
        """A roll that is under way within, and answered at the end."""
        told: list[tuple[int, Json]] = []
        asking = threading.Thread(target=lambda: told.append(self.roll(version)))
        asking.start()
        yield told
        asking.join(SECONDS)


@contextmanager
def frozen(place: Place) -> Iterator[None]:
    """The database's processes do nothing, as on a machine whose disk hangs; they keep their connections."""
    pids = [int(pid) for (pid,) in place.select(BACKENDS)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def said(log: Path) -> list[Json]:
    """The log lines of timeouts during a shutdown."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == "shutdown timed out" or "did not stop" in line["event"]]


def waits_for_a_lock(place: Place) -> None:
    """Wait until a statement of the server waits for somebody's lock."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    wait_for(lambda: place.select(waiting) != [(0,)], "a statement waits for a lock", SECONDS)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_whose_postgres_is_frozen_stops_and_says_so(
    postgres_database: Place, tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "log"
    server = ServerProcess(postgres_database.url, bounds={DATABASE_BOUND: 0.5}, log=log)
    server.start()
    ann = Player(server.url)
    assert ann.roll(1)[0] == 200
    with frozen(postgres_database), ann.rolling(2) as told:
        time.sleep(0.1)
        server.tell(number)
        assert server.ends(SECONDS) == LATE
    [(status, answer)] = told
    assert (status, answer.get("reason") or answer["code"]) == (503, "unavailable")
    [line] = said(log)
    assert (line["waiting_for"], line["level"]) == ("the database", "error")
    # What was acknowledged is there; what was not may be there or not, and nobody was told that it is.
    assert set(postgres_database.commands()[ann.table].values()) >= {1, 2}


@pytest.mark.slow
def test_workers_whose_postgres_is_frozen_stop_in_time(postgres_database: Place) -> None:
    server = ServerProcess(postgres_database.url, "--workers", "2")
    server.start()
    Player(server.url)
    with frozen(postgres_database):
        server.tell()
        assert server.ends(IN_EARNEST) == LATE


def test_what_another_session_has_locked_holds_up_neither_players_nor_a_stop(postgres_database: Place) -> None:
    server = ServerProcess(postgres_database.url, bounds={"fivedice.storage.engine.postgres.LOCK_SECONDS": 0.3})
    server.start()
    try:
        ann = Player(server.url)
        with psycopg.connect(postgres_database.url) as other:
            other.execute("LOCK TABLE events IN EXCLUSIVE MODE")
            status, answer = ann.roll()
            locked = "the database cannot be used now: another session has locked what is needed"
            assert (status, answer["detail"]) == (503, locked)
        assert ann.roll()[0] == 200  # it goes on by itself
        with psycopg.connect(postgres_database.url) as other, ann.rolling(2) as told:
            other.execute("LOCK TABLE events IN EXCLUSIVE MODE")
            waits_for_a_lock(postgres_database)
            server.tell()
            assert server.ends(SECONDS) in ENDED_WELL
        assert told[0][1]["detail"] == locked
    finally:
        server.kill()


def test_a_worker_that_hangs_is_ended_with_the_others(postgres_database: Place, tmp_path: Path) -> None:
    log = tmp_path / "log"
    bounds = {"fivedice.server.process.supervisor.WORKER_STOP_SECONDS": 1.0}
    server = ServerProcess(postgres_database.url, "--workers", "2", bounds=bounds, log=log)
    server.start()
    workers = server.workers
    os.kill(workers[0], signal.SIGSTOP)
    server.tell()
    assert server.ends(SECONDS) == LATE
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert said(log)[0]["event"] == f"worker {workers[0]} did not stop within 1 s; killing it"


EARLY = """
import os, signal, sys
from fivedice.server.process.server import bind
from fivedice.server.config.settings import Settings
from fivedice.server.process.supervisor import Supervisor

class Early(Supervisor):
    "Told to stop while its first worker begins."
    def _start(self):
        worker = super()._start()
        os.kill(os.getpid(), signal.SIGTERM)
        return worker

Early(2, Settings(sys.argv[1]), bind("127.0.0.1", 0), lambda: print("it serves")).run()
"""


def test_workers_are_stopped_before_they_serve(postgres_database: Place) -> None:
    with psycopg.connect(postgres_database.url) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [0x66_69_76_65])  # another process migrates, and hangs
        command = [sys.executable, "-c", EARLY, postgres_database.url]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert (ended.returncode, ended.stdout) == (0, "")


HANGING = """
import asyncio, sys
from fivedice.server.process import shutdown
from fivedice.server.live.cluster_sync import ClusterSync
from fivedice.cli.app import main

async def close(self):
    {how}

ClusterSync.close = close
shutdown.STOP_SECONDS = 0.5
main(["serve", "--port", "0", "--database-url", sys.argv[1]])
"""


@pytest.mark.parametrize("is_blocked", [False, True])
def test_a_stop_that_hangs_ends_by_itself_and_says_where(tmp_path: Path, is_blocked: bool) -> None:
    """In the event loop, or with the event loop."""
    how = "import time; time.sleep(1_000)" if is_blocked else "await asyncio.Event().wait()"
    log = tmp_path / "log"
    command = [sys.executable, "-c", HANGING.format(how=how), f"sqlite:///{tmp_path / 'fivedice.db'}"]
    with log.open("w") as out, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("fivedice is at")
            process.terminate()
            process.terminate()
            assert process.wait(SECONDS) == LATE
        finally:
            process.kill()
    [line] = said(log)
    assert line["waiting_for"] == "requests in progress or background services"
    if is_blocked:
        assert line["threads"]["MainThread"].startswith("close < Services.close"), line
    else:
        assert "Services.close > close > Event.wait" in line["tasks"], line
