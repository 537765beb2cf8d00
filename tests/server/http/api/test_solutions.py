"""Files with solutions: described, sent as they never change, and made once."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.server.table.available import has_browser_advice
from fivedice.solver.saved.portable import read, read_parts
from fivedice.solver.solution import Solution
from tests.server.serving import Browser


def test_a_browser_gets_the_solution_as_a_file_made_once(ann: Browser, crag: Solution, solved_cache: Path) -> None:
    view = ann.get("/api/solutions", ref="crag")
    answer = ann.http.get(view["path"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "content-encoding" not in answer.headers
    assert (len(answer.content), sha256(answer.content).hexdigest()) == (view["bytes"], view["sha256"])
    digest, values, scores = read(answer.content)
    assert digest == view["digest"] == crag.ruleset.digest
    assert scores
    assert sum(scores.chances) == pytest.approx(1.0)
    assert np.allclose(np.array(values), crag.values, rtol=0, atol=2**-11, equal_nan=True)
    [file] = solved_cache.rglob(f"{digest}-*.portable")
    made = file.stat().st_mtime_ns
    assert file.read_bytes() == answer.content
    assert ann.get("/api/solutions", ref="crag") == view
    assert file.stat().st_mtime_ns == made, "it is made once, and kept beside the solution"


def test_what_explains_its_advice_is_another_file(ann: Browser, crag: Solution) -> None:
    view = ann.get("/api/solutions", ref="crag", table="breakdown")
    parts = read_parts(ann.http.get(view["path"]).content)
    assert parts.digest == view["digest"] == crag.ruleset.digest
    assert sum(parts.at(0)) == pytest.approx(crag.expected_score, abs=0.05)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        (f"/api/solutions/crag/{'0' * 64}", 404, "ask for its path again"),
        ("/api/solutions?ref=crag[rounds=1]", 400, "only their solutions are offered"),
        ("/api/solutions?ref=balut", 400, "cannot be solved"),
        ("/api/solutions?ref=maxi_yatzy", 400, "too large for a browser"),
        ("/api/solutions?ref=yatzy&table=breakdown", 400, "the breakdown of Yatzy is too large for a browser"),
        ("/api/solutions?ref=nothing", 404, "nothing"),
    ],
)
def test_what_is_not_offered_is_refused_with_the_reason(ann: Browser, path: str, status: int, sentence: str) -> None:
    answer = ann.http.get(path)
    assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text


def test_the_list_of_rulesets_says_whose_solutions_are_offered(ann: Browser) -> None:
    offered = {one["ref"] for one in ann.get("/api/rulesets") if one["browser_advice"]}
    assert offered == {id for id in ruleset_ids() if has_browser_advice(load_ruleset(id))}
