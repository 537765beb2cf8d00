"""Matches: exact odds between independent scores, the ceiling, and the gain of playing the last turn to win."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from benchmarks.tables.matches import ceiling, interval, last_turn_matches, match_odds
from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.rulesets import parse_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.play.distribution import Distribution
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from tests.amount import amount
from tests.solver.brute_force import Minimax, best_play


def distribution(first: int, *weights: int) -> Distribution:
    return Distribution(first, np.array(weights) / sum(weights))


@pytest.mark.parametrize("first", [0, 3, 9])
def test_odds_equal_the_sum_over_all_pairs_of_scores(first: int) -> None:
    own, other = distribution(first, 1, 0, 2, 5), distribution(2, 3, 1, 1)
    expected = [0.0, 0.0, 0.0]
    for (a, p), (b, q) in product(
        zip(own.scores.tolist(), own.chances.tolist(), strict=True),
        zip(other.scores.tolist(), other.chances.tolist(), strict=True),
    ):
        expected[0 if a > b else 1 if a == b else 2] += p * q
    assert match_odds(own, other) == pytest.approx(expected, abs=1e-15)
    assert sum(match_odds(own, other)) == pytest.approx(1.0)
    assert match_odds(own, other).margin == pytest.approx(-match_odds(other, own).margin)


def test_the_ceiling_is_the_mean_of_the_best_chances_to_win_and_not_to_lose() -> None:
    # The best chance of at least 5 is 1, of 6 a half, of 7 a quarter, and of 8 zero.
    scores, chances = np.array([5, 6, 7]), np.array([1.0, 0.5, 0.25])
    for rival, share in ((4, 1.0), (5, 0.75), (6, 0.375), (7, 0.125), (8, 0.0)):
        assert ceiling(distribution(rival, 1), scores, chances) == share
    assert ceiling(distribution(4, 1, 0, 1), scores, chances) == (1.0 + 0.375) / 2


def test_an_interval_covers_the_mean_of_its_distribution_at_99_percent() -> None:
    chance = np.random.default_rng(7)
    found = [interval(chance.exponential(size=400)) for _ in range(1_000)]
    covered = sum(abs(one.mean - 1.0) <= one.half_width for one in found)
    assert 975 <= covered <= 999


class LastTurn(Minimax):
    """A seat that plays to win in its last turn, if it is a rival, and everybody else for points."""

    def __init__(self, ruleset: Ruleset, seat: int, *, is_rival: bool) -> None:
        super().__init__(seat)
        self.brute, self.is_rival = best_play(ruleset), is_rival

    def search(self, position: Position) -> Fraction:
        is_last = self.is_rival and position.seat == self.seat and position.card.turns_left == 1
        if not position.dice or is_last:
            return super().search(position)
        alone = Position(position.ruleset, (position.card,), 0, position.dice, position.rolls_left)
        return self.after(position, self.brute.best(alone))


SMALL = parse_ruleset("""
    id = "small"
    dice = 2
    faces = 3
    rolls = 2
    upper_bonus = "2@3"
    [categories]
    ones = { scorer = "sum_of_face", face = 1 }
    chance = { scorer = "any_dice" }
""")


def test_the_rival_of_the_last_turn_has_its_exact_share_of_the_first_place() -> None:
    num_pairs = amount(3_000, full=30_000)
    found = last_turn_matches(solve(SMALL), num_pairs, np.random.default_rng(14))
    gain = 0.0
    for seat in (0, 1):
        start = Position.start(SMALL, 2)
        exact = [float(LastTurn(SMALL, seat, is_rival=is_rival).value(start)) for is_rival in (True, False)]
        for samples, share in zip((found.share, found.optimal), exact, strict=True):
            measured = interval(samples[seat])
            assert measured.mean == pytest.approx(share, abs=measured.half_width)
        gain += exact[0] - exact[1]
    measured = interval(found.margins)
    assert measured.mean == pytest.approx(gain, abs=measured.half_width)
    assert measured.half_width < gain  # so it is known to be positive
    assert (found.margins > -1e-12).all()
    with pytest.raises(IllegalError, match="tiny_first_roll: want rules without saved rolls"):
        last_turn_matches(solve(TINY["tiny_first_roll"]), 1, np.random.default_rng(1))
