"""Games in which a seat plays to win, by brute force over the engine."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways
from tests.solver.brute_force import turn_state


class Minimax:
    """The share of the first place of one seat of a game in which it maximises that, and the others minimise it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.found: dict[Any, Fraction] = {}
        self.state = cache(turn_state)

    def value(self, position: Position) -> Fraction:
        own = position.cards[self.seat].total
        others = ((self.state(card), card.won, card.total - own) for card in position.cards)
        key = (tuple(others), position.seat, position.dice, position.rolls_left)
        if key not in self.found:
            self.found[key] = self.search(position)
        return self.found[key]

    def search(self, position: Position) -> Fraction:
        if position.is_over:
            return Fraction(self.seat in position.winners, len(position.winners))
        if not position.dice:
            return self.mean(position, position.ruleset.dice, position.roll)
        values = [self.after(position, action) for action in position.actions()]
        return max(values) if position.seat == self.seat else min(values)

    def after(self, position: Position, action: Action) -> Fraction:
        if isinstance(action, Keep):
            return self.mean(position, position.ruleset.dice - len(action.dice), partial(position.play, action))
        return self.value(position.play(action))

    def mean(self, position: Position, num: int, after: Callable[[Dice], Position]) -> Fraction:
        faces = position.ruleset.faces
        total = sum((ways(roll) * self.value(after(roll)) for roll in rolls(num, faces)), Fraction(0))
        return Fraction(total, faces**num)
