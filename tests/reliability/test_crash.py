import asyncio

from tests.amount import amount
from tests.reliability.crash import NUM_TABLES, crash
from tests.reliability.databases import TargetDatabase

KILLS = amount(4, full=20)
"""`make crash-test` kills 200 times by default; docs/reliability.md has its figures."""


def test_a_server_killed_under_load_loses_no_acknowledged_command(database: TargetDatabase) -> None:
    outcome = asyncio.run(crash(database, KILLS, seed=5))
    assert outcome.ledger.lost == []
    assert outcome.stuck == []
    assert outcome.ledger.num_acknowledged > 50 * NUM_TABLES  # at least one whole game at each table
