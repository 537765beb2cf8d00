"""The reference population plays complete games under any rules."""

import numpy as np
import pytest

from benchmarks.tables.calibration import SLIPS, population
from fivedice.analysis.reviews.solo_games import play_games
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import solve
from fivedice.testing import TINY


@pytest.mark.parametrize("id", TINY)
def test_every_member_plays_complete_games(id: str) -> None:
    solution = solve(TINY[id])
    members = population(solution, find_breakdown(solution))
    assert [member.slips for member in members] == [1.0, 0.0, 0.0, 0.0, *SLIPS, 0.0]
    losses = {}
    for member in members:
        games = play_games(solution, member, 100, np.random.default_rng(3))
        expected = solution.expected_score + games.luck - games.losses
        assert np.abs(games.results - expected).max() < 1e-9
        losses[member.name] = games.losses
    assert losses["optimal"].max() < 1e-9
    assert losses["random"].mean() > max(losses["greedy"].mean(), losses["optimal, 10 % slips"].mean()) > 0
