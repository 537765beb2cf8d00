"""Figures over HTTP: strength and rating from rated games, whose profiles are for those who play together, and dice."""

from collections.abc import Callable
from typing import Any

from fivedice import parse_record
from fivedice.analysis.dice_counts import ALPHA, THRESHOLD, count, rolled_in
from tests.server.serving import TINY, TWO, Browser
from tests.waiting import wait_for

Visit = Callable[[], Browser]


def table_of_two(ann: Browser, ben: Browser) -> str:
    table = ann.create([TWO[0], {"kind": "person"}], toml=TINY, help="none")
    ben.do(table, "sit", seat=1, name="Ben")
    return table


def played(ann: Browser, ben: Browser) -> str:
    """A table at which two browsers finished a game of one turn each."""
    table = table_of_two(ann, ben)
    for seat, browser in enumerate((ann, ben)):
        browser.turn(table, seat)
    return table


def rating(browser: Browser) -> Any:
    return browser.get("/api/me/figures")["rating"]


def test_a_finished_game_of_two_is_rated_once(ann: Browser, ben: Browser) -> None:
    table = played(ann, ben)
    wait_for(lambda: rating(ann), "the game is rated")
    assert (rating(ann)["games"], rating(ann)["is_provisional"]) == (1, True)
    ranks = [seat["rank"] for seat in ann.view(table)["seats"]]
    for rank, browser in zip(ranks, (ann, ben), strict=True):
        assert (round(rating(browser)["points"]) > 1500) == (rank == 1 and ranks != [1, 1])
    played(ann, ben)
    wait_for(lambda: rating(ann)["games"] > 1, "the second game is rated, too")
    assert (rating(ann)["games"], rating(ben)["games"]) == (2, 2)
    assert ben.get(f"/api/tables/{table}/seats/0/profile")["rating"] == rating(ann)


def test_players_see_each_others_strength_and_watchers_none(ann: Browser, ben: Browser, visit: Visit) -> None:
    for _ in range(3):
        ann.finished(rules="crag", help="none")
    table = table_of_two(ann, ben)
    path = f"/api/tables/{table}/seats/0/profile"
    profile, mine = ben.until(lambda found: bool(found["strengths"]), path), ann.get("/api/me/figures")
    [one] = profile["strengths"]
    assert (profile["name"], one["ruleset"], one["games"], one["is_provisional"]) == ("Ann", "crag", 3, True)
    assert one == next(each["strength"] for each in mine["figures"] if each["ruleset"] == "crag")
    assert ben.get(f"/api/tables/{table}/seats/1/profile")["strengths"] == []
    assert ann.http.get(f"/api/tables/{table}/seats/2/profile").status_code == 404
    refused = visit().http.get(path)
    sentence = "only those who play at this table see the profiles of its players"
    assert (refused.status_code, refused.json()["error"]) == (403, sentence)


def test_my_dice_are_those_of_my_games(ann: Browser, ben: Browser) -> None:
    table = ann.create([TWO[0], {"kind": "random"}], toml=TINY)
    ann.do(table, "roll", seat=0, kept=[])
    ann.do(table, "roll", seat=0, kept=[True, False])
    assert ann.get("/api/me/dice")["dice"] == 0, "the game goes on"
    ann.do(table, "score", seat=0, box="any")
    mine = ann.until(lambda found: bool(found["dice"]), "/api/me/dice")
    counts = count(rolled_in(parse_record(ann.http.get(f"/api/tables/{table}/record").text)))
    assert mine["dice"] == sum(num for cell, num in counts.items() if cell.table == "faces")
    assert sum(mine["faces"][0]["people"]) == 3
    assert ben.get("/api/me/dice") == {"alpha": ALPHA, "threshold": THRESHOLD, "dice": 0, "faces": [], "tests": []}
