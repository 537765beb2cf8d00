"""Strength by decisions, with its intervals on players whose loss is known exactly; and ratings by results."""

import random
import re
from dataclasses import replace
from itertools import pairwise
from math import exp, sqrt

import numpy as np
import pytest

from fivedice.analysis.reviews.estimate import Estimate, estimate
from fivedice.analysis.reviews.player_figures import GameFigures, game_errors, num_decisions, total_figures
from fivedice.players.levels import LEVELS, habits_of, losses, share_of
from fivedice.players.rating import MEAN, POINTS, Rating, rate, rating_of_level
from fivedice.players.strength import NUM_GAMES, Strength, over_all, strength_of
from fivedice.rulesets import load_ruleset
from fivedice.simulation.games.judged import judged
from fivedice.simulation.games.mass_games import play_many
from fivedice.simulation.players import beliefs
from fivedice.solver.play.distribution import result_distribution
from tests.amount import amount, cases
from tests.repository import ROOT
from tests.solutions import solution_of

CRAG = load_ruleset("crag")


def rated(lost: float, number: int = 0, *, is_rated: bool = True) -> GameFigures:
    """A game in which so many points were lost, 9 of 10 unforced decisions being best."""
    errors = game_errors(CRAG, {"box": (lost, 10)})
    date = f"2026-11-24T10:{number:02}:00+00:00"
    return GameFigures("Ann", CRAG, 100, 150.0 - lost, 0.0, lost, errors, num_best=9, is_rated=is_rated, date=date)


def strength(*games: GameFigures) -> Strength:
    [figures] = total_figures(games)
    found = strength_of(figures)
    assert found is not None
    return found


def share(one: Estimate) -> Strength:
    """A strength of which only the share counts."""
    found = strength(*(rated(15.0, place) for place in range(3)))
    return replace(found, share=one.mean, share_half_width=one.half_width or 0.0, games=one.num)


@pytest.mark.parametrize("level", cases(["level_2"], full=["level_2", "level_8"]))
def test_the_intervals_of_players_of_known_loss_cover_it_in_93_to_97_of_100_cases(level: str) -> None:
    solution = solution_of("crag")
    table = beliefs(solution, habits_of(level, CRAG))
    known = (solution.expected_score - result_distribution(table, 0).mean) / num_decisions(CRAG)
    number, covered = 20_000, []
    games = play_many(table, seed=7, seat=0, first=0, number=number, with_decisions=True)
    found = judged(solution, games)
    lost = np.bincount(found.game, found.loss, number).reshape(-1, 20)
    for player in lost.tolist():
        one = strength(*(rated(points, place) for place, points in enumerate(player)))
        covered.append(abs(one.lost - known) <= one.half_width)
    assert len(covered) == 1_000
    assert 0.93 <= sum(covered) / len(covered) <= 0.97


def test_intervals_over_several_rulesets_cover_the_share_in_93_to_97_of_100_cases() -> None:
    # Two rulesets whose losses spread differently, with 8 and 20 games; the true share is weighed by games.
    chance, covered = np.random.default_rng(3), 0
    for _ in range(2_000):
        few, many = chance.gamma(9.0, 0.01, 8), chance.gamma(4.0, 0.05, 20)
        one = over_all(share(estimate(losses.tolist())) for losses in (few, many))
        assert one is not None
        covered += abs(one.share - (0.09 * 8 + 0.2 * 20) / 28) <= one.half_width
    assert 0.93 <= covered / 2_000 <= 0.97


def test_the_scale_is_the_mean_score_of_the_best_play() -> None:
    one = strength(*(rated(15.0 + place, place) for place in range(3)))
    assert one.lost == pytest.approx(16 / num_decisions(CRAG))
    assert one.share == pytest.approx(16 / 150)
    assert (one.best, one.unforced_decisions) == (27, 30)


def test_unrated_approximate_and_earlier_games_do_not_count() -> None:
    games = [rated(15.0, place) for place in range(3)]
    others = [rated(90.0, 10, is_rated=False), replace(rated(90.0, 11), is_approximate=True)]
    found, last = strength(*games, *others), strength(*[rated(90.0)] * 10, *[rated(15.0, 1)] * NUM_GAMES)
    assert (found.games, last.games) == (3, NUM_GAMES)
    assert (found.share, last.share) == pytest.approx((0.1, 0.1))
    assert strength_of(*total_figures([*games[:2], *others])) is None


@pytest.mark.parametrize(
    ("num", "spread", "is_provisional"), [(9, 1.0, True), (10, 1.0, False), (10, 40.0, True), (50, 10.0, False)]
)
def test_a_strength_is_provisional_until_there_are_ten_games_and_the_interval_is_narrow(
    num: int, spread: float, is_provisional: bool
) -> None:
    games = (rated(20.0 + spread * (place % 2), place) for place in range(num))
    assert strength(*games).is_provisional == is_provisional


def test_without_a_strength_there_is_none_over_all() -> None:
    assert over_all([]) is None
    assert over_all([None]) is None
    both = over_all([share(Estimate(0.1, 0.0, 3)), None, share(Estimate(0.2, 0.0, 3))])
    assert both is not None
    assert both.share == pytest.approx(0.15)
    assert (both.half_width, both.games) == (0.0, 6)


def level(number: int, rules: str = "yahtzee") -> Rating:
    found = rating_of_level(f"level_{number}", rules)
    assert found is not None
    return found


def chance(one: float, other: float) -> float:
    """The chance to win of one with a mean against another, in the model."""
    return 1 / (1 + exp((other - one) / (MEAN / 6 * sqrt(2))))


def test_each_level_wins_against_the_one_below_as_often_as_on_the_ladder() -> None:
    for rules in ("yahtzee", "poker_dice"):
        means = [level(number, rules).mean for number in range(1, len(LEVELS) + 1)]
        assert [chance(above, below) for below, above in pairwise(means)] == pytest.approx([share_of(rules)] * 8)
        assert level(5, rules).points == 1500
    assert level(9).points > level(9, "poker_dice").points + 100
    assert rating_of_level("greedy", "yahtzee") is None


def test_a_winner_gains_and_a_loser_loses_also_among_several() -> None:
    after = rate([Rating()] * 4, [1, 2, 2, 4])
    points = [one.points for one in after]
    assert points[0] > 1500 > points[3]
    assert points[1] == pytest.approx(points[2])
    assert all(one.deviation < Rating().deviation and one.games == 1 for one in after)


@pytest.mark.parametrize("games", [30, 100])
def test_the_interval_of_a_rating_covers_the_strength_of_simulated_players_as_often_as_it_says(games: int) -> None:
    dice, covered, num = random.Random(5), 0, amount(300, full=3_000)
    for _ in range(num):
        true, mine = dice.uniform(level(1).mean, level(9).mean), Rating()
        for _ in range(games):
            other = level(dice.randint(1, 9))
            has_won = dice.random() < chance(true, other.mean)
            mine = rate([mine, other], [1, 2] if has_won else [2, 1])[0]
        covered += abs(mine.mean - true) <= mine.half_width / POINTS
    assert 0.95 - 3 * (0.95 * 0.05 / num) ** 0.5 <= covered / num <= 0.98
    assert mine.is_provisional == (games == 30)


def test_the_share_of_each_ladder_is_that_of_its_table_in_the_documentation() -> None:
    text = (ROOT / "docs" / "players.md").read_text()
    rows = re.findall(r"^\| `([a-z0-9_]+)` \|.*\| ([0-9.]+) to ([0-9.]+) % \|$", text, re.MULTILINE)
    assert len(rows) > 12
    for rules, least, most in rows:
        assert float(least) <= 100 * share_of(rules) <= float(most), rules


def test_a_level_loses_less_than_the_one_below_and_the_best_play_nothing() -> None:
    found = losses(load_ruleset("yahtzee"))
    assert found is not None
    assert (len(found), found[-1]) == (len(LEVELS), 0.0)
    assert all(lower > higher for lower, higher in pairwise(found))
    assert losses(load_ruleset("yahtzee[joker=free]")) is None
