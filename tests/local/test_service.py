"""Tables in memory: restored from events, repeated commands count once, and what is not there offline is refused."""

import json

import msgspec

from fivedice.analysis.learning.lessons import lessons
from fivedice.analysis.reviews.review import review
from fivedice.game.record import parse_record
from fivedice.local.browser import Browser, request
from fivedice.local.service import LocalEvent, LocalService, Reply
from fivedice.server.replies.endpoint import ErrorReply
from fivedice.server.table.answers import Accepted, Refused
from tests.local.played import keep_values, new_service, play, post
from tests.solutions import solution_of
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


def test_the_review_of_a_record_needs_a_whole_game_and_values() -> None:
    whole, service = played("crag", 2, 99), new_service(1)
    for text, status, words in (
        (played("crag", 2, 3), 409, "the game of this record is not over: there is no review"),
        (whole, 400, "The values of Crag are not on this device"),
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
    browser = Browser()
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
