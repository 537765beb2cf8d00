"""Play continues after faults, one by one and many at random."""

import asyncio
import random
from pathlib import Path

import psycopg
import pytest

from tests.amount import amount
from tests.conftest import NO_PROXY
from tests.reliability.client import Client, UnavailableError, call
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase
from tests.reliability.faults import POSTGRES, SEVERAL, SQLITE, schedule
from tests.reliability.ledger import Ledger
from tests.reliability.process import ServerProcess
from tests.reliability.proxy import find_proxy
from tests.waiting import TEST_SECONDS, TIMEOUT_SECONDS, wait_for_async

READ_ONLY = "the database cannot be used now: cannot execute INSERT in a read-only transaction"


def set_read_only(database: TargetDatabase, value: str) -> None:
    """Let a PostgreSQL database be read-only or not, for new connections, and end all others."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute(f"ALTER DATABASE {connection.info.dbname} SET default_transaction_read_only = {value}")
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def wait_until_ready(server: ServerProcess, wanted: bool) -> None:
    """Wait until the server says that it is ready, or that it is not and why."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            status, found, _ = await asyncio.to_thread(call, f"{server.url}/ready")
            assert (status == 200) == found["ready"] == (not found["reason"]), found
            if found["ready"] == wanted:
                return
            await asyncio.sleep(0.1)


def test_play_continues_after_postgres_was_read_only(postgres_database: TargetDatabase) -> None:
    server, ledger, errors = ServerProcess(postgres_database.url), Ledger(), list[str]()

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
            for number in range(3):
                group.create_task(play_one(client, number, stop))
            await wait_for_async(lambda: ledger.num_acknowledged >= 20, "20 commands are acknowledged")
            set_read_only(postgres_database, "on")
            await wait_for_async(lambda: READ_ONLY in errors, "a command is refused")
            await wait_until_ready(server, False)
            before = ledger.num_acknowledged
            set_read_only(postgres_database, "off")
            await wait_for_async(lambda: ledger.num_acknowledged >= before + 10, "play continues")
            await wait_until_ready(server, True)
            stop.set()
        for notes in ledger.notes.values():
            await client.check(notes)

    with server:
        asyncio.run(play())
    ledger.check_database(postgres_database.commands())
    assert ledger.lost == []


FAULTS = amount(4, full=20)
TABLES = amount(2, full=NUM_TABLES)

SEED = 2703
"""Its first four faults on SQLite are a full pipe for the server's messages, a deleted write-ahead log and then a kill,
a start from a read-only file, and a full disk; on PostgreSQL a crash, a full disk, a killed process of it, and a kill
of the server at its start."""


def test_faults_during_play_lose_and_double_no_acknowledged_command(database: TargetDatabase, tmp_path: Path) -> None:
    outcome = asyncio.run(crash(database, FAULTS, SEED, tmp_path, num_tables=TABLES))
    assert outcome.findings == []
    assert outcome.ledger.num_acknowledged > 50 * TABLES  # at least one whole game at each table
    assert outcome.num_views > outcome.ledger.num_acknowledged / 2


def test_faults_of_one_of_two_processes_lose_and_double_nothing(
    postgres_database: TargetDatabase, tmp_path: Path
) -> None:
    if not find_proxy("nginx"):
        pytest.skip(NO_PROXY["nginx"])
    outcome = asyncio.run(crash(postgres_database, FAULTS, SEED, tmp_path, num_tables=NUM_TABLES, num_processes=2))
    assert outcome.findings == []
    assert outcome.ledger.num_acknowledged > 50 * NUM_TABLES


def test_a_seed_determines_the_faults() -> None:
    for kinds in (SQLITE, POSTGRES, SEVERAL):
        faults = list(schedule(kinds, 40, SEED))
        assert faults == list(schedule(kinds, 40, SEED)) != list(schedule(kinds, 40, SEED + 1))
        assert {fault.kind for fault in faults} == set(kinds)
