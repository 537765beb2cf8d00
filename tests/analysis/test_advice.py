"""Advice: exactly the legal actions, with the values found by brute force; and approximate advice, whose turns
`tests/solver/approximate/test_whole_turns.py` compares with brute force."""

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from fivedice.analysis.advice import advise, advise_batch, advise_without_kernels, settled_points, state_index
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.players.available import available
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import States
from fivedice.testing import TINY, TINY_TURNS, playthrough, rulesets
from fivedice.views.advice import advised_position_view
from tests.amount import IS_FULL, amount, cases
from tests.solutions import SOME_BOXES, ids_up_to, reduced_solution_of, solution_of
from tests.solver.approximate.shipped import shipped
from tests.solver.brute_force import BruteForce, TooManyPositionsError, best_play

READINGS = "yahtzee_wild[first_yahtzee=in_box,rounds=4,wild_cards=from_second,zeros=last]"
VARIANTS = (
    "balut[result=sum]",
    "generala[double=true]",
    "generala[first_roll_generala=wins]",
    "yatzy[order=up]",
    "crag[saved_rolls=true]",
    READINGS,
)


@pytest.fixture
def yahtzee() -> Solution:
    return solution_of("yahtzee")


def check_against_brute_force(ruleset: Ruleset, max_positions: int | None, num_positions: int) -> None:
    """Advice on positions of random one-seat games agrees with brute force."""
    brute = BruteForce(ruleset, max_positions) if max_positions else best_play(ruleset)
    solution = solve(ruleset, threads=1)
    chance = random.Random(5)
    position = Position.start(ruleset)
    for _ in range(num_positions):
        if position.is_over:
            position = Position.start(ruleset)
        advice = advise(solution, position)
        assert advice.value == pytest.approx(brute.of(position), abs=1e-12)
        assert advise_without_kernels(solution.states, solution.float_values, position) == advice  # to the last bit
        values = brute.action_values(position)
        assert values.keys() == {*position.actions()}
        assert {one.action: one.value for one in advice.actions} == pytest.approx(values, abs=1e-12), position
        losses = {action: advice.value - value for action, value in values.items()}
        assert {one.action: one.loss for one in advice.actions} == pytest.approx(losses, abs=1e-12), position
        actions = position.actions()
        position = position.play(chance.choice(actions), chance) if actions else position.roll(chance)


@pytest.mark.parametrize("id", TINY | TINY_TURNS)
def test_every_action_of_the_tiny_rulesets_has_the_value_that_brute_force_finds(id: str) -> None:
    check_against_brute_force((TINY | TINY_TURNS)[id], None, 60)


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders, max_boxes=3)))
@settings(max_examples=amount(10, full=60), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_action_of_random_rulesets_has_the_value_that_brute_force_finds(ruleset: Ruleset) -> None:
    try:
        check_against_brute_force(ruleset, 4_000, 25)
    except TooManyPositionsError:
        assume(False)


SOLVED = [*(id for id in ids_up_to("yatzy") if IS_FULL or id not in SOME_BOXES), *VARIANTS]


def solutions(ref: str) -> Iterator[Solution]:
    """The solution of a ruleset, or where that takes minutes two others: one of some of its boxes, and a table of
    zeros, whose pages are never allocated, and which has all its actions."""
    if ref in SOLVED:
        yield solution_of(ref)
    else:
        states = States(load_ruleset(ref))
        yield Solution(states, np.zeros(states.num_entries), 0, 0.0)
        if ref in SOME_BOXES:
            yield reduced_solution_of(ref)


@pytest.mark.parametrize("ref", [*SOLVED, *(id for id in ruleset_ids() if id not in SOLVED)])
def test_advice_lists_the_legal_actions_and_is_the_same_in_a_batch_and_in_plain_python(ref: str) -> None:
    ruleset = load_ruleset(ref)
    if why_not := available(ruleset, memory_limit=2**31).solution:
        assert "cannot be solved" in why_not
        with pytest.raises(TooLargeError):
            solve(ruleset)
        return
    for solution in solutions(ref):
        positions = playthrough(solution.ruleset, random.Random(7)).positions
        for position, advice in zip(positions, advise_batch(solution, positions), strict=True):
            assert advise(solution, position) == advice
            assert advise_without_kernels(solution.states, solution.float_values, position) == advice  # to the last bit
            actions = [advised.action for advised in advice.actions]
            assert len(actions) == len(set(actions))
            assert set(actions) == set(position.actions())
            losses = [advised.loss for advised in advice.actions]
            assert losses == sorted(losses)
            assert not losses or losses[0] >= 0
            offered: dict[Action, int] = {offer.action: offer.points for offer in position.offers()}
            assert [advised.points for advised in advice.actions] == [offered.get(action) for action in actions]


def test_after_the_end_the_value_is_the_score_without_actions(yahtzee: Solution) -> None:
    full = ",".join(f"{box.id}=0" for box in yahtzee.ruleset.boxes if box.id != "chance")
    advice = advise(yahtzee, parse_position(f"yahtzee {full},chance=5 - r3"))
    assert (advice.value, advice.actions) == (5.0, ())
    with pytest.raises(IllegalError, match="has no legal action"):
        _ = advice.best


def test_other_seats_do_not_change_the_values(yahtzee: Solution) -> None:
    alone = advise(yahtzee, parse_position("yahtzee ones=3 12345 r1"))
    among = advise(yahtzee, parse_position("yahtzee sixes=30,fives=5/ones=3/chance=9 @1 12345 r1"))
    assert [a.value for a in alone.actions] == [a.value for a in among.actions]
    with pytest.raises(IllegalError, match="keep 6 is not legal"):
        alone.of(Keep((6,)))


def test_rules_with_the_same_digest_share_a_solution() -> None:
    solution = solution_of("yahtzee_plain")
    line = "{} - 33456 r2"
    plain = advise(solution, parse_position(line.format("yahtzee_plain")))
    assert advise(solution, parse_position(line.format("kniffel"))).value == plain.value


def test_an_unreachable_position_is_refused(yahtzee: Solution) -> None:
    position = parse_position("yahtzee ones=3 12345 r1")
    values = yahtzee.values.copy()
    values[state_index(yahtzee, position.card)] = np.nan
    with pytest.raises(IllegalError, match=r"yahtzee ones=3 12345 r1 cannot arise in a game of yahtzee"):
        advise(replace(yahtzee, values=values), position)


@pytest.mark.parametrize("ref", [*cases(ids_up_to("crag"), full=ids_up_to("yatzy")), "crag[saved_rolls=true]"])
def test_a_batch_of_arrays_has_the_best_value_of_each_position(ref: str) -> None:
    ruleset = load_ruleset(ref)
    solution = solution_of(ref)
    positions = [p for p in playthrough(ruleset, random.Random(1)).positions if p.dice]
    places = roll_indices(ruleset.dice, ruleset.faces)
    batch = advise_batch(
        solution,
        np.array([state_index(solution, p.card) for p in positions]),
        np.array([places[p.dice] for p in positions]),
        np.array([p.rolls_left for p in positions]),
    )
    best = [advise(solution, position).value - settled_points(position.card) for position in positions]
    assert batch.best == pytest.approx(best, abs=1e-12)


def test_approximate_advice_says_how_far_its_values_are_wrong() -> None:
    triple = advise(shipped("triple_yahtzee"), "triple_yahtzee - 35666 r2")
    assert triple.error > 0
    view = to_builtins(advised_position_view(triple, 2))
    assert (view["exact"], view["standard_error"]) == (False, triple.error)
    assert " ≈ " in str(triple).splitlines()[0]
