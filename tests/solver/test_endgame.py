"""Endgames of two seats, against minimax by brute force over the engine."""

from random import Random

import pytest

from fivedice.analysis.endgames import advise_to_win
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.testing.playthrough import random_step
from fivedice.testing.tiny import TINY
from tests.amount import amount
from tests.solver.minimax import Minimax

ENDGAMES = amount(quick=2, full=12)


def an_endgame(ruleset: Ruleset, chance: Random) -> Position:
    """A position with at most two turns left on each card, before a roll or in a turn."""
    while True:
        position = Position.start(ruleset, 2, chance.randrange(2))
        steps = chance.randrange(4)
        while not position.is_over:
            if max(ruleset.rounds - card.num_filled for card in position.cards) <= 2:
                steps -= 1
                if steps < 0:
                    return position
            _, position = random_step(position, chance)


@pytest.mark.parametrize("ruleset", TINY.values(), ids=str)
def test_every_action_of_an_endgame_has_the_value_of_minimax(ruleset: Ruleset) -> None:
    solution, chance = solve(ruleset), Random(ruleset.id)
    brute_force = Minimax(0)
    for _ in range(ENDGAMES):
        position = an_endgame(ruleset, chance)
        for_first = [brute_force.value(position)]
        for_first += [brute_force.after(position, action) for action in position.actions()]
        expected = [1 - value if position.seat else value for value in for_first]
        advice = advise_to_win(solution, position)
        found = [advice.value, *(advice.of(action).value for action in position.actions())]
        assert found == pytest.approx([float(value) for value in expected], abs=1e-9), position
