"""Every endpoint is documented and tested, and its responses are as described."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from fivedice.game.record import parse_record
from fivedice.server.http.app import ENDPOINTS
from tests.amount import amount
from tests.repository import ROOT
from tests.server.serving import TWO, Browser, Serving
from tests.waiting import TIMEOUT_SECONDS

EXAMPLES = amount(3, full=50)

TOO_LONG = "Invalid HTTP request received."
"""uvicorn's own answer to a request line of more than 64 KB."""

OPERATIONS = sorted(
    (one.path, one.method) for one in ENDPOINTS if one.is_described and not one.path.endswith("/stream")
)
"""All operations but streams, which are endless."""

STREAMS = ("/api/tables/{table}/stream", "GET"), ("/api/streams/{stream}/stream", "GET")


@pytest.fixture(scope="module")
def document(server: Serving) -> Any:
    import schemathesis  # here, because it imports a lot, and every worker imports this file

    return schemathesis.openapi.from_url(f"{server.url}/api/schema")


@pytest.fixture(scope="module")
def player(server: Serving) -> tuple[Browser, str]:
    """A browser that holds seats, and its table, so that requests pass the checks of ownership."""
    browser = server.visit()
    return browser, browser.create([*TWO, {"kind": "person"}])


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_response_is_documented(document: Any, player: tuple[Browser, str], path: str, method: str) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import content_type_conformance, not_a_server_error
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

    documented = [status_code_conformance, content_type_conformance, response_schema_conformance]
    browser, table = player
    operation = document[path][method]
    good, bad = (operation.as_strategy(generation_mode=mode) for mode in GenerationMode)

    @given(case=good | bad)
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def ask(case: Any) -> None:
        parameters = case.path_parameters
        if parameters and len(parameters.get("table", "")) % 2:
            parameters["table"] = table
        answer = case.call(cookies=dict(browser.http.cookies), timeout=TIMEOUT_SECONDS)
        if answer.text != TOO_LONG:
            # On a busy machine, 503 may say that something takes longer to be found, as the document has it.
            is_busy = answer.status_code == 503 and answer.json()["code"] == "unavailable"
            case.validate_response(answer, checks=documented if is_busy else [not_a_server_error, *documented])

    ask()


def test_every_endpoint_is_tested(document: Any) -> None:
    described = {(path, method.upper()) for path, methods in document.raw_schema["paths"].items() for method in methods}
    assert described == {*OPERATIONS, *STREAMS}


PAGE = ROOT / "docs" / "http.md"


def test_the_documented_bot_plays_a_turn(server: Serving, tmp_path: Path) -> None:
    [script] = re.findall(r"```bash\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run(  # noqa: S603
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
        cwd=tmp_path,
        env={"FIVEDICE": server.url, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *answers, rest = done.stdout.split("fivedice record 1")
    assert answers[0].count('"type":"accepted"') == 2, answers
    record = parse_record(f"fivedice record 1{rest}")
    assert [seat.name for seat in record.seats] == ["Curl", "greedy"]
    assert str(record.turns[0]).startswith("0: ")
    assert "score chance" in str(record.turns[0])


def test_every_endpoint_says_what_it_does() -> None:
    assert [one.name for one in ENDPOINTS if not one.answer.__doc__] == []
