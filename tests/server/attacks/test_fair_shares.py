"""An address that asks for much work at once delays only its own results. `make bench-fair` measures how much."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fivedice.server.games import read_games
from fivedice.server.identity.holders import COOKIE
from fivedice.server.solving.pool import Pool
from tests.server.attacks.test_connections import line_to
from tests.server.http.api.test_me import record_elsewhere
from tests.server.serving import Browser, Serving, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for


class Gate:
    """Holds the calls that write the records of games in the worker process until it is open."""

    def __init__(self, run: Callable[..., Awaitable[Any]]) -> None:
        self._run = run
        self.is_open = threading.Event()
        self.num_calls = self.num_inside = 0

    async def run(self, pool: Pool, call: Any, *args: Any) -> Any:
        """Take the place of `Pool.run`."""
        if read_games.final_records not in (call, *args[:1]):
            return await self._run(pool, call, *args)
        self.num_calls += 1
        self.num_inside += 1
        try:
            assert await asyncio.to_thread(self.is_open.wait, TIMEOUT_SECONDS), "the gate stayed closed"
            return await self._run(pool, call, *args)
        finally:
            self.num_inside -= 1


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate(Pool.run)
    monkeypatch.setattr(Pool, "run", lambda pool, call, *args: gate.run(pool, call, *args))
    yield gate
    gate.is_open.set()


def test_a_holder_who_asks_eight_times_delays_nobody_else(server: Serving, counting: Gate) -> None:
    with (
        closing(Browser(server.url, "127.0.0.2")) as eve,
        closing(Browser(server.url, "127.0.0.3")) as ann,
        ThreadPoolExecutor(8) as connections,
    ):
        eve.finished()
        table = ann.create()
        asked = [connections.submit(eve.http.post, "/api/me/export") for _ in range(8)]
        wait_for(lambda: counting.num_inside == 1, "the records are being written")
        assert ann.http.get(f"/api/tables/{table}/record").status_code == 200
        assert ann.do(table, "roll", seat=0, kept=[])["version"] == 2
        assert counting.num_inside == 1, "nobody waited for the attacker"
        counting.is_open.set()
        assert [one.result().status_code for one in asked] == [200] * 8
        assert counting.num_calls == 8


def test_long_work_is_done_in_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop would wait for a thread of its own process at every step of an action."""

    def refuse(*_: object) -> None:
        raise AssertionError("this is work for the worker process")

    # The worker process has its own copies of these modules.
    monkeypatch.setattr(read_games, "_final_record", refuse)
    monkeypatch.setattr(read_games, "_read", refuse)
    monkeypatch.setattr(read_games, "parse_record", refuse)
    with serving(tmp_path) as server, closing(Browser(server.url, "127.0.0.6")) as eve:
        table = eve.finished()
        assert eve.view(table)["version"] > 1
        imported = eve.http.post("/api/me/records", json={"text": record_elsewhere("Eve=human", "greedy"), "seat": 0})
        assert imported.json()["records"] == 1, imported.text
        assert eve.get("/api/me/dice")["dice"] > 2
        assert len(eve.post("/api/me/export")["records"]) == 2
        assert eve.get("/api/me/outcome", table=table)["seats"][0]["games"] == 1
        assert len(eve.get(f"/api/tables/{table}/review")["seats"]) == 1
        assert eve.http.get(f"/api/tables/{table}/lessons").status_code == 200
        assert [one["games"] for one in eve.get("/api/me/figures")["figures"] if one["ruleset_name"] == "Tiny"] == [1]
        assert os.getpid() not in server.services.pool.pids


def test_work_ends_when_its_client_disconnects(server: Serving, counting: Gate) -> None:
    with closing(Browser(server.url, "127.0.0.5")) as eve:
        for _ in range(3):
            eve.finished()
        with line_to(server) as line:
            key = f"{COOKIE}={eve.http.cookies[COOKIE]}"
            head = f"POST /api/me/export HTTP/1.1\r\nhost: localhost\r\ncookie: {key}\r\ncontent-length: 0\r\n\r\n"
            line.sendall(head.encode())
            wait_for(lambda: counting.num_inside == 1, "the records are being written")
        wait_for(lambda: counting.num_inside == 0, "the work is cancelled")
        assert counting.num_calls == 1
        counting.is_open.set()
        assert eve.http.post("/api/me/export").status_code == 200, "the next request is answered"
