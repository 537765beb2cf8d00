"""The scale of luck: the scores of perfect games, and saving them."""

from pathlib import Path

import numpy as np
import pytest

from fivedice.analysis.reviews.luck_scale import LuckScale
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.simulation.perfect_scores import NUM_GAMES, PERFECT_SCORES, perfect_scores
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.saved_table import SHIPPED
from fivedice.solver.solve import solve
from release.perfect_scores import rulesets
from tests.amount import cases
from tests.solutions import solution_of


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
