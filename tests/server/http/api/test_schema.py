"""Every endpoint is documented and tested, its responses are as described, and refusals have a reason."""

import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from fivedice import parse_action
from fivedice.game.record import parse_record
from fivedice.server.http.app import ENDPOINTS
from fivedice.views.action import action_parts
from tests.amount import amount
from tests.game.table_game import DATE, table_game
from tests.repository import ROOT
from tests.server.http.api.test_me import record_elsewhere
from tests.server.serving import TWO, Browser, Serving
from tests.solutions import UNADVISED
from tests.waiting import TIMEOUT_SECONDS

OPERATIONS = sorted(
    (one.path, one.method) for one in ENDPOINTS if one.is_described and not one.path.endswith("/stream")
)
"""All operations but streams, which are endless."""


@pytest.fixture(scope="module")
def document(server: Serving) -> Any:
    import schemathesis  # here, because it imports a lot, and every worker imports this file

    return schemathesis.openapi.from_url(f"{server.url}/api/schema", timeout=TIMEOUT_SECONDS)


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
    @settings(max_examples=amount(3, full=50), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def ask(case: Any) -> None:
        parameters = case.path_parameters
        if parameters and len(parameters.get("table", "")) % 2:
            parameters["table"] = table
        answer = case.call(cookies=dict(browser.http.cookies), timeout=TIMEOUT_SECONDS)
        if answer.text != "Invalid HTTP request received.":  # uvicorn's own to a request line of more than 64 KB
            # On a busy machine, 503 may say that something takes longer to be found, as the document has it.
            is_busy = answer.status_code == 503 and answer.json()["code"] == "unavailable"
            case.validate_response(answer, checks=documented if is_busy else [not_a_server_error, *documented])

    ask()


def test_every_endpoint_is_tested_and_says_what_it_does(document: Any) -> None:
    described = {(path, method.upper()) for path, methods in document.raw_schema["paths"].items() for method in methods}
    streams = (f"/api/{path}/stream" for path in ("tables/{table}", "streams/{stream}"))
    assert described == {*OPERATIONS, *((path, "GET") for path in streams)}
    assert [one.name for one in ENDPOINTS if not one.answer.__doc__] == []


def test_the_documented_bot_plays_a_turn(server: Serving, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    [script] = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
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


FEW_DICE = 'like = "yahtzee"\nid = "house"\ndice = 50'


def of_year(year: str) -> str:
    return str(table_game(max_turns=3)).replace(f"date: {DATE[:4]}", f"date: {year}", 1)


def step(after: int, action: str, rolled: list[int]) -> dict[str, Any]:
    parts = msgspec.to_builtins(action_parts(parse_action(action))) if action else None
    return {"line": "crag - 455 r1", "steps": [{"after": after, "action": parts, "rolled": rolled}]}


def duplicate(**wanted: Any) -> dict[str, Any]:
    return {"seats": 2, "seconds": 3_600, "rules": "crag", **wanted}


BAD: list[tuple[str, object, int, str, str]] = [
    ("/api/nothing", None, 404, "unknown", ""),
    ("/api/qr?text=" + "x" * 301, None, 400, "malformed", ""),
    ("/api/rulesets/explained", None, 400, "malformed", ""),
    ("/api/rulesets/explained?ref=yahtzee&table=x", None, 400, "malformed", ""),
    ("/api/rulesets/explained?ref=yahtzee&lang=xx", None, 400, "malformed", ""),
    ("/api/rulesets/check", {"toml": FEW_DICE}, 400, "malformed", "house: dice = 50: want a whole number from 1 to 10"),
    ("/api/rulesets/check", {"toml": "# " + "x" * 70_000}, 400, "malformed", ""),
    ("/api/rulesets/chosen", {"rules": "yahtzee", "options": {"jokers": "free"}}, 404, "unknown", "jokers"),
    ("/api/tables", {"seats": TWO, "rules": "yatzee"}, 404, "unknown", "did you mean"),
    ("/api/tables", {"seats": []}, 400, "malformed", "length >= 1"),
    ("/api/tables", {"seats": TWO, "rules": UNADVISED, "help": "tutor"}, 400, "illegal", "there is no advice"),
    ("/api/tables", {"seats": TWO, "tutor": 1.0}, 400, "malformed", "unknown field `tutor`"),
    ("/api/tables", {"seats": TWO, "pace": "60"}, 400, "malformed", "the body: Expected `int | null`, got `str` - at"),
    ("/api/positions?line=crag", None, 400, "malformed", "want RULESET CARD DICE rN"),
    ("/api/positions?line=yatzee - 445 r2", None, 404, "unknown", "did you mean"),
    ("/api/positions?line=/etc/passwd.toml - 445 r2", None, 404, "unknown", "there is no ruleset"),
    ("/api/positions?line=crag - 445 r1 " + "x" * 9_000, None, 400, "malformed", "8000"),
    ("/api/positions/chances?line=crag crag=1 445 r1", None, 400, "illegal", ""),
    ("/api/positions/steps", step(0, "keep 6", [1, 1]), 400, "illegal", "the roll 455 does not contain 6"),
    ("/api/positions/steps", step(0, "keep 55", [7]), 400, "malformed", "rolled 7: want 1 dice with faces from 1 to 6"),
    ("/api/positions/steps", step(0, "", [4, 4, 5]), 400, "illegal", "455 is already rolled"),
    ("/api/positions/steps", step(1, "keep 55", [1]), 400, "malformed", "step 1 is after 1: want a position before it"),
    (f"/api/solutions/crag/{'0' * 64}", None, 404, "unknown", "ask for its path again"),
    ("/api/solutions?ref=crag[rounds=1]", None, 400, "illegal", "only their solutions are offered"),
    ("/api/solutions?ref=balut", None, 400, "illegal", "cannot be solved"),
    ("/api/solutions?ref=maxi_yatzy", None, 400, "illegal", "too large for a browser"),
    ("/api/solutions?ref=yatzy&table=breakdown", None, 400, "illegal", "the breakdown of Yatzy is too large"),
    ("/api/solutions?ref=nothing", None, 404, "unknown", "nothing"),
    ("/api/me?limit=101", None, 400, "malformed", ""),
    ("/api/me?before=x", None, 400, "malformed", ""),
    ("/api/me?before=nan~table~a", None, 400, "malformed", ""),
    ("/api/me?before=1.0~record~zz", None, 400, "malformed", ""),
    ("/api/me/lessons?since=May", None, 400, "malformed", ""),
    ("/api/me/imported", {"names": [], "own": ""}, 400, "malformed", "Expected `array`"),
    ("/api/me/records", {"text": "milk and eggs"}, 400, "malformed", "record 1: line 1: a record begins with"),
    ("/api/me/records", {"text": record_elsewhere("greedy"), "seat": 1}, 400, "malformed", "seat 1: the seats are"),
    ("/api/me/records", {"text": 3}, 400, "malformed", "Expected `str`"),
    ("/api/me/records", {"text": of_year("1949")}, 400, "malformed", "want one from 1950 to today"),
    ("/api/me/records", {"text": of_year("9999")}, 400, "malformed", "want one from 1950 to today"),
    ("/api/records/check", {"text": "x" * 1_000_001}, 400, "malformed", ""),
    ("/api/duplicates", duplicate(seats=1), 400, "malformed", ""),
    ("/api/duplicates", duplicate(seats=201), 400, "malformed", ""),
    ("/api/duplicates", duplicate(seconds=1), 400, "malformed", ""),
    ("/api/duplicates", duplicate(rules="nonsense"), 404, "unknown", ""),
    ("/api/clubs/none", None, 404, "unknown", ""),
    ("/api/lobby/seats/none/sit", {"name": "Ben"}, 404, "unknown", ""),
    ("/api/daily/archive/2026-11-99", None, 400, "malformed", ""),
]
"""The path, the body of a `POST`, or none of a `GET`, and the answer."""


@pytest.mark.parametrize(("path", "body", "status", "code", "sentence"), BAD, ids=[path[:40] for path, *_ in BAD])
def test_a_bad_request_is_refused_with_the_reason(
    ann: Browser, path: str, body: object, status: int, code: str, sentence: str
) -> None:
    answer = ann.http.get(path) if body is None else ann.send_import(path, json=body)
    assert (answer.status_code, *answer.json()) == (status, "error", "code")
    assert answer.json()["code"] == code
    assert sentence in answer.json()["error"]
    assert ann.get("/api/me")["games"] == []
