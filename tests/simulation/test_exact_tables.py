"""Exported tables agree with the solution and describe themselves; and the scores of perfect games, a scale of luck."""

import json
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.base.errors import IllegalError, UnknownError
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.simulation.exact_tables import KINDS, exact_table, write_exact
from fivedice.simulation.perfect_scores import NUM_GAMES, PERFECT_SCORES, perfect_scores
from fivedice.solver.components import EXTRA_BONUS, UPPER_BONUS
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.saved_table import SHIPPED
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import TurnState
from fivedice.testing import TINY
from release.perfect_scores import rulesets
from tests.amount import cases
from tests.solutions import solution_of


@pytest.fixture(scope="module", params=["tiny_plain", "tiny_joker", "tiny_columns", "tiny_saved"])
def solution(request: pytest.FixtureRequest) -> Any:
    return solve(TINY[request.param])


def test_every_turn_state_has_its_value(solution: Any) -> None:
    rows = exact_table("solution", solution).to_pylist()
    assert len(rows) == solution.num_turn_states
    for row in rows[:: max(1, len(rows) // 50)]:
        filled = frozenset(i for i, box in enumerate(solution.ruleset.boxes) if row[f"has_{box.id}"])
        totals = [row[name] for name in row if name.startswith("upper_total")]
        state = TurnState(filled, tuple(totals), row["spoiled"], row["saved_rolls"], row["pending"])
        assert solution.states.index(state) == row["state"]
        assert solution.value(state) == row["value"]
        assert row["filled"] == len(filled)


def test_sources_add_up_to_the_value(solution: Any) -> None:
    table = exact_table("sources", solution).to_pylist()
    for row in table:
        parts = [points for name, points in row.items() if name.startswith("from_")]
        assert sum(parts) == pytest.approx(row["value"])


def test_the_chances_of_scores_give_the_expected_score(solution: Any) -> None:
    table = exact_table("distribution", solution)
    scores, chances = np.array(table["score"]), np.array(table["chance"])
    assert chances.sum() == pytest.approx(1.0)
    assert chances @ scores == pytest.approx(solution.expected_score)
    assert table["at_least"][0].as_py() == pytest.approx(1.0)


def test_the_best_openings_give_the_expected_score() -> None:
    crag = solution_of("crag")
    best = {row["dice"]: row for row in exact_table("openings", crag).to_pylist() if row["loss"] == 0}
    assert sum(row["chance"] * row["value"] for row in best.values()) == pytest.approx(crag.expected_score)


def test_the_points_of_boxes_have_the_means_of_the_breakdown(solution: Any) -> None:
    breakdown = find_breakdown(solution)
    exact = dict(zip(breakdown.names, breakdown.at(0).tolist(), strict=True))
    found = dict.fromkeys((box.id for box in solution.ruleset.boxes), 0.0)
    for row in exact_table("boxes", solution).to_pylist():
        found[row["box"]] += row["points"] * row["chance"]
    assert found == pytest.approx({name: exact[name] for name in exact if name not in (UPPER_BONUS, EXTRA_BONUS)})


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_has_a_description_of_every_column_and_a_checksum(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    about = write_exact(kind, solution_of("crag"), path, date(2026, 11, 26))
    assert json.loads((tmp_path / "table.parquet.json").read_text()) == about
    assert (about["created"], about["digest"]) == ("2026-11-26T00:00:00Z", solution_of("crag").ruleset.digest)
    (resource,) = about["resources"]
    assert resource["hash"] == f"sha256:{sha256(path.read_bytes()).hexdigest()}"
    fields = resource["schema"]["fields"]
    for field, column in zip(pq.read_schema(path), fields, strict=True):
        assert (field.metadata[b"about"].decode(), field.metadata[b"unit"].decode()) == (
            column["description"],
            column.get("unit", ""),
        )
    table = pq.read_table(path)
    assert [field["name"] for field in fields] == table.column_names
    assert all(field["description"] for field in fields)
    assert resource["rows"] == table.num_rows
    with pytest.raises(IllegalError, match="already exists"):
        write_exact(kind, solution_of("crag"), path)
    with pytest.raises(UnknownError, match="did you mean 'solution'"):
        exact_table("solutions", solution_of("crag"))


def test_the_scale_of_perfect_scores_has_the_exact_mean_and_separates_no_equal_luck() -> None:
    solution = solution_of("crag")
    scores = perfect_scores(solution)
    assert scores.mean == pytest.approx(solution.expected_score, abs=1e-9)
    scale = LuckScale(solution.expected_score, scores)
    luck = scores.scores - solution.expected_score
    assert scale.percentile(scores.percentile(0.5) - scores.mean) == pytest.approx(50, abs=2)
    assert scores.chances @ [scale.percentile(one) for one in luck.tolist()] == pytest.approx(50)
    assert (scale.percentile(-1_000), scale.percentile(1_000)) == (0, 100)
    scale = LuckScale(100.25, Distribution(109, np.array([0.25, 0.5, 0.25])))
    assert {scale.percentile(9.75 + rounding) for rounding in (-1e-12, 0.0, 1e-12)} == {50.0}


def test_scores_are_simulated_where_the_exact_ones_need_too_much_memory() -> None:
    solution = solution_of("crag")
    seen: list[tuple[int, int]] = []
    scores = perfect_scores(solution, memory_limit=2**16, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (NUM_GAMES, NUM_GAMES)
    exact = perfect_scores(solution)
    assert abs(scores.mean - exact.mean) < 4 * exact.standard_deviation / NUM_GAMES**0.5
    assert (scores.chances * NUM_GAMES).round(9).sum() == NUM_GAMES


def test_those_that_come_with_the_program_are_of_every_ruleset_but_the_largest_and_small(tmp_path: Path) -> None:
    files = {*SHIPPED.glob(f"*.{PERFECT_SCORES.name}")}
    assert files == {PERFECT_SCORES.path(ruleset, SHIPPED) for ruleset in rulesets()}, "see make perfect-scores"
    assert sum(file.stat().st_size for file in files) < 500_000
    crag = solution_of("crag")
    assert PERFECT_SCORES.is_saved(crag, tmp_path)
    PERFECT_SCORES.delete(crag, tmp_path)
    assert PERFECT_SCORES.path(crag, SHIPPED).exists()


@pytest.mark.parametrize("id", cases(("poker_dice", "cameroon", "generala"), full=ruleset_ids()))
def test_those_that_come_with_the_program_are_found_again_bit_for_bit(id: str, tmp_path: Path) -> None:
    ruleset = load_ruleset(id)
    if ruleset not in rulesets():
        pytest.skip("no scores of these rules come with the program")
    solution = solve(ruleset)
    shipped = PERFECT_SCORES.load(solution, tmp_path)
    assert shipped
    file = PERFECT_SCORES.save(solution, PERFECT_SCORES.find(solution), tmp_path)
    assert file.read_bytes() == PERFECT_SCORES.path(solution, SHIPPED).read_bytes(), "see make perfect-scores"
