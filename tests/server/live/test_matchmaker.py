"""The lobby: each meets once who wants the same game and is not blocked, through any process, also a killed one."""

import asyncio
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run

from fivedice.base.errors import IllegalError, UnavailableError, UnknownError
from fivedice.server.identity.holders import Visitor
from fivedice.server.limits import MAX_OPEN_SEATS
from fivedice.server.live import notices
from fivedice.server.matchmaking.lobby import LIVE_SEAT_SECONDS, NEAR, RELAXED_SEAT_SECONDS, Lobby, OpenSeat
from fivedice.server.services import Services
from fivedice.server.settings import Settings
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.open_seats import waiting
from fivedice.storage.rows.streams import load_stream
from tests.amount import amount
from tests.server.live.living import processes
from tests.server.serving import Clock, serving
from tests.storage.empty import empty_postgres
from tests.waiting import wait_for_async

KILLED = """
import asyncio, sys
from tests.server.live.test_matchmaker import find_games
asyncio.run(find_games(*sys.argv[1:]))
"""


async def find_games(url: str, folder: str) -> None:
    """Let one person after the other look for an opponent."""
    services = Services(Settings(url, page=Path(folder)))
    for number in range(1_000, 11_000):
        await find_game(services, number)
        print(number, flush=True)  # noqa: T201


async def find_game(services: Services, number: int) -> tuple[str, str | None]:
    """Somebody new looks for a game: their holder, and its table if they need not wait."""
    now = services.settings.clock()
    holder = await services.holders.ensure(Visitor(new_secret(), None), now)
    wish = OpenSeat(f"seat-{number}", holder, f"P{number}", "yatzy", 60, None, False, now, now)
    while True:
        try:
            return holder, (await services.matchmaker.seek(wish)).table
        except UnavailableError:  # another process has held the seats for too long: try again
            await asyncio.sleep(0.1)


async def test_nobody_is_lost_or_met_twice_although_one_process_is_killed(postgres: str, tmp_path: Path) -> None:
    url = empty_postgres(postgres)
    command = [sys.executable, "-c", KILLED, url, str(tmp_path)]
    async with processes(2, url, tmp_path) as both:
        with subprocess.Popen(command, stdout=subprocess.PIPE) as third:  # noqa: S603
            try:
                assert third.stdout
                await asyncio.to_thread(third.stdout.readline)
                found = await asyncio.gather(*(find_game(both[number % 2], number) for number in range(16)))
            finally:
                third.kill()
        found += await asyncio.gather(*(find_game(both[number % 2], number) for number in range(16, 32)))
        left = await both[0].database.fetched(waiting)
        assert len(left) <= 1, "nobody waits beside somebody who fits"
        tables = {table for _, table in found if table}
        stored = [await both[1].database.fetched(partial(load_stream, id=table)) for table in tables]
        players = [one for table in stored if table for holders in table.holders.values() for one in holders]
        assert len(players) == 2 * len(tables)
        assert max(Counter(players).values()) == 1
        alone = {holder for holder, _ in found} - {row["holder"] for row in left} - set(players)
        for holder in alone:
            assert (await both[0].matchmaker.look(holder)).found, "one was met by somebody of the killed process"


def test_people_find_each_other_over_http_and_a_block_keeps_them_apart(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann, ben = server.visit(), server.visit()
        wish = {"rules": "yatzy", "seconds": 86_400}
        waits = ann.post("/api/lobby/seats", name="Ann", **wish)
        clock.now += RELAXED_SEAT_SECONDS - 60.0
        seats = ben.get("/api/lobby")["seats"]
        assert [(one["name"], one["rules_name"], one["seconds"]) for one in seats] == [("Ann", "Yatzy", 86_400)]
        table = ben.post(f"/api/lobby/seats/{waits['seat']}/sit", name="Ann")["table"]
        view = ben.view(table)
        assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ann 2"]
        assert (view["state"], view["pace"], view["help"]) == ("playing", 86_400, "none")
        clock.now += 120.0
        lobby = ann.get("/api/lobby")
        assert (lobby["own"], [one["table"] for one in lobby["found"]]) == ([], [table])
        assert [one["table"] for one in server.visit().get("/api/lobby")["running"]] == [table]
        assert lobby["running"] == [], "her own game is none to watch"
        mover = (ann, ben)[view["turn"]["seat"]]
        mover.do(table, "resign", seat=view["turn"]["seat"])
        assert ann.post("/api/lobby/blocked", table=table, seat=1, name="Ann 2") == {"names": ["Ann 2"]}
        refused = ben.send(table, "rematch", seat=1).json()
        assert (refused["reason"], refused["code"]) == ("illegal", "no_rematch")
        ann.post("/api/lobby/seats", name="Ann", **wish)
        assert ben.get("/api/lobby")["seats"] == []
        assert ben.post("/api/lobby/seats", name="Ben", **wish)["table"] is None
        assert ann.http.delete("/api/lobby/blocked", params={"name": "Ann 2"}).json() == {"names": []}
        [seat] = ben.get("/api/lobby")["seats"]
        left = [one.http.delete(f"/api/lobby/seats/{seat['id']}").status_code for one in (ben, ann, ann)]
        assert left == [404, 204, 404], "only who waits there can leave, once"
        assert ben.get("/api/lobby")["seats"] == []
        ann.post("/api/lobby/seats", name="ΝΙΚΟΣ", rules="yacht", seconds=86_400)  # capitals look like Latin ones
        assert ben.post("/api/lobby/seats", name="νικος", rules="yacht", seconds=86_400)["table"]
        nobody = server.visit().http.post("/api/lobby/blocked", json={"table": table, "seat": 1, "name": "x"})
        assert nobody.status_code == 404


def test_whoever_follows_the_lobby_learns_of_each_change_and_keeps_a_seat(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann, ben, eve = (server.visit() for _ in range(3))
        wish = {"rules": "yatzy", "seconds": 60}

        def look_around() -> None:
            server.do(server.services.matchmaker.work())

        with eve.socket("lobby", kind="streams") as lobby:
            known = lobby.receive()
            assert known == {"type": "changed", "version": eve.get("/api/lobby")["version"]}

            def learns() -> Any:
                nonlocal known
                known, before = lobby.receive(), known["version"]
                found = eve.get("/api/lobby")
                assert found["version"] >= known["version"] > before
                return found

            ann.post("/api/lobby/seats", name="Ann", **wish)
            assert [one["name"] for one in learns()["seats"]] == ["Ann"]
            clock.now += 71.0
            look_around()
            assert learns()["seats"] == [], "the page of the person who waited is closed"
            with ann.socket("lobby", kind="streams") as page:
                page.receive()
                seat = ann.post("/api/lobby/seats", name="Ann", **wish)["seat"]
                assert [one["name"] for one in learns()["seats"]] == ["Ann"]
                for _ in range(3):
                    clock.now += 60.0
                    look_around()
                assert [one["id"] for one in eve.get("/api/lobby")["seats"]] == [seat]
            table = ben.post("/api/lobby/seats", name="Ben", **wish)["table"]
            found = learns()
            assert (found["seats"], [one["table"] for one in found["running"]]) == ([], [table])
            mover = ben.view(table)["turn"]["seat"]
            (ann, ben)[mover].do(table, "resign", seat=mover)
            look_around()
            assert learns()["running"] == []
            assert ben.http.delete("/api/me").status_code == 204
            assert learns()["seats"] == [], "who deletes everything may have waited"


async def test_changes_through_one_process_reach_who_follows_the_lobby_elsewhere(postgres: str, tmp_path: Path) -> None:
    async with processes(2, empty_postgres(postgres), tmp_path) as (one, other):
        for services in (one, other):
            await services.start()
        lobby = await other.tables.find_stream("lobby")
        subscriber = await other.tables.subscribe(lobby, Visitor(new_secret(), None), 0, "192.0.2.1")
        messages = subscriber.messages()
        first = msgspec.json.decode(await anext(messages))
        await find_game(one, 0)
        then = msgspec.json.decode(await anext(messages))
        assert (first["type"], then["type"]) == ("changed", "changed")
        assert then["version"] == first["version"] + 1 == (await other.matchmaker.look(None)).version
        other.tables.unsubscribe(lobby, subscriber)


async def test_a_change_of_a_process_that_ends_before_its_notice_reaches_who_follows_the_lobby(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "NOTICE_RETRY_SECONDS", 0.01)
    monkeypatch.setattr(notices, "NOTICE_POLL_SECONDS", 0.01)
    async with processes(2, empty_postgres(postgres), tmp_path) as (killed, other):
        assert other.notices
        lobby = await other.tables.find_stream("lobby")
        subscriber = await other.tables.subscribe(lobby, Visitor(new_secret(), None), 0, "192.0.2.1")
        await find_game(killed, 0)
        polling = asyncio.create_task(other.notices._poll())
        await wait_for_async(lambda: lobby.version == 1, "the change is read")
        polling.cancel()
        other.tables.unsubscribe(lobby, subscriber)


HOLDERS = st.sampled_from("abcdef")
DAY = 86_400


def seat(holder: str, id: str = "", *, seconds: int = 60, level: int | None = None, near: bool = False) -> OpenSeat:
    return OpenSeat(id or holder, holder, holder.upper(), "yatzy", seconds, level, near, 0.0, 0.0)


class AnyLobby(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.lobby, self.now, self.ids = Lobby(), 0.0, count()
        self.filled: set[str] = set()

    def meet(self, seat: OpenSeat, holder: str) -> None:
        """Let a holder play the person at a seat, which is left with the others that `left_by` names."""
        assert seat.waits(self.now)
        assert seat.id not in self.filled, "a seat is filled once"
        self.filled.add(seat.id)
        assert holder != seat.holder
        assert not {(holder, seat.holder), (seat.holder, holder)} & self.lobby.blocked
        left = {seat.id} | self.lobby.left_by(seat, holder)
        self.lobby = replace(self.lobby, seats=tuple(one for one in self.lobby.seats if one.id not in left))

    @rule(
        holder=HOLDERS,
        rules=st.sampled_from(["yatzy", "kniffel"]),
        seconds=st.sampled_from([30, 60, DAY]),
        level=st.none() | st.integers(1, 9),
        near=st.booleans(),
        casual=st.booleans(),
    )
    def seek(self, holder: str, rules: str, seconds: int, level: int | None, near: bool, casual: bool) -> None:
        wish = OpenSeat(f"s{next(self.ids)}", holder, holder, rules, seconds, level, near, self.now, self.now, casual)
        self.lobby = self.lobby.at(self.now)
        fitting = [one for one in self.lobby.seats if one.wants_same(wish) and self.lobby.may_meet(one.holder, holder)]
        try:
            found = self.lobby.seek(wish)
        except IllegalError:
            assert not fitting
            return
        assert (found in fitting) == bool(fitting), "somebody waits although another person fits"
        if not fitting:
            others = (one for one in self.lobby.seats if one.id != found.id)
            self.lobby = replace(self.lobby, seats=(*others, found))
            return
        assert (found.rules, found.seconds, found.casual) == (rules, seconds, casual)
        if near or found.near:
            assert level is not None
            assert found.level is not None
            assert abs(level - found.level) <= NEAR
        self.meet(found, holder)

    @precondition(lambda self: self.lobby.seats)
    @rule(holder=HOLDERS, data=st.data(), level=st.none() | st.integers(1, 9))
    def sit_down(self, holder: str, data: st.DataObject, level: int | None) -> None:
        chosen = data.draw(st.sampled_from(self.lobby.seats))
        self.lobby = self.lobby.at(self.now)
        with suppress(IllegalError, UnknownError):
            self.meet(self.lobby.open_to(holder, level, chosen.id), holder)

    @rule(one=HOLDERS, other=HOLDERS)
    def block(self, one: str, other: str) -> None:
        self.lobby = replace(self.lobby, blocked=self.lobby.blocked | {(one, other)})

    @rule(seconds=st.sampled_from([1.0, LIVE_SEAT_SECONDS, RELAXED_SEAT_SECONDS]), here=st.sets(HOLDERS))
    def time_passes(self, seconds: float, here: set[str]) -> None:
        self.now += seconds
        seats = (replace(one, seen=self.now) if one.holder in here else one for one in self.lobby.seats)
        self.lobby = replace(self.lobby, seats=tuple(seats))

    @invariant()
    def nobody_waits_at_too_many_seats_or_twice_for_one_game(self) -> None:
        for holder in "abcdef":
            own = [(one.rules, one.seconds, one.casual) for one in self.lobby.at(self.now).of(holder)]
            assert len(own) <= MAX_OPEN_SEATS
            assert len(set(own)) == len(own)


def test_whatever_people_do_the_lobby_keeps_its_promises() -> None:
    run(AnyLobby, settings=settings(max_examples=amount(30, full=1_000), stateful_step_count=30, deadline=None))


def test_who_plays_a_live_game_waits_for_no_other_one_but_goes_on_to_wait_for_a_relaxed_one() -> None:
    live, slow = seat("a", "live"), seat("a", "slow", seconds=DAY)
    lobby = Lobby((live, replace(seat("a", "other"), rules="kniffel"), slow, seat("b", "own"), seat("c")))
    assert lobby.left_by(live, "b") == {"other", "own"}
    assert lobby.left_by(slow, "b") == set()


@pytest.mark.parametrize(("seconds", "waits"), [(60, LIVE_SEAT_SECONDS), (DAY, RELAXED_SEAT_SECONDS)])
def test_a_seat_is_open_until_its_person_has_left_to_who_is_near(seconds: int, waits: float) -> None:
    lobby = Lobby((seat("a", seconds=seconds, level=5, near=True),))
    assert lobby.at(waits - 1).open_to("b", 7, "a")
    for level in (None, 1, 8):
        with pytest.raises(IllegalError, match="about their level"):
            lobby.open_to("b", level, "a")
    with pytest.raises(UnknownError, match="no longer open"):
        lobby.at(waits).open_to("b", 7, "a")


def test_the_nearest_level_is_met_and_then_who_waited_longest_also_if_they_sought_again_at_a_few_seats() -> None:
    found = Lobby((seat("a", "first"),)).seek(replace(seat("a", "second"), since=9.0, seen=9.0))
    assert (found.id, found.since, found.seen) == ("first", 0.0, 9.0)
    own = tuple(seat("a", seconds=seconds) for seconds in range(60, 60 + MAX_OPEN_SEATS))
    with pytest.raises(IllegalError, match="you wait at 3 seats already: leave one of them first"):
        Lobby(own).seek(seat("a", seconds=DAY))
    seats = (seat("a", level=9), seat("b", level=5), replace(seat("c", level=5), since=-1.0))
    assert Lobby(seats).seek(seat("d", level=4)).holder == "c"
