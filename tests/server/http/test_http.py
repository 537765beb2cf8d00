"""Requests over HTTP: tables, ids of commands, bad requests, their log lines, and no sentence of a library."""

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar.exceptions import HTTPException, ImproperlyConfiguredException

import fivedice
from fivedice.server.limits import BURST_SECONDS
from tests.server.attacks.test_connections import line_to
from tests.server.log_lines import LogLines
from tests.server.serving import COMMITMENT, TWO, Browser, Serving, new_id, serving
from tests.waiting import wait_for


def error(answer: httpx.Response) -> tuple[int, str, str]:
    body = answer.json()
    assert set(body) == {"error", "code"}
    return answer.status_code, body["code"], body["error"]


def test_a_new_table_has_the_requested_settings_and_seats(ann: Browser) -> None:
    seats = [TWO[0], {"kind": "person"}, {"kind": "greedy"}]
    answer = ann.http.post("/api/tables", json={"rules": "yatzy", "seats": seats, "pace": 60})
    table = answer.json()["table"]
    assert answer.json() == {"table": table, "url": f"/t/{table}", "yours": [0]}
    update = ann.get(f"/api/tables/{table}", rules="true")
    assert (update["status"], update["yours"], update["here"]) == ("snapshot", [0], [2])
    assert update["rules"]["ref"] == "yatzy"
    view = update["view"]
    assert (view["version"], view["state"], view["pace"]) == (1, "open", 60)
    assert view["proof"] == {"commitment": COMMITMENT, "nonces": [], "secret": None}
    assert [seat["is_open"] for seat in view["seats"]] == [False, True, False]


def test_a_refused_command_has_a_reason_and_status_and_changes_nothing(ann: Browser) -> None:
    table = ann.create([*TWO, {"kind": "greedy"}])
    for type, fields, seat, status, reason in (
        ("score", {"box": "chance"}, 0, 400, "illegal"),
        ("roll", {"kept": []}, 7, 400, "malformed"),
        ("roll", {"kept": []}, 2, 403, "not_yours"),
    ):
        answer = ann.send(table, type, 1, seat=seat, **dict[str, Any](fields))
        assert (answer.status_code, answer.json()["type"], answer.json()["reason"]) == (status, "refused", reason)
        assert answer.json()["version"] == ann.view(table)["version"] == 1


def test_invalid_commands_are_malformed(ann: Browser) -> None:
    table = ann.create()
    sit = '{"type":"sit","id":"abcdefgh","version":1,"seat":0,"name":"\udcff"}'
    for command in ('{"type":"roll"', "", sit, '{"x":' + "[" * 4_000 + "]" * 4_000 + "}"):
        answer = ann.http.post(f"/api/tables/{table}/commands", content=command.encode("utf-8", "surrogateescape"))
        assert error(answer)[:2] == (400, "malformed"), command
    of_none = ann.http.post("/api/positions/steps", json={"line": "tiny - 12 r2", "steps": [], "table": "\0"})
    assert error(of_none)[:2] == (400, "malformed"), "PostgreSQL could not look for it"
    assert ann.view(table)["version"] == 1


@pytest.mark.parametrize("path", ["", "/events", "/stream", "/record", "/review"])
@pytest.mark.parametrize("table", ["none", "..%2F..%2Fetc", "%00", "ä", "x" * 64])
def test_an_unknown_table_is_not_found(ann: Browser, table: str, path: str) -> None:
    assert ann.http.get(f"/api/tables/{table}{path}").status_code == 404
    assert error(ann.http.get(f"/api/tables/{'x' * 65}{path}"))[:2] == (400, "malformed")


def test_unknown_methods_and_large_bodies_are_refused(ann: Browser) -> None:
    wrong = ann.http.delete("/api/tables")
    assert error(wrong)[:2] == (405, "no_such_method")
    assert "POST" in wrong.headers["allow"]
    table = ann.create()
    assert error(ann.http.post(f"/api/tables/{table}/commands", content=b" " * 9_000))[:2] == (413, "too_large")
    assert error(ann.http.post("/api/rulesets/check", content=b"x" * 1_000_000))[:2] == (413, "too_large")
    assert error(ann.send_import("/api/me/import", content=b" " * 17_000_000))[:2] == (413, "too_large")


def reason(answer: Any) -> str:
    return str(answer.json().get("reason", ""))


def test_a_used_id_with_another_content_is_malformed_and_the_same_command_is_answered_again(ann: Browser) -> None:
    table, id = ann.create(), "x" * 64
    first: dict[str, Any] = {"type": "roll", "version": 1, "id": id, "seat": 0, "kept": []}
    accepted = {"type": "accepted", "id": id, "version": 2}
    assert ann.send(table, **first).json() == accepted
    nonce = {"type": "add_nonce", "version": 1, "id": id, "nonce": "0f"}
    others: list[dict[str, Any]] = [{**first, "kept": [True] * 5}, {**first, "seat": 1}, nonce]
    for command in others:
        answer = ann.send(table, **command)
        assert (answer.status_code, reason(answer)) == (400, "malformed"), command
        assert id in answer.json()["detail"]
        assert "version 2" in answer.json()["detail"]
    # The tutor's question and the version do not change what a command does.
    for again in (first, {**first, "version": 2}, {**first, "anyway": True}):
        assert ann.send(table, **again).json() == accepted
    ann.do(table, "score", seat=0, box="chance")
    ann.do(table, "roll", seat=1, kept=[])
    version = ann.do(table, "score", seat=1, box="chance")["version"]
    assert ann.send(table, **first).json() == accepted
    # By now the sender has seen its score: this is the first roll of another turn, and not the same command.
    assert reason(ann.send(table, **{**first, "version": version})) == "malformed"
    assert ann.view(table)["version"] == version


def test_ids_of_other_seats_and_watchers_neither_answer_nor_block_a_command(
    visit: Callable[[], Browser], ann: Browser, ben: Browser
) -> None:
    table, id = ann.create([TWO[0], {"kind": "person"}]), new_id()
    nonce: dict[str, Any] = {"type": "add_nonce", "version": 1, "id": id, "nonce": "0f"}
    assert ben.send(table, **nonce).json()["version"] == 2  # a watcher uses it first
    assert reason(ann.send(table, **{**nonce, "version": 2, "seat": 0})) == ""
    with ben.socket(table) as socket:
        sat: dict[str, Any] = {"type": "sit", "version": 3, "id": id, "seat": 1, "name": "Ben"}
        refused = socket.send(**sat)
        assert refused["reason"] == "malformed"
        assert refused["detail"] == (
            f"the id {id} belongs to another command, which led to version 2: send each command with a new id"
        )
        assert socket.send(**{**sat, "id": "1-roll-1"})["version"] == 4
        assert ann.send(table, "roll", id="1-roll-1", seat=0, kept=[]).json()["version"] == 5
        # Each command gets its own sender's answer.
        assert socket.send("roll", id="1-roll-1", version=4, seat=0, kept=[])["reason"] == "malformed"
        assert socket.send(**{**sat, "id": "1-roll-1"})["version"] == 4
    stranger = visit()
    assert reason(stranger.send(table, "roll", id="1-roll-1", version=4, seat=0, kept=[])) == "stale"
    assert reason(stranger.send(table, **{**sat, "id": "1-roll-1", "version": 4})) == "stale"
    assert reason(stranger.send(table, **nonce)) == "stale", "not the answer to another watcher"


def requests(lines: LogLines) -> list[dict[str, Any]]:
    found = map(json.loads, lines.getvalue().splitlines())
    return [line for line in found if line["event"] == "request"]


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/none/commands", "/api/me/import", "/api/rulesets/check"])
def test_a_client_that_leaves_within_a_request_is_no_error(server: Serving, lines: LogLines, path: str) -> None:
    with line_to(server) as client:
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncookie: fivedice={'x' * 43}\r\n"
        client.sendall(f"{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{".encode())
    [line] = wait_for(lambda: requests(lines), "the request is logged")
    assert (line["status"], line["level"]) == (499, "info")
    assert len(json.dumps(line)) < 300
    assert server.metric("requests_total", method="POST", path="-", status="500") == 0


def test_what_is_refused_because_an_address_asks_too_much_is_only_counted(tmp_path: Path, lines: LogLines) -> None:
    with serving(tmp_path, rate=5 / BURST_SECONDS) as server:
        ann = server.visit()
        statuses = [ann.http.get("/api/players").status_code for _ in range(12)]
        assert statuses == [200] * 5 + [429] * 7
        refused = {"method": "GET", "path": "-", "status": "429"}
        wait_for(lambda: server.metric("requests_total", **refused) == 7, "the last request is counted")
        assert len(requests(lines)) == 5


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


HERE = Path(fivedice.__file__).parent
ANSWERING = ("server", "local", "views", "tournament", "daily", "game", "rulesets", "analysis", "players", "base")
OPERATING = ("server/limits.py", "server/settings.py", "server/ops", "server/process")
LOGGED = ("analysis/deck.py", "players/agents.py", "server/live/reminders.py", "server/solving/pool.py")
"""What only operators read, and those who write agents; and what goes to the log."""
OWN = {"ValueError", "LookupError", "msgspec.DecodeError", "msgspec.MsgspecError"}
"""What the errors of the program are, besides those that are named; and what tells a client that its JSON is wrong."""


@cache
def _own() -> set[str]:
    trees = (ast.parse(path.read_text()) for path in HERE.rglob("*.py"))
    return OWN | {one.name for tree in trees for one in ast.walk(tree) if isinstance(one, ast.ClassDef)}


def repeated(source: str) -> Iterator[int]:
    """The lines of raised errors and answers whose sentences have the text of a foreign error."""
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or not handler.name:
            continue
        caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if {ast.unparse(one) if one else "everything" for one in caught} <= _own():
            continue
        for made in (one for one in ast.walk(handler) if isinstance(one, ast.Raise | ast.Return)):
            for text in ast.walk(made):
                shown = text.value if isinstance(text, ast.FormattedValue) else text
                if ast.unparse(shown) in ({handler.name} if shown is not text else {f"str({handler.name})"}):
                    yield made.lineno


def test_no_answer_has_the_sentence_of_a_library_which_would_be_found() -> None:
    """It is in one language, and tells of the inside."""
    found = [
        f"{path.relative_to(HERE)}:{line}"
        for room in ANSWERING
        for path in sorted((HERE / room).rglob("*.py"))
        if not str(path.relative_to(HERE)).startswith(OPERATING + LOGGED)
        for line in repeated(path.read_text())
    ]
    assert found == []
    body = "try:\n    sign()\nexcept {}:\n    raise IllegalError(f'not valid: {{error}}')\n"
    assert list(repeated(body.format("Exception as error"))) == [4]
    assert list(repeated(body.format("webauthn.InvalidError as error"))) == [4]
    assert list(repeated(body.format("(IllegalError, ValueError) as error"))) == []
