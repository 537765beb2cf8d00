"""After a server is stopped or killed, every table continues where it was."""

import gc
from pathlib import Path

import pytest

from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.players import Greedy
from fivedice.server.live import bot_scheduler, registry
from tests.server.serving import TINY, serving


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
