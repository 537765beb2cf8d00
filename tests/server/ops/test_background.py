"""Work beside the requests of a server."""

import logging

import pytest

from fivedice.base.errors import UnavailableError
from fivedice.server.ops.background import Repeated


class Rows(Repeated):
    """Works on three rows, of which the second has its own ideas."""

    pause = 0.0
    failure = "nothing is done"

    def __init__(self) -> None:
        self.done: list[int] = []
        self.error: Exception | None = ValueError("a bad row")

    async def work(self) -> None:
        for row in range(3):
            with self.fenced(f"row {row} is left out"):
                if row == 1 and self.error:
                    raise self.error
                self.done.append(row)


async def test_one_bad_row_is_logged_once_and_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    rows = Rows()
    for _ in range(3):
        await rows.work()
    assert rows.done == [0, 2] * 3
    assert [record.getMessage() for record in caplog.records] == ["row 1 is left out"]
    rows.error = UnavailableError("locked")
    await rows.work()
    assert [record.levelno for record in caplog.records] == [logging.ERROR, logging.WARNING]
    rows.error = None
    await rows.work()
    rows.error = ValueError("bad again")
    await rows.work()
    assert len(caplog.records) == 3, "it had worked meanwhile"
