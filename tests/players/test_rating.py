"""Ratings by results: the fixed ones of levels, and what games tell about others."""

import random
from itertools import pairwise
from math import exp, sqrt

import pytest

from fivedice.players.levels import LEVELS, STEP
from fivedice.players.strength.rating import MEAN, Rating, rate, rating_of_level


def level(number: int) -> Rating:
    found = rating_of_level(f"level_{number}")
    assert found is not None
    return found


def chance(one: float, other: float) -> float:
    """The chance to win of one with a mean against another, in the model."""
    return 1 / (1 + exp((other - one) / (MEAN / 6 * sqrt(2))))


def test_each_level_wins_against_the_one_below_as_often_as_on_the_ladder() -> None:
    means = [level(number).mean for number in range(1, len(LEVELS) + 1)]
    for below, above in pairwise(means):
        assert chance(above, below) == pytest.approx(STEP)
    assert level(5).points == 1500
    assert rating_of_level("greedy") is None


def test_a_winner_gains_and_a_loser_loses_also_among_several() -> None:
    after = rate([Rating()] * 4, [1, 2, 2, 4])
    points = [one.points for one in after]
    assert points[0] > 1500 > points[3]
    assert points[1] == pytest.approx(points[2])
    assert all(one.deviation < Rating().deviation and one.games == 1 for one in after)


def test_the_interval_of_a_rating_covers_the_strength_of_a_simulated_player() -> None:
    dice, true, covered = random.Random(5), level(7).mean, 0
    for _ in range(60):
        mine = Rating()
        for _ in range(80):
            other = level(dice.randint(3, 9))
            has_won = dice.random() < chance(true, other.mean)
            mine = rate([mine, other], [1, 2] if has_won else [2, 1])[0]
        covered += abs(mine.points - level(7).points) <= mine.half_width
    assert not mine.is_provisional
    assert covered >= 54


def test_a_new_rating_is_provisional() -> None:
    assert Rating().is_provisional
    assert Rating().points == 1500
