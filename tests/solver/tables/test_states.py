"""Turn states and their indices."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fivedice.base.errors import IllegalError, MalformedError
from fivedice.rulesets import load_ruleset
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TurnState
from fivedice.testing import TINY, TINY_TURNS, rulesets
from tests.amount import amount

YAHTZEE = load_ruleset("yahtzee")


@given(rulesets() | st.sampled_from([*TINY.values(), *TINY_TURNS.values()]))
@settings(max_examples=amount(25, full=100))
@example(TINY["tiny_above"])
@example(TINY_TURNS["tiny_line"])
def test_every_index_gives_its_turn_state_and_back(ruleset: Ruleset) -> None:
    solution = solve(ruleset, threads=1)
    for index in solution.indices().tolist():
        assert solution.states.index(solution.states.from_index(index)) == index


@pytest.mark.parametrize(
    ("ruleset", "state", "message"),
    [
        (YAHTZEE, TurnState(frozenset({13})), r"boxes \[13\]: want indices from 0 to 12"),
        (YAHTZEE, TurnState(totals=(1, 2)), r"upper totals \(1, 2\): want one for each of 1 columns"),
        (YAHTZEE, TurnState(totals=(-1,)), r"upper totals \(-1,\)"),
        (YAHTZEE, TurnState(saved=1), "1 saved rolls: want a number from 0 to 0"),
        (TINY["tiny_above"], TurnState(frozenset({1}), (0,), pending=1), "1 pending points: want one of"),
        (
            TINY["tiny_columns"],
            TurnState(frozenset({1}), (0, 0)),
            r"boxes \[1\] cannot be the filled ones: tiny_columns sets their order",
        ),
    ],
)
def test_an_invalid_turn_state_is_refused_and_padding_is_none(ruleset: Ruleset, state: TurnState, message: str) -> None:
    with pytest.raises((IllegalError, MalformedError), match=message):
        States(ruleset).index(state)
    with pytest.raises(MalformedError, match="index 64 is not that of a turn state"):
        States(YAHTZEE).from_index(64)


def test_totals_are_capped_and_columns_are_interchangeable_whatever_their_names() -> None:
    states, filled = States(YAHTZEE), frozenset(range(6))
    assert states.index(TurnState(filled, (105,))) == states.index(TurnState(filled, (63,)))
    balut = States(load_ruleset("balut[result=sum]"))
    assert (balut.num_cards, balut.obstacle) == (5**7, "")
