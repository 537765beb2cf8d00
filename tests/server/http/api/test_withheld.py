"""Whoever plays a game that withholds advice gets no exact answer from this server, however they ask."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import cycle, product
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice import Record, load_ruleset, parse_action, parse_position
from fivedice.game.record import Seat
from fivedice.rulesets import ruleset_ids
from fivedice.server.config.limits import WITHHOLD_SECONDS
from fivedice.server.http.app import ENDPOINTS
from fivedice.server.table.available import available_here
from tests.amount import cases
from tests.server.http.api.test_advice import ask_until
from tests.server.serving import TWO, Browser, Clock, Serving, serving_with_cache
from tests.waiting import wait_for

SOLO = [TWO[0]]
LINE = "crag - 445 r1"
CHOSEN = "score odd_straight"
"""A costly choice in this position."""
WITHHELD = "withheld"
WITHHOLDING = "none", "after"
"""The help of games that withhold advice."""


@pytest.fixture(scope="module")
def server(solved_cache: Path, clock: Clock) -> Iterator[Serving]:
    with serving_with_cache(solved_cache, clock=clock) as running:
        yield running


@pytest.fixture(scope="module")
def shown(server: Serving) -> tuple[Browser, str]:
    """A table of two with advice before each decision, at which dice are rolled, and the browser that plays there."""
    host = server.visit()
    table = host.create(TWO, rules="crag", help="always")
    host.do(table, "roll", seat=0, kept=[])
    wait_for(lambda: host.view(table)["advice"], "the rules are solved")
    ask_until(lambda: host.http.get(f"/api/tables/{table}/odds"), lambda _: True)
    ask_until(lambda: why(host, {}), lambda _: True)
    return host, table


def why(browser: Browser, params: dict[str, str]) -> httpx.Response:
    query = {"line": LINE, "action": "score crag", "instead": "keep 44", **params}
    return browser.http.get("/api/positions/why", params=query)


def answered(answer: httpx.Response, game: str) -> bool:
    """Whether a question was answered. A refusal names the game because of which it is refused."""
    if answer.status_code == 200:
        return True
    error = answer.json()
    assert (answer.status_code, error["code"], error["table"]) == (403, WITHHELD, game), answer.text
    assert f"/t/{game}" in error["error"]
    return False


def once_solved(ask: Callable[[], httpx.Response], game: str) -> bool:
    """Whether a question was answered, which may take some time."""
    first = ask()
    return answered(first, game) if first.status_code == 403 else bool(ask_until(ask, lambda _: True))


def values_in(update: Any, game: str) -> bool:
    """Whether a view has values. If not, it names the game because of which it has none."""
    has_values = update["view"]["advice"] is not None
    assert update["withheld"] == (None if has_values else game)
    return has_values


def imported(browser: Browser) -> None:
    """Give a browser the record of a game elsewhere, with one costly decision."""
    record = Record.start(load_ruleset("crag[rounds=1]"), (Seat("Ann", "human"),), "2026-11-21T10:00:00+00:00")
    text = str(record.roll(parse_position(LINE).dice).play(parse_action(CHOSEN)))
    assert browser.send_import("/api/me/records", json={"text": text, "seat": 0}).status_code == 200


def position_of_page(browser: Browser, game: str, shown: str) -> bool:
    """Whether a position is shown with values. It is always shown, with the actions that are possible."""
    found = browser.get("/api/positions", line=LINE)
    assert (found["dice"], found["rolls_left"], len(found["offers"])) == ([4, 4, 5], 1, 13)
    assert found["withheld"] == (None if found["advice"] else game)
    return bool(found["advice"])


def reasons(browser: Browser, game: str, shown: str) -> bool:
    return answered(why(browser, {}), game)


def chances(browser: Browser, game: str, shown: str) -> bool:
    line = "crag crag=50,low_straight=20,high_straight=20,odd_straight=20,even_straight=20,twos=2 445 r1"
    return once_solved(lambda: browser.http.get("/api/positions/chances", params={"line": line}), game)


def odds(browser: Browser, game: str, shown: str) -> bool:
    return answered(browser.http.get(f"/api/tables/{shown}/odds"), game)


def answer_to_lesson(browser: Browser, game: str, shown: str) -> bool:
    imported(browser)
    body = {"line": LINE.replace("crag -", "crag[rounds=1] -"), "action": "keep 44"}
    return once_solved(lambda: browser.http.post("/api/lessons", json=body), game)


def lessons(browser: Browser, game: str, shown: str) -> bool:
    imported(browser)
    found = ask_until(lambda: browser.http.get("/api/me/lessons"), lambda found: found["solving"] is None)
    assert found["withheld"] == (None if found["lessons"] else game)
    return bool(found["lessons"])


def figures(browser: Browser, game: str, shown: str) -> bool:
    imported(browser)
    found = ask_until(lambda: browser.http.get("/api/me/figures"), lambda found: found["solving"] is None)
    assert found["withheld"] == (None if found["figures"] else game)
    return bool(found["figures"])


def solution_file(browser: Browser, game: str, shown: str) -> bool:
    return once_solved(lambda: browser.http.get("/api/solutions", params={"ref": "crag"}), game)


def sent_file(browser: Browser, game: str, shown: str) -> bool:
    with closing(Browser(browser.url)) as stranger:
        ask = lambda: stranger.http.get("/api/solutions", params={"ref": "crag"})  # noqa: E731
        path = ask_until(ask, lambda _: True)["path"]
    return answered(browser.http.get(path), game)


def view(browser: Browser, game: str, shown: str) -> bool:
    return values_in(browser.get(f"/api/tables/{shown}"), game)


def events(browser: Browser, game: str, shown: str) -> bool:
    return values_in(browser.get(f"/api/tables/{shown}/events", since=1), game)


def stream(browser: Browser, game: str, shown: str) -> bool:
    with browser.http.stream("GET", f"/api/tables/{shown}/stream") as answer:
        line = next(line for line in answer.iter_lines() if line.startswith("data: "))
    return values_in(json.loads(line.removeprefix("data: ")), game)


def socket(browser: Browser, game: str, shown: str) -> bool:
    with browser.socket(shown) as connection:
        connection.until(1)
        return values_in(connection.update, game)


def tutor(browser: Browser, game: str, shown: str) -> bool:
    """Whether the tutor of a table questions the worst choice, and names the best."""
    table = browser.create(SOLO, rules="crag", help="tutor")
    browser.begin_third_round(table)
    line = browser.view(table)["line"]
    with closing(Browser(browser.url)) as stranger:
        actions = stranger.get("/api/positions", line=line)["advice"]["actions"]
    worst = next(one["action"] for one in reversed(actions) if one["action"].startswith("score "))
    asked = browser.send(table, "score", seat=0, box=worst.removeprefix("score "))
    assert asked.status_code in (200, 428), asked.text
    assert browser.get(f"/api/tables/{table}")["withheld"] == (None if asked.status_code == 428 else game)
    return asked.status_code == 428


EXACT: dict[str, Callable[[Browser, str, str], bool]] = {
    "show_position": position_of_page,
    "explain_action": reasons,
    "show_chances": chances,
    "show_odds": odds,
    "show_solution_file": solution_file,
    "send_solution_file": sent_file,
    "answer_lesson": answer_to_lesson,
    "list_my_lessons": lessons,
    "show_figures": figures,
    "show_table": view,
    "show_events": events,
    "stream_events": stream,
    "table_socket": socket,
    "command_table": tutor,
}
"""The endpoints that can answer exact questions, and for each one that asks: whether it got an exact answer."""

FINISHED_HERE = {"list_table_lessons", "show_review", "show_profile", "show_duplicate", "compare_entries"}
"""Exact, but only about games of this server that are over."""

CHOSEN_HERE = {
    "show_daily", "begin_daily", "show_try", "answer_daily", "end_daily", "explain_daily", "show_result",
    "compare_games", "show_archived_ten", "grade_archived",
}  # fmt: skip
"""Exact, but only about positions of the daily, which nobody can choose, and about today's after an answer to them."""

WITHOUT_VALUES = {
    "list_rulesets", "list_hands", "show_sample", "show_rules", "explain_rules", "check_ruleset", "list_players",
    "create_table", "keep_dice", "react", "make_link", "claim_seat", "list_devices", "remove_device", "remove_link",
    "change_position", "show_record", "list_best_turns", "list_games", "show_outcome", "show_dice", "show_my_dice",
    "export_all", "import_all", "import_one", "show_docs", "health", "ready",
    "choose_own_name", "list_people", "choose_options", "list_days", "list_proofs", "play_steps",
    "show_table_rules", "check_points", "show_operator_page", "show_reminder_key", "add_reminder", "remove_reminder",
    "found_club", "list_clubs", "show_club", "command_club", "show_tournament", "command_tournament",
    "export_standings", "show_lobby", "seek_opponent", "take_open_seat", "leave_open_seat", "list_blocked",
    "block_player", "unblock_player", "open_duplicate", "list_duplicates", "enter_duplicate",
    "show_account", "offer_passkey", "add_passkey", "offer_session", "sign_in", "recover", "renew_code",
    "rename_account", "remove_passkey", "end_session", "delete_everything",
}  # fmt: skip
"""The endpoints that say nothing about the value of a position or a choice."""


def test_every_endpoint_is_known_to_answer_exact_questions_or_not() -> None:
    names = [handler.fn.__name__ for handler in ENDPOINTS]
    assert sorted([*names, "table_socket"]) == sorted([*EXACT, *FINISHED_HERE, *CHOSEN_HERE, *WITHOUT_VALUES])


@pytest.mark.parametrize(
    ("endpoint", "help"), cases([*zip(EXACT, cycle(WITHHOLDING), strict=False)], full=[*product(EXACT, WITHHOLDING)])
)
def test_no_exact_question_is_answered_during_a_game_that_withholds_advice(
    endpoint: str, help: str, shown: tuple[Browser, str], visit: Callable[[], Browser], clock: Clock
) -> None:
    ask, (_, table) = EXACT[endpoint], shown
    ann, ben = visit(), visit()
    assert ask(ben, "", table), "somebody without a seat"
    game = ann.create(SOLO, rules="yahtzee", help=help)
    assert not ask(ann, game, table), "from the first moment of the game"
    ann.do(game, "roll", seat=0, kept=[])
    assert not ask(ann, game, table)
    assert ask(ben, "", table), "another browser at the same address"
    clock.now += WITHHOLD_SECONDS - 1
    assert not ask(ann, game, table)
    clock.now += 1
    assert ask(ann, game, table), "nobody acted for half an hour"
    ann.do(game, "roll", seat=0, kept=[True] * 4 + [False])
    assert not ask(ann, game, table)
    ann.do(game, "close", seat=0)
    assert ask(ann, game, table), "the game has ended"


def test_the_game_withholds_until_its_last_score_and_its_rematch_from_the_beginning(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann = visit()
    game = ann.create(SOLO, rules="crag[rounds=1]")
    ann.do(game, "roll", seat=0, kept=[])
    assert not position_of_page(ann, game, "")
    ann.do(game, "score", seat=0, box="crag")
    assert position_of_page(ann, game, "")
    assert not position_of_page(ann, ann.do(game, "rematch", seat=0)["rematch"], "")


def test_every_seat_and_device_of_the_game_is_withheld_advice_once_it_begins(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann, ben, phone, watcher = visit(), visit(), visit(), visit()
    game = ann.create([TWO[0], {"kind": "person"}], rules="yahtzee")
    assert position_of_page(ann, game, ""), "a seat is free"
    ben.do(game, "sit", seat=1, name="Ben")
    secret = ben.http.post(f"/api/tables/{game}/seats/1/link").json()["secret"]
    assert phone.http.post(f"/api/tables/{game}/claim", json={"secret": secret}).status_code == 200
    assert [position_of_page(one, game, "") for one in (ann, ben, phone, watcher)] == [False, False, False, True]


def test_the_oldest_of_many_tables_withholds_as_well(
    visit: Callable[[], Browser], shown: tuple[Browser, str], clock: Clock
) -> None:
    ann = visit()
    game = ann.create(SOLO, rules="yahtzee")
    for _ in range(25):
        clock.now += 1
        ann.create(SOLO, rules="crag", help="always")
    assert not position_of_page(ann, game, "")


def test_a_position_is_shown_without_any_value_meanwhile(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann = visit()
    whole = ann.get("/api/positions", line=LINE)
    assert whole["advice"]["actions"]
    game = ann.create(SOLO, rules="yahtzee")
    assert ann.get("/api/positions", line=LINE) == {**whole, "advice": None, "withheld": game}


@pytest.mark.parametrize("rules", [id for id in ruleset_ids() if available_here(load_ruleset(id)).advice])
def test_a_game_under_rules_without_advice_withholds_nothing(
    rules: str, visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann = visit()
    game = ann.create(SOLO, rules=rules)
    assert not ann.view(game)["withholds"]
    assert position_of_page(ann, "", "")


def test_no_ruleset_is_an_exception(visit: Callable[[], Browser]) -> None:
    ann = visit()
    game = ann.create(SOLO, rules="yahtzee")
    for id in ruleset_ids():
        line = f"{id} - - r{load_ruleset(id).rolls}"
        found = ann.get("/api/positions", line=line)
        assert (found["line"], found["withheld"], found["advice"], found["solving"]) == (line, game, None, None)


def test_reviews_and_lessons_of_games_finished_here_stay(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann = visit()
    over = ann.create(SOLO, rules="crag")
    while ann.view(over)["state"] == "playing":
        rolled = ann.do(over, "roll", seat=0, kept=[])
        ann.do(over, "score", seat=0, box=next(one["box"] for one in rolled["turn"]["offers"] if one["is_open"]))
    game = ann.create(SOLO, rules="yahtzee")
    review = ask_until(lambda: ann.http.get(f"/api/tables/{over}/review"), lambda found: not found["finding"])
    assert review["seats"]
    [lesson, *_] = ask_until(lambda: ann.http.get(f"/api/tables/{over}/lessons"), lambda _: True)["lessons"]
    assert lesson in ann.get("/api/me/lessons")["lessons"]
    assert ann.get("/api/me/figures")["figures"][0]["games"] == 1
    graded = ann.http.post("/api/lessons", json={"table": over, "line": lesson["line"], "action": lesson["chosen"]})
    assert graded.json()["loss"] == pytest.approx(lesson["loss"])
    choice = {"line": lesson["line"], "action": graded.json()["best"], "instead": lesson["chosen"]}
    assert answered(why(ann, {**choice, "table": over}), game)
    assert not answered(why(ann, choice), game), "only for a decision of that game"
    assert not answered(why(ann, {"table": over}), game), "only for a decision of that game"


def test_what_a_decision_cost_is_shown_at_its_own_table_and_at_no_other(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    ann = visit()
    first = ann.create(SOLO, rules="crag", help="after")
    ann.do(first, "roll", seat=0, kept=[])
    ann.do(first, "roll", seat=0, kept=[True, False, False])
    update = ann.get(f"/api/tables/{first}")
    assert (update["view"]["last"]["seat"], update["withheld"]) == (0, None)
    second = ann.create(SOLO, rules="yahtzee")
    update = ann.get(f"/api/tables/{first}")
    assert (update["view"]["last"], update["withheld"]) == (None, second)


@pytest.mark.parametrize("how", ["it is given up", "nobody acts in it"])
def test_an_open_table_shows_values_again_once_the_other_game_ends_or_rests(
    how: str, visit: Callable[[], Browser], shown: tuple[Browser, str], clock: Clock
) -> None:
    ann, (_, table) = visit(), shown
    game = ann.create(SOLO, rules="yahtzee")
    with ann.socket(table) as socket:
        version = ann.view(table)["version"]
        assert socket.until(version)["advice"] is None
        assert socket.update["withheld"] == game
        if how == "it is given up":
            ann.do(game, "resign", seat=0)
        else:
            clock.now += WITHHOLD_SECONDS
        while socket.update["withheld"]:
            socket.receive()
        assert socket.update["view"]["advice"]["actions"]
        assert (socket.update["status"], socket.update["view"]["version"]) == ("up_to_date", version)


def test_a_connection_gets_no_values_from_the_next_event_on(
    visit: Callable[[], Browser], shown: tuple[Browser, str]
) -> None:
    """A browser that has no seat, and one that has, connect before they begin a game that withholds advice."""
    host, _ = shown
    table = host.create(TWO, rules="crag", help="always")
    ann, ben, watcher = visit(), visit(), visit()
    ben.create(SOLO, rules="crag", help="always")
    with ann.socket(table) as anns, ben.socket(table) as bens, watcher.socket(table) as watchers:
        version = host.do(table, "roll", seat=0, kept=[])["version"]
        assert all(one.until(version)["advice"] for one in (anns, bens, watchers))
        games = [one.create(SOLO, rules="yahtzee") for one in (ann, ben)]
        version = host.do(table, "roll", seat=0, kept=[True, True, False])["version"]
        for connection, game in zip((anns, bens), games, strict=True):
            assert connection.until(version)["advice"] is None
            assert connection.update["withheld"] == game
            assert [event["type"] for event in connection.update["events"]] == ["rolled"]
        assert watchers.until(version)["advice"]
        ann.do(games[0], "close", seat=0)
        version = host.do(table, "score", seat=0, box="crag")["version"]
        version = host.do(table, "roll", seat=1, kept=[])["version"]
        assert anns.until(version)["advice"]
