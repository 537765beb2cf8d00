"""Optimal play by brute force over the engine, and the solver's turn state of a card."""

from collections.abc import Callable
from functools import partial
from typing import Any

from fivedice.dice import Dice, rolls, ways
from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset
from fivedice.solver.states import TurnState

EQUAL = 1e-12


class TooManyPositionsError(Exception):
    """Brute force would take too long."""


class BruteForce:
    """The expected final score of every position of a one-seat game, found by trying all legal actions."""

    def __init__(self, ruleset: Ruleset, max_positions: int) -> None:
        self.ruleset = ruleset
        self.max_positions = max_positions
        self.found: dict[Any, float] = {}
        self.before_turn: dict[ScoreCard, float] = {}
        """Card at the beginning of a turn, or complete → expected final score."""
        self.rolls = [[(roll, ways(roll)) for roll in rolls(num, ruleset.faces)] for num in range(ruleset.dice + 1)]
        self.value(Position.start(ruleset))

    def value(self, position: Position) -> float:
        card = position.card
        key = (card.boxes, card.extras, card.saved, card.won, position.dice, position.rolls_left)
        if key not in self.found:
            if len(self.found) > self.max_positions:
                raise TooManyPositionsError
            self.found[key] = self.search(position)
            if not position.dice and not card.won:
                self.before_turn[card] = self.found[key]
        return self.found[key]

    def search(self, position: Position) -> float:
        if position.is_over:
            return position.card.total
        if not position.dice:
            return self.mean(self.ruleset.dice, position.roll)
        return max(
            self.mean(self.ruleset.dice - len(action.dice), partial(position.play, action))
            if isinstance(action, Keep)
            else self.value(position.play(action))
            for action in position.actions()
        )

    def mean(self, num: int, after: Callable[[Dice], Position]) -> float:
        total = sum(count * self.value(after(roll)) for roll, count in self.rolls[num])
        return total / float(self.ruleset.faces**num)

    def best(self, position: Position) -> Action:
        """The first of equally good actions, in the order stated in `kernels/optimal_turn.py`."""
        values = {action: self.value_of(position, action) for action in position.actions()}
        highest = max(values.values())
        scores = [a for a in values if isinstance(a, Score) and values[a] > highest - EQUAL]
        if scores:
            return min(scores, key=partial(_order, position))
        return self._best_keep(values, position.dice)

    def _best_keep(self, values: dict[Action, float], dice: Dice) -> Keep:
        best = Keep(dice)
        for face in sorted(set(dice)):
            place = dice.index(face)
            other = self._best_keep(values, dice[:place] + dice[place + 1 :])
            if values[other] > values[best] + EQUAL:
                best = other
        return best

    def value_of(self, position: Position, action: Action) -> float:
        if isinstance(action, Keep):
            return self.mean(position.ruleset.dice - len(action.dice), partial(position.play, action))
        return self.value(position.play(action))


def _order(position: Position, action: Score) -> tuple[bool, int]:
    return position.offer_for(action).points > 0, position.ruleset.box_index[action.box]


def turn_state(card: ScoreCard) -> TurnState:
    return TurnState(
        filled=frozenset(index for index, points in enumerate(card.boxes) if points is not None),
        totals=tuple(card.section_total("upper", column) for column in range(len(card.ruleset.columns))),
        spoiled=any(card.boxes[index] == 0 for index in card.ruleset.joker_boxes),
        saved=card.saved,
    )


def written(card: ScoreCard) -> int:
    """The points on a card: its total without the upper bonus, which values count among the points to come."""
    bonus = sum(column.multiplier * card.upper_bonus(index) for index, column in enumerate(card.ruleset.columns))
    return card.total - bonus
