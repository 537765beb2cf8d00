import asyncio

import pytest

from tests.reliability.crash import TABLES, crash
from tests.reliability.databases import Place

KILLS = 20
"""`make crash-test` kills 200 times; its figures are in docs/reliability.md."""


@pytest.mark.slow
def test_a_server_that_is_killed_under_load_loses_nothing_that_it_acknowledged(database: Place) -> None:
    outcome = asyncio.run(crash(database, KILLS, seed=5))
    assert outcome.ledger.lost == []
    assert outcome.stuck == []
    assert outcome.ledger.num_acknowledged > 50 * TABLES  # a whole game at each table, at least
