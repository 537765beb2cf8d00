"""Odds of cards: exact ones by brute force over the scores, and estimated ones close to exact ones."""

import random
from itertools import pairwise

import pytest

from fivedice.analysis.advice import settled_points, state_index
from fivedice.analysis.odds import estimated_odds
from fivedice.analysis.odds.estimated_odds import OddsEstimator, odds_over_time, pearson_iii, shares
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy
from fivedice.solver.play.distribution import distributions, forecast
from fivedice.solver.play.moments import find_moments
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from tests.amount import amount, cases
from tests.analysis.reviews.test_review import DATE, game
from tests.solutions import solution_of

LATE = "ones=3,twos=6,threes=9,fours=12,fives=15,three_of_a_kind=20,four_of_a_kind=0,full_house=25,small_straight=30"


@pytest.mark.parametrize(("mean", "deviation", "skewness"), [(200, 40, 0.0), (150, 38, -0.35), (254.6, 59.6, 1.59)])
def test_an_estimated_distribution_has_the_moments_it_was_made_from(
    mean: float, deviation: float, skewness: float
) -> None:
    found = pearson_iii(mean, deviation, skewness)
    assert found.mean == pytest.approx(mean, abs=0.1)
    assert found.standard_deviation == pytest.approx(deviation, rel=0.005)
    assert found.skewness == pytest.approx(skewness, abs=0.03)


def test_odds_are_exact_with_few_open_boxes_unless_a_game_can_be_won_outright() -> None:
    solution = solution_of("yahtzee")
    estimator = OddsEstimator(solution, None)
    position = parse_position(f"yahtzee {LATE}/{LATE},chance=20 - r3")
    starts = [Start(state_index(solution, card), -1, 3) for card in position.cards]
    first, second = (forecast(solution, start).points for start in starts)
    own = [*zip(first.scores.tolist(), first.chances.tolist(), strict=True)]
    wins = sum(chance * (1 - second.shifted(20).at_least(score)) for score, chance in own)
    loses = sum(chance * second.shifted(20).at_least(score + 1) for score, chance in own)
    odds = estimator.odds(position)
    assert odds is not None
    assert odds.is_exact
    assert odds.chances == pytest.approx(((1 + wins - loses) / 2, (1 - wins + loses) / 2), abs=1e-9)
    assert estimator.odds(Position.start(solution.ruleset, 2)) is None
    outright = TINY["tiny_first_roll"]
    odds = OddsEstimator(solve(outright), None).odds(Position.start(outright, 2))
    assert odds is not None
    assert not odds.is_exact


def test_cards_that_are_dropped_from_memory_are_not_those_that_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimated_odds, "MAX_KEPT", 2)
    crag = solution_of("crag")
    estimator = OddsEstimator(crag, None)
    start, later = Position.start(crag.ruleset, 2), parse_position("crag ones=1/twos=2 - r2")
    assert estimator.odds_of([start, later]) == [OddsEstimator(crag, None).odds(one) for one in (start, later)]
    assert estimator.odds(start) == estimator.odds_of([start, later])[0]
    last = parse_position("crag ones=1,twos=2/threes=3 @1 - r2")
    assert estimator.odds_of([start, last])[1] == OddsEstimator(crag, None).odds(last)


def test_estimates_are_close_to_exact_odds() -> None:
    solution = solution_of("yahtzee")
    moments = find_moments(solution)
    estimator = OddsEstimator(solution, moments)
    for seed in range(amount(1, full=20)):
        record = game("yahtzee", [Greedy().choose] * 2, random.Random(seed))
        before = {turn: position for turn, position, _ in record.decisions()}
        for turn in cases((11,), full=(9, 11)):  # where one seat has played more, and where the estimate is worst
            cards = before[turn].cards
            starts = [Start(state_index(solution, card), -1, card.rolls) for card in cards]
            found = distributions(list_policy(solution, starts), starts)
            exact = shares([final.shifted(settled_points(card)) for final, card in zip(found, cards, strict=True)])
            odds = estimator.odds(before[turn])
            assert odds is not None
            assert not odds.is_exact
            assert odds.chances == pytest.approx(exact, abs=0.04)


def test_odds_over_time_begin_equal_end_certain_and_name_the_largest_changes() -> None:
    crag = solution_of("crag")
    estimator = OddsEstimator(crag, None)
    record = game("crag", [Greedy().choose, Greedy().choose], random.Random(4))
    over_time = odds_over_time(estimator, record)
    assert over_time is not None
    assert len(over_time.odds) == len(record.turns) + 1
    assert over_time.odds[0].chances == pytest.approx((0.5, 0.5))
    end = [1 / len(record.position.winners) if seat in record.position.winners else 0 for seat in (0, 1)]
    assert over_time.odds[-1].chances == pytest.approx(end)
    assert over_time.odds[-1].is_exact
    assert all(sum(odds.chances) == pytest.approx(1) for odds in over_time.odds)
    points = over_time.turning_points(0)
    assert 1 <= len(points) <= 3
    others = over_time.turning_points(1)
    assert [point.turn for point in others] == [point.turn for point in points]
    assert [1 - point.before for point in others] == pytest.approx([point.before for point in points])
    changes = [abs(after.chances[0] - before.chances[0]) for before, after in pairwise(over_time.odds)]
    smallest = min(changes[point.turn] for point in points)
    assert smallest >= 0.1
    assert sum(change > smallest for change in changes) == len(points) - 1


def test_an_unfinished_turn_ends_the_odds_and_a_solo_game_has_none() -> None:
    crag = solution_of("crag")
    estimator = OddsEstimator(crag, None)
    record = Record.start(crag.ruleset, (Seat("a", "human"), Seat("b", "human")), DATE).roll((1, 2, 3))
    unfinished = odds_over_time(estimator, record)
    assert unfinished is not None
    assert len(unfinished.odds) == 1
    assert odds_over_time(estimator, Record.start(crag.ruleset, (Seat("a", "human"),), DATE)) is None
