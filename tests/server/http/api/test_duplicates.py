"""Games on the same dice over HTTP: each plays alone, and sees the others once that tells no dice to come."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fivedice.game.record import parse_record
from fivedice.game.verification import verify_record
from fivedice.storage.rows.deletion import find
from tests.server.http.api.test_clubs import Club, until_version, view
from tests.server.serving import COMMITMENT, SECRET, Browser, Clock, Serving, new_id, serving_with_cache
from tests.storage.conftest import url

__all__ = ["url"]

HOUR = 3_600


@pytest.fixture
def server(solved_cache: Path, clock: Clock, url: str) -> Iterator[Serving]:
    with serving_with_cache(solved_cache, clock=clock, database_url=url) as running:
        yield running


def opened(browser: Browser, seats: int = 3, **wanted: Any) -> str:
    found = browser.post("/api/duplicates", seats=seats, seconds=HOUR, rules="crag", **wanted)
    assert (found["commitment"], found["secret"]) == (COMMITMENT, None)
    return str(found["id"])


def ask(browser: Browser, game: str, name: str) -> httpx.Response:
    return browser.send_import(f"/api/duplicates/{game}/entries", json={"name": name})


def entered(browser: Browser, game: str, name: str) -> str:
    return str(browser.post(f"/api/duplicates/{game}/entries", name=name)["table"])


def play(browser: Browser, table: str, *, badly: bool = False) -> list[list[int]]:
    """Play a game to its end, with the first roll of each turn for the best or the worst box; return the rolls."""
    view, rolls = browser.view(table), []
    while view["state"] == "playing":
        view = browser.do(table, "roll", seat=0, kept=[])
        rolls.append(view["turn"]["dice"])
        offers = sorted(view["turn"]["offers"], key=lambda offer: offer["points"], reverse=not badly)
        view = browser.do(table, "score", seat=0, box=offers[0]["box"])
    return rolls


def show(browser: Browser, game: str) -> Any:
    def is_graded(found: Any) -> bool:
        return all(one["lost"] is not None or one["score"] is None for one in found["entries"])

    return browser.until(is_graded, f"/api/duplicates/{game}")


def places(view: Any) -> list[tuple[str, str, int | None]]:
    return [(one["name"], one["state"], one["rank"]) for one in view["entries"]]


DOORS = "", "/events", "/stream", "/record", "/review", "/best-turns", "/lessons", "/odds", "/seats/0/profile"
"""What follows the address of a table where its game could be seen."""


def sees(browser: Browser, table: str) -> bool:
    """Whether a browser sees a game by its address; if not, then by no other, no socket and no answer to a command."""
    if browser.http.get(f"/api/tables/{table}").status_code == 200:
        return True
    path, id = f"/api/tables/{table}", new_id()
    roll = {"type": "roll", "id": id, "version": 1, "seat": 0, "kept": []}
    answers = [browser.http.get(address) for address in ("/api/tables/%00", *(path + door for door in DOORS))]
    answers.append(browser.http.post(f"{path}/commands", json=roll))
    answers.append(browser.http.post(f"{path}/kept", json={"type": "kept", "seat": 0, "roll_id": 1, "kept": []}))
    assert {answer.status_code for answer in answers} == {404}
    with browser.socket(table) as socket:
        assert socket.closing()[0] == 4404
    return False


def test_three_people_play_the_same_dice_and_see_each_other_once_they_finished(server: Serving, clock: Clock) -> None:
    ann, ben, cleo, watcher = (server.visit() for _ in range(4))
    game = opened(ann)
    tables = [entered(browser, game, name) for browser, name in ((ann, "Ann"), (ben, "Ben"), (cleo, "Cleo"))]
    assert entered(ann, game, "Again") == tables[0], "one person has one try"
    first = play(ann, tables[0])
    assert not sees(ben, tables[0])
    assert not sees(watcher, tables[0])
    unseen = show(ben, game)
    assert places(unseen) == [("Ann", "finished", None), ("Ben", "playing", None), ("Cleo", "playing", None)]
    assert [one["table"] for one in unseen["entries"]] == [None, tables[1], None]
    assert {one["score"] for one in unseen["entries"]} == {one["lost"] for one in unseen["entries"]} == {None}
    comparison = f"/api/duplicates/{game}/comparison"
    for second in (1, 2):  # his own, too: it would tell him what his choices cost
        assert ben.http.get(comparison, params={"first": 2, "second": second}).status_code == 404
    assert play(ben, tables[1], badly=True) == first, "the dice depend on turn, roll and place only"
    seen = show(ben, game)
    assert places(seen) == [("Ann", "finished", 1), ("Ben", "finished", 2), ("Cleo", "playing", None)]
    assert seen["entries"][0]["lost"] < seen["entries"][1]["lost"]
    assert sees(ben, tables[0])
    assert sees(ben, tables[2])
    assert not sees(cleo, tables[1])
    pairs = ben.get(comparison, first=2, second=1)["pairs"]
    assert pairs[0]["is_same_position"]
    assert pairs[0]["first"]["dice"] == sorted(first[0])
    assert len(pairs) == 13
    assert ben.http.get(comparison, params={"first": 2, "second": 3}).json()["error"] == "Cleo is still playing"
    # The secret is told once all have ended.
    record = ben.http.get(f"/api/tables/{tables[1]}/record").text
    assert f"commitment: {COMMITMENT}" in record
    assert SECRET.hex() not in record
    assert ben.send(tables[1], "rematch", seat=0).json()["reason"] == "illegal"
    assert ben.view(tables[1])["proof"]["secret"] is None
    cleo.do(tables[2], "resign", seat=0)
    assert places(show(watcher, game))[2] == ("Cleo", "given_up", None)
    assert show(watcher, game)["secret"] == SECRET.hex()
    assert sees(watcher, tables[0])
    for table in tables[:2]:
        proved = parse_record(watcher.http.get(f"/api/tables/{table}/record").text)
        assert proved.proof is not None
        assert (proved.proof.table, proved.proof.commitment) == (game, COMMITMENT)
        assert not verify_record(proved).problems
    assert ask(watcher, game, "Late").status_code == 400


def test_nothing_counts_after_the_time_and_who_gives_up_sees_nothing_before_it(server: Serving, clock: Clock) -> None:
    ann, ben = server.visit(), server.visit()
    game = opened(ann, seats=5)
    with server.visit().socket(game, kind="streams") as socket:
        assert socket.receive() == {"type": "changed", "version": 1}
        tables = [entered(ann, game, "Ann"), entered(ben, game, "Ben")]
        ben.do(tables[1], "resign", seat=0)
        heard = list(iter(lambda: socket.receive()["version"], 4))
        assert (sorted(heard), {*heard}) == (heard, {2, 3}), "one is told again when the server hears of others"
    taken = {"error": "Ánn plays here already: choose another name", "code": "name_taken"}
    assert ask(server.visit(), game, "Ánn").json() == taken
    assert ann.send(tables[0], "add_nonce", seat=0, nonce="0a").json()["reason"] == "illegal"
    ann.do(tables[0], "roll", seat=0, kept=[])
    assert not sees(ben, tables[0])
    clock.now += HOUR
    late = ann.send(tables[0], "score", seat=0, box="ones")
    assert (late.status_code, late.json()["code"]) == (400, "closed")
    assert places(show(ann, game)) == [("Ann", "late", None), ("Ben", "given_up", None)]
    assert sees(ben, tables[0])
    assert "time for this game has passed" in ask(server.visit(), game, "Cleo").json()["error"]
    assert [one["id"] for one in ann.get("/api/duplicates")] == [game]


def test_a_round_of_a_tournament_on_the_same_dice_gives_its_result_once(server: Serving, clock: Clock) -> None:
    club, stranger = Club(server.visit, "Ann Ben Cleo Dan"), server.visit()
    ann, ben, cleo, dan = club.members.values()
    tournament = club.schedule(format="duplicate", rules=["crag"], hours=1, rounds=2)
    for browser in (ann, ben, dan):
        club.ask(browser, tournament, "enter")
    drawn = club.organise(tournament, "draw")
    [match] = drawn["rounds"][-1]["matches"]
    game = match["table"]
    assert (sorted(match["players"]), drawn["rounds"][-1]["closes"]) == ([1, 2, 4], clock.now + HOUR)
    for browser in (stranger, cleo):
        assert "only those who take part" in ask(browser, game, "Ann").json()["error"]
        assert not show(browser, game)["may_enter"]
    club.ask(cleo, tournament, "enter")  # late, and in time for the round
    club.ask(dan, tournament, "leave")
    assert ask(dan, game, "Dan").status_code == 400
    assert [show(browser, game)["may_enter"] for browser in (ann, ben, cleo, dan)] == [True, True, True, False]
    tables = [entered(browser, game, "Any name") for browser in (ann, ben, cleo)]
    assert show(ann, game)["tournament_name"] == "Evening"
    assert places(show(ann, game))[0] == ("Ann", "playing", None)
    assert ann.view(tables[0])["tournament"] == {"id": tournament, "name": "Evening"}
    play(ann, tables[0])
    play(ben, tables[1], badly=True)
    assert not sees(cleo, tables[0])
    assert view(ann, tournament)["rounds"][-1]["matches"][0]["scores"] is None
    cleo.do(tables[2], "resign", seat=0)  # the last one, so that the round is over before its time
    after = until_version(ann, tournament, view(ann, tournament)["version"] + 1)
    assert after["state"] == "between"
    assert [(one["player"], one["played"]) for one in after["places"]] == [(1, 1), (2, 1), (3, 0), (4, 0)]
    for shown, place in zip(show(stranger, game)["entries"][:2], after["places"], strict=False):
        assert (shown["lost"], shown["score"]) == (pytest.approx(place["lost"]), place["score"])
    corrected = club.ask(club.organiser, tournament, "correct", club.key, table=game, scores=[1], note="x")
    assert corrected.status_code == 400
    for browser in (ben, cleo):
        club.ask(browser, tournament, "leave")
    club.ask(dan, tournament, "enter")
    second = club.organise(tournament, "draw")["rounds"][-1]["matches"][0]["table"]
    play(ann, entered(ann, second, "Ann"))
    clock.now += HOUR  # Dan has not begun
    last = until_version(ann, tournament, view(ann, tournament)["version"] + 1)
    assert last["state"] == "over"
    assert [(one["player"], one["played"]) for one in last["places"]] == [(1, 2), (2, 1), (3, 0), (4, 0)]

    async def delete() -> None:
        await server.services.database.written(lambda c: find(c, "club", tournament, "", clock.now).delete(c))
        server.services.tables.forget([tournament])

    server.do(delete())
    left = show(ann, game)
    assert (left["tournament"], places(left)[0]) == (None, ("Ann", "finished", 1))


def test_whoever_deletes_everything_keeps_the_place_without_a_name_and_cannot_play_again(server: Serving) -> None:
    ann, ben, eve = (server.visit() for _ in range(3))
    game = opened(ann)
    table, given_up = entered(ann, game, "Ann"), entered(eve, game, "Eve")
    play(ann, table)
    play(ben, entered(ben, game, "Ben"), badly=True)
    eve.do(given_up, "resign", seat=0)
    for browser in (ann, eve):
        assert browser.http.delete("/api/me").status_code == 204
    assert (entered(ann, game, "Ann"), entered(eve, game, "Eve")) == (table, given_up)
    names = [("Player 1", "finished", 1), ("Ben", "finished", 2), ("Player 2", "given_up", None)]
    assert places(show(ben, game)) == names
