"""The scale of luck: the scores of perfect games, and saving them."""

from pathlib import Path

import numpy as np
import pytest

from fivedice.analysis.luck_scale import LuckScale
from fivedice.simulate.perfect_scores import PORTION, perfect_scores
from fivedice.solver.store import UnusableSolutionError, load_scores, save_scores, scores_path
from tests.solutions import solution_of


def test_the_scale_of_perfect_scores_has_the_exact_mean() -> None:
    solution = solution_of("crag")
    seen: list[tuple[int, int]] = []
    scores = perfect_scores(solution, PORTION + 500, lambda done, games: seen.append((done, games)))
    assert seen == [(PORTION, PORTION + 500), (PORTION + 500, PORTION + 500)]
    assert (np.diff(scores) >= 0).all()
    assert abs(scores.mean() - solution.expected_score) < 4 * scores.std() / scores.size**0.5
    scale = LuckScale(solution.expected_score, scores)
    luck = scores - solution.expected_score
    assert scale.percentile(float(np.median(luck))) == pytest.approx(50, abs=2)
    assert np.mean([scale.percentile(one) for one in luck.tolist()]) == pytest.approx(50)
    assert (scale.percentile(-1_000), scale.percentile(1_000)) == (0, 100)


def test_rounding_does_not_separate_equal_luck() -> None:
    scale = LuckScale(100.25, np.array([90.0, 110.0, 110.0, 120.0]))
    assert {scale.percentile(9.75 + rounding) for rounding in (-1e-12, 0.0, 1e-12)} == {50.0}


def test_scores_load_as_they_were_saved_and_others_are_refused(tmp_path: Path) -> None:
    crag, yatzy = solution_of("crag"), solution_of("yatzy")
    scores = perfect_scores(crag, 50)
    assert load_scores(crag, 50, tmp_path) is None
    assert save_scores(crag, scores, tmp_path) == scores_path(crag.ruleset, tmp_path)
    found = load_scores(crag, 50, tmp_path)
    assert found is not None
    assert (found == scores).all()
    with pytest.raises(UnusableSolutionError, match="has 4,496 bytes, not 4,504: it is truncated or of other rules"):
        load_scores(crag, 51, tmp_path)
    scores_path(crag.ruleset, tmp_path).rename(scores_path(yatzy.ruleset, tmp_path))
    with pytest.raises(UnusableSolutionError, match="is of other rules or another version: its digest differs"):
        load_scores(yatzy, 50, tmp_path)
