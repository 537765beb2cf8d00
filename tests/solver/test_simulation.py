"""The mean score of simulated optimal games is the expected score of the solution."""

import numpy as np
import pytest

from fivedice.analysis.reviews.solo_games import Policy, play_games
from tests.amount import amount, cases
from tests.solutions import solution_of

NUM_GAMES = amount(5_000, full=200_000)
"""The mean of so many games is compared, which takes seconds for each of these kinds of rules: with and without a
joker, an outright win, orders, several columns, fewer rounds and saved rolls."""


@pytest.mark.parametrize(
    ("ref", "num_games"),
    [
        ("yahtzee", NUM_GAMES),
        ("crag", NUM_GAMES),
        ("generala[first_roll_generala=wins]", 2_000),
        ("yatzy[order=down]", 2_000),
        ("triple_yahtzee[order=down,upper_bonus=35@5]", 2_000),
        *cases(
            [("crag[rounds=8]", 2_000), ("crag[saved_rolls=true,order=down]", 2_000)],
            full=[
                ("kismet", 2_000),
                ("yacht", 2_000),
                ("yatzy_american[rounds=13]", 2_000),
                ("yahtzee[rolls=1]", 2_000),
                ("yahtzee[saved_rolls=true,order=down]", 2_000),
            ],
        ),
    ],
)
def test_the_mean_of_optimal_games_is_the_expected_score(ref: str, num_games: int) -> None:
    solution = solution_of(ref)
    results = play_games(solution, Policy("optimal", solution), num_games, np.random.default_rng(4)).results
    assert abs(results.mean() - solution.expected_score) < 4 * results.std() / results.size**0.5
    assert (results == np.round(results)).all()
