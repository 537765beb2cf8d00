"""Two servers on one database, of which one is killed: play continues on the other, and nothing is lost."""

import asyncio
import random
from collections.abc import Iterator

import pytest

from tests.reliability.client import Client, call
from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Json, Ledger, Notes
from tests.reliability.process import ServerProcess, running
from tests.reliability.watcher import watching
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
        wait_for(lambda: self.database.select(LISTENERS) == [(2,)], "both servers listen")
        self.ledger = Ledger()


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


SIT = {"type": "sit", "id": "ben-sits-down", "version": 1, "seat": 1, "name": "Ben"}


def next_command(view: Json, id: str) -> Json:
    """The next command of the seat to move: a roll, or a score in the first open box."""
    turn = view["turn"]
    command = {"id": id, "version": view["version"], "seat": turn["seat"]}
    if not turn["dice"]:
        return command | {"type": "roll", "kept": []}
    return command | {"type": "score", "box": next(offer["box"] for offer in turn["offers"] if offer["is_open"])}


def test_a_game_continues_when_one_of_the_servers_is_killed(pair: Pair) -> None:
    async def play() -> None:
        notes = await Client(pair.one.url, pair.ledger, random.Random(1)).create(computer=True)
        async with watching(pair.other.url, notes, 1) as ben:
            async with watching(pair.one.url, notes, 0) as ann:
                await ben.send(SIT)
                await ann.until(lambda watcher: watcher.version == 2)
                for number in range(4):
                    watcher = ann if number < 2 else ben
                    answer = await watcher.send(next_command(watcher.update["view"], f"before-the-end-{number}"))
                    assert answer["type"] == "accepted", answer
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
