"""Simulated games are legal in the engine, and have the luck and loss of their reviews."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.solo_games import Games, Policy, play_games, records_of
from fivedice.analysis.advice import advise
from fivedice.analysis.reviews.review import review_all
from fivedice.game.record import Seat
from fivedice.players import Greedy
from fivedice.rulesets.ruleset import Ruleset
from fivedice.simulation.players import guessing
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.testing import rulesets
from tests.amount import amount, cases
from tests.solutions import ids_up_to, solution_of

SEAT, DATE = Seat("simulated", "simulated"), "2026-11-21T10:00:00+00:00"


def check_against_engine(solution: Solution, games: Games) -> None:
    """Every game has the same score, luck, loss and unforced decisions as its record and review."""
    records = records_of(games, SEAT, DATE)
    count = 0
    for number, reviewed in enumerate(review_all(solution, records)):
        seat = reviewed.seats[0]
        assert reviewed.record.position.is_over
        assert games.scores[number] == seat.score
        assert games.luck[number] == pytest.approx(seat.luck, abs=1e-9)
        assert games.losses[number] == pytest.approx(seat.loss, abs=1e-9)
        assert games.num_unforced[number] == seat.num_unforced
        count += 1
    assert count == games.scores.size


@pytest.mark.parametrize(
    "ref", [*cases(ids_up_to("crag"), full=ids_up_to("yatzy")), "generala[first_roll_generala=wins]"]
)
@pytest.mark.parametrize("slips", [1.0, 0.2])
def test_games_of_shipped_rulesets_are_those_of_the_engine(ref: str, slips: float) -> None:
    solution = solution_of(ref)
    check_against_engine(
        solution, play_games(solution, Policy("slips", solution, slips), amount(8, full=20), np.random.default_rng(5))
    )


@given(rulesets(), st.integers(0, 1_000), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=amount(10, full=100), deadline=None, suppress_health_check=list(HealthCheck))
def test_games_of_random_tiny_rulesets_are_those_of_the_engine(ruleset: Ruleset, seed: int, slips: float) -> None:
    solution = solve(ruleset, threads=1)
    policy = Policy("slips", solution, slips)
    check_against_engine(solution, play_games(solution, policy, 10, np.random.default_rng(seed)))


@pytest.mark.parametrize("id", cases(ids_up_to("crag"), full=ids_up_to("yahtzee")))
def test_the_planner_without_a_guess_is_the_greedy_player(id: str) -> None:
    solution = solution_of(id)
    greedy = Policy("greedy", guessing(solution, np.zeros(len(solution.ruleset.boxes)), is_bonus_planned=False))
    games = play_games(solution, greedy, 4, np.random.default_rng(2))
    for record in records_of(games, SEAT, DATE):
        for _, position, _ in record.decisions():
            assert advise(greedy.table, position).of(Greedy().choose(position)).loss == pytest.approx(0, abs=1e-9)


def test_the_seed_determines_the_games() -> None:
    solution = solution_of("crag")
    policy = Policy("optimal", solution, 0.1)
    one, again, other = (play_games(solution, policy, 50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert (one.scores == again.scores).all()
    assert (one.choices == again.choices).all()
    assert (one.scores != other.scores).any()


def test_games_are_numbered_across_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.solo_games.PORTION", 7)
    solution = solution_of("crag")
    games = play_games(solution, Policy("optimal", solution, 0.1), 20, np.random.default_rng(1))
    assert set(games.game.tolist()) == set(range(20))
    check_against_engine(solution, games)
