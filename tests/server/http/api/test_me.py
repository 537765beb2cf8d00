"""The games of a browser: list, figures, export and import; records are checked, and the first wrong line is named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from fivedice import Score, load_ruleset
from fivedice.game.record import Record
from fivedice.game.seats import parse_seat
from fivedice.server.http.api import transfer
from fivedice.storage.rows.decisions import delete_grades
from fivedice.storage.schema import events, records
from tests.server.serving import TINY, TWO, Browser, Clock, serving
from tests.waiting import TIMEOUT_SECONDS, wait_for

SOLO = [TWO[0]]
NO_STREAK = {"days": 0, "longest": 0, "is_today_played": False}


def record_elsewhere(*seats: str) -> str:
    players = tuple(map(parse_seat, seats))
    record = Record.start(load_ruleset("crag"), players, "2026-11-21T10:00:00+00:00").roll((4, 4, 5))
    return str(record.play(Score("crag")))


def test_games_are_the_browsers_own_most_recent_first(ann: Browser, ben: Browser, clock: Clock) -> None:
    first = ann.finished()
    clock.now += 1
    second = ann.create([TWO[0], {"kind": "person"}], rules="yatzy")
    assert [seat["name"] for seat in ann.get("/api/me")["games"][0]["seats"]] == ["Ann", ""], "a free seat has no name"
    ben.do(second, "sit", seat=1, name="Ben")
    games = ann.get("/api/me")["games"]
    assert [(game["table"], game["yours"], game["state"]) for game in games] == [
        (second, [0], "playing"),
        (first, [0], "over"),
    ]
    assert [(game["round"], game["rounds"], game["to_move"]) for game in games] == [(1, 15, 0), (None, 1, None)]
    over = games[1]
    total = ann.view(first)["seats"][0]["card"]["total"]
    assert over["seats"] == [{"name": "Ann", "kind": "human", "total": total, "rank": 1, "resigned": False}]
    assert (over["rules"], over["name"]) == ("tiny.toml", "Tiny")
    assert [game["table"] for game in ben.get("/api/me")["games"]] == [second]
    clock.now += 1
    ann.do(second, "roll", seat=0, kept=[])
    assert ann.get("/api/me")["games"][0]["updated"] == games[0]["updated"] + 1


def test_an_export_moves_everything_to_another_browser(
    ann: Browser, ben: Browser, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = ann.finished()
    clock.now += 1
    going_on = ann.create([*TWO, {"kind": "person"}])
    assert ann.send_import("/api/me/records", json={"text": record_elsewhere("Eve=human", "greedy")}).status_code == 200
    ann.post("/api/me/imported", names=["Eve"], own="")
    file = ann.http.post("/api/me/export")
    assert file.headers["content-disposition"] == 'attachment; filename="fivedice.json"'
    assert file.headers["cache-control"] == "no-store"
    assert {"holders", "keys", "seat_holders"} == set(file.json()["stored"])
    with monkeypatch.context() as patched:
        patched.setattr(transfer, "IMPORT_SECONDS", -1.0)
        refused = ben.send_import("/api/me/import", content=file.content)
    assert (refused.status_code, refused.json()["error"][-36:]) == (400, "takes too long: import fewer at once")
    with ben.socket(going_on) as socket:
        assert socket.receive()["yours"] == []
        taken = ben.send_import("/api/me/import", content=file.content)
        assert taken.json() == {"records": 1, "tables": 2}
        while socket.update["yours"] != [0, 1]:
            socket.receive()
    assert [game["table"] for game in ben.get("/api/me")["games"]] == [going_on, over, None]
    assert ben.get("/api/me/imported")["people"][0]["own"] == ""
    assert ben.do(going_on, "sit", seat=0, name="Ann's phone")["seats"][0]["name"] == "Ann's phone"
    assert ben.send_import("/api/me/import", content=file.content).json() == {"records": 0, "tables": 2}


def test_a_game_with_real_dice_is_marked_in_the_list_and_imported_elsewhere_but_not_twice_here(
    ann: Browser, tmp_path: Path, clock: Clock
) -> None:
    table = ann.create(SOLO, toml=TINY, dice="real")
    ann.do(table, "enter", seat=0, dice=[1, 2], kept=[], missing=2)
    ann.do(table, "score", seat=0, box="any")
    assert [game["dice"] for game in ann.get("/api/me")["games"]] == ["real"]
    file = ann.http.post("/api/me/export").content
    assert ann.send_import("/api/me/import", content=file).status_code == 200
    assert [game["table"] for game in ann.get("/api/me")["games"]] == [table]
    with serving(tmp_path, clock=clock) as elsewhere:
        there = elsewhere.visit()
        assert there.send_import("/api/me/import", content=file).json() == {"records": 1, "tables": 0}
        [game] = there.get("/api/me")["games"]
        assert (game["table"], game["dice"], game["seats"][0]["total"]) == (None, "real", 3)


@pytest.mark.parametrize(
    ("seats", "given", "own"),
    [
        (["Ann=human", "greedy"], None, []),
        (["greedy", "Ann=human"], 1, [1]),
        (["greedy", "Ann=human"], 0, []),  # nobody is a computer player
    ],
)
def test_the_own_seat_of_a_record_is_the_given_one_if_it_is_a_persons(
    ann: Browser, seats: list[str], given: int | None, own: list[int]
) -> None:
    ann.send_import("/api/me/records", json={"text": record_elsewhere(*seats), "seat": given})
    [game] = ann.get("/api/me")["games"]
    assert (game["yours"], game["state"], game["rules"]) == (own, "closed", "crag")
    assert [seat["total"] for seat in game["seats"]] == [50, 0]


def test_an_answer_that_fits_no_imported_game_is_refused(visit: Callable[[], Browser]) -> None:
    ann = visit()
    ann.send_import("/api/me/records", json={"text": record_elsewhere("Ann=human", "Ben=human")})
    for names, own, status in ((["Ann", "Ben"], "Eve", 400), (["Ann"], "Ann", 404)):
        answer = ann.http.post("/api/me/imported", json={"names": names, "own": own})
        sentence = "want one of the names" if status == 400 else "there is no imported game of"
        assert (answer.status_code, sentence in answer.json()["error"]) == (status, True)
    assert visit().http.post("/api/me/imported", json={"names": ["Ann", "Ben"], "own": ""}).status_code in (401, 404)
    assert visit().get("/api/me/imported") == {"people": []}


def test_a_game_counts_once_in_every_figure_however_it_came_here(ann: Browser, ben: Browser) -> None:
    """Ann played it here; Ben imports its record, then Ann's export with the seat, and then both again."""
    table = ann.finished()
    export = ann.post("/api/me/export")
    [record] = export["records"]
    wait_for(lambda: ann.get("/api/me/figures")["figures"], "the rules are solved")

    def counted(browser: Browser) -> tuple[int, int, list[int]]:
        games = [figures["games"] for figures in browser.get("/api/me/figures")["figures"]]
        return len(browser.get("/api/me")["games"]), browser.get("/api/me/dice")["dice"], games

    once = counted(ann)
    assert once == (1, 2, [1])
    for body in (record, {**record, "text": record["text"].replace("\n\nproof:", "\n\n\nproof:")}):
        ann.send_import("/api/me/records", json=body)
        ben.send_import("/api/me/records", json=body)
        assert (counted(ann), counted(ben)) == (once, once)
    assert ben.send_import("/api/me/import", json=export).json() == {"records": 0, "tables": 1}
    assert counted(ben) == once
    assert [game["table"] for game in ben.get("/api/me")["games"]] == [table]
    assert len(ben.post("/api/me/export")["records"]) == 1
    for browser in (ann, ben):
        browser.send_import("/api/me/records", json=record)
        browser.send_import("/api/me/import", json={**export, "key": None})
        assert counted(browser) == once


def test_an_import_is_atomic(ann: Browser, ben: Browser) -> None:
    assert ben.get("/api/me/figures") == {"figures": [], "streak": NO_STREAK, "strength": None, "rating": None}
    ann.create()
    file = ann.post("/api/me/export")
    file["records"] = [{"text": record_elsewhere("greedy")}, {"text": "milk and eggs"}]
    answer = ben.send_import("/api/me/import", json=file)
    assert (answer.status_code, answer.json()["error"].partition(": line")[0]) == (400, "record 2")
    assert ben.get("/api/me") == {"games": [], "unreadable": 0, "next": None}


def test_the_list_comes_in_parts_without_gaps_or_repetitions(visit: Callable[[], Browser]) -> None:
    browser = visit()
    tables = [browser.create(SOLO, toml=TINY) for _ in range(5)]
    texts = [record_elsewhere(f"Eve{number}=human") for number in range(5)]
    for text in texts[:2]:
        browser.http.post("/api/me/records", json={"text": text})
    tables += [browser.create(SOLO, toml=TINY) for _ in range(2)]
    together = {"fivedice": "export 1", "records": [{"text": text} for text in texts]}
    assert browser.http.post("/api/me/import", json=together).json()["records"] == 3
    whole = browser.get("/api/me")
    assert (len(whole["games"]), whole["next"]) == (12, None)
    for limit in (1, 5, 11):
        parts, before = [], ""
        while before is not None:
            part = browser.get("/api/me", limit=limit, before=before)
            assert len(part["games"]) <= limit
            parts += part["games"]
            before = part["next"]
        assert parts == whole["games"], f"in parts of {limit}"


@pytest.mark.parametrize("body", ['{"type":"undone","at":1,"seat":0}', "{"])
def test_an_unreadable_game_does_not_hide_others(tmp_path: Path, caplog: pytest.LogCaptureFixture, body: str) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        lost, found = ann.finished(), ann.finished()
        ann.send_import("/api/me/records", json={"text": record_elsewhere("Eve=human", "greedy")})
        assert len(ann.get("/api/me")["games"]) == 3

        def damage(connection: Connection) -> None:
            connection.execute(events.update().where(events.c.stream == lost, events.c.version == 2).values(body=body))
            connection.execute(records.update().values(text="no record"))
            delete_grades(connection)

        server.services.database.write(damage).result(TIMEOUT_SECONDS)
    with serving(tmp_path) as server:
        ann = server.visit(ann)
        listed = ann.get("/api/me")
        assert ([game["table"] for game in listed["games"]], listed["unreadable"]) == ([found], 2)
        assert ann.http.post("/api/me/export").status_code == 200
    assert caplog.text.count("a game cannot be graded") >= 2
