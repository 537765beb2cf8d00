"""Two servers on one database: they show the same, and lose nothing."""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.client import Client, call
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Json, Ledger, Notes
from tests.reliability.process import ServerProcess, running
from tests.reliability.watcher import Watcher, watching
from tests.waiting import wait_for

LISTENERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^LISTEN'"


class Pair:
    """Two servers on one database."""

    def __init__(self, database: TargetDatabase) -> None:
        self.database = database
        self.one, self.other = (ServerProcess(database.url, pace=0.02) for _ in range(2))

    def revive(self) -> None:
        """Start the server that a test has ended, and wait until both listen."""
        for server in (self.one, self.other):
            if not server.is_running:
                server.start()
        wait_for(lambda: self.num_listening == 2, "both servers listen")
        self.ledger = Ledger()

    @property
    def num_listening(self) -> int:
        """The number of servers that listen."""
        [(num,)] = self.database.select(LISTENERS)
        return int(num)

    def cut(self) -> None:
        """End the connections on which the servers listen. They miss all messages for a second."""
        ended = self.database.select(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query ~ '^LISTEN'"
        )
        assert ended == [(True,), (True,)]

    async def table(self, *, computer: bool = False) -> Notes:
        return await Client(self.one.url, self.ledger, random.Random(1)).create(computer)


@pytest.fixture(scope="module")
def shared_pair(shared_postgres_database: TargetDatabase) -> Iterator[Pair]:
    pair = Pair(shared_postgres_database)
    with running(pair.one, pair.other):
        yield pair


@pytest.fixture
def pair(shared_pair: Pair) -> Pair:
    """Two running servers, the same for all tests of this file."""
    shared_pair.revive()
    return shared_pair


def sit(version: int = 1) -> Json:
    return {"type": "sit", "id": "ben-sits-down", "version": version, "seat": 1, "name": "Ben"}


def roll(version: int, seat: int, id: str = "a-first-roll") -> Json:
    return {"type": "roll", "id": id, "version": version, "seat": seat, "kept": []}


def next_command(view: Json, id: str) -> Json:
    """The next command of the seat to move: a roll, or a score in the first open box."""
    turn = view["turn"]
    if not turn["dice"]:
        return roll(view["version"], turn["seat"], id)
    box = next(offer["box"] for offer in turn["offers"] if offer["is_open"])
    return {"type": "score", "id": id, "version": view["version"], "seat": turn["seat"], "box": box}


def test_every_server_shows_the_events_of_a_table(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            assert (await ben.send(sit()))["version"] == 2
            await ann.until(lambda watcher: watcher.version == 2)
            assert ann.update["view"]["seats"][1]["name"] == "Ben"
            assert (await ann.send(roll(2, 0)))["version"] == 3
            await ben.until(lambda watcher: watcher.version == 3)
            assert ben.update["view"]["turn"]["dice"] == ann.update["view"]["turn"]["dice"]
            # The other server gives the same answer to the same command, which is applied once.
            assert call(f"{pair.other.url}/api/tables/{notes.table}/commands", roll(2, 0), notes.cookies[0])[1] == {
                "type": "accepted",
                "id": "a-first-roll",
                "version": 3,
            }
            assert pair.database.commands()[notes.table]["a-first-roll"] == 3
            # Of two concurrent commands, one is accepted and the other is stale.
            both = [{**next_command(ann.update["view"], f"at-once-{name}"), "kept": []} for name in ("one", "two")]
            for command in both:
                del command["kept"]
            answers = await asyncio.gather(ann.send(both[0]), _post(pair.other.url, notes, 0, both[1]))
            assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
            assert next(answer for answer in answers if answer["type"] == "refused")["reason"] == "stale"

    asyncio.run(play())


def test_a_game_continues_when_one_of_the_servers_is_killed(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table(computer=True)
        async with watching(pair.other.url, notes, 1) as ben:
            async with watching(pair.one.url, notes, 0) as ann:
                await ben.send(sit())
                await ann.until(lambda watcher: watcher.version == 2)
                for number in range(4):
                    await _play_command(ann if number < 2 else ben, f"before-the-end-{number}")
                    await ann.until_version(3 + number)
                    await ben.until_version(3 + number)
            # It is the turn of the computer player, whose server may be the one that is killed.
            pair.other.kill()
        client = Client(pair.one.url, pair.ledger, random.Random(2))
        await client.play(notes, over_websocket=True)
        assert notes.has_ended
        await client.check(notes)
        pair.ledger.check_database(pair.database.commands())
        assert pair.ledger.lost == []

    asyncio.run(play())


def test_a_computer_player_continues_on_another_server_when_its_own_is_killed(pair: Pair) -> None:
    async def play() -> None:
        seats = [{"kind": "greedy"}, {"kind": "random"}]
        _, created, cookie = call(f"{pair.one.url}/api/tables", {"rules": "yahtzee", "seats": seats})
        notes = Notes(created["table"], {0: cookie})
        async with watching(pair.other.url, notes, 0) as watcher:
            await watcher.until(lambda watcher: watcher.version > 4)
            pair.one.kill()
            assert watcher.update["view"]["state"] == "playing"
            await watcher.until(lambda watcher: watcher.update["view"]["state"] == "over")
            assert sorted(pair.database.commands()[notes.table].values()) == list(range(1, watcher.version + 1))

    asyncio.run(play())


def test_servers_catch_up_after_they_could_not_listen(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            pair.cut()
            await ben.send(sit())
            await ben.send(next_command(ben.update["view"], "not-mine") | {"type": "roll", "seat": 0, "kept": []})
            await ann.until(lambda watcher: watcher.version == 2)
            assert ann.num_events == 1

    asyncio.run(play())


def test_a_request_sees_what_another_server_has_acknowledged(pair: Pair) -> None:
    """Requests alternate between servers, as behind a load balancer, and no notification arrives in time."""
    ann = {"kind": "person", "name": "Ann", "here": True}
    _, created, cookie = call(f"{pair.one.url}/api/tables", {"seats": [ann]})
    path = f"/api/tables/{created['table']}"
    call(f"{pair.other.url}{path}", cookie=cookie)  # load it on both servers
    pair.cut()
    assert call(f"{pair.one.url}{path}/commands", roll(1, 0), cookie)[1]["version"] == 2
    assert call(f"{pair.other.url}{path}/events?since=2", cookie=cookie)[1]["status"] == "up_to_date"
    score = {"type": "score", "id": "a-first-score", "version": 2, "seat": 0, "box": "chance"}
    assert call(f"{pair.other.url}{path}/commands", score, cookie)[1].get("version") == 3
    assert call(f"{pair.one.url}{path}/commands", roll(3, 0, "a-second-roll"), cookie)[1].get("version") == 4


def test_only_one_process_can_serve_a_sqlite_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    server = ServerProcess(url)
    server.start()
    log = tmp_path / "log"
    refused = ServerProcess(url, log=log)
    refused.launch()
    assert refused.wait() == 2
    assert "another fivedice serves" in log.read_text()
    server.kill()
    server.start()  # a killed server leaves no lock
    server.stop()


async def _post(url: str, notes: Notes, seat: int, command: Json) -> Json:
    _, answer, _ = await asyncio.to_thread(
        call, f"{url}/api/tables/{notes.table}/commands", command, notes.cookies[seat]
    )
    return answer


async def _play_command(watcher: Watcher, id: str) -> None:
    answer = await watcher.send(next_command(watcher.update["view"], id))
    assert answer["type"] == "accepted", json.dumps(answer)
