"""The rest of a game without a solution: the same values as with one, or as in Fractions where there is none."""

from random import Random
from time import perf_counter

import pytest

from fivedice.analysis.advice import advise, advise_unsolved
from fivedice.analysis.plain_turn import RestOfGame
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.rulesets import load_ruleset, ruleset_ids
from fivedice.solver.solve import solve
from fivedice.solver.tables.states import States, TooLargeError
from fivedice.testing import TINY, TINY_TURNS, playthrough
from tests.amount import amount
from tests.cli.run_command import fivedice
from tests.solver.exact import Exact

ALL_TINY = TINY | TINY_TURNS
UNSOLVABLE = [id for id in ruleset_ids() if States(load_ruleset(id)).num_bytes > 2**40]


def late(ruleset: Ruleset, chance: Random, turns_left: int) -> list[Position]:
    """The positions of a random game in a late turn."""
    return [each for each in playthrough(ruleset, chance).positions if each.card.turns_left == turns_left]


@pytest.mark.parametrize("id", ALL_TINY)
def test_a_whole_tiny_game_has_the_values_of_its_solution(id: str) -> None:
    ruleset, chance = ALL_TINY[id], Random(id)
    solution = solve(ruleset)
    assert RestOfGame(ruleset).to_come(ScoreCard.empty(ruleset)) == pytest.approx(solution.expected_score, abs=1e-9)
    for position in playthrough(ruleset, chance).positions:
        found, solved = advise_unsolved(position), advise(solution, position)
        assert found.value == pytest.approx(solved.value, abs=1e-9)
        for advised in found.actions:
            other = solved.of(advised.action)
            assert (advised.value, advised.loss) == pytest.approx((other.value, other.loss), abs=1e-9)
            assert (advised.points, advised.wins) == (other.points, other.wins)


@pytest.mark.parametrize("id", sorted({*ruleset_ids()} - {"double_cameroon"}))
def test_the_last_turn_of_every_ruleset_has_the_value_of_fractions(id: str) -> None:
    ruleset, exact = load_ruleset(id), Exact(load_ruleset(id))
    for seed in range(amount(1, full=5)):
        position = late(ruleset, Random(seed), turns_left=1)[0]
        assert advise_unsolved(position).value == pytest.approx(float(exact.value(position.card)), abs=1e-9)


@pytest.mark.parametrize("id", UNSOLVABLE)
def test_rulesets_without_a_solution_are_advised_near_the_end(id: str) -> None:
    for position in late(load_ruleset(id), Random(id), turns_left=2)[:2]:
        found = advise_unsolved(position)
        after = [advise_unsolved(position.play(each.action)) for each in found.actions if each.points is not None]
        scored = [each.value for each in found.actions if each.points is not None]
        assert scored == pytest.approx([each.value for each in after], abs=1e-9)
        shown = fivedice("advise", str(position))
        assert (shown.status, shown.err) == (0, "")
        assert f"{found.value:.1f}" in shown.out


@pytest.mark.parametrize("id", UNSOLVABLE)
def test_a_game_of_which_much_is_left_is_refused_at_once(id: str) -> None:
    began = perf_counter()
    with pytest.raises(TooLargeError, match=f"more than 5,000 cards can follow - of {id}"):
        advise_unsolved(Position.start(id))
    assert perf_counter() - began < 5


def test_many_open_boxes_are_no_obstacle_in_the_last_round() -> None:
    ruleset = load_ruleset("crag[rounds=1]")
    expected = float(Exact(ruleset).value(ScoreCard.empty(ruleset)))
    assert advise_unsolved(Position.start(ruleset)).value == pytest.approx(expected, abs=1e-9)


def test_the_limit_counts_the_cards_that_differ() -> None:
    ruleset = TINY["tiny_plain"]
    assert advise_unsolved(Position.start(ruleset), most_cards=60).value > 0
    with pytest.raises(TooLargeError, match="more than 9 cards can follow"):
        advise_unsolved(Position.start(ruleset), most_cards=9)
