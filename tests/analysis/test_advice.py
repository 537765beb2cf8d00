"""Advice: exactly the legal actions, with the values found by brute force."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fivedice.analysis.advice import advise, advise_batch, advise_without_kernels, settled_points, state_index
from fivedice.base.errors import IllegalError
from fivedice.game.action import Keep, Score
from fivedice.game.notation import parse_action, parse_position
from fivedice.game.position import Position
from fivedice.players.available import available
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.dice import rolls, ways
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import States
from fivedice.testing import TINY, playthrough, rulesets
from tests.amount import IS_FULL, amount, cases
from tests.solutions import SOME_BOXES, ids_up_to, reduced_solution_of, solution_of
from tests.solver.brute_force import BruteForce, TooManyPositionsError

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
    brute = BruteForce(ruleset, max_positions)
    solution = solve(ruleset, threads=1)
    chance = random.Random(5)
    position = Position.start(ruleset)
    for _ in range(num_positions):
        if position.is_over:
            position = Position.start(ruleset)
        advice = advise(solution, position)
        assert advice.value == pytest.approx(brute.value(position), abs=1e-12)
        assert advise_without_kernels(solution.states, solution.float_values, position) == advice  # to the last bit
        assert {advised.action for advised in advice.actions} == set(position.actions())
        for advised in advice.actions:
            value = brute.value_of(position, advised.action)
            assert advised.value == pytest.approx(value, abs=1e-12), (position, advised)
            assert advised.loss == pytest.approx(advice.value - value, abs=1e-12)
        position = step(position, chance)


def step(position: Position, chance: random.Random) -> Position:
    """One random step of play."""
    faces = position.ruleset.faces
    if not position.dice:
        return position.roll(tuple(chance.randint(1, faces) for _ in range(position.ruleset.dice)))
    action = chance.choice(position.actions())
    missing = len(position.dice) - len(action.dice) if isinstance(action, Keep) else 0
    return position.play(action, tuple(chance.randint(1, faces) for _ in range(missing)))


@pytest.mark.parametrize("id", TINY)
def test_every_action_of_the_tiny_rulesets_has_the_value_that_brute_force_finds(id: str) -> None:
    check_against_brute_force(TINY[id], None, 60)


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders, max_boxes=3)))
@settings(max_examples=amount(10, full=60), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_action_of_random_rulesets_has_the_value_that_brute_force_finds(ruleset: Ruleset) -> None:
    try:
        check_against_brute_force(ruleset, 4_000, 25)
    except TooManyPositionsError:
        assume(False)


@pytest.mark.parametrize(
    "ref",
    [
        *cases(ids_up_to("crag"), full=ids_up_to("yatzy")),
        *VARIANTS,
    ],
)
def test_advice_lists_exactly_the_legal_actions_best_first(ref: str) -> None:
    ruleset = load_ruleset(ref)
    solution = solution_of(ref)
    for seed in range(3):
        for position in playthrough(ruleset, random.Random(seed), num_seats=2).positions:
            advice = advise(solution, position)
            actions = [advised.action for advised in advice.actions]
            assert len(actions) == len(set(actions))
            assert set(actions) == set(position.actions())
            values = [advised.value for advised in advice.actions]
            assert values == sorted(values, reverse=True)
            assert all(advised.loss >= 0 for advised in advice.actions)
            for advised in advice.actions:
                points = position.offer_for(advised.action).points if isinstance(advised.action, Score) else None
                assert advised.points == points


@pytest.mark.parametrize("ref", [*ids_up_to("yatzy"), *VARIANTS])
def test_plain_python_gives_the_advice_of_the_kernels_to_the_last_bit(ref: str) -> None:
    solution = solution_of(ref) if IS_FULL else reduced_solution_of(ref)
    for position in playthrough(solution.ruleset, random.Random(7)).positions:
        assert advise_without_kernels(solution.states, solution.float_values, position) == advise(solution, position)


SOLVED = [*(id for id in ids_up_to("yatzy") if IS_FULL or id not in SOME_BOXES), *VARIANTS]


@pytest.mark.parametrize("ref", [*SOLVED, *(id for id in ruleset_ids() if id not in SOLVED)])
def test_a_batch_is_the_advice_on_each_position(ref: str) -> None:
    ruleset = load_ruleset(ref)
    if why_not := available(ruleset, memory_limit=2**31).solution:
        assert "too large to be solved" in why_not
        with pytest.raises(TooLargeError):
            solve(ruleset)
        return
    # The others take minutes to solve. A table of zeros, whose pages are never allocated, has all their actions too.
    states = States(ruleset)
    solution = solution_of(ref) if ref in SOLVED else Solution(states, np.zeros(states.num_entries), 0, 0.0)
    positions = playthrough(solution.ruleset, random.Random(7)).positions
    assert advise_batch(solution, positions) == [advise(solution, position) for position in positions]


@pytest.mark.parametrize("line", ["yahtzee yahtzee=50,threes=9 33333 r1", "yahtzee yahtzee=0 33333 r2"])
def test_plain_python_gives_the_advice_of_the_kernels_on_jokers(yahtzee: Solution, line: str) -> None:
    position = parse_position(line)
    assert advise_without_kernels(yahtzee.states, yahtzee.float_values, position) == advise(yahtzee, position)


def test_the_best_keep_of_44666_is_666_as_verhoeff_published() -> None:
    advice = advise(solution_of("yahtzee_free"), parse_position("yahtzee_free - 44666 r2"))
    assert advice.best.action == Keep((6, 6, 6))


def test_the_value_before_a_roll_is_the_mean_over_its_rolls(yahtzee: Solution) -> None:
    chance = random.Random(3)
    positions = [
        position
        for seed in range(2)
        for position in playthrough(yahtzee.ruleset, random.Random(seed)).positions
        if not position.dice and not position.is_over
    ]
    for position in chance.sample(positions, 5):
        after = sum(ways(roll) * advise(yahtzee, position.roll(roll)).value for roll in rolls(5, 6)) / 6**5
        assert advise(yahtzee, position).value == pytest.approx(after, abs=1e-9)


def test_the_value_of_a_keep_is_the_mean_over_the_next_rolls(yahtzee: Solution) -> None:
    position = parse_position("yahtzee yahtzee=50,sixes=18,chance=22 13355 r2")
    for keep in (Keep((5, 5)), Keep(()), Keep((1, 3, 3, 5, 5))):
        outcomes = rolls(5 - len(keep.dice), 6)
        after = sum(ways(dice) * advise(yahtzee, position.play(keep, dice)).value for dice in outcomes)
        value = after / 6 ** (5 - len(keep.dice))
        assert advise(yahtzee, position).of(keep).value == pytest.approx(value, abs=1e-9)


def test_the_value_includes_the_points_on_the_card(yahtzee: Solution) -> None:
    line = "yahtzee ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,yahtzee=50,+2 - r3"
    position = parse_position(line)
    assert settled_points(position.card) == 63 + 50 + 200
    assert advise(yahtzee, position).value > position.card.total == 63 + 35 + 50 + 200


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


def test_the_loss_is_the_difference_from_the_best_value(yahtzee: Solution) -> None:
    advice = advise(yahtzee, parse_position("yahtzee - 66666 r2"))
    assert advice.best.action == parse_action("score yahtzee")
    assert advice.of(parse_action("score ones")).loss > 50
    with pytest.raises(IllegalError, match="keep 1 is not legal"):
        advice.of(Keep((1,)))


def test_a_solution_of_other_rules_is_refused(yahtzee: Solution) -> None:
    with pytest.raises(IllegalError, match="this is the solution of yahtzee, not of yatzy"):
        advise(yahtzee, parse_position("yatzy - 33456 r2"))


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
