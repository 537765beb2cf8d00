import asyncio
import json
import random
from collections.abc import Iterator

import psycopg
import pytest

from tests.reliability.client import GONE, Client, call
from tests.reliability.databases import Place
from tests.reliability.ledger import Json, Ledger, Notes
from tests.reliability.process import ServerProcess
from tests.reliability.watcher import Watcher, watching


class Pair:
    """Two servers on one database."""

    def __init__(self, place: Place, *options: str) -> None:
        self.place = place
        self.one, self.other = ServerProcess(place.url, *options), ServerProcess(place.url, *options)
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
                assert pair.other.stop() == 0
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
                    version = 3 + number
                    await ann.until(lambda watcher, version=version: watcher.version >= version)
                    await ben.until(lambda watcher, version=version: watcher.version >= version)
            # The computer player is to move, and the server that has it act is gone at once or soon.
            pair.other.kill()
        notes.cookies[1] = notes.cookies[1]
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
            pair.one.kill()
            await watcher.until(lambda watcher: watcher.update["view"]["state"] == "over")

    asyncio.run(play())


def test_nothing_is_missed_while_a_server_cannot_listen(pair: Pair) -> None:
    async def play() -> None:
        notes = await pair.table()
        async with watching(pair.one.url, notes, 0) as ann, watching(pair.other.url, notes, 1) as ben:
            await ben.until(lambda watcher: watcher.here == [0])
            with psycopg.connect(pair.place.url, autocommit=True) as connection:
                ended = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
                ).fetchall()
            assert ended == [(True,), (True,)]
            await ben.send(sit())
            await ben.send(play_on(ben.update["view"], "not-mine") | {"type": "roll", "seat": 0, "kept": []})
            await ann.until(lambda watcher: watcher.version == 2)
            assert ann.num_events == 1
            await ann.until(lambda watcher: watcher.here == [0, 1])

    asyncio.run(play())


def test_workers_share_an_address_and_one_that_dies_is_replaced(postgres_database: Place) -> None:
    server = ServerProcess(postgres_database.url, "--workers", "2")
    server.start()
    try:
        backends = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        assert postgres_database.select(backends) == [(2,)]
        ledger = Ledger()
        asyncio.run(_play_while_workers_die(server, ledger))
        ledger.check_rows(postgres_database.commands())
        assert ledger.lost == []
        assert server.stop() == 0
    finally:
        server.kill()


def test_one_process_serves_a_sqlite_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    pass


async def _play_while_workers_die(server: ServerProcess, ledger: Ledger) -> None:
    client = Client(server.url, ledger, random.Random(3))
    notes = await client.create(computer=True)
    for _ in range(3):
        try:
            async with asyncio.timeout(1):
                await client.play(notes, over_socket=True)
        except GONE:
            pass
        server.kill_a_child()
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
