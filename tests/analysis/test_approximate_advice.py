"""Advice from approximate values is that from exact values where the approximation is exact."""

import pytest
from msgspec import json, to_builtins

from fivedice.analysis.advice import Advice, advise
from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.approximate.approximate_solution import ApproximateSolution, Measured
from fivedice.solver.approximate.features import Game
from fivedice.solver.approximate.learn import Learning, learn
from fivedice.solver.saved.approximations import shipped_approximation
from fivedice.solver.solve import solve
from fivedice.testing import TINY, TINY_TURNS
from fivedice.views.advice import advised_position_view
from tests.amount import amount
from tests.game.table_game import table_game


def exactly_learned(ruleset: Ruleset) -> ApproximateSolution:
    """An approximate solution whose features tell all turn states apart."""
    game = Game(ruleset, is_exact=True)
    learning = Learning(games=65_536, rounds=2)
    solution = ApproximateSolution(ruleset, learn(game, learning), learning, Measured(2, 100.0, 1.0))
    solution.__dict__["game"] = game
    return solution


def positions(ruleset: Ruleset, games: int) -> list[Position]:
    """The positions of some games, those before each turn and after the end included."""
    found = []
    for seed in range(games):
        record = table_game(ruleset_ref=ruleset, seed=seed)
        found += [position for _, position, _ in record.decisions()]
        found += [
            Position.at_turn(ruleset, p.cards, p.seat) for p in found if p.is_first_roll and not p.follows_announcement
        ]
        found.append(record.position)
    return found


@pytest.mark.parametrize("id", ["tiny_plain", "tiny_joker", "tiny_columns", "tiny_requires", "tiny_announced"])
def test_where_all_turn_states_are_told_apart_approximate_advice_is_the_exact_one(id: str) -> None:
    ruleset = {**TINY, **TINY_TURNS}[id]
    exact, learned = solve(ruleset), exactly_learned(ruleset)
    for position in positions(ruleset, amount(3, full=8)):
        wanted, found = advise(exact, position), advise(learned, position)
        assert found.value == pytest.approx(wanted.value, abs=1e-4), position
        assert {a.action for a in found.actions} == {a.action for a in wanted.actions}, position
        for action in found.actions:
            assert action.value == pytest.approx(wanted.of(action.action).value, abs=1e-4), position
            assert action.points == wanted.of(action.action).points


@pytest.fixture(scope="module")
def triple() -> Advice:
    """Advice on the first roll of a game that is too large to solve."""
    solution = shipped_approximation(load_ruleset("triple_yahtzee"))
    assert solution
    return advise(solution, "triple_yahtzee - 35666 r2")


def test_approximate_advice_says_how_far_its_values_are_wrong(triple: Advice) -> None:
    assert triple.error > 0
    view = to_builtins(advised_position_view(triple, 2))
    assert (view["exact"], view["standard_error"]) == (False, triple.error)
    assert " ≈ " in str(triple).splitlines()[0]


def test_exact_advice_has_no_error_and_its_json_is_as_before() -> None:
    advice = advise(solve("crag"), "crag - 445 r0")
    assert advice.error == 0
    assert set(json.decode(json.encode(advised_position_view(advice)))) == {"position", "measure", "value", "actions"}


def test_approximate_advice_refuses_a_position_of_other_rules() -> None:
    with pytest.raises(IllegalError, match="not of crag"):
        advise(shipped_approximation(load_ruleset("triple_yahtzee")) or pytest.fail("none"), "crag - 445 r0")
