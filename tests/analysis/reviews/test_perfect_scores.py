"""The scale of luck: the scores of perfect games, and saving them."""

from pathlib import Path

import numpy as np
import pytest

from fivedice.analysis.reviews.perfect_scores import (
    NUM_GAMES,
    PERFECT_SCORES,
    LuckScale,
    perfect_scores,
    simulated_scores,
)
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.saved.saved_table import UnusableSolutionError
from tests.amount import IS_FULL, amount
from tests.chi_square import p_value
from tests.solutions import solution_of


def test_the_scale_of_perfect_scores_has_the_exact_mean() -> None:
    solution = solution_of("crag")
    scores = perfect_scores(solution)
    assert scores.mean == pytest.approx(solution.expected_score, abs=1e-9)
    scale = LuckScale(solution.expected_score, scores)
    luck = scores.scores - solution.expected_score
    assert scale.percentile(scores.percentile(0.5) - scores.mean) == pytest.approx(50, abs=2)
    assert scores.chances @ [scale.percentile(one) for one in luck.tolist()] == pytest.approx(50)
    assert (scale.percentile(-1_000), scale.percentile(1_000)) == (0, 100)


def test_scores_are_simulated_where_the_exact_ones_need_too_much_memory() -> None:
    solution = solution_of("crag")
    seen: list[tuple[int, int]] = []
    scores = perfect_scores(solution, memory_limit=2**16, progress=lambda done, games: seen.append((done, games)))
    assert seen[-1] == (NUM_GAMES, NUM_GAMES)
    exact = perfect_scores(solution)
    assert abs(scores.mean - exact.mean) < 4 * exact.standard_deviation / NUM_GAMES**0.5
    assert (scores.chances * NUM_GAMES).round(9).sum() == NUM_GAMES


def test_simulated_games_agree_with_the_exact_distribution() -> None:
    """A chi-square test over scores, those too rare for it taken together."""
    num_games, solution = amount(20_000, full=1_000_000), solution_of("yahtzee" if IS_FULL else "crag")
    exact = perfect_scores(solution)
    seen = simulated_scores(solution, num_games)
    expected, observed = np.zeros(2_000), np.zeros(2_000)
    expected[exact.scores] = exact.chances * num_games
    observed[seen.scores] = seen.chances * num_games
    is_common = expected >= 10
    expected, observed = (np.append(counts[is_common], counts[~is_common].sum()) for counts in (expected, observed))
    assert p_value(observed, expected) > 1e-6


def test_rounding_does_not_separate_equal_luck() -> None:
    scale = LuckScale(100.25, Distribution(109, np.array([0.25, 0.5, 0.25])))
    assert {scale.percentile(9.75 + rounding) for rounding in (-1e-12, 0.0, 1e-12)} == {50.0}


def test_scores_load_as_they_were_saved_and_others_are_refused(tmp_path: Path) -> None:
    crag, yatzy = solution_of("crag"), solution_of("yatzy")
    scores = perfect_scores(crag)
    assert PERFECT_SCORES.load(crag, tmp_path) is None
    file = PERFECT_SCORES.save(crag, scores, tmp_path)
    assert file == PERFECT_SCORES.path(crag, tmp_path)
    found = PERFECT_SCORES.load(crag, tmp_path)
    assert found is not None
    assert found.first == scores.first
    assert (found.chances == scores.chances).all()
    whole = file.read_bytes()
    file.write_bytes(whole[:-8])
    with pytest.raises(UnusableSolutionError, match="it is truncated or of other rules"):
        PERFECT_SCORES.load(crag, tmp_path)
    file.write_bytes(whole)
    PERFECT_SCORES.path(crag, tmp_path).rename(PERFECT_SCORES.path(yatzy, tmp_path))
    with pytest.raises(UnusableSolutionError, match="is of other rules or another version: its digest differs"):
        PERFECT_SCORES.load(yatzy, tmp_path)
