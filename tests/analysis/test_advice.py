"""Advice: exactly the legal actions, with the values found by brute force, also for the rest of a game alone; and
approximate advice, whose turns `tests/solver/test_approximate_play.py` compares with brute force."""

import random
from collections.abc import Iterator
from random import Random
from time import process_time

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

from fivedice.analysis.action_values import turn_state
from fivedice.analysis.advice import (
    advise,
    advise_batch,
    advise_unsolved,
    advise_without_kernels,
    rest_of,
    settled_points,
    state_index,
)
from fivedice.analysis.chances import chances
from fivedice.analysis.odds import odds
from fivedice.base.errors import IllegalError
from fivedice.game.action import Action, Keep
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.players.available import available
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solution import Solution
from fivedice.solver.solve import solve
from fivedice.solver.tables.dice_tables import roll_indices
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.testing import TINY, TINY_TURNS, Playthrough, games, playthrough, rulesets
from fivedice.views.advice import advised_position_view
from tests.amount import IS_FULL, amount, cases
from tests.cli.run_command import fivedice
from tests.solutions import SOME_BOXES, ids_up_to, reduced_solution_of, shipped, solution_of
from tests.solver.brute_force import Exact, best_play, num_positions

READINGS = "yahtzee_wild[first_yahtzee=in_box,rounds=4,wild_cards=from_second,zeros=last]"
VARIANTS = (
    *("balut[result=sum]", "generala[double=true]", "generala[first_roll_generala=wins]"),
    *("yatzy[order=up]", "crag[saved_rolls=true]", READINGS),
)


@pytest.fixture
def yahtzee() -> Solution:
    return solution_of("yahtzee")


def check_against_brute_force(ruleset: Ruleset, number: int) -> None:
    """Advice on positions of random one-seat games agrees with brute force."""
    brute, solution = best_play(ruleset), solve(ruleset, threads=1)
    chance = random.Random(5)
    position = Position.start(ruleset)
    for _ in range(number):
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
    check_against_brute_force((TINY | TINY_TURNS)[id], 60)


@given(st.booleans().flatmap(lambda orders: rulesets(orders=orders, max_boxes=3)))
@settings(max_examples=amount(10, full=60), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_action_of_random_rulesets_has_the_value_that_brute_force_finds(ruleset: Ruleset) -> None:
    assume(num_positions(ruleset) <= 4_000)
    check_against_brute_force(ruleset, 25)


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


ALL_TINY = TINY | TINY_TURNS


def late(ruleset: Ruleset, chance: Random, turns_left: int, num_seats: int = 1) -> list[Position]:
    """The positions of a random game in a late turn."""
    game = playthrough(ruleset, chance, num_seats)
    return [each for each in game.positions if not each.is_over and each.card.turns_left == turns_left]


def check_game(game: Playthrough) -> None:
    """Advice on every position of a game is that of its solution."""
    solution = solve(game.positions[0].ruleset)
    for position in game.positions:
        if position.is_over:
            continue
        found, solved = advise_unsolved(position), advise(solution, position)
        assert found.value == pytest.approx(solved.value, abs=1e-9)
        for advised in found.actions:
            other = solved.of(advised.action)
            assert (advised.value, advised.loss) == pytest.approx((other.value, other.loss), abs=1e-9)
            assert (advised.points, advised.wins) == (other.points, other.wins)


@pytest.mark.parametrize("id", ALL_TINY)
def test_the_rest_of_a_tiny_game_has_the_values_of_its_solution(id: str) -> None:
    for seed in range(amount(3, full=20)):
        check_game(playthrough(ALL_TINY[id], Random(seed)))


@settings(max_examples=amount(20, full=100))
@given(games())
def test_the_rest_of_a_random_game_has_the_values_of_its_solution(game: Playthrough) -> None:
    if not States(game.positions[0].ruleset).obstacle:
        check_game(game)


@pytest.mark.parametrize("id", TINY)
def test_chances_and_odds_are_those_of_the_whole_solution(id: str) -> None:
    solution = solve(TINY[id])
    for position in playthrough(TINY[id], Random(id), num_seats=2).positions:
        if position.is_over:
            continue
        rest = rest_of(position, all_seats=True)
        assert odds(rest, position).seats == odds(solution, position).seats
        found, whole = chances(rest, position), chances(solution, position)
        assert found.distribution.chances.tolist() == whole.distribution.chances.tolist()
        assert found.boxes == whole.boxes


@pytest.mark.parametrize("id", ALL_TINY)
def test_indices_of_the_rest_of_a_game_are_those_of_its_turn_states(id: str) -> None:
    game = [each for each in playthrough(ALL_TINY[id], Random(id)).positions if not each.is_over]
    rest = rest_of(game[-1])
    indices = rest.indices()
    assert 0 < len(indices) <= rest.num_turn_states
    for index in indices.tolist():
        assert rest.states.index(rest.states.from_index(index)) == index
    for position in game:
        if position.card.num_filled < game[-1].card.num_filled:
            with pytest.raises(IllegalError):
                state_index(rest, position.card)


@pytest.mark.parametrize("id", ruleset_ids())
def test_every_action_of_the_last_turn_of_every_ruleset_has_the_value_of_brute_force(id: str) -> None:
    ruleset, brute = load_ruleset(id), Exact(load_ruleset(id), lambda card: float(card.result))
    for seed in range(amount(1, full=5)):
        before, *positions = late(ruleset, Random(seed), turns_left=1)
        assert advise_unsolved(before).value == pytest.approx(brute.before_turn(before.card), abs=1e-9)
        for position in positions:
            found = {one.action: one.value for one in advise_unsolved(position).actions}
            assert found == pytest.approx(brute.action_values(position), abs=1e-9), position


def test_chances_and_odds_of_triple_yahtzee_are_known_near_the_end() -> None:
    position = str(late(load_ruleset("triple_yahtzee"), Random(1), turns_left=3, num_seats=2)[1])
    for command in (("chances",), ("odds",), ("advise", "--rival"), ("advise", "--target", "900")):
        shown = fivedice(command[0], position, *command[1:])
        assert (shown.status, shown.err) == (0, ""), command


@pytest.mark.parametrize("id", ["balut", "triple_yahtzee", "yamb"])
def test_a_game_of_which_much_is_left_is_refused_at_once(id: str) -> None:
    began = process_time()
    why = "cannot be solved" if States(load_ruleset(id)).obstacle else "is too large to solve"
    with pytest.raises(TooLargeError, match=f"the rest of this game of {id} {why} exactly"):
        advise_unsolved(Position.start(id))
    assert process_time() - began < 5


def test_the_limit_is_in_bytes_of_what_can_follow() -> None:
    position = Position.start(TINY["tiny_plain"])
    size = States(position.ruleset, (turn_state(position.card),)).num_bytes
    assert advise_unsolved(position, memory_limit=size).value > 0
    with pytest.raises(TooLargeError, match=r"it needs .* MB of memory, and .* MB are allowed"):
        advise_unsolved(position, memory_limit=size - 1)
