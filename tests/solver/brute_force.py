"""Optimal play by brute force over the engine, what it brings, and games in which a seat plays to win."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import inf
from typing import Any

from fivedice.analysis.action_values import turn_state
from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset
from tests.solver.exact import Exact

EQUAL = 1e-12


class TooManyPositionsError(Exception):
    """Brute force would take too long."""


class BruteForce(Exact):
    """The expected final score of every position of a one-seat game, found by trying all legal actions."""

    def __init__(self, ruleset: Ruleset, max_positions: float = inf) -> None:
        """Raises `TooManyPositionsError` if there are more positions with dice."""
        super().__init__(ruleset, worth=float)
        self._left = max_positions
        self._bests: dict[Any, Action] = {}
        self.value(ScoreCard.empty(ruleset))
        self.cards = {card: value for card, value in self.found.items() if not card.won}
        """Card at the beginning of a turn, or complete → expected final score."""

    def _best_action(self, card: ScoreCard, dice: Dice, rolls_left: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TooManyPositionsError
        return super()._best_action(card, dice, rolls_left)

    def of(self, position: Position) -> float:
        """The value of a position."""
        card = position.card
        return float(self._best(card, position.dice, position.rolls_left) if position.dice else self.value(card))

    def best(self, position: Position) -> Action:
        """The first of equally good actions, in the order stated in `kernels/optimal_turn.py`."""
        place = position.card, position.dice, position.rolls_left
        if place not in self._bests:
            self._bests[place] = self._first_of_best(position)
        return self._bests[place]

    def _first_of_best(self, position: Position) -> Action:
        values = self.action_values(position)
        highest = max(values.values())
        scores = [a for a in values if isinstance(a, Score) and values[a] > highest - EQUAL]
        if scores:
            offers = {offer.action: offer for offer in position.offers()}
            return min(scores, key=lambda a: (offers[a].points > 0, self.ruleset.box_index[a.box]))
        return self._best_keep(values, position.dice)

    def _best_keep(self, values: dict[Action, float], dice: Dice) -> Keep:
        best = Keep(dice)
        for face in sorted(set(dice)):
            place = dice.index(face)
            other = self._best_keep(values, dice[:place] + dice[place + 1 :])
            if values[other] > values[best] + EQUAL:
                best = other
        return best


@lru_cache(maxsize=12)
def best_play(ruleset: Ruleset) -> BruteForce:
    """The values of a small ruleset, found once."""
    return BruteForce(ruleset)


Chances = dict[int, float]


class Followed:
    """The chances of what the best actions bring: exact ones, each rounded once.

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
