"""The shutdown deadline: when it ends a process, and what it logs."""

import threading
from queue import Empty, SimpleQueue

import pytest
from structlog.testing import capture_logs

from fivedice.server.ops import log
from fivedice.server.process import server
from fivedice.server.process.server import LATE, ShutdownDeadline
from tests.server.log_lines import log_lines
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> "SimpleQueue[int]":
    """The exit statuses of a process with a deadline of 0 seconds."""
    monkeypatch.setattr(server, "STOP_SECONDS", 0.0)
    return SimpleQueue()


def test_a_hanging_shutdown_is_ended_and_logs_what_it_waits_for(ended: "SimpleQueue[int]") -> None:
    watch = ShutdownDeadline(ended.put)
    watch.waiting_for = "requests to end"
    with pytest.raises(Empty):
        ended.get_nowait()
    with capture_logs() as lines:
        for _ in range(3):  # repeated signals are harmless
            watch.start()
        assert ended.get(timeout=TIMEOUT_SECONDS) == LATE
    [line] = lines
    expected = {"event": "shutdown timed out", "waiting_for": "requests to end", "seconds": 0.0, "log_level": "error"}
    assert expected.items() <= line.items()
    assert ended.empty()


def test_a_stuck_reader_of_the_log_does_not_delay_the_end(
    ended: "SimpleQueue[int]", monkeypatch: pytest.MonkeyPatch
) -> None:
    read, writing = threading.Event(), threading.Event()

    def write(_: str) -> None:
        writing.set()
        assert read.wait(TIMEOUT_SECONDS)

    monkeypatch.setattr(log, "STOP_LOG_SECONDS", 0.05)
    with log_lines(write=write):
        ShutdownDeadline(ended.put).start()
        assert ended.get(timeout=TIMEOUT_SECONDS) == LATE
        assert writing.is_set()
        read.set()
