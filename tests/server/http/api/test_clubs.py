"""Clubs and tournaments over HTTP: join, enter, draw, play, and find each result in the standings once."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx
import pytest

from fivedice.server.live.event_store import EventStore
from fivedice.server.live.live_stream import LiveState
from fivedice.storage.rows.streams import awaited_results
from fivedice.tournament.verbs import Draw
from tests.server.serving import Browser, Serving, new_id


class Club:
    """A club, its organiser's key, and the browsers of its members."""

    def __init__(self, visit: Callable[[], Browser], names: str) -> None:
        self.organiser = visit()
        founded = self.organiser.post("/api/clubs", name="Thursday club")
        self.id, self.key = founded["id"], founded["key"]
        self.members = {name: visit() for name in names.split()}
        for name, browser in self.members.items():
            assert self.send(browser, "join", name=name).json()["members"][-1]["name"] == name

    def send(self, browser: Browser, type: str, **fields: Any) -> httpx.Response:
        return browser.send_import(f"/api/clubs/{self.id}/commands", json={"type": type, **fields})

    def schedule(self, **settings: Any) -> str:
        chosen = {"name": "Evening", "rules": ["yahtzee"], "starts": 1, **settings}
        answer = self.send(self.organiser, "schedule", id=new_id(), settings=chosen, key=self.key)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["calendar"][-1]["id"])

    def ask(self, browser: Browser, tournament: str, type: str, key: str = "", **fields: Any) -> httpx.Response:
        command = {"type": type, "id": new_id(), **fields}
        return browser.http.post(f"/api/tournaments/{tournament}/commands", json={"command": command, "key": key})

    def begun(self, **settings: Any) -> tuple[str, Any]:
        """A tournament into which all members have come, and its first round."""
        id = self.schedule(**settings)
        for browser in self.members.values():
            assert self.ask(browser, id, "enter").status_code == 200
        return id, self.organise(id, "draw")["rounds"][-1]

    def organise(self, tournament: str, type: str, **fields: Any) -> Any:
        answer = self.ask(self.organiser, tournament, type, self.key, **fields)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def club(visit: Callable[[], Browser]) -> Club:
    return Club(visit, "Ann Ben Cleo")


def view(browser: Browser, tournament: str, **params: Any) -> Any:
    return browser.get(f"/api/tournaments/{tournament}", **params)


def until_version(browser: Browser, tournament: str, version: int) -> Any:
    """The tournament once the result is in its standings."""
    return browser.until(lambda found: found["version"] >= version, f"/api/tournaments/{tournament}")


def test_a_name_that_looks_like_another_members_or_players_is_refused(club: Club, visit: Callable[[], Browser]) -> None:
    other, ann, name = visit(), club.members["Ann"], "\u0410nn"
    answer = club.send(other, "join", name=name)
    assert (answer.status_code, "looks like it" in answer.json()["error"]) == (400, True)
    assert [[one["id"] for one in browser.get("/api/clubs")] for browser in (ann, other)] == [[club.id], []]
    before = ann.get(f"/api/clubs/{club.id}")
    assert club.send(ann, "join", name="Ann").json() == before, "the same name changes nothing"
    assert club.send(ann, "join", name=name).status_code == 200, "one may rename oneself"
    table = club.members["Ben"].create([{"kind": "person", "name": "Ann", "here": True}, {"kind": "person"}])
    assert other.send(table, "sit", seat=1, name=name).json()["code"] == "name_taken"


def test_players_of_different_times_whose_names_look_alike_play_under_names_with_numbers(club: Club) -> None:
    evening, same = club.schedule(), club.schedule(format="duplicate", rules=["crag"], hours=1, rounds=1)
    for member, name, later in (("Ann", "Ann", "Berta"), ("Ben", "\u0410NN", "Ben")):
        club.send(club.members[member], "join", name=name)
        for tournament in (evening, same):
            assert club.ask(club.members[member], tournament, "enter").status_code == 200
        assert club.send(club.members[member], "join", name=later).status_code == 200
    ann, ben = club.members["Ann"], club.members["Ben"]
    [match] = club.organise(evening, "draw")["rounds"][-1]["matches"]
    wanted = {"Ann 1", "\u0410NN 2"}
    assert {seat["name"] for seat in ann.view(match["table"])["seats"]} == wanted
    game = club.organise(same, "draw")["rounds"][-1]["matches"][0]["table"]
    tables = [browser.post(f"/api/duplicates/{game}/entries", name="x")["table"] for browser in (ann, ben)]
    assert {ann.view(tables[0])["seats"][0]["name"], ben.view(tables[1])["seats"][0]["name"]} == wanted


def test_an_evening_from_the_invitation_to_the_last_result(club: Club) -> None:
    evening = club.schedule(rules=["yahtzee", "yatzy"], rounds=2, format="swiss")
    for browser in club.members.values():
        assert club.ask(browser, evening, "enter").status_code == 200
    for rules in ("Yahtzee", "Yatzy"):
        drawn = club.organise(evening, "draw")
        assert drawn["rounds"][-1]["rules"] == rules
        assert len(drawn["rounds"][-1]["byes"]) == 1
        [match] = drawn["rounds"][-1]["matches"]
        loser = list(club.members.values())[match["players"][0] - 1]
        table = view(loser, evening)["your_table"]
        loser.do(table, "resign", seat=loser.get(f"/api/tables/{table}")["yours"][0])
        after = until_version(loser, evening, drawn["version"] + 1)
        [match] = after["rounds"][-1]["matches"]
        assert [score is None for score in match["scores"]] == [True, False]
        assert after["your_table"] is None
    assert after["state"] == "over"
    assert after["secret"]
    lines = club.organiser.http.get(f"/api/tournaments/{evening}/standings.csv").text.splitlines()
    assert (lines[0][:23], lines[1][:3], len(lines)) == ('"place","name","points"', '1,"', 4)
    assert len(view(club.organiser, evening, rounds=True)["rounds"]) == 2


def test_a_club_and_its_tournament_are_live_over_a_socket(club: Club) -> None:
    evening, stranger = club.schedule(), club.organiser
    ann, version = club.members["Ann"], view(club.organiser, evening)["version"]
    with stranger.socket(evening, kind="streams") as socket, stranger.socket(club.id, kind="streams") as of_club:
        assert socket.receive() == {"type": "changed", "version": version}
        assert club.ask(ann, evening, "enter").status_code == 200
        assert socket.receive() == {"type": "changed", "version": version + 1}
        before = of_club.receive()["version"]
        assert club.send(ann, "join", name="Anna").status_code == 200
        assert of_club.receive()["version"] == before + 1 == ann.get(f"/api/clubs/{club.id}")["version"]
        refused = socket.send("roll", version=1, seat=0, kept=[])
        assert (refused["type"], refused["reason"]) == ("refused", "malformed")


def test_a_table_has_the_clock_of_its_tournament_and_leads_back_to_it(club: Club) -> None:
    (timed, _), (untimed, _), ann = club.begun(pace=60), club.begun(), club.members["Ann"]
    assert view(ann, timed)["pace"] == 60
    shown = [ann.view(match["table"]) for one in (timed, untimed) for match in view(ann, one)["rounds"][-1]["matches"]]
    assert [one["tournament"] for one in shown] == [{"id": one, "name": "Evening"} for one in (timed, untimed)]
    assert [one["pace"] for one in shown] == [60, 86_400]
    assert all(one["late_at"] for one in shown)
    _, soon = club.schedule(starts=2e10), club.schedule(starts=1e10)
    assert ann.get("/api/clubs")[0]["next"]["id"] == soon


def test_only_the_organisers_link_organises(club: Club, ben: Browser) -> None:
    evening, other = club.schedule(), Club(lambda: ben, "")
    club.ask(club.members["Ann"], evening, "enter")
    second, first, result = {"player": 2}, {"player": 1}, {"table": "x", "scores": [1, 2], "note": "no"}
    asked: Any = ("draw", {}), ("end", {}), ("pause", {}), ("correct", result), ("enter", second), ("leave", first)
    for key in ("", "x" * 43, other.key):
        for type, fields in asked:
            for browser in (ben, club.members["Ben"]):
                if type == "enter" and browser is club.members["Ben"] and not key:
                    continue
                answer = club.ask(browser, evening, type, key, **fields)
                assert answer.status_code == 403, (type, answer.text)
                assert answer.json()["code"] == "not_yours"
    new = "y" * 43
    refused: Any = (("hand_over", {"new": "z" * 43}), ("part", {"member": 1}), ("enrol", {"names": []}))
    for type, fields in refused:
        assert club.send(ben, type, key=other.key, **fields).status_code == 403
    assert len(view(ben, evening)["players"]) == 1
    for _ in range(2):  # the first answer may be lost
        assert club.send(club.organiser, "hand_over", key=club.key, new=new).status_code == 200
    old, club.key = club.key, new
    assert club.ask(club.organiser, evening, "pause", old).status_code == 403, "it was handed over"
    assert club.organise(evening, "pause")["state"] == "paused"
    assert not club.organiser.get(f"/api/clubs/{club.id}").get("key")


def test_settings_are_checked_and_say_where_losses_are_approximate(club: Club) -> None:
    chosen = {"name": "Evening", "rules": ["nonsense"], "starts": 1}
    answer = club.send(club.organiser, "schedule", id=new_id(), settings=chosen, key=club.key)
    assert answer.status_code == 404, answer.text
    assert club.organiser.http.get(f"/api/tournaments/{club.id}").status_code == 404
    duplicate, large = {"format": "duplicate", "hours": 1}, {"rules": ["triple_yahtzee"]}
    found = [view(club.organiser, club.schedule(**one)) for one in ({**duplicate, **large}, duplicate, large)]
    assert [one["is_approximate"] for one in found] == [True, False, False]


def test_a_lost_answer_to_the_first_join_leaves_no_ghost(server: Serving) -> None:
    club, ann = Club(server.visit, "Ben"), server.visit()
    path = f"/api/clubs/{club.id}/commands"
    for _ in range(2):
        lost = ann.http.post(path, json={"type": "join", "name": "Ann"}, headers={"cookie": ""})
        assert (lost.status_code, lost.json()["code"]) == (401, "no_cookie")
        ann.http.cookies.clear()
    assert len(ann.get(f"/api/clubs/{club.id}")["members"]) == 1


def test_an_organiser_adds_people_enters_their_results_and_whoever_comes_under_such_a_name_is_that_member(
    club: Club, visit: Callable[[], Browser]
) -> None:
    found = club.send(club.organiser, "enrol", names=["Dora", "Emil"], key=club.key).json()
    assert [member["name"] for member in found["members"]] == ["Ann", "Ben", "Cleo", "Dora", "Emil"]
    for names, key, status in (("Fred Dóra", club.key, 400), ("Fred Fred", club.key, 400), ("Fred", "", 403)):
        assert club.send(club.organiser, "enrol", names=names.split(), key=key).status_code == status
    assert len(club.organiser.get(f"/api/clubs/{club.id}")["members"]) == 5
    evening = club.schedule(rounds=1)
    for number in (4, 5):
        club.organise(evening, "enter", player=number)
    [match] = club.organise(evening, "draw")["rounds"][0]["matches"]
    dora = visit()
    assert dora.get(f"/api/tables/{match['table']}")["yours"] == []
    joined = club.send(dora, "join", name="dora").json()
    assert (joined["you"], len(joined["members"])) == (4, 5)
    assert view(dora, evening)["your_table"] == match["table"]
    assert dora.get(f"/api/tables/{match['table']}")["yours"] == [match["players"].index(4)]
    assert club.send(visit(), "join", name="Dora").status_code == 400, "the name has a browser now"
    assert club.send(dora, "join", name="Emil").status_code == 400, "a member cannot be two"
    over = club.organise(evening, "correct", table=match["table"], scores=[200, 150], losses=[], note="real dice")
    assert (over["state"], over["places"][0]["player"]) == ("over", match["players"][0])


def test_whoever_joins_while_a_round_is_drawn_or_they_are_taken_out_is_in_their_seat_or_a_new_member(
    club: Club, visit: Callable[[], Browser], server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    clubs, change = server.services.clubs, EventStore.change
    club.send(club.organiser, "enrol", names=["Dora"], key=club.key)
    evening = club.schedule(rounds=1)
    for number in (1, 4):
        club.organise(evening, "enter", player=number)
    first: Iterator[Callable[[], Awaitable[object]]] = iter(
        [lambda: clubs.command(evening, None, Draw(id=new_id()), club.key, lambda _: None)]
    )

    async def change_later(store: EventStore, live: LiveState[Any], *args: Any) -> Any:
        for work in first:
            await work()
        return await change(store, live, *args)

    monkeypatch.setattr(EventStore, "change", change_later)
    dora = visit()
    assert club.send(dora, "join", name="Dora").status_code == 200
    table = view(dora, evening)["your_table"]
    assert len(dora.get(f"/api/tables/{table}")["yours"]) == 1
    first = iter([lambda: clubs.part(club.id, None, 4, club.key)])
    assert club.send(dora, "join", name="Dora").json()["you"] == 5


def test_a_game_whose_result_the_organiser_has_entered_is_not_awaited_once_it_is_over(
    club: Club, server: Serving
) -> None:
    evening, drawn = club.begun(rounds=2)
    match = drawn["matches"][0]
    scores = [200 for _ in match["players"]]
    club.organise(evening, "correct", table=match["table"], scores=scores, losses=[], note="they had to leave")
    for seat, number in enumerate(match["players"]):
        browser = list(club.members.values())[number - 1]
        if browser.view(match["table"])["state"] != "over":
            browser.do(match["table"], "resign", seat=seat)
    assert club.organiser.view(match["table"])["state"] == "over"
    server.do(server.services.results.work())
    assert not server.services.database.read(lambda connection: awaited_results(connection, 1))
    assert club.send(club.members["Cleo"], "part").status_code == 200
    assert sorted(club.organise(evening, "draw")["rounds"][-1]["matches"][0]["players"]) == [1, 2], "Cleo has left"
