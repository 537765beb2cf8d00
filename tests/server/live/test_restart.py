"""After a server is stopped or killed, every table continues where it was."""

import gc
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.live import bot_scheduler, registry
from tests.amount import amount
from tests.reliability.process import ServerProcess
from tests.server.serving import TINY, Browser, Serving, serving

KILLS = amount(2, full=10)


def test_an_unused_table_is_dropped_from_memory_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must not be part of a reference cycle, because a server seldom runs the garbage collector."""
    monkeypatch.setattr(registry, "MAX_CACHED_TABLES", 2)
    with serving(tmp_path) as server:
        ann = server.visit()
        gc.disable()
        try:
            first, *_ = [ann.create() for _ in range(5)]
            with ann.socket(first) as socket:
                socket.until(1)
            ann.do(first, "roll", seat=0, kept=[])
            for _ in range(2):
                ann.create()
            assert server.services.tables.num_live == 2
        finally:
            gc.enable()
        assert ann.view(first)["version"] == 2


def test_a_computer_player_that_fails_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_scheduler, "BOT_RETRY_SECONDS", 0.01)
    choose, failures = Greedy.choose, iter([ZeroDivisionError("a mistake"), MemoryError()])

    def choose_at_last(player: Greedy, position: Position) -> Action:
        for failure in failures:
            raise failure
        return choose(player, position)

    monkeypatch.setattr(Greedy, "choose", choose_at_last)
    with serving(tmp_path) as server:
        ann = server.visit()
        with ann.socket(ann.create([{"kind": "greedy"}], toml=TINY)) as socket:
            while socket.receive() and socket.update["view"]["state"] != "over":
                pass
    assert caplog.text.count("computer player failed") == 2


def test_a_stopping_server_sends_a_farewell_on_sockets_and_streams(tmp_path: Path) -> None:
    server = Serving(tmp_path)
    ann = Browser(server.url)
    table = ann.create()
    with ann.socket(table) as socket, ann.http.stream("GET", f"/api/tables/{table}/stream") as stream:
        socket.until(1)
        server.stop()
        assert socket.receive() == {"type": "farewell"}
        with pytest.raises(ConnectionClosed) as closed:
            socket.receive()
        lines = [line for line in stream.iter_lines() if line]
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert json.loads(lines[-1].removeprefix("data: ")) == {"type": "farewell"}
    ann.close()


def test_acknowledged_commands_survive_a_kill(tmp_path: Path) -> None:
    """The server is killed at different moments during play; `make crash-test` does so for longer."""
    acknowledged: dict[str, int] = {}
    cookies = httpx.Cookies()
    for kill in range(KILLS):
        with running(tmp_path) as process:
            browser = Browser(process.url)
            browser.http.cookies.update(cookies)
            for table, version in acknowledged.items():
                assert browser.view(table)["version"] >= version, "an acknowledged action is lost"
            table = browser.create()
            acknowledged[table] = 1
            with suppress(httpx.TransportError):
                play(browser, acknowledged, kill_at=3 + 4 * kill, process=process)
            cookies = browser.http.cookies
            browser.close()
    with running(tmp_path) as process:
        browser = Browser(process.url)
        browser.http.cookies.update(cookies)
        for table, version in acknowledged.items():
            view = browser.view(table)
            assert version <= view["version"] <= version + 1
            turn = view["turn"]
            kept = [False] * len(turn["dice"]) if turn["rolls_left"] else []
            answer = browser.send(table, "roll", seat=turn["seat"], kept=kept)
            if turn["rolls_left"]:
                assert answer.status_code == 200, "a table is stuck"
            else:
                assert answer.json()["reason"] == "illegal"
        browser.close()


def play(browser: Browser, acknowledged: dict[str, int], kill_at: int, process: ServerProcess) -> None:
    """Roll and score at all tables in turn, and kill the server while action number `kill_at` is under way."""
    actions = 0
    while True:
        for table in acknowledged:
            view = browser.view(table)
            turn = view["turn"]
            if turn["dice"]:
                box = next(offer["box"] for offer in turn["offers"] if offer["is_open"])
                action: dict[str, Any] = {"type": "score", "box": box}
            else:
                action = {"type": "roll", "kept": []}
            if actions == kill_at:
                process.send_signal(signal.SIGKILL)
            answer = browser.send(table, version=view["version"], seat=turn["seat"], **action)
            acknowledged[table] = answer.json()["version"]
            actions += 1


@contextmanager
def running(folder: Path) -> Iterator[ServerProcess]:
    """A server in its own process."""
    process = ServerProcess(f"sqlite:///{folder / 'fivedice.db'}")
    process.start()
    try:
        yield process
    finally:
        process.kill()
