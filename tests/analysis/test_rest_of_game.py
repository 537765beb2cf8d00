"""The rest of a game without a solution: the same values as with one, or as by brute force where there is none."""

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings

from fivedice.analysis.action_values import turn_state
from fivedice.analysis.advice import advise, advise_unsolved, rest_of, state_index
from fivedice.analysis.chances import chances
from fivedice.analysis.odds.odds import odds
from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.testing import TINY, TINY_TURNS, Playthrough, games, playthrough
from tests.amount import amount
from tests.cli.run_command import fivedice
from tests.solver.exact import Exact

ALL_TINY = TINY | TINY_TURNS
UNSOLVABLE = ("balut", "triple_yahtzee", "yamb")


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


@pytest.mark.parametrize("id", UNSOLVABLE)
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
