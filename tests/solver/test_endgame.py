"""Endgames of two seats, against minimax by brute force over the engine."""

from itertools import count, islice
from random import Random

import pytest

from fivedice.analysis.odds.endgames import advise_to_win
from fivedice.base.errors import IllegalError
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.objectives import endgame
from fivedice.solver.solve import TooLargeError, solve
from fivedice.solver.tables.states import TurnState
from fivedice.testing.playthrough import random_step
from fivedice.testing.tiny import TINY
from tests.amount import amount, cases
from tests.solutions import ids_up_to, solution_of
from tests.solver.brute_force import Minimax

ENDGAMES = amount(quick=1, full=12)
MOST_TURNS = amount(quick=3, full=4)
"""The turns left on both cards of a position that is solved by brute force."""


def an_endgame(ruleset: Ruleset, chance: Random, most_turns: int = 4) -> Position:
    """A position with at most two turns left on each card and `most_turns` on both, before a roll or in a turn."""
    while True:
        position = Position.start(ruleset, 2, chance.randrange(2))
        steps = chance.randrange(4)
        while not position.is_over:
            left = [ruleset.rounds - card.num_filled for card in position.cards]
            if max(left) <= 2 and sum(left) <= most_turns:
                steps -= 1
                if steps < 0:
                    return position
            _, position = random_step(position, chance)


@pytest.mark.parametrize("ruleset", TINY.values(), ids=str)
def test_every_action_of_an_endgame_has_the_value_of_minimax(ruleset: Ruleset) -> None:
    solution, chance = solve(ruleset), Random(ruleset.id)
    brute_force = Minimax(0)
    for _ in range(ENDGAMES):
        position = an_endgame(ruleset, chance, MOST_TURNS)
        for_first = [brute_force.value(position)]
        for_first += [brute_force.after(position, action) for action in position.actions()]
        expected = [1 - value if position.seat else value for value in for_first]
        advice = advise_to_win(solution, position)
        found = [advice.value, *(advice.of(action).value for action in position.actions())]
        assert found == pytest.approx([float(value) for value in expected], abs=1e-9), position


@pytest.mark.parametrize(
    "ref", [*cases(ids_up_to("crag"), full=ids_up_to("yatzy")), "generala[first_roll_generala=wins]"]
)
def test_a_score_is_worth_what_the_next_turn_of_the_other_seat_is(ref: str) -> None:
    solution, chance = solution_of(ref), Random(ref)
    found = (an_endgame(solution.ruleset, chance) for _ in count())
    for position in islice((one for one in found if one.dice), 3):
        advice = advise_to_win(solution, position)
        for offer in position.offers():
            after = position.take(offer)
            if after.is_over:
                won = position.seat in after.winners
                worth_after = float(won) / len(after.winners)
            else:
                worth_after = 1 - advise_to_win(solution, after).value
            assert advice.of(offer.action).value == pytest.approx(worth_after, abs=1e-9), (position, offer)


def test_more_than_two_turns_are_not_an_endgame() -> None:
    solution = solution_of("crag")
    with pytest.raises(IllegalError, match="not an endgame: want two cards with at most 2 turns left each"):
        advise_to_win(solution, Position.start(solution.ruleset, 2))
    with pytest.raises(IllegalError, match="13 turns left and 13: want at most 2"):
        endgame.solve_endgame(solution, 0, 0)


def test_an_endgame_that_would_take_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endgame, "MAX_WORK", 10)
    solution = solve(TINY["tiny_plain"])
    cards = (solution.states.index(TurnState(filled=frozenset({box}))) for box in (0, 1))
    with pytest.raises(TooLargeError, match=r"this endgame of tiny_plain is too large: .* rows, at most 10"):
        endgame.solve_endgame(solution, *cards)
