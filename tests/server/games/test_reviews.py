"""`Reviews`: a review is kept once it has all its parts, and not before."""

from contextlib import AbstractContextManager, nullcontext
from itertools import product
from pathlib import Path
from typing import Any, cast, get_args

import pytest

from fivedice.game.proof import commitment
from fivedice.server.games import computed
from fivedice.server.games.reviews import Reviews
from fivedice.server.solving.pool import Pool
from fivedice.server.solving.searches import Searches
from fivedice.server.table.apply import start
from fivedice.server.table.create import NewTable, WantedSeat, create
from fivedice.server.table.state import Table
from fivedice.server.table.to_record import TableLog
from fivedice.storage.engine.database import Database
from fivedice.views.review import ReviewPart
from tests.server.http.api.test_me import finished
from tests.server.serving import serving
from tests.waiting import wait_for

PARTS = get_args(ReviewPart)


class Found:
    """Searches that have the solution of all rules, and these parts of it."""

    def __init__(self, parts: set[str]) -> None:
        self.parts = parts

    def solution(self, ruleset: object, whos: object) -> object:
        return object()

    def is_found(self, name: str, ruleset: object, whos: object) -> bool:
        return name in self.parts

    def refusal(self, ruleset: object, name: str) -> str:
        return ""

    def progress(self, ruleset: object, name: str) -> float:
        return 0.5

    def using(self, ruleset: object) -> AbstractContextManager[None]:
        return nullcontext()


class Counting:
    """A pool whose reviews are numbers, so that a new one differs from a kept one."""

    def __init__(self) -> None:
        self.num = 0

    async def run(self, *args: object) -> bytes:
        self.num += 1
        return str(self.num).encode()


def table(num_seats: int) -> Table:
    wanted = NewTable(rules="crag", seats=[WantedSeat("greedy") for _ in range(num_seats)])
    return start(create(wanted, "k7Qm2x", commitment(bytes(32)), 0.0))


@pytest.mark.parametrize(("num_seats", "has"), [*product([1, 2], product([False, True], repeat=len(PARTS)))])
async def test_a_review_is_kept_only_with_all_its_parts(num_seats: int, has: tuple[bool, ...]) -> None:
    parts = {part for part, is_there in zip(PARTS, has, strict=True) if is_there}
    needed = {*PARTS} - ({"moments"} if num_seats == 1 else set())  # a game alone has no odds
    reviews = Reviews(cast("Pool", cast("Any", Counting())), cast("Searches", cast("Any", Found(parts))))
    first, second = [await reviews.of_table(table(num_seats), TableLog((), b""), "en") for _ in range(2)]
    assert first
    assert second
    assert first.is_complete == (needed <= parts)
    assert (first.json == second.json) == (needed <= parts)


def test_a_review_is_one_call_and_reads_nothing_from_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as server:
        ann = server.visit()
        solved = finished(ann)
        wait_for(lambda: ann.http.get(f"/api/tables/{solved}/review").status_code == 200, "its rules are solved")
        other = finished(ann)
        calls: list[object] = []
        run, read = Pool.run, Database.read

        async def noting(pool: Pool, call: Any, *args: Any) -> Any:
            calls.append(call)
            return await run(pool, call, *args)

        def reading(database: Database, job: Any) -> Any:
            calls.append(job)
            return read(database, job)

        for work in server.services._background:  # which reads, too
            server.do(work.close())
        monkeypatch.setattr(Pool, "run", noting)
        monkeypatch.setattr(Database, "read", reading)
        assert ann.http.get(f"/api/tables/{other}/review").status_code == 200
        assert calls == [computed.review]
        assert ann.http.get(f"/api/tables/{other}/review").status_code == 200
        assert calls == [computed.review], "it is kept"
