"""`Reviews`: a review is made of the record and the grades, without another process; explanations follow."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fivedice.analysis.reviews.review import review
from fivedice.base.errors import UnavailableError
from fivedice.game.record import parse_record
from fivedice.server.games.reviews import explained, perfect_scores
from fivedice.server.solving.pool import Pool, Worker
from fivedice.solver.solution import Solution
from fivedice.views.review import review_view
from tests.server.games.test_grading import ANN, GREEDY, explained_review, graded, play
from tests.server.serving import serving_with_cache


@pytest.mark.parametrize("seats", [[ANN], [ANN, GREEDY]])
def test_a_review_is_that_of_the_record_and_no_work_of_another_process(
    seats: list[dict[str, Any]], solved_cache: Path, crag: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        table = play(ann, seats, rules="crag")
        graded(server)
        record = parse_record(ann.http.get(f"/api/tables/{table}/record").text)
        calls: list[object] = []
        run = Pool._call

        async def noting(pool: Pool, worker: Worker, call: Any, *args: Any) -> Any:
            calls.append(call)
            return await run(pool, worker, call, *args)

        monkeypatch.setattr(Pool, "_call", noting)
        first = ann.http.get(f"/api/tables/{table}/review").json()
        assert first["seats"]
        expected = msgspec.json.decode(msgspec.json.encode(review_view(None, review(crag, record))))
        assert {**first, "finding": []} == expected
        whole = explained_review(ann, table)
        assert set(calls) == {explained, perfect_scores}
        assert all(one["why"] for seat in whole["seats"] for one in seat["costliest"])
        german = ann.get(f"/api/tables/{table}/review", whole=True, lang="de")
        assert all(re.search(r"\? (Im Schnitt|Das) ", one["why"]) for one in german["seats"][0]["costliest"])
        assert (whole["odds"] is not None) == (len(seats) > 1)
        assert all(seat["luck_percentile"] is not None for seat in whole["seats"])
        del calls[:]
        assert ann.get(f"/api/tables/{table}/review") == whole
        assert not calls, "the explanations are kept"


def test_explanations_that_failed_are_computed_again(solved_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Pool._call
    failed: list[object] = []

    async def failing(pool: Pool, worker: Worker, call: Any, *args: Any) -> Any:
        if call is explained and not failed:
            failed.append(call)
            raise UnavailableError("the process died")
        return await run(pool, worker, call, *args)

    monkeypatch.setattr(Pool, "_call", failing)
    with serving_with_cache(solved_cache) as server:
        ann = server.visit()
        table = play(ann, [ANN], rules="crag")
        answer = ann.http.get(f"/api/tables/{table}/review", params={"whole": True})
        assert (answer.status_code, answer.json()["error"]) == (503, "the process died")
        assert failed
        assert all(one["why"] for one in explained_review(ann, table)["seats"][0]["costliest"])
