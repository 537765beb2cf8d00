"""Odds: chances to win and to tie, by seat, also estimated and where a seat gave up; and advice to win."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

import numpy as np
import pytest

from fivedice.analysis import estimated_odds
from fivedice.analysis.advice import settled_points, state_index
from fivedice.analysis.endgames import advise_rival, endgame_position, final_scores
from fivedice.analysis.estimated_odds import OddsEstimator, odds_over_time, pearson_iii, shares
from fivedice.analysis.odds import independent_chances, odds
from fivedice.analysis.reviews.review import review
from fivedice.base.errors import IllegalError
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.game.record import Record, Seat
from fivedice.players import Greedy
from fivedice.rulesets import parse_ruleset
from fivedice.solver.play.distribution import Distribution, distributions, forecast
from fivedice.solver.play.moments import find_moments
from fivedice.solver.play.policy_transitions import Start, list_policy
from fivedice.solver.solve import solve
from fivedice.testing import TINY
from fivedice.testing.conformance import random_step
from tests.amount import amount, cases
from tests.analysis.reviews.test_review import DATE, check_identity, game
from tests.game.table_game import table_game
from tests.solutions import solution_of
from tests.solver.brute_force import Exact, Minimax


def test_the_chances_of_independent_scores_are_those_of_all_combinations() -> None:
    scores = [
        Distribution(3, np.array([0.25, 0.0, 0.75])),
        Distribution(0, np.array([0.125, 0.125, 0.25, 0.5])),
        Distribution(5, np.array([0.5, 0.5])),
    ]
    win, tie = [Fraction(0)] * 3, [Fraction(0)] * 3
    for each in product(*([(d.first + i, p) for i, p in enumerate(d.chances.tolist())] for d in scores)):
        points = [score for score, _ in each]
        leaders = [seat for seat in range(3) if points[seat] == max(points)]
        for seat in leaders:
            (win if len(leaders) == 1 else tie)[seat] += prod(Fraction(chance) for _, chance in each)
    expected = [(float(w), float(t)) for w, t in zip(win, tie, strict=True)]
    assert np.allclose(independent_chances(scores), expected, atol=1e-15)


@pytest.mark.parametrize("num_seats", [2, 3])
def test_the_last_mover_plays_to_win_and_the_others_share_the_rest(num_seats: int) -> None:
    ruleset, chance = TINY["tiny_plain"], Random(num_seats)
    solution = solve(ruleset)
    for _ in range(6):
        position = Position.start(ruleset, num_seats)
        while sum(card.is_complete for card in position.cards) < num_seats - 1:
            _, position = random_step(position, chance)
        found = odds(solution, position)
        best = max(card.total for card in position.cards[:-1])
        leaders = [seat for seat, card in enumerate(position.cards[:-1]) if card.total == best]
        expected = Minimax(num_seats - 1).value(position)
        mover = found.seats[-1]
        lost = 1 - mover.win - mover.tie
        assert found.method == "exact"
        share = mover.win + mover.tie / (len(leaders) + 1)
        assert share == pytest.approx(float(expected), abs=1e-12)
        for seat in range(num_seats - 1):
            alone, shared = (lost, mover.tie) if leaders == [seat] else (0.0, lost + mover.tie)
            want = (alone, shared) if seat in leaders else (0.0, 0.0)
            assert (found.seats[seat].win, found.seats[seat].tie) == pytest.approx(want, abs=1e-12), position


def test_a_tie_of_three_in_the_last_turn_counts_a_third() -> None:
    """Brute force maximises the share of the first place, of odds and of the advice to win alike."""
    ruleset = parse_ruleset(TIES, "ties")
    solution = solve(ruleset)
    for score in range(3, 8):
        for dice, left in (("-", 2), ("13", 1)):
            position = parse_position(f"ties high=3,pair=7/high=3,pair=7/high={score} @2 {dice} r{left}", ruleset)
            expected, mover = float(Minimax(2).value(position)), odds(solution, position).seats[2]
            assert mover.win + mover.tie / 3 == pytest.approx(expected, abs=1e-12), position
            assert advise_rival(solution, position).value == pytest.approx(expected, abs=1e-12)


TIES = """
id = "ties"
dice = 2
faces = 4
rolls = 2
[categories]
high = { scorer = "any_dice", plus = 1 }
pair = { scorer = "n_of_a_kind", n = 1, pays = "total", plus = 2 }
"""


def test_two_seats_with_two_turns_left_play_to_win() -> None:
    found = odds(solve(TINY["tiny_plain"]), Position.start(TINY["tiny_plain"], 2))
    assert found.method == "independent"
    position = parse_position("tiny_plain ones=1/pair=5 - r3", TINY["tiny_plain"])
    found = odds(solve(TINY["tiny_plain"]), position)
    expected = float(Minimax(0).value(position))
    first, second = found.seats
    assert found.method == "endgame"
    assert first.win + first.tie / 2 == pytest.approx(expected, abs=1e-12)
    assert second.win == pytest.approx(1 - first.win - first.tie)
    assert second.tie == first.tie


def test_a_game_that_is_over_is_decided() -> None:
    ruleset = TINY["tiny_plain"]
    cards = "ones=2,threes=6,pair=5/ones=2,threes=6,pair=5/ones=0,threes=0,pair=0"
    found = odds(solve(ruleset), parse_position(f"tiny_plain {cards} - r3", ruleset))
    assert [(each.win, each.tie, each.mean) for each in found.seats] == [(0, 1, 17), (0, 1, 17), (0, 0, 0)]
    assert found.method == "exact"


def test_a_rival_maximises_its_share_of_the_first_place_against_a_player_for_points() -> None:
    ruleset = TINY["tiny_plain"]
    solution = solve(ruleset)
    opponent = final_scores(solution, Position.start(ruleset).card)

    def share(total: int) -> float:
        scores = zip(opponent.scores.tolist(), opponent.chances.tolist(), strict=True)
        return float(sum(chance * ((score < total) + 0.5 * (score == total)) for score, chance in scores))

    advice = advise_rival(solution, Position.start(ruleset, 2).roll((1, 3)))
    values = Exact(ruleset, worth=share).action_values(Position.start(ruleset).roll((1, 3)))
    assert {each.action: each.value for each in advice.actions} == pytest.approx(values, abs=1e-9)
    assert advice.value == pytest.approx(max(values.values()), abs=1e-9)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_to_which_no_game_leads_is_refused(seat: int) -> None:
    ruleset = TINY["tiny_plain"]
    solution = solve(ruleset)
    position = Position.start(ruleset, 2).roll((1, 3))
    position = position.play(position.offers()[0].action).roll((2, 2))  # the second seat has three boxes open
    values = solution.values.copy()
    values[state_index(solution, position.cards[seat])] = np.nan
    with pytest.raises(IllegalError, match="cannot arise in a game of tiny_plain"):
        advise_rival(replace(solution, values=values), position)


@pytest.mark.parametrize("id", ["tiny_plain", "tiny_joker", "tiny_first_roll"])
@pytest.mark.parametrize("gone", range(3))
def test_the_chances_to_win_are_those_without_the_seat_that_resigned(id: str, gone: int) -> None:
    solution = solve(TINY[id])
    estimator = OddsEstimator(solution, None)
    chance = random.Random(gone)
    methods = set()
    for step in range(0, 12, 3):
        position = Position.start(TINY[id], 3)
        for _ in range(step):
            if not position.is_over:
                position = random_step(position, chance)[1]
        if position.is_over:
            continue
        position = position.resign(gone)
        while not position.is_over:
            cards = tuple(position.cards[seat] for seat in position.remaining)
            alone = replace(position, cards=cards, seat=position.remaining.index(position.seat))
            found, expected = odds(solution, position), odds(solution, alone)
            methods.add(found.method)
            assert found.method == expected.method
            assert [found.seats[seat] for seat in position.remaining] == list(expected.seats)
            assert (found.seats[gone].win, found.seats[gone].tie) == (0, 0)
            assert found.seats[gone].mean == position.cards[gone].total
            estimated: Any = estimator.odds(position)
            same: Any = estimator.odds(alone)
            assert estimated.chances[gone] == 0
            assert [estimated.chances[seat] for seat in position.remaining] == list(same.chances)
            assert (endgame_position(position) is None) == (endgame_position(alone) is None)
            assert replace(advise_rival(solution, position), position=alone) == advise_rival(solution, alone)
            position = random_step(position, chance)[1]
    assert "endgame" in methods


def test_the_review_of_a_game_with_resignations_adds_up() -> None:
    crag, seats = solution_of("crag"), tuple(Seat(name, "human") for name in ("Ann", "Ben", "Cem", "Dora"))
    for seed in range(9):
        record = table_game(ruleset_ref="crag", seats=seats, seed=seed, resigning=0.04, max_turns=10 * seed)
        check_identity(review(crag, record))
        over_time: Any = odds_over_time(OddsEstimator(crag, None), record)
        assert len(over_time.odds) == len(record.turns) + (not record.position.dice)
        assert all(sum(one.chances) == pytest.approx(1) for one in over_time.odds)
        given_up = {one.num_turns - 1 for one in record.resignations}
        points = [point for seat in range(4) for point in over_time.turning_points(seat)]
        assert all(record.turns[point.turn].offer and point.turn not in given_up for point in points)


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
    odds: Any = estimator.odds(position)
    assert odds.is_exact
    assert odds.chances == pytest.approx(((1 + wins - loses) / 2, (1 - wins + loses) / 2), abs=1e-9)
    assert estimator.odds(Position.start(solution.ruleset, 2)) is None
    outright = TINY["tiny_first_roll"]
    odds = OddsEstimator(solve(outright), None).odds(Position.start(outright, 2))
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
            odds: Any = estimator.odds(before[turn])
            assert not odds.is_exact
            assert odds.chances == pytest.approx(exact, abs=0.04)


def test_odds_over_time_begin_equal_end_certain_and_name_the_largest_changes() -> None:
    crag = solution_of("crag")
    estimator = OddsEstimator(crag, None)
    record = game("crag", [Greedy().choose, Greedy().choose], random.Random(4))
    over_time: Any = odds_over_time(estimator, record)
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
    assert odds_over_time(estimator, Record.start(crag.ruleset, (Seat("a", "human"),), DATE)) is None, "alone"
