"""Tables over HTTP: creating, viewing and playing them, and the errors of bad requests."""

import httpx
import pytest
from litestar.exceptions import HTTPException, ImproperlyConfiguredException

from fivedice.players import KINDS
from fivedice.rulesets import ruleset_ids
from fivedice.server.live import broadcast
from fivedice.server.table.available import COMPUTERS
from tests.server.serving import COMMITMENT, SECRET, TWO, Browser, Serving
from tests.solutions import UNADVISED

HOUSE = 'like = "yahtzee"\nid = "house"\nabout = "Ours."\n'


def error(answer: httpx.Response) -> tuple[int, str, str]:
    """The status, code and sentence of an error."""
    body = answer.json()
    assert set(body) == {"error", "code"}
    return answer.status_code, body["code"], body["error"]


def test_rulesets_and_players_match_the_command_line(ann: Browser) -> None:
    listed = ann.get("/api/rulesets")
    assert [ruleset["ref"] for ruleset in listed] == list(ruleset_ids())
    generala = next(ruleset for ruleset in listed if ruleset["ref"] == "generala")
    assert len([choice for choice in generala["options"]["first_roll_generala"] if choice["default"]]) == 1
    assert [player["kind"] for player in ann.get("/api/players")] == list(COMPUTERS)
    assert set(KINDS) - set(COMPUTERS) == {"human"}
    assert ann.get("/api/rulesets/rules", ref="yahtzee[rolls=2]")["rolls"] == 2


def test_rulesets_and_players_are_described_in_the_language_asked_for(ann: Browser) -> None:
    names = {lang: ann.get("/api/rulesets", lang=lang)[-1]["name"] for lang in ("en", "de", "sv")}
    assert names == {"en": "American Yatzy", "de": "Amerikanisches Yatzy", "sv": "Amerikansk Yatzy"}
    about = {player["kind"]: player["about"] for player in ann.get("/api/players", lang="de")}
    assert about["random"] == "Wählt zufällig irgendeinen erlaubten Zug."
    assert error(ann.http.get("/api/rulesets", params={"lang": "xx"}))[0] == 400


def test_rules_are_explained_by_their_reference_or_by_their_table(ann: Browser) -> None:
    page = ann.get("/api/rulesets/explained", ref="yatzy[order=down]", lang="sv")
    sections = {section["id"]: section for section in page["sections"]}
    house = next(box for box in sections["lower"]["boxes"] if box["category"] == "house")
    assert (house["name"], house["dice"], house["matching"], house["points"]) == (
        "Kåk",
        [1, 1, 5, 5, 5],
        [True] * 5,
        17,
    )
    assert "Rutorna måste fyllas uppifrån och ned." in sections["turns"]["sentences"]
    assert page["played_with"] == "Spelas här med order=down."
    yatzy = next(one for one in ann.get("/api/rulesets", lang="sv") if one["ref"] == "yatzy")
    assert page["available"] == yatzy["available"]

    table = ann.create(toml=HOUSE)
    of_table = ann.get("/api/rulesets/explained", table=table)
    assert (of_table["ref"], of_table["about"]) == ("house.toml", {"text": "Ours.", "lang": "en"})
    assert [step["question"] for step in next(s for s in of_table["sections"] if s["id"] == "joker")["steps"]] == [
        "Is the upper box of this face open?",
        "Is a lower box open?",
        "",
    ]


@pytest.mark.parametrize("params", [{}, {"ref": "yahtzee", "table": "x"}, {"ref": "yahtzee", "lang": "xx"}])
def test_a_request_for_an_explanation_must_name_one_ruleset_and_a_known_language(
    ann: Browser, params: dict[str, str]
) -> None:
    assert error(ann.http.get("/api/rulesets/explained", params=params))[0] == 400


@pytest.mark.parametrize("ref", ["/etc/passwd", "house.toml", "../yahtzee", "yatzee"])
def test_a_reference_cannot_name_a_file(ann: Browser, ref: str) -> None:
    assert error(ann.http.get("/api/rulesets/rules", params={"ref": ref}))[:2] == (404, "unknown")


def test_a_ruleset_file_is_checked_with_the_errors_of_the_command_line(ann: Browser) -> None:
    answer = ann.http.post("/api/rulesets/check", json={"toml": HOUSE})
    assert answer.json()["ref"] == "house"
    wrong = ann.http.post("/api/rulesets/check", json={"toml": HOUSE + "dice = 50\n"})
    assert error(wrong) == (400, "malformed", "house: dice = 50: want a whole number from 1 to 10")
    unknown = ann.http.post("/api/rulesets/check", json={"toml": 'like = "yatzee"'})
    assert error(unknown)[0] == 400


def test_duplicate_names_are_refused_with_a_code(ann: Browser) -> None:
    answer = ann.http.post("/api/tables", json={"seats": [TWO[0], TWO[0]]})
    assert error(answer)[:2] == (400, "name_taken")


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


def test_a_table_can_have_a_custom_ruleset_file(ann: Browser) -> None:
    table = ann.create(toml=HOUSE)
    assert ann.view(table)["line"].startswith("house.toml ")
    view = ann.do(table, "roll", seat=0, kept=[])
    position = ann.get("/api/positions", line=view["line"], table=table)
    assert (position["line"], position["dice"]) == (view["line"], sorted(view["turn"]["dice"]))
    assert position["rules"]["is_custom"]
    other = ann.get("/api/positions", line="yatzy - 33456 r2", table=table)
    assert (other["line"], other["rules"]["is_custom"]) == ("yatzy - 33456 r2", False)


def test_commands_play_a_turn(ann: Browser) -> None:
    table = ann.create()
    view = ann.do(table, "roll", seat=0, kept=[])
    first = view["turn"]["dice"]
    late = ann.send(table, "roll", version=1, seat=0, kept=[])
    assert (late.status_code, late.json()["reason"], late.json()["version"]) == (409, "stale", 2)
    view = ann.do(table, "roll", seat=0, kept=[True, True, False, False, False])
    assert view["turn"]["dice"][:2] == first[:2]
    assert view["turn"]["rolls_left"] == 1
    points = next(offer["points"] for offer in view["turn"]["offers"] if offer["box"] == "chance")
    assert points == sum(view["turn"]["dice"])
    view = ann.do(table, "score", seat=0, box="chance")
    assert view["seats"][0]["card"]["points"] == {"chance": points}
    assert (view["turn"]["seat"], view["can_undo"]) == (1, [0])
    assert ann.do(table, "undo", seat=0)["turn"]["seat"] == 0


def test_events_since_a_version_have_four_answers(ann: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "MAX_UPDATE_EVENTS", 3)
    table = ann.create()
    for number in range(4):
        ann.do(table, "sit", seat=0, name=f"Ann {number}")
    events = f"/api/tables/{table}/events"
    newest = ann.get(events, since=5)
    assert (newest["status"], newest["events"]) == ("up_to_date", [])
    some = ann.get(events, since=2)
    assert (some["status"], [event["name"] for event in some["events"]]) == ("events", ["Ann 1", "Ann 2", "Ann 3"])
    for too_old in (0, 1):
        found = ann.get(events, since=too_old)
        assert (found["status"], found["events"], found["view"]["version"]) == ("snapshot", [], 5)
    beyond = ann.get(events, since=6)
    assert (beyond["status"], beyond["view"]["version"]) == ("unknown_version", 5)


@pytest.mark.parametrize(
    ("fields", "status", "reason"),
    [
        ({"type": "score", "seat": 0, "box": "chance"}, 400, "illegal"),
        ({"type": "roll", "seat": 1, "kept": []}, 400, "illegal"),
        ({"type": "roll", "seat": 7, "kept": []}, 400, "malformed"),
        ({"type": "roll", "seat": 2, "kept": []}, 403, "not_yours"),
        ({"type": "roll", "seat": 0, "kept": [], "version": 9}, 400, "malformed"),
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
        '{"type":"roll","id":"abcdefgh","version":1,"seat":false,"kept":[]}',
        '{"type":"roll"',
        "[]",
        "",
        "\udcff",
        '{"type":"sit","id":"abcdefgh","version":1,"seat":0,"name":"\udcff"}',
        '{"x":' + "[" * 8_000,
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
        ({"rules": "/etc/passwd"}, 404, "there is no ruleset"),
        ({"rules": "/etc/passwd.toml"}, 404, "give the text of the file"),
        ({"toml": "like = 3"}, 400, "like = 3"),
        ({"first": "2"}, 400, "first '2'"),
        ({"seats": []}, 400, "length >= 1"),
        ({"seats": [{"kind": "oracle"}]}, 404, "seat 0: there is no player 'oracle'"),
        ({"rules": "triple_yahtzee", "seats": [{"kind": "optimal"}]}, 400, "Triple Yahtzee cannot be solved"),
        ({"rules": UNADVISED, "help": "tutor"}, 400, "Triple Yahtzee cannot be solved: there is no advice"),
        ({"tutor": 1.0}, 400, "unknown field `tutor`"),
        ({"pace": "60"}, 400, "the body: Expected `int | null`, got `str` - at `$.pace`"),
    ],
)
def test_impossible_tables_are_refused_with_a_sentence(
    ann: Browser, wanted: dict[str, object], status: int, sentence: str
) -> None:
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


@pytest.mark.parametrize(
    "mistake", [ImproperlyConfiguredException("of /secret/path"), HTTPException("of /secret/path")]
)
def test_framework_errors_are_internal_server_errors(
    server: Serving, ann: Browser, mistake: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> None:
        raise mistake

    monkeypatch.setattr(server.services.tables, "find", fail)
    answer = ann.http.get("/api/tables/any")
    assert error(answer) == (500, "mistake", "internal server error; the server's log has the details")


def test_large_bodies_are_refused(ann: Browser) -> None:
    table = ann.create()
    answer = ann.http.post(f"/api/tables/{table}/commands", content=b" " * 9_000)
    assert error(answer)[:2] == (413, "too_large")
    toml = "# " + "x" * 70_000
    assert error(ann.http.post("/api/rulesets/check", json={"toml": toml}))[:2] == (400, "malformed")
    assert error(ann.http.post("/api/rulesets/check", content=b"x" * 1_000_000))[:2] == (413, "too_large")
    assert error(ann.send_import("/api/me/import", content=b" " * 17_000_000))[:2] == (413, "too_large")


def test_the_interface_has_a_schema_and_a_page(ann: Browser) -> None:
    document = ann.get("/api/schema")
    page = ann.http.get("/api/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<script" not in page.text
    for path, operations in document["paths"].items():
        assert f" {path}</code>" in page.text
        for operation in operations.values():
            assert operation["description"], path
    for name in ("Update", "Presence", "SocketAnswer", "Farewell", "Accepted", "Refused", "Roll"):
        assert name in document["components"]["schemas"]
