"""The writer of the log: a reader that is slow, stuck or gone delays nobody, and what is lost is counted."""

import json
import logging
import threading

import pytest

from fivedice.server.ops import log
from fivedice.server.ops.log import flush_log
from tests.server.log_lines import log_lines
from tests.waiting import TIMEOUT_SECONDS, wait_for

_log = logging.getLogger("fivedice.test")


def test_lines_without_room_are_counted_and_reported_when_the_reader_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_QUEUED_LINES", 10)
    lines, goes_on = list[str](), threading.Event()

    def write(line: str) -> None:
        assert goes_on.wait(TIMEOUT_SECONDS)
        lines.append(line)

    with log_lines(write=write):
        for number in range(30):
            _log.warning("line %d", number)
        goes_on.set()
        last = wait_for(lambda: lines and "are lost" in lines[-1] and lines[-1], "the report")
        assert 19 <= json.loads(str(last))["lines"] <= 20, "one may be with the reader already"


def test_a_reader_that_is_gone_loses_lines_and_raises_nothing() -> None:
    def fail(_: str) -> None:
        raise BrokenPipeError

    with log_lines(write=fail):
        _log.warning("somebody there?")
        flush_log()
