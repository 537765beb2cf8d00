"""Brute force and the solver agree on announcements, points by roll, lines, and two boxes a turn."""

import pytest

from fivedice.analysis.advice import advise
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.solver.play.breakdown import find_breakdown
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY_TURNS
from tests.amount import amount
from tests.solver.brute_force import best_play
from tests.solver.exact import Exact


@pytest.mark.parametrize("id", TINY_TURNS)
def test_brute_force_fractions_and_the_solver_agree(id: str) -> None:
    ruleset = TINY_TURNS[id]
    brute, solution = best_play(ruleset), solve(ruleset)
    best = brute.of(Position.start(ruleset))
    assert float(Exact(ruleset).value(ScoreCard.empty(ruleset))) == pytest.approx(best, abs=1e-9)
    assert solution.expected_score == pytest.approx(best, abs=1e-9)
    for card, value in list(brute.cards.items())[:: amount(3, full=1)]:
        position = Position.at_turn(ruleset, (card,), 0)
        assert advise(solution, position).value == pytest.approx(value, abs=1e-9), position


def test_what_kernels_cannot_compute_is_refused_in_one_sentence() -> None:
    solution = solve(TINY_TURNS["tiny_line"])
    with pytest.raises(TooLargeError, match="tiny_line has lines: it has no more than values"):
        find_breakdown(solution)


@pytest.mark.parametrize(
    ("ref", "why"),
    [
        ("yamb", "more memory than any computer has"),
        ("yamb[saved_rolls=true]", "combines lines with saved rolls, which"),
    ],
)
def test_full_yamb_is_refused_in_one_sentence(ref: str, why: str) -> None:
    with pytest.raises(TooLargeError, match=why):
        solve(load_ruleset(ref))


def test_a_state_within_a_line_has_its_own_place() -> None:
    states = States(TINY_TURNS["tiny_line"])
    state = TurnState(frozenset({1}), (0,), parts=(5, 0, 0))
    assert states.from_index(states.index(state)).parts == (5, 0, 0)
