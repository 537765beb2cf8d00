"""The engine, the reference and the kernels agree in every turn state."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.ruleset import Ruleset
from fivedice.rulesets import ruleset_ids
from fivedice.solver.reference import Reference
from fivedice.solver.solve import solve
from fivedice.solver.tables.card_layers import layers_of_cards
from fivedice.testing import TINY, rulesets
from tests.amount import amount, cases
from tests.solutions import solution_of
from tests.solver.brute_force import BruteForce, TooManyPositionsError, tree_of, turn_state, written

MAX_POSITIONS = 6_000

TOO_LONG = {"balut", "maxi_yatzy", "triple_yahtzee", "yamb", "yams"}
"""They take half a minute, never end, or cannot be solved."""

LIKE_OTHERS = cases(("kniffel", "yacht_dice", "yahtzee_no_joker", "yahtzee_plain", "yatzy"), full=())
"""Their kinds of rules are also those of others."""

any_ruleset = st.booleans().flatmap(lambda orders: rulesets(orders=orders))
"""With `orders`, two thirds of the columns are filled down or up; without, all are free."""


def check_agreement(ruleset: Ruleset, max_positions: int | None = None) -> None:
    by_engine = BruteForce(ruleset, max_positions).before_turn
    solution = solve(ruleset, threads=1)
    reference = Reference(ruleset)
    for card, value in by_engine.items():
        state = turn_state(card)
        assert solution.value(state) == pytest.approx(value - written(card), abs=1e-12)
        assert solution.value(state) == pytest.approx(float(reference.value(state)), abs=1e-12)
    indices = {solution.states.index(turn_state(card)) for card in by_engine}
    assert indices == set(solution.indices().tolist())
    assert len(indices) == solution.num_turn_states


@pytest.mark.parametrize("id", TINY)
def test_all_three_agree_on_the_tiny_rulesets(id: str) -> None:
    check_agreement(TINY[id])


@given(any_ruleset)
@settings(max_examples=amount(12, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_all_three_agree_on_random_tiny_rulesets(ruleset: Ruleset) -> None:
    try:
        check_agreement(ruleset, MAX_POSITIONS)
    except TooManyPositionsError:
        assume(False)


@pytest.mark.parametrize(
    "ref",
    [
        *sorted({*ruleset_ids()} - TOO_LONG - {*LIKE_OTHERS}),
        "balut[result=sum]",
        "generala[double=true]",
        "generala[first_roll_generala=wins]",
    ],
)
def test_reference_and_kernels_agree_on_last_turns_of_shipped_rulesets(ref: str) -> None:
    solution = solution_of(ref)
    states, reference = solution.states, Reference(solution.ruleset)
    last_turns = layers_of_cards(states)[-2]
    per_card = states.num_planes * states.stride
    for card in (
        np.random.default_rng(1).choice(last_turns, min(amount(1, full=2), last_turns.size), replace=False).tolist()
    ):
        known = solution.indices() // per_card == card
        for index in solution.indices()[known][-2:].tolist():
            value = float(reference.value(states.from_index(index)))
            assert solution.values[index] == pytest.approx(value, abs=1e-11)


@given(any_ruleset)
@settings(max_examples=amount(20, full=200), deadline=None, suppress_health_check=list(HealthCheck))
def test_no_value_depends_on_a_turn_state_that_play_cannot_reach(ruleset: Ruleset) -> None:
    # Comparisons would lose NaN; infinity wins every comparison and every mean.
    clean, poisoned = solve(ruleset, threads=1), solve(ruleset, threads=1, unreachable=np.inf)
    indices = clean.indices()
    assert np.isfinite(clean.values[indices]).all()
    assert np.array_equal(clean.values[indices], poisoned.values[indices])


@given(any_ruleset, st.data())
@settings(max_examples=amount(12, full=100), deadline=None, suppress_health_check=list(HealthCheck))
def test_a_box_that_pays_more_lowers_no_value(ruleset: Ruleset, data: st.DataObject) -> None:
    raised = data.draw(st.sampled_from(ruleset.categories))
    # More points in one box of a pair may leave none for the other.
    assume(raised not in {ruleset.boxes[box].category for box in ruleset.limited_pair or ()})
    categories = tuple(replace(c, plus=c.plus + 1) if c is raised else c for c in ruleset.categories)
    before, after = solve(ruleset, threads=1), solve(replace(ruleset, categories=categories), threads=1)
    for index in before.indices().tolist():
        # Other points in an upper box lead to other totals, so that some states become unreachable.
        value = after.values[after.states.index(before.states.from_index(index))]
        assert np.isnan(value) or value >= before.values[index] - 1e-12


@pytest.mark.parametrize("id", TINY)
def test_what_follows_a_keep_depends_only_on_the_dice_kept(id: str) -> None:
    """Brute force plays it once for all rolls that have those dice."""
    tree = tree_of(TINY[id])
    chosen = [node for node in tree.nodes.values() if node.position.keeps()]
    for node in Random(1).sample(chosen, min(30, len(chosen))):
        for keep in node.position.keeps():
            others = tree.rolls[TINY[id].dice - len(keep.dice)]
            after = [(count, found.position) for count, found in node.after[keep]]
            assert after == [(count, node.position.play(keep, roll)) for roll, count in others]
