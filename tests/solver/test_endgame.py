"""Endgames of two seats, against minimax by brute force over the engine."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from fivedice.analysis.endgames import advise_to_win
from fivedice.dice import Dice, rolls, ways
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.solver.solve import solve
from fivedice.testing.playthrough import random_step
from fivedice.testing.tiny import TINY
from tests.amount import amount
from tests.solver.brute_force import turn_state

ENDGAMES = amount(quick=2, full=12)


class Minimax:
    """P(win) + ½ P(tie) of the first seat when both play to win, by trying all legal actions."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.found: dict[Any, Fraction] = {}
        self.state = cache(turn_state)
        self.rolls = [[(roll, ways(roll)) for roll in rolls(num, ruleset.faces)] for num in range(ruleset.dice + 1)]

    def value(self, position: Position) -> Fraction:
        ahead = position.cards[0].total - position.cards[1].total
        states = tuple((self.state(card), card.won) for card in position.cards)
        key = (states, ahead, position.seat, position.dice, position.rolls_left)
        if key not in self.found:
            self.found[key] = self.search(position)
        return self.found[key]

    def search(self, position: Position) -> Fraction:
        if position.is_over:
            return Fraction(0 in position.winners, len(position.winners))
        if not position.dice:
            return self.mean(position.ruleset.dice, position.roll)
        values = [self.after(position, action) for action in position.actions()]
        return min(values) if position.seat else max(values)

    def after(self, position: Position, action: Action) -> Fraction:
        if isinstance(action, Keep):
            return self.mean(position.ruleset.dice - len(action.dice), partial(position.play, action))
        return self.value(position.play(action))

    def mean(self, num: int, after: Callable[[Dice], Position]) -> Fraction:
        total = sum(count * self.value(after(roll)) for roll, count in self.rolls[num])
        return Fraction(total, sum(count for _, count in self.rolls[num]))


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
    brute_force = Minimax(ruleset)
    for _ in range(ENDGAMES):
        position = an_endgame(ruleset, chance)
        for_first = [brute_force.value(position)]
        for_first += [brute_force.after(position, action) for action in position.actions()]
        expected = [1 - value if position.seat else value for value in for_first]
        advice = advise_to_win(solution, position)
        found = [advice.value, *(advice.of(action).value for action in position.actions())]
        assert found == pytest.approx([float(value) for value in expected], abs=1e-9), position
