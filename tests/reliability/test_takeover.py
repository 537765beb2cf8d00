"""The owner of a table is killed, drained or frozen while two people play there: `make bench-takeover`, once each."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Ledger
from tests.reliability.process import ServerProcess
from tests.reliability.takeover import FAULTS, start_workers, take_over
from tests.waiting import TIMEOUT_SECONDS


@pytest.fixture
def server(postgres_database: TargetDatabase) -> Iterator[ServerProcess]:
    with start_workers(postgres_database) as running:
        yield running


@pytest.mark.parametrize("fault", FAULTS)
def test_another_worker_takes_over_without_losing_an_action_or_a_player(
    server: ServerProcess, postgres_database: TargetDatabase, fault: str
) -> None:
    ledger = Ledger()
    acknowledged, seen = asyncio.run(take_over(server, ledger, fault, 0))
    assert acknowledged <= seen < TIMEOUT_SECONDS / 4, "a generous limit: `make bench-takeover` has the figures"
    assert ledger.num_acknowledged == 3, "the table, and two commands"
    ledger.check_database(postgres_database.commands())
    assert ledger.lost + ledger.doubled == []
