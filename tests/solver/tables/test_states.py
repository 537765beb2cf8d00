"""Turn states and their indices."""

import pytest
from hypothesis import given, settings

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY, rulesets
from tests.amount import amount


@given(rulesets())
@settings(max_examples=amount(25, full=100))
def test_every_index_gives_its_turn_state_and_back(ruleset: Ruleset) -> None:
    solution = solve(ruleset, threads=1)
    for index in solution.indices().tolist():
        assert solution.states.index(solution.states.from_index(index)) == index


def test_totals_are_capped() -> None:
    states = States(load_ruleset("yahtzee"))
    filled = frozenset(range(6))
    assert states.index(TurnState(filled, (105,))) == states.index(TurnState(filled, (63,)))


def test_a_state_against_the_order_of_a_column_is_illegal() -> None:
    with pytest.raises(IllegalError, match=r"boxes \[1\] cannot be the filled ones: tiny_columns sets their order"):
        States(TINY["tiny_columns"]).index(TurnState(frozenset({1}), (0, 0)))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (TurnState(frozenset({13})), r"boxes \[13\]: want indices from 0 to 12"),
        (TurnState(totals=(1, 2)), r"upper totals \(1, 2\): want one for each of 1 columns"),
        (TurnState(totals=(-1,)), r"upper totals \(-1,\)"),
        (TurnState(saved=1), "1 saved rolls: want a number from 0 to 0"),
    ],
)
def test_an_invalid_turn_state_is_malformed(state: TurnState, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        States(load_ruleset("yahtzee")).index(state)


def test_padding_is_not_a_turn_state() -> None:
    with pytest.raises(MalformedError, match="index 64 is not that of a turn state"):
        States(load_ruleset("yahtzee")).from_index(64)


def test_the_columns_of_balut_are_interchangeable_whatever_their_names() -> None:
    states = States(load_ruleset("balut[result=sum]"))
    assert states.num_cards == 5**7
    assert not states.obstacle
