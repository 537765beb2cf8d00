"""Tables over HTTP: creating, viewing and playing them, and the errors of bad requests."""

import httpx
import pytest

from tests.server.serving import COMMITMENT, SECRET, TWO, Browser
from tests.solutions import UNADVISED


def error(answer: httpx.Response) -> tuple[int, str, str]:
    body = answer.json()
    assert set(body) == {"error", "code"}
    return answer.status_code, body["code"], body["error"]


@pytest.mark.parametrize("params", [{}, {"ref": "yahtzee", "table": "x"}, {"ref": "yahtzee", "lang": "xx"}])
def test_an_explanation_is_of_one_ruleset_and_in_a_known_language(ann: Browser, params: dict[str, str]) -> None:
    assert error(ann.http.get("/api/rulesets/explained", params=params))[0] == 400


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ('like = "yahtzee"\nid = "house"\ndice = 50', "house: dice = 50: want a whole number from 1 to 10"),
        ('like = "yatzee"', "did you mean 'yahtzee'?"),
    ],
)
def test_a_wrong_ruleset_file_is_malformed_for_the_reason_of_its_reader(ann: Browser, toml: str, sentence: str) -> None:
    wrong = ann.http.post("/api/rulesets/check", json={"toml": toml})
    assert error(wrong)[:2] == (400, "malformed")
    assert sentence in error(wrong)[2]


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
    assert SECRET.hex() not in str(update)


@pytest.mark.parametrize(
    ("fields", "status", "reason"),
    [
        ({"type": "score", "seat": 0, "box": "chance"}, 400, "illegal"),
        ({"type": "roll", "seat": 7, "kept": []}, 400, "malformed"),
        ({"type": "roll", "seat": 2, "kept": []}, 403, "not_yours"),
    ],
)
def test_a_refused_command_has_a_reason_and_status_and_changes_nothing(
    ann: Browser, fields: dict[str, object], status: int, reason: str
) -> None:
    table = ann.create([*TWO, {"kind": "greedy"}])
    answer = ann.send(table, **{"version": 1, **fields})  # type: ignore[arg-type]
    assert (answer.status_code, answer.json()["type"], answer.json()["reason"]) == (status, "refused", reason)
    assert answer.json()["version"] == ann.view(table)["version"] == 1


@pytest.mark.parametrize(
    "command",
    [
        '{"type":"roll"',
        "",
        '{"type":"sit","id":"abcdefgh","version":1,"seat":0,"name":"\udcff"}',
        '{"x":' + "[" * 4_000 + "]" * 4_000 + "}",
    ],
)
def test_invalid_commands_are_malformed(ann: Browser, command: str) -> None:
    table = ann.create()
    body = command.encode("utf-8", errors="surrogateescape")
    answer = ann.http.post(f"/api/tables/{table}/commands", content=body)
    assert error(answer)[:2] == (400, "malformed")
    assert ann.view(table)["version"] == 1


@pytest.mark.parametrize(
    ("wanted", "status", "sentence"),
    [
        ({"rules": "yatzee"}, 404, "did you mean"),
        ({"seats": []}, 400, "length >= 1"),
        ({"rules": UNADVISED, "help": "tutor"}, 400, "Triple Yahtzee cannot be solved: there is no advice"),
        ({"tutor": 1.0}, 400, "unknown field `tutor`"),
        ({"pace": "60"}, 400, "the body: Expected `int | null`, got `str` - at `$.pace`"),
    ],
)
def test_an_impossible_table_is_refused(ann: Browser, wanted: dict[str, object], status: int, sentence: str) -> None:
    answer = ann.http.post("/api/tables", json={"seats": TWO, **wanted})
    assert answer.status_code == status
    assert sentence in error(answer)[2]


@pytest.mark.parametrize("path", ["", "/events", "/stream", "/record", "/review"])
@pytest.mark.parametrize("table", ["none", "..%2F..%2Fetc", "%00", "ä", "x" * 64])
def test_an_unknown_table_is_not_found(ann: Browser, table: str, path: str) -> None:
    assert ann.http.get(f"/api/tables/{table}{path}").status_code == 404
    assert error(ann.http.get(f"/api/tables/{'x' * 65}{path}"))[:2] == (400, "malformed")


def test_unknown_paths_and_methods_have_error_responses(ann: Browser) -> None:
    assert error(ann.http.get("/api/nothing"))[:2] == (404, "unknown")
    wrong = ann.http.delete("/api/tables")
    assert error(wrong)[:2] == (405, "no_such_method")
    assert "POST" in wrong.headers["allow"]


def test_large_bodies_are_refused(ann: Browser) -> None:
    table = ann.create()
    answer = ann.http.post(f"/api/tables/{table}/commands", content=b" " * 9_000)
    assert error(answer)[:2] == (413, "too_large")
    toml = "# " + "x" * 70_000
    assert error(ann.http.post("/api/rulesets/check", json={"toml": toml}))[:2] == (400, "malformed")
    assert error(ann.http.post("/api/rulesets/check", content=b"x" * 1_000_000))[:2] == (413, "too_large")
    assert error(ann.send_import("/api/me/import", content=b" " * 17_000_000))[:2] == (413, "too_large")
