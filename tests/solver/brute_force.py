"""Optimal play by brute force over the engine, and the solver's turn state of a card."""

from functools import lru_cache
from math import inf
from typing import Any

from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import TurnState
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


def turn_state(card: ScoreCard) -> TurnState:
    return TurnState(
        filled=frozenset(index for index, points in enumerate(card.boxes) if points is not None),
        totals=tuple(card.section_total("upper", column) for column in range(len(card.ruleset.columns))),
        spoiled=card.is_spoiled,
        saved=card.saved,
        pending=card.pending,
    )


def written(card: ScoreCard) -> int:
    """The points on a card: its total without the upper bonus, which values count among the points to come."""
    bonus = sum(column.multiplier * card.upper_bonus(index) for index, column in enumerate(card.ruleset.columns))
    return card.total - bonus
