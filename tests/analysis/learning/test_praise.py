"""Praise: hard decisions are those in which both obvious actions lose much, and only found ones count."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.simulated_records import records_of
from fivedice.analysis.advice import Advice, advise
from fivedice.analysis.learning.praise import is_hard, num_hard_found
from fivedice.analysis.reviews.marks import INACCURACY, SHOWN_LOSS
from fivedice.analysis.reviews.review import review
from fivedice.analysis.reviews.seat_review import SeatReview
from fivedice.analysis.reviews.solo_games import Policy, play_games
from fivedice.game.notation import parse_position
from fivedice.game.record import Seat
from fivedice.rulesets.dice import rolls
from fivedice.solver.solution import Solution
from tests.solutions import solution_of


@pytest.fixture(scope="module")
def crag() -> Solution:
    return solution_of("crag")


@pytest.fixture(scope="module")
def seat(crag: Solution) -> SeatReview:
    """A game of crag in which one choice in three is random."""
    games = play_games(crag, Policy("slips", crag, 0.3), 1, np.random.default_rng(11))
    [record] = records_of(games, Seat("Ann", "human"), "2026-11-21T10:00:00+00:00")
    return review(crag, record).seats[0]


def losses_of_obvious_actions(advice: Advice) -> list[float]:
    """What the box with the most points loses, and the largest group of equal dice, of which the highest counts."""
    scores = [one for one in advice.actions if one.points is not None]
    losses = [max(scores, key=lambda one: one.points or 0).loss]
    if advice.position.rolls_left:
        counts = Counter(advice.position.dice)
        [*_, (_, face)] = sorted((num, face) for face, num in counts.items())
        kept = f"keep {str(face) * counts[face]}"
        # All dice may be equal: to keep all of them is no action then.
        losses += [one.loss for one in advice.actions if str(one.action) == kept]
    return losses


@pytest.mark.parametrize("rolls_left", [0, 1])
def test_a_decision_is_hard_if_all_obvious_actions_are_inaccuracies(crag: Solution, rolls_left: int) -> None:
    found = set()
    for dice in rolls(3, 6):
        advice = advise(crag, parse_position(f"crag - {''.join(map(str, dice))} r{rolls_left}"))
        expected = min(losses_of_obvious_actions(advice)) >= INACCURACY
        assert is_hard(advice) is expected, dice
        found.add(expected)
    assert found == {True, False}


def test_only_hard_decisions_in_which_the_best_was_found_count(crag: Solution, seat: SeatReview) -> None:
    hard = [decision for decision in seat.decisions if is_hard(advise(crag, decision.position))]
    found = [decision for decision in hard if decision.is_unforced and decision.loss < SHOWN_LOSS]
    easy = [decision for decision in seat.decisions if decision.loss < SHOWN_LOSS and decision not in hard]
    assert 0 < len(found) < len(hard)
    assert num_hard_found(crag, seat) == len(found)
    assert num_hard_found(crag, replace(seat, decisions=tuple(easy))) == 0
