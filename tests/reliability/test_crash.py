"""A few faults of each kind during play; `make crash-test` has 200 by default, and docs/reliability.md its figures."""

import asyncio
from pathlib import Path

import pytest

from tests.amount import amount
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase
from tests.reliability.faults import POSTGRES, SQLITE, schedule

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
