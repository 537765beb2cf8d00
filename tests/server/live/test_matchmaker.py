"""People who look for an opponent through two processes meet each other once, also when one process is killed."""

import asyncio
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from fivedice.base.errors import UnavailableError
from fivedice.server.identity.holders import Visitor
from fivedice.server.matchmaking.lobby import OpenSeat
from fivedice.server.services import Services
from fivedice.storage.rows.holders import new_secret
from fivedice.storage.rows.open_seats import waiting
from fivedice.storage.rows.streams import load_stream
from tests.server.live.living import processes
from tests.server.serving import Browser, Clock, serving
from tests.storage.empty import empty_postgres

KILLED = """
import asyncio, sys
from pathlib import Path
from fivedice.server.config.settings import Settings
from fivedice.server.identity.holders import Visitor
from fivedice.server.matchmaking.lobby import OpenSeat
from fivedice.server.services import Services

async def run():
    services = Services(Settings(sys.argv[1], page=Path(sys.argv[2])))
    for number in range(10_000):
        now = services.settings.clock()
        holder = await services.holders.ensure(Visitor(f"{number:043}", None), now)
        wish = OpenSeat(f"killed-{number}", holder, "Eve", "yatzy", 60, None, False, now, now)
        await services.matchmaker.seek(wish)
        print(number, flush=True)

asyncio.run(run())
"""
"""A process in which one person after the other looks for an opponent."""


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
    with serving(tmp_path) as server:
        ann, ben = server.visit(), server.visit()
        wish = {"rules": "yatzy", "seconds": 86_400}
        waits = ann.post("/api/lobby/seats", name="Ann", **wish)
        assert waits["table"] is None
        seats = ben.get("/api/lobby")["seats"]
        assert [(one["name"], one["rules_name"], one["seconds"]) for one in seats] == [("Ann", "Yatzy", 86_400)]
        table = ben.post(f"/api/lobby/seats/{waits['seat']}/sit", name="Ann")["table"]
        view = ben.view(table)
        assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ann 2"]
        assert (view["state"], view["pace"], view["help"]) == ("playing", 86_400, "none")
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
        nobody = server.visit().http.post("/api/lobby/blocked", json={"table": table, "seat": 1, "name": "x"})
        assert nobody.status_code == 404


def test_whoever_follows_the_lobby_learns_of_each_change_and_keeps_a_seat(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path, clock=clock) as server:
        ann, ben, eve = (server.visit() for _ in range(3))
        wish = {"rules": "yatzy", "seconds": 60}

        def wait(browser: Browser, name: str) -> Any:
            return browser.send_import("/api/lobby/seats", json={"name": name, **wish}).json()

        def look_around() -> None:
            server.do(server.services.matchmaker.work())

        with eve.socket("lobby", kind="streams") as lobby:
            known = lobby.receive()
            assert known == {"type": "changed", "version": eve.get("/api/lobby")["version"]}

            def learns() -> Any:
                """The lobby after the next change."""
                nonlocal known
                known, before = lobby.receive(), known["version"]
                found = eve.get("/api/lobby")
                assert found["version"] >= known["version"] > before
                return found

            seat = wait(ann, "Ann")["seat"]
            assert [one["name"] for one in learns()["seats"]] == ["Ann"]
            clock.now += 71.0
            look_around()
            assert learns()["seats"] == [], "the page of the person who waited is closed"
            with ann.socket("lobby", kind="streams") as page:
                page.receive()
                seat = wait(ann, "Ann")["seat"]
                assert [one["name"] for one in learns()["seats"]] == ["Ann"]
                for _ in range(3):
                    clock.now += 60.0
                    look_around()
                assert [one["id"] for one in eve.get("/api/lobby")["seats"]] == [seat]
            table = wait(ben, "Ben")["table"]
            found = learns()
            assert (found["seats"], [one["table"] for one in found["running"]]) == ([], [table])
            mover = ben.view(table)["turn"]["seat"]
            (ann, ben)[mover].do(table, "resign", seat=mover)
            look_around()
            assert learns()["running"] == []
            refused = ben.http.post("/api/lobby/seats/none/sit", json={"name": "Ben"})
            assert refused.status_code == 404
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
