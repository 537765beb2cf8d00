"""Play continues after faults, one by one and many at random."""

import asyncio
from pathlib import Path

import pytest

from tests.amount import amount
from tests.conftest import NO_PROXY
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase
from tests.reliability.faults import POSTGRES, SEVERAL, SQLITE, schedule
from tests.reliability.proxy import find_proxy

FAULTS = amount(4, full=20)
TABLES = amount(2, full=NUM_TABLES)

SEED = 2000
"""Its first four faults on SQLite are a full disk, a start from a read-only file, a full pipe for the server's
messages, and a kill at the start; on PostgreSQL a crash, a full disk, a full pipe, and a killed process of it."""


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
