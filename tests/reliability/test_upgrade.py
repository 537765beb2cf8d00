"""Four processes are replaced by those of another version while people play: `make upgrade-test`, on a small scale."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.reliability.databases import TargetDatabase
from tests.reliability.upgrade import UpgradeTest
from tests.reliability.versions import NoHistoryError, installed_wheel, previous_release


@pytest.mark.slow
@pytest.mark.timeout(400)  # it builds a wheel, starts eight processes one after another, and plays whole games
def test_nobody_notices_an_upgrade(postgres_database: TargetDatabase, tmp_path: Path) -> None:
    try:
        before = installed_wheel(previous_release(), tmp_path)
    except NoHistoryError as error:
        pytest.skip(str(error))
    test = UpgradeTest(postgres_database, before, Path(sys.executable), 24, tmp_path)
    figures = asyncio.run(test.run())
    assert figures.findings == []
    assert figures.num_reconnections > 0
    assert figures.ledger.num_acknowledged > 500
