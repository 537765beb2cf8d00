"""What optimal play brings, by following the best actions in the engine."""

from collections.abc import Callable
from functools import cache

from fivedice.game.action import Action, Keep
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from tests.solver.brute_force import BruteForce

Chances = dict[int, float]


class Followed:
    """The chances of what optimal play brings: exact ones, each rounded once.

    `count` says what is counted: a number of the card at the end of the game.
    """

    def __init__(self, brute: BruteForce, count: Callable[[Position], int]) -> None:
        self.brute = brute
        self.count = count
        self._from = cache(self._search)
        self._kept = cache(self._mean)

    def chances(self, position: Position) -> Chances:
        return _as_chances(self._from(position.card, position.dice, position.rolls_left))

    def after(self, position: Position, action: Action) -> Chances:
        return _as_chances(self._after(position, action))

    def _search(self, card: ScoreCard, dice: Dice, rolls_left: int) -> "_Courses":
        position = Position(self.brute.ruleset, (card,), 0, dice, rolls_left)
        if position.is_over:
            return 1, {self.count(position): 1}
        return self._after(position, self.brute.best(position)) if dice else self._kept(card, (), rolls_left)

    def _after(self, position: Position, action: Action) -> "_Courses":
        if isinstance(action, Keep):
            return self._kept(position.card, action.dice, position.rolls_left)
        after = position.play(action)
        return self._from(after.card, after.dice, after.rolls_left)

    def _mean(self, card: ScoreCard, keep: Dice, rolls_left: int) -> "_Courses":
        """The courses after the dice beside a keep are rolled."""
        rolled = rolls(self.brute.ruleset.dice - len(keep), self.brute.ruleset.faces)
        found = [(ways(dice), *self._from(card, with_dice(keep, dice), rolls_left - 1)) for dice in rolled]
        most = max(total for _, total, _ in found)
        result: dict[int, int] = {}
        for count, total, courses in found:
            times = count * (most // total)  # both are powers of the number of faces
            for number, num_ways in courses.items():
                result[number] = result.get(number, 0) + times * num_ways
        return most * sum(count for count, _, _ in found), result


_Courses = tuple[int, dict[int, int]]
"""The number of equally likely courses of the dice, and of those with each number."""


def _as_chances(courses: _Courses) -> Chances:
    total, found = courses
    return {number: ways / total for number, ways in found.items()}
