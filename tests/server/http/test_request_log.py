"""The lines that requests write to the log: how many, and of what level."""

import json
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import HTTPException, ImproperlyConfiguredException

from fivedice.server.config.limits import BURST_SECONDS
from tests.server.attacks.test_connections import line_to
from tests.server.log_lines import LogLines
from tests.server.serving import Browser, Serving, serving
from tests.waiting import wait_for


def requests(lines: LogLines) -> list[dict[str, Any]]:
    found = map(json.loads, lines.getvalue().splitlines())
    return [line for line in found if line["event"] == "request"]


def count(server: Serving, name: str, **labels: str) -> float:
    """The value of a metric; 0 if nothing was counted."""
    return server.services.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/none/commands", "/api/me/import", "/api/rulesets/check"])
def test_a_client_that_leaves_within_a_request_is_no_error(server: Serving, lines: LogLines, path: str) -> None:
    with line_to(server) as client:
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: fivedice={'x' * 43}\r\n"
        client.sendall(f"{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{".encode())
    [line] = wait_for(lambda: requests(lines), "the request is logged")
    assert (line["status"], line["level"]) == (499, "info")
    assert len(json.dumps(line)) < 300
    assert count(server, "fivedice_requests_total", method="POST", path="-", status="500") == 0


def test_what_is_refused_because_an_address_asks_too_much_is_only_counted(tmp_path: Path, lines: LogLines) -> None:
    with serving(tmp_path, rate=5 / BURST_SECONDS) as server:
        ann = server.visit()
        statuses = [ann.http.get("/api/players").status_code for _ in range(12)]
        assert statuses == [200] * 5 + [429] * 7
        assert len(wait_for(lambda: requests(lines), "the requests are logged")) == 5
        assert count(server, "fivedice_requests_total", method="GET", path="-", status="429") == 7


@pytest.mark.parametrize(
    "mistake", [RuntimeError, ImproperlyConfiguredException, HTTPException], ids=lambda mistake: str(mistake.__name__)
)
def test_an_internal_error_is_one_line_with_its_traceback_and_tells_the_client_nothing(
    server: Serving, ann: Browser, lines: LogLines, mistake: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise mistake("of /secret/path")

    monkeypatch.setattr(server.services.tables, "find", fail)
    answer = ann.http.get("/api/tables/any")
    error = "internal server error; the server's log has the details"
    assert (answer.status_code, answer.json()) == (500, {"error": error, "code": "mistake"})
    [line] = wait_for(lambda: requests(lines), "the request is logged")
    assert (line["status"], line["level"]) == (500, "error")
    assert mistake.__name__ in line["exception"]
    assert "of /secret/path" in line["exception"]
