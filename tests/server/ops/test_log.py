"""The writer of the log: a reader that is slow, stuck or gone delays nobody, and what is lost is counted."""

import json
import logging
import threading
from pathlib import Path

import pytest

from fivedice.server.ops import log
from fivedice.server.ops.log import flush_log
from tests.server.log_lines import log_lines
from tests.server.serving import serving
from tests.waiting import TIMEOUT_SECONDS, wait_for

_log = logging.getLogger("fivedice.test")


class Reader:
    """A reader of the log who does not read until `goes_on` is set."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.goes_on = threading.Event()

    def write(self, line: str) -> None:
        assert self.goes_on.wait(TIMEOUT_SECONDS)
        self.lines.append(line)


def test_a_server_answers_while_the_reader_of_its_log_is_stuck(tmp_path: Path) -> None:
    reader = Reader()
    with log_lines(write=reader.write), serving(tmp_path) as server:
        ann = server.visit()
        assert ann.http.get("/health").status_code == 200
        table = ann.create()
        assert ann.do(table, "roll", seat=0, kept=[])["version"] == 2
        assert reader.lines == []
        reader.goes_on.set()


def test_lines_without_room_are_counted_and_reported_when_the_reader_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MAX_QUEUED_LINES", 10)
    reader = Reader()
    with log_lines(write=reader.write):
        for number in range(30):
            _log.warning("line %d", number)
        reader.goes_on.set()
        last = wait_for(lambda: reader.lines and "are lost" in reader.lines[-1] and reader.lines[-1], "the report")
        assert 19 <= json.loads(str(last))["lines"] <= 20, "one may be with the reader already"


def test_a_reader_that_is_gone_loses_lines_and_raises_nothing() -> None:
    def fail(_: str) -> None:
        raise BrokenPipeError

    with log_lines(write=fail):
        _log.warning("somebody there?")
        flush_log()
