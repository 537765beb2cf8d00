"""Who asks for too much, in requests, messages, tables or work, is limited and delays nobody else."""

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
from fivedice.server.http.app import ENDPOINTS
from fivedice.server.http.handling import endpoints
from fivedice.server.identity.holders import COOKIE
from fivedice.server.limits import BURST_SECONDS, MAX_TABLE_BOXES, SENT_BYTES_PER_TOKEN, UPLOAD_TOKENS, WORK_TOKENS
from fivedice.server.solving.pool import Pool
from fivedice.server.table.answers import Accepted
from fivedice.server.table.verbs.play import Roll
from tests import clients
from tests.server.attacks.test_connections import line_to
from tests.server.http.api.test_me import record_elsewhere
from tests.server.live.living import Living
from tests.server.serving import TINY, TWO, Browser, Serving, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server behind a proxy, of which every address has tokens for two uploads."""
    rate = 2 * (UPLOAD_TOKENS + 1) / BURST_SECONDS
    with serving(tmp_path_factory.mktemp("limited"), rate=rate, proxies=("127.0.0.1",)) as running:
        tokens = running.services.budget._tokens
        assert tokens
        tokens._clock = lambda: 0.0  # no bucket fills while a busy machine asks
        yield running


addresses = (f"192.0.2.{number}" for number in range(256))


@pytest.mark.parametrize(
    ("cost", "method", "path", "body"),
    [
        (1, "GET", "/api/players", None),
        (1, "GET", "/", None),
        (1, "POST", "/nothing", None),
        (1 + WORK_TOKENS, "POST", "/api/lessons", {}),
        (1 + WORK_TOKENS, "GET", "/api/positions?line=yahtzee+-+33456+r2", None),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/export", None),
        (1 + UPLOAD_TOKENS, "POST", "/api/rulesets/check", {"toml": TINY}),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/import", {}),
        (1 + UPLOAD_TOKENS, "POST", "/api/me/records", {"text": ""}),
        (1 + WORK_TOKENS + UPLOAD_TOKENS, "POST", "/api/tables", {"seats": TWO, "toml": TINY}),
    ],
)
def test_every_request_costs_what_it_takes(limited: Serving, cost: int, method: str, path: str, body: object) -> None:
    allowed = 2 * (UPLOAD_TOKENS + 1) // cost
    with clients.Client(base_url=limited.url, headers={"x-forwarded-for": next(addresses)}) as http:
        answers = [http.request(method, path, json=body) for _ in range(allowed + 1)]
        assert 429 not in [answer.status_code for answer in answers[:allowed]]
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "too_fast"
        assert "too many requests from this address: wait" in answers[-1].json()["error"]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= BURST_SECONDS
        assert http.get("/health").status_code == 200, "probes are not limited"


def test_every_endpoint_that_takes_work_costs_more() -> None:
    """Those of tables and clubs are answered from memory, and pay for the bytes of their answers."""
    assert {one.name for one in ENDPOINTS if not one.cost} == {
        "list_rulesets", "list_players", "health", "ready", "show_lobby",
        "show_table", "show_table_rules", "show_events", "stream_events", "command_table", "keep_dice", "react",
        "show_club", "show_tournament", "stream_versions",
    }  # fmt: skip


def test_a_flood_of_messages_is_delayed_and_answered_completely(tmp_path: Path) -> None:
    with serving(tmp_path, rate=0.5) as server:
        ann = server.visit()
        with ann.socket(ann.create()) as socket:
            socket.receive()
            began = server.services.settings.clock()
            for _ in range(138):
                socket.connection.send('{"type":"ping"}')
            for _ in range(138):
                assert socket.receive() == {"type": "pong"}
            assert server.services.settings.clock() - began > 1


BOXES = "".join(f'c{number} = {{ scorer = "any_dice" }}\n' for number in range(12))
LARGE = f'id = "large"\n[categories]\n{BOXES}[columns]\n' + "".join(f"k{number} = {{}}\n" for number in range(10))


def test_a_table_with_too_many_boxes_is_refused(ann: Browser, server: Serving) -> None:
    most = MAX_TABLE_BOXES // 120
    refused = ann.http.post("/api/tables", json={"toml": LARGE, "seats": [{"kind": "person"}] * (most + 1)})
    assert refused.status_code == 400
    assert refused.json()["error"] == (
        f"{most + 1} seats with 120 boxes each are too large a table: want at most {most} seats under these rules"
    )
    ann.create([{"kind": "person"}] * most, toml=LARGE)


def test_requests_for_a_table_pay_for_bytes_of_their_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoints, "SENT_BYTES_PER_TOKEN", 1_000)
    with serving(tmp_path, rate=100 / BURST_SECONDS) as server:
        ann = server.visit()
        path = f"/api/tables/{ann.create()}"
        tokens = 1 + len(ann.http.get(path).content) / 1_000
        statuses = [ann.http.get(path).status_code for _ in range(int(100 / tokens) + 1)]
        assert (statuses[0], statuses[-1]) == (200, 429)


async def test_a_command_waits_until_its_views_are_paid_for(living: Living) -> None:
    live, handler = await living.begin(), living.services.command_handler
    await living.services.tables.subscribe(live, living.eve, 0, "192.0.2.2")
    waits = [0.01, 0.02, 0.0]

    def wait(address: str, tokens: float) -> float:
        assert (address, tokens) == ("192.0.2.1", 2 * live.view_bytes / SENT_BYTES_PER_TOKEN), (
            "its own, and a watcher's"
        )
        return waits.pop(0)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(living.services.budget, "wait", wait)
        answer = await handler.handle(live, living.ann, Roll(id="roll-1", version=1, seat=0, kept=[]), "192.0.2.1")
    assert isinstance(answer, Accepted)
    assert waits == []


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
