"""Final score = value at the start + Σ luck − Σ loss, in every game, under four policies and six rulesets; simulated
games are legal in the engine, and have the luck and loss of their reviews.

`make identity` checks it on 10,000 games reviewed from their records, and on as many simulated games of each policy and
ruleset; an ordinary test run checks fewer.
"""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.solo_games import Games, Policy, play_games, records_of
from fivedice.analysis.reviews.review import review_all
from fivedice.game.record import Seat
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.players import guessing
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.testing import rulesets
from tests.amount import amount, cases
from tests.solutions import ids_up_to, solution_of

SEAT, DATE = Seat("simulated", "simulated"), "2026-11-21T10:00:00+00:00"
RULESETS = (*cases([*ids_up_to("crag"), "yahtzee"], full=ids_up_to("yatzy")), "yatzy_american[rounds=13]")
POLICIES = ("optimal", "optimal with one slip in ten", "greedy", "random")
COMBINATIONS = [(ref, policy) for ref in RULESETS for policy in POLICIES]


@cache
def games_of(ref: str, policy: str, num_games: int) -> Games:
    solution = solution_of(ref)
    slips = {"optimal": 0.0, "optimal with one slip in ten": 0.1, "random": 1.0}
    greedy = guessing(solution, [0.0] * len(solution.ruleset.boxes), is_bonus_planned=False)
    table = greedy if policy == "greedy" else solution
    return play_games(solution, Policy(policy, table, slips.get(policy, 0.0)), num_games, np.random.default_rng(7))


@pytest.fixture
def num_games(request: pytest.FixtureRequest) -> int:
    found = request.config.getoption("--games")
    assert isinstance(found, int)
    return found


def check_reviews(solution: Solution, games: Games, number: int) -> None:
    """The first games are legal, and have the score, luck, loss and unforced decisions of the reviews of their records,
    which add up to the score."""
    reviews = list(review_all(solution, islice(records_of(games, SEAT, DATE), number)))
    assert len(reviews) == number
    for index, reviewed in enumerate(reviews):
        [seat], [card] = reviewed.seats, reviewed.record.position.cards
        luck = sum(roll.after - roll.before for roll in seat.rolls)
        loss = sum(decision.best_value - decision.value for decision in seat.decisions)
        assert card.result == pytest.approx(seat.start_value + luck - loss, abs=1e-9)
        assert reviewed.record.position.is_over
        assert games.scores[index] == seat.score == card.total
        assert (games.luck[index], games.losses[index]) == pytest.approx((seat.luck, seat.loss), abs=1e-9)
        assert (seat.luck, seat.loss) == pytest.approx((luck, loss), abs=1e-9)
        assert games.num_unforced[index] == seat.num_unforced


@pytest.mark.parametrize(("ref", "policy"), COMBINATIONS)
def test_luck_of_mean_zero_and_loss_add_up_in_simulated_games_that_are_those_of_their_records(
    ref: str, policy: str, num_games: int
) -> None:
    games = games_of(ref, policy, num_games)
    expected = solution_of(ref).expected_score + games.luck - games.losses
    assert np.abs(games.scores - expected).max() < 1e-9
    assert (games.loss >= -1e-9).all()
    assert abs(games.luck.mean()) < 4 * games.luck.std(ddof=1) / games.luck.size**0.5
    check_reviews(solution_of(ref), games, -(-num_games // len(COMBINATIONS)))


@pytest.mark.parametrize("ref", RULESETS)
def test_only_the_optimal_player_loses_nothing(ref: str, num_games: int) -> None:
    losses = {policy: games_of(ref, policy, num_games).losses for policy in POLICIES}
    assert losses["optimal"].max() < 1e-9
    # Where all boxes score alike, as in poker dice, there is nothing to plan, and greedy play is optimal.
    scorers = {category.scorer for category in solution_of(ref).ruleset.categories}
    also = {"greedy"} if len(scorers) == 1 else set()
    assert min(found.mean() for policy, found in losses.items() if policy not in {"optimal", *also}) > 0.5


def test_games_that_are_won_outright_are_those_of_their_records() -> None:
    solution = solution_of("generala[first_roll_generala=wins]")
    games = play_games(solution, Policy("slips", solution, 0.2), amount(16, full=40), np.random.default_rng(5))
    check_reviews(solution, games, games.scores.size)


@given(rulesets(), st.integers(0, 1_000), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=amount(10, full=100), deadline=None, suppress_health_check=list(HealthCheck))
def test_games_of_random_tiny_rulesets_are_those_of_their_records(ruleset: Ruleset, seed: int, slips: float) -> None:
    solution = solve(ruleset, threads=1)
    games = play_games(solution, Policy("slips", solution, slips), 10, np.random.default_rng(seed))
    check_reviews(solution, games, 10)
