"""A browser answers every request that a server answers, too, with the same bytes, and keeps tables in memory."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from fivedice.analysis.lessons import lessons
from fivedice.analysis.reviews.review import review
from fivedice.game.record import parse_record
from fivedice.local import browser as local
from fivedice.local.browser import Browser as Worker
from fivedice.local.browser import request
from fivedice.local.service import LocalEvent, LocalService, Reply
from fivedice.server.http.app import ENDPOINTS
from fivedice.server.replies.endpoint import Endpoint, ErrorReply
from fivedice.server.table.answers import Accepted, Refused
from fivedice.server.table.history import decode
from tests.local.played import keep_tables, keep_values, new_service, play, post
from tests.server.serving import TINY, Browser, serving_with_cache
from tests.solutions import breakdown_of, portable_tables, shared_cache, solution_of
from tests.web.games import played

ANN = {"kind": "person", "name": "Ann", "here": True}


def created(service: LocalService, *others: dict[str, object], **options: object) -> str:
    reply = post(service, "/api/tables", {"seats": [ANN, *others], "rules": "crag", **options})
    assert reply.status == 201, reply.content
    return str(reply.content.table)


def command(service: LocalService, table: str, number: int = 1, **fields: object) -> Reply:
    body = {"id": f"command-{number}", "version": 1, "seat": 0, **fields}
    return post(service, f"/api/tables/{table}/commands", body)


def error(reply: Reply) -> ErrorReply:
    assert isinstance(reply.content, ErrorReply)
    return reply.content


def test_a_table_is_restored_from_its_events_at_any_point_of_a_game_and_its_record_says_where_it_was() -> None:
    service, events = new_service(1), []
    for reply in play(service, "crag", 1, "greedy"):
        events += reply.events
        other = new_service(2)
        other.restore(msgspec.json.decode(msgspec.json.encode(events), type=list[LocalEvent]))
        (id,) = {event.table for event in events}
        one, restored = (each.view(each.find(id)) for each in (service, other))
        assert restored == one
    assert service.view(service.find(id)).state == "over"
    (text,) = reply.records.values()
    assert "\n  source: browser\n" in text
    assert reply.games[0].offline


def test_a_repeated_command_is_answered_again_and_changes_nothing() -> None:
    service = new_service(1)
    table = created(service)
    first = command(service, table, type="roll", kept=[])
    again = command(service, table, type="roll", kept=[])
    assert isinstance(first.content, Accepted)
    assert again.content == first.content
    assert (len(first.events), len(again.events)) == (1, 0)
    other = command(service, table, type="score", box="ones")
    assert isinstance(other.content, Refused)
    assert (other.status, other.content.reason) == (400, "malformed")


def test_without_values_there_are_no_levels_no_help_and_no_review() -> None:
    service = new_service(1)
    refused = post(service, "/api/tables", {"seats": [ANN, {"kind": "level_1"}], "rules": "crag"})
    assert (refused.status, error(refused).code) == (400, "illegal")
    assert "The values of Crag are not on this device" in error(refused).error
    trained = post(service, "/api/tables", {"seats": [ANN, {"kind": "trained"}], "rules": "crag"})
    assert error(trained).error.startswith("trained cannot play here: Crag is solved exactly")
    wanted = {"seats": [ANN], "rules": "crag", "help": "tutor"}
    assert error(post(service, "/api/tables", wanted)).error.startswith("no help can be given in this game: The values")
    friends = {"seats": [ANN, {"kind": "person"}]}
    assert error(post(service, "/api/tables", friends)).error.startswith("offline all people play on this device")
    *_, last = play(service, "crag", 1, "random")
    assert not last.messages[0].message.view.has_review  # type: ignore[union-attr]
    review = request(service, "GET", f"/api/tables/{last.games[0].table}/review?lang=de")
    assert review.status == 400
    assert "Die Werte von Crag sind nicht auf diesem Gerät" in error(review).error
    here = next(one for one in request(service, "GET", "/api/rulesets").content if one.ref == "crag").available
    assert (here.players["greedy"], bool(here.players["level_1"])) == ("", True)
    assert all("not on this device" in one for one in (here.solution, here.advice, here.review))
    assert here.chances.startswith("Only a server computes this")
    for text, status, words in (
        (played("crag", 2, 3), 409, "the game of this record is not over: there is no review"),
        (played("crag", 2, 99), 400, "The values of Crag are not on this device"),
        ("a letter", 400, ""),
    ):
        refused = post(service, "/api/records/review", {"text": text})
        assert refused.status == status
        assert words in error(refused).error


def test_what_needs_a_server_is_not_found_and_malformed_requests_are_named() -> None:
    service = new_service(1)
    assert request(service, "GET", "/api/daily").status == 404
    assert request(service, "POST", "/api/tables", "{").status == 400
    assert request(service, "GET", f"/api/tables/{created(service)}/events?since=x").status == 400


def test_a_position_names_a_game_without_advice_and_is_answered() -> None:
    service, crag = new_service(1), solution_of("crag")
    keep_values(service, crag.ruleset.digest, crag.float_values)
    line = "/api/positions?line=crag+-+445+r1"
    before = request(service, "GET", line).content
    assert (before.playing, bool(before.advice.actions)) == (None, True)
    table = created(service)
    found = request(service, "GET", line).content
    assert (found.playing, found.advice) == (table, before.advice)


def test_the_worker_gets_texts_waits_for_computer_players_and_forgets_what_could_not_be_stored() -> None:
    browser = Worker()
    assert browser.wait() is None
    body = json.dumps({"seats": [ANN, {"kind": "random"}], "rules": "crag", "first": "1"})
    reply = json.loads(browser.request("POST", "/api/tables", body))
    table = reply["content"]["table"]
    nonce = {"type": "add_nonce", "id": "12345678", "version": 1, "seat": 0, "nonce": "00ff"}
    browser.request("POST", f"/api/tables/{table}/commands", json.dumps(nonce))
    assert browser.wait() == 0.0
    assert json.loads(browser.step())["events"][0]["table"] == table
    browser.forget(table)
    assert browser.wait() is None
    assert json.loads(browser.request("GET", f"/api/tables/{table}", ""))["status"] == 404
    browser.restore(json.dumps(reply["events"]))
    restored = json.loads(browser.request("GET", f"/api/tables/{table}/stream?since=0", ""))
    assert restored["content"]["view"]["version"] == 1


def test_the_lessons_of_a_game_are_asked_again_and_graded_by_kept_values() -> None:
    service, solution = new_service(1), solution_of("crag")
    keep_values(service, solution.ruleset.digest, solution.float_values)
    *_, last = play(service, "crag", 1, "random")
    table = last.games[0].table
    (text,) = last.records.values()
    expected = lessons([review(solution, parse_record(text))], lambda seat: seat.name == "Ann")
    found = request(service, "GET", f"/api/tables/{table}/lessons?seat=0").content
    assert [(one.line, one.chosen, one.loss) for one in found.lessons] == [
        (str(one.position), str(one.chosen), one.loss) for one in expected
    ]
    asked = found.lessons[0]
    body = {"table": "of a server", "line": asked.line, "chosen": asked.chosen, "action": asked.chosen}
    missed = post(service, "/api/lessons", body).content
    assert (missed.is_accepted, missed.loss, missed.chosen_loss) == (False, asked.loss, asked.loss)
    assert post(service, "/api/lessons", {**body, "action": missed.best}).content.is_best
    assert request(service, "GET", f"/api/tables/{table}/lessons?seat=1").content.lessons == []


def test_a_question_of_a_past_day_is_graded_as_on_the_day() -> None:
    service, solution = new_service(1), solution_of("crag")
    keep_values(service, solution.ruleset.digest, [round(value, 2) for value in solution.float_values])
    body = {"number": 3, "line": "crag - 445 r1", "action": "score crag"}
    best = post(service, "/api/daily/archive/2026-11-20", body).content
    assert (best.mark, best.loss, best.question.number, best.choices[0].share) == ("✓", 0.0, 3, None)
    other = post(service, "/api/daily/archive/2026-11-20", {**body, "action": "keep 44"}).content
    assert (other.is_best, round(other.loss)) == (False, 12)
    body["line"] = "yahtzee - 33456 r1"
    assert "are not on this device" in error(post(service, "/api/daily/archive/2026-11-20", body)).error


def test_real_dice_are_entered_without_a_server() -> None:
    service = new_service(1)
    table = created(service, dice="real")
    assert command(service, table, type="enter", dice=[1, 1, 2], kept=[], missing=1).status == 200
    assert command(service, table, 2, type="score", version=2, box="ones").status == 200
    assert service.game(service.find(table)).dice == "real"
    record = parse_record(request(service, "GET", f"/api/tables/{table}/record").content)
    assert (record.dice, record.table, record.lines) == ("real", table, ["0: -, 112, score ones = 2"])


BOTH = [one for one in local.ENDPOINTS if (one.method, one.path) in {(each.method, each.path) for each in ENDPOINTS}]

OWN_WAY = {
    "create_table": "a table has an id of its own",
    "command_table": "conformance tests play games",
    "keep_dice": "nothing is shown to others",
    "stream_events": "a server sends events as they come",
    "answer_lesson": "the page adds what was chosen in the game",
    "grade_archived": "the page adds the position",
}
"""What a browser answers otherwise, and why that cannot be compared here."""

LINE, GAME = "crag - 445 r1", played("crag", 2, 3)
ASKED: dict[str, list[dict[str, Any]]] = {
    "show_position": [{"line": LINE}, {"line": LINE, "advice": "false"}, {"line": "crag"}, {"line": "none - 445 r1"}],
    "change_position": [
        {"data": {"line": LINE, "dice": [1, 1, 2], "rolls_left": 1}},
        {"data": {"line": LINE, "dice": [1, 1], "rolls_left": 1}},
    ],
    "play_steps": [{"data": {"line": LINE, "steps": [{"after": 0, "action": {"verb": "score", "box": "crag"}}]}}],
    "explain_action": [
        {"line": LINE, "action": "keep 44", "instead": "score fives", "lang": lang} for lang in ("en", "de", "sv")
    ],
    "list_rulesets": [{"lang": "de"}],
    "choose_options": [{"data": {"rules": "yatzy", "options": {}}}, {"data": {"rules": "none"}}],
    "show_rules": [{"ref": "yahtzee[joker=free]"}, {"ref": "yahtzee[joker=none]"}],
    "show_sample": [{"ref": "crag"}, {"table": "TABLE"}, {}],
    "explain_rules": [{"ref": "crag", "lang": "sv"}, {"table": "TABLE"}],
    "check_ruleset": [{"data": {"toml": TINY}}, {"data": {"toml": "dice = 0"}}],
    "list_players": [{"lang": "sv"}],
    "show_table": [{"table": "TABLE"}, {"table": "TABLE", "rules": "true"}, {"table": "none"}],
    "show_events": [{"table": "TABLE", "since": "3"}, {"table": "TABLE", "since": "9999"}],
    "show_table_rules": [{"table": "TABLE"}],
    "show_record": [{"table": "TABLE"}],
    "list_best_turns": [{"table": "TABLE"}],
    "show_review": [{"table": "TABLE", "whole": "true", "lang": lang} for lang in ("en", "de", "sv")],
    "check_points": [{"data": {"text": text}} for text in (GAME, GAME.replace("result: ", "result: 1"), "a letter")],
    "list_table_lessons": [{"table": "TABLE"}, {"table": "TABLE", "seat": "0"}],
}
"""Requests by the name of the endpoint."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, LocalService, str]]:
    """A browser, a service with the same table, and the id of that, whose game is over."""
    breakdown_of("crag")
    with serving_with_cache(shared_cache(tmp_path_factory)) as server:
        ann, service = server.visit(), new_service(1)
        table = ann.finished(rules="crag", help="after")

        async def log() -> Any:
            return (await server.services.tables.find(table)).log

        found = server.do(log())
        events = [
            LocalEvent(table, number, "", decode(body).at, body.decode(), "" if number > 1 else found.secret.hex())
            for number, body in enumerate(found.events, 1)
        ]
        service.restore(events)
        keep_tables(service, solution_of("crag").ruleset.digest, *portable_tables("crag", is_rounded=False))
        yield ann, service, table


def compared(content: Any) -> Any:
    """What both have in common, in their order; plain Python adds in another order than compiled code."""
    own = ("available", "browser_advice", "now", "here", "has_odds")
    if isinstance(content, dict):
        return [(key, compared(value)) for key, value in content.items() if key not in own]
    if isinstance(content, float):
        return round(content, 9)
    return [compared(one) for one in content] if isinstance(content, list) else content


def test_every_endpoint_of_both_is_asked() -> None:
    assert {one.name for one in BOTH} == {*ASKED, *OWN_WAY}


@pytest.mark.parametrize("endpoint", [one for one in BOTH if one.name in ASKED], ids=lambda one: one.name)
def test_both_answer_with_the_same_bytes(places: tuple[Browser, LocalService, str], endpoint: Endpoint) -> None:
    ann, service, table = places
    for asked in ASKED[endpoint.name]:
        named = {name: table if value == "TABLE" else value for name, value in asked.items() if name != "data"}
        path = endpoint.path.format_map(named)
        query = urlencode({name: value for name, value in named.items() if f"{{{name}}}" not in endpoint.path})
        body = json.dumps(asked["data"]) if "data" in asked else None
        answer = ann.http.request(
            endpoint.method, f"{path}?{query}", content=body, headers={"content-type": "application/json"}
        )
        reply = local.request(service, endpoint.method, f"{path}?{query}", body or "")
        assert (reply.status, asked) == (answer.status_code, asked), (answer.text, reply.content)
        if isinstance(reply.content, str):
            assert reply.content == answer.text
        else:
            own, other = msgspec.json.encode(reply.content), answer.content
            assert own == other or compared(json.loads(own)) == compared(json.loads(other)), asked
