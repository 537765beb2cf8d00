"""The lines that requests write to the log: how many, and of what level."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fivedice.server.config.settings import RateLimits
from tests.server.log_lines import LogLines, log_lines
from tests.server.serving import Serving, serving
from tests.waiting import wait_for


@pytest.fixture
def lines() -> Iterator[LogLines]:
    with log_lines() as found:
        yield found


def requests(lines: LogLines) -> list[dict[str, Any]]:
    """The lines about requests."""
    found = map(json.loads, lines.getvalue().splitlines())
    return [line for line in found if line["event"] == "request"]


def count(server: Serving, name: str, **labels: str) -> float:
    """The value of a metric; 0 if nothing was counted."""
    return server.services.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/none/commands", "/api/me/import", "/api/rulesets/check"])
def test_a_client_that_leaves_within_its_request_is_no_internal_error(
    tmp_path: Path, lines: LogLines, path: str
) -> None:
    with serving(tmp_path) as server:
        address = urlsplit(server.url)
        with socket.create_connection((address.hostname, address.port)) as client:
            head = f"POST {path} HTTP/1.1\r\nhost: {address.netloc}\r\ncookie: fivedice={'x' * 43}\r\n"
            client.sendall(f"{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{".encode())
        [line] = wait_for(lambda: requests(lines), "the request is logged")
        assert (line["status"], line["level"]) == (499, "info")
        assert len(json.dumps(line)) < 300
        assert count(server, "fivedice_errors_total", kind="mistake") == 0


def test_one_address_writes_no_more_lines_than_its_rate_allows(tmp_path: Path, lines: LogLines) -> None:
    with serving(tmp_path, limits=RateLimits(log_lines="5/hour")) as server:
        ann = server.visit()
        for _ in range(12):
            ann.http.get("/api/players")
        wait_for(lambda: count(server, "fivedice_unlogged_total") == 7, "the other lines are counted")
        assert len(requests(lines)) == 5
        assert count(server, "fivedice_requests_total", method="GET", path="/api/players", status="200") == 12


def test_an_internal_error_is_one_line_with_its_traceback(
    tmp_path: Path, lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("deep inside")

    with serving(tmp_path) as server:
        monkeypatch.setattr(server.services.tables, "find", fail)
        ann = server.visit()
        assert ann.http.get("/api/tables/any").status_code == 500
        [line] = wait_for(lambda: requests(lines), "the request is logged")
        assert (line["status"], line["level"]) == (500, "error")
        assert "RuntimeError: deep inside" in line["exception"]
