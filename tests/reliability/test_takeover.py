"""The owner of a table is killed, drained or frozen while two people play there: `make bench-takeover`, once each."""

import pytest

from tests.reliability.databases import TargetDatabase
from tests.reliability.ledger import Ledger
from tests.reliability.takeover import FAULTS, make_server, take_over
from tests.waiting import TIMEOUT_SECONDS


@pytest.mark.parametrize("fault", FAULTS)
def test_another_worker_takes_over_without_losing_an_action_or_a_player(
    postgres_database: TargetDatabase, fault: str
) -> None:
    ledger = Ledger()
    acknowledged, seen = take_over(make_server(postgres_database), ledger, fault)
    assert acknowledged <= seen < TIMEOUT_SECONDS / 4, "a generous limit: `make bench-takeover` has the figures"
    assert ledger.num_acknowledged >= 3, "a table, and two commands"
    ledger.check_database(postgres_database.commands())
    assert ledger.lost + ledger.doubled == []
