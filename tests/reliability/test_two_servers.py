import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.reliability.client import GONE, Client, call
from tests.reliability.databases import Place
from tests.reliability.ledger import Json, Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.reliability.watcher import SECONDS, Watcher, watching
from tests.waiting import wait_for, wait_for_async


class Pair:
    """Two servers on one database."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.one, self.other = (ServerProcess(place.url, pace=0.02) for _ in range(2))
        self.one.begin()
        self.other.begin()
        self.one.wait_until_up()
        self.other.wait_until_up()
        self.ledger = Ledger()

    async def table(self, *, computer: bool = False) -> Notes:
        return await Client(self.one.url, self.ledger, random.Random(1)).create(computer)

    def kill(self) -> None:
        self.one.kill()
        self.other.kill()


@pytest.fixture
def pair(postgres_database: Place) -> Iterator[Pair]:
    pair = Pair(postgres_database)
    yield pair
    pair.kill()


def sit(version: int = 1) -> Json:
    return {"type": "sit", "id": "ben-sits-down", "version": version, "seat": 1, "name": "Ben"}


def roll(version: int, seat: int, id: str = "a-first-roll") -> Json:
    return {"type": "roll", "id": id, "version": version, "seat": seat, "kept": []}


def play_on(view: Json, id: str) -> Json:
    """The next command of whoever's turn it is: a roll, then the first open box."""
    turn = view["turn"]
    if not turn["dice"]:
        return roll(view["version"], turn["seat"], id)
    box = next(offer["box"] for offer in turn["offers"] if offer["is_open"])
    return {"type": "score", "id": id, "version": view["version"], "seat": turn["seat"], "box": box}


def deafen(pair: Pair) -> None:
    """Cut the connections by which the servers listen: they hear nothing for a second."""
    with psycopg.connect(pair.place.url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        ).fetchall()
    assert ended == [(True,), (True,)]


def test_what_happens_at_a_table_is_told_by_every_server(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            assert (await ben.send(sit()))["version"] == 2
            await ann.until(lambda watcher: watcher.version == 2)
            assert ann.update["view"]["seats"][1]["name"] == "Ben"
            assert (await ann.send(roll(2, 0)))["version"] == 3
            await ben.until(lambda watcher: watcher.version == 3)
            assert ben.update["view"]["turn"]["dice"] == ann.update["view"]["turn"]["dice"]
            # The same command at another server has the same answer, and is done once.
            assert call(f"{pair.other.url}/api/tables/{notes.table}/commands", roll(2, 0), notes.cookies[0])[1] == {
                "type": "accepted",
                "id": "a-first-roll",
                "version": 3,
            }
            assert pair.place.commands()[notes.table]["a-first-roll"] == 3
            # Two at once: one is the event, and the other learns of it.
            both = [{**play_on(ann.update["view"], f"at-once-{name}"), "kept": []} for name in ("one", "two")]
            for command in both:
                del command["kept"]
            answers = await asyncio.gather(ann.send(both[0]), _post(pair.other.url, notes, 0, both[1]))
            assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
            assert next(answer for answer in answers if answer["type"] == "refused")["reason"] == "stale"

    asyncio.run(play())


def test_who_is_here_and_who_holds_a_seat_is_known_at_every_server(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann:
            async with watching(pair.other.url, notes, 1) as ben:
                await ben.until(lambda watcher: watcher.here == [0])
                # Ben's browser sits down by way of one server while its socket is at the other.
                await _post(pair.one.url, notes, 1, sit())
                await ben.until(lambda watcher: watcher.update["yours"] == [1] and watcher.here == [0, 1])
                await ann.until(lambda watcher: watcher.here == [0, 1])
            await ann.until(lambda watcher: watcher.here == [0])
            async with watching(pair.other.url, notes, 1):
                await ann.until(lambda watcher: watcher.here == [0, 1])
                pair.other.stop()
            await ann.until(lambda watcher: watcher.here == [0])

    asyncio.run(play())


def test_the_game_goes_on_when_one_of_the_servers_is_killed(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table(computer=True)
        async with watching(pair.other.url, notes, 1) as ben:
            async with watching(pair.one.url, notes, 0) as ann:
                await ben.send(sit())
                await ann.until(lambda watcher: watcher.version == 2)
                for number in range(4):
                    await _move(ann if number < 2 else ben, f"before-the-end-{number}")
                    await ann.until_version(3 + number)
                    await ben.until_version(3 + number)
            # The computer player is to move, and the server that has it act is gone at once or soon.
            pair.other.kill()
        client = Client(pair.one.url, pair.ledger, random.Random(2))
        await client.play(notes, over_socket=True)
        assert notes.has_ended
        await client.check(notes)
        pair.ledger.check_rows(pair.place.commands())
        assert pair.ledger.lost == []

    asyncio.run(play())


def test_a_computer_player_goes_on_at_another_server_when_its_own_is_killed(pair: Pair) -> None:
    async def play() -> None:
        seats = [{"kind": "greedy"}, {"kind": "random"}]
        _, made, cookie = call(f"{pair.one.url}/api/tables", {"rules": "yahtzee", "seats": seats})
        notes = Notes(made["table"], {0: cookie})
        async with watching(pair.other.url, notes, 0) as watcher:
            await watcher.until(lambda watcher: watcher.version > 4)
            pair.one.kill()
            assert watcher.update["view"]["state"] == "playing"
            await watcher.until(lambda watcher: watcher.update["view"]["state"] == "over")
            assert sorted(pair.place.commands()[notes.table].values()) == list(range(1, watcher.version + 1))

    asyncio.run(play())


def test_nothing_is_missed_while_a_server_cannot_listen(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            await ben.until(lambda watcher: watcher.here == [0])
            deafen(pair)
            await ben.send(sit())
            await ben.send(play_on(ben.update["view"], "not-mine") | {"type": "roll", "seat": 0, "kept": []})
            await ann.until(lambda watcher: watcher.version == 2)
            assert ann.num_events == 1
            await ann.until(lambda watcher: watcher.here == [0, 1])

    asyncio.run(play())


def test_what_one_server_answered_the_next_request_at_another_builds_on(pair: Pair) -> None:
    """As behind a load balancer without sticky sessions; here the announcement comes too late for all requests."""
    ann = {"kind": "person", "name": "Ann", "here": True}
    _, made, cookie = call(f"{pair.one.url}/api/tables", {"seats": [ann]})
    path = f"/api/tables/{made['table']}"
    call(f"{pair.other.url}{path}", cookie=cookie)  # now both have it in memory
    deafen(pair)
    assert call(f"{pair.one.url}{path}/commands", roll(1, 0), cookie)[1]["version"] == 2
    assert call(f"{pair.other.url}{path}/events?since=2", cookie=cookie)[1]["status"] == "up_to_date"
    score = {"type": "score", "id": "a-first-score", "version": 2, "seat": 0, "box": "chance"}
    assert call(f"{pair.other.url}{path}/commands", score, cookie)[1].get("version") == 3
    assert call(f"{pair.one.url}{path}/commands", roll(3, 0, "a-second-roll"), cookie)[1].get("version") == 4


def test_an_announcement_that_nobody_can_read_stops_no_server_from_listening(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            with psycopg.connect(pair.place.url, autocommit=True) as connection:
                for nonsense in ("nonsense", "table one two three", ""):
                    connection.execute("SELECT pg_notify('fivedice_tables', %s)", [nonsense])
            for version in range(1, 4):
                one, other = (ben, ann) if version == 1 else (ann, ben)
                command = sit() if version == 1 else play_on(ann.update["view"], f"command-{version}")
                assert (await one.send(command))["version"] == version + 1
                wanted = version + 1
                await other.until(lambda watcher: watcher.version == wanted)  # noqa: B023

    asyncio.run(play())


def test_workers_share_an_address_and_one_that_dies_is_replaced(postgres_database: Place) -> None:
    server = ServerProcess(postgres_database.url, "--workers", "2")
    server.start()
    try:
        backends = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        wait_for(lambda: postgres_database.select(backends) == [(2,)], "both workers listen", SECONDS)
        ledger = Ledger()
        asyncio.run(_play_while_a_worker_dies(server, ledger))
        ledger.check_rows(postgres_database.commands())
        assert ledger.lost == []
        server.stop()
    finally:
        server.kill()


@pytest.mark.parametrize("options", [["--workers", "2"], []])
def test_one_process_alone_serves_a_sqlite_file(options: list[str], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    server = ServerProcess(url)
    server.start()
    command = [sys.executable, "-m", "fivedice", "serve", "--port", "0", "--database-url", url, *options]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2
    assert ("only one process can serve a SQLite file" if options else "another fivedice serves") in refused.stderr
    server.kill()
    server.start()  # a server that was killed leaves nothing behind
    server.stop()


async def _play_while_a_worker_dies(server: ServerProcess, ledger: Ledger) -> None:
    client = Client(server.url, ledger, random.Random(3))
    notes = await client.create(computer=True)
    before = server.workers
    assert len(before) == 2
    playing = asyncio.create_task(_play_to_the_end(client, notes))
    await wait_for_async(lambda: client.ledger.num_acknowledged > 2, "the game is under way")
    os.kill(before[0], signal.SIGKILL)
    await playing
    await wait_for_async(lambda: len(set(server.workers) - {before[0]}) == 2, "another worker takes its place", 20)


async def _play_to_the_end(client: Client, notes: Notes) -> None:
    while not notes.has_ended:
        try:
            await client.play(notes, over_socket=True)
        except GONE:
            await asyncio.sleep(0.05)


async def _post(url: str, notes: Notes, seat: int, command: Json) -> Json:
    _, answer, _ = await asyncio.to_thread(
        call, f"{url}/api/tables/{notes.table}/commands", command, notes.cookies[seat]
    )
    return answer


async def _move(watcher: Watcher, id: str) -> None:
    answer = await watcher.send(play_on(watcher.update["view"], id))
    assert answer["type"] == "accepted", json.dumps(answer)
