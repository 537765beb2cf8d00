"""Optimal play by brute force over the engine, and the solver's turn state of a card."""

from collections.abc import Iterator
from functools import lru_cache
from math import inf
from typing import Any

from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.tables.states import TurnState

EQUAL = 1e-12


class TooManyPositionsError(Exception):
    """Brute force would take too long."""


class Node:
    """A position of a one-seat game, with what follows each legal action, and the first roll of a turn."""

    __slots__ = ("after", "position", "rolled")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.after: dict[Action, Outcomes] = {}
        self.rolled: Outcomes | None = None

    @property
    def outcomes(self) -> Iterator["Outcomes"]:
        """What can follow."""
        return iter(self.after.values() if self.rolled is None else (self.rolled,))


Outcomes = tuple[tuple[int, Node], ...]
"""The positions that can follow an action, each with the number of ways in which its dice can be rolled."""


class Tree:
    """Every position of the one-seat games of a ruleset, once, as the engine plays them: all legal actions and rolls.

    What follows a keep is played once for each card, number of rolls and dice that are kept, whatever was rolled.
    """

    def __init__(self, ruleset: Ruleset, max_positions: float = inf) -> None:
        """Raises `TooManyPositionsError` if there are more positions."""
        self.ruleset = ruleset
        self.max_positions = max_positions
        self.nodes: dict[Any, Node] = {}
        """Every position by `key`, after all that follow it."""
        self._begun = 0
        self._kept: dict[Any, Outcomes] = {}
        self.rolls = [[(roll, ways(roll)) for roll in rolls(num, ruleset.faces)] for num in range(ruleset.dice + 1)]
        self.start = self._add(Position.start(ruleset))

    def at(self, position: Position) -> Node:
        return self.nodes[key(position)]

    def _add(self, position: Position) -> Node:
        place = key(position)
        known = self.nodes.get(place)
        if known is not None:
            return known
        self._begun += 1
        if self._begun > self.max_positions:
            raise TooManyPositionsError
        node = Node(position)
        if not position.is_over and not position.dice:
            node.rolled = tuple((count, self._add(position.roll(roll))) for roll, count in self.rolls[-1])
        elif not position.is_over:
            node.after = {offer.action: ((1, self._add(position.take(offer))),) for offer in position.offers()}
            others: list[Action] = [*position.announcements(), *position.keeps()]
            node.after |= {action: self._follow(position, place, action) for action in others}
        self.nodes[place] = node
        return node

    def _follow(self, position: Position, place: Any, action: Action) -> Outcomes:
        if not isinstance(action, Keep):
            return ((1, self._add(position.play(action))),)
        boxes, bonuses, _, rolls_left = place
        kept = boxes, bonuses, action.dice, rolls_left
        if kept not in self._kept:
            others = self.rolls[self.ruleset.dice - len(action.dice)]
            self._kept[kept] = tuple((count, self._add(position.play(action, roll))) for roll, count in others)
        return self._kept[kept]


def key(position: Position) -> Any:
    """What distinguishes the positions of a one-seat game."""
    card = position.card
    bonuses = (card.extras, card.saved, card.won, card.elsewhere, card.announced)
    return card.boxes, bonuses, position.dice, position.rolls_left


@lru_cache(maxsize=12)
def tree_of(ruleset: Ruleset) -> Tree:
    """The tree of a small ruleset, grown once."""
    return Tree(ruleset)


class BruteForce:
    """The expected final score of every position of a one-seat game, found by trying all legal actions."""

    def __init__(self, ruleset: Ruleset, max_positions: int | None = None) -> None:
        """Raises `TooManyPositionsError` if there are more positions; without a limit, the tree is kept."""
        self.ruleset = ruleset
        self.tree = Tree(ruleset, max_positions) if max_positions else tree_of(ruleset)
        self.before_turn: dict[ScoreCard, float] = {}
        """Card at the beginning of a turn, or complete → expected final score."""
        self._values: dict[Node, float] = {}
        self._means: dict[int, float] = {}
        self._best: dict[Node, Action] = {}
        for node in self.tree.nodes.values():
            position = node.position
            is_over = position.is_over
            value = position.card.result if is_over else max(map(self._mean_of, node.outcomes))
            self._values[node] = value
            if not position.dice and not position.card.won:
                self.before_turn[position.card] = value

    def mean(self, outcomes: list[tuple[int, float]]) -> float:
        """The value before a roll, from the number of ways of each outcome and its value."""
        return sum(count * value for count, value in outcomes) / float(sum(count for count, _ in outcomes))

    def value(self, position: Position) -> float:
        return self._values[self.tree.at(position)]

    def value_of(self, position: Position, action: Action) -> float:
        return self._mean_of(self.tree.at(position).after[action])

    def _mean_of(self, outcomes: Outcomes) -> float:
        if len(outcomes) == 1:
            return self._values[outcomes[0][1]]
        found = self._means.get(id(outcomes))
        if found is None:
            found = self.mean([(count, self._values[node]) for count, node in outcomes])
            self._means[id(outcomes)] = found
        return found

    def best(self, position: Position) -> Action:
        return self.best_at(self.tree.at(position))

    def best_at(self, node: Node) -> Action:
        """The first of equally good actions, in the order stated in `kernels/optimal_turn.py`."""
        found = self._best.get(node)
        if found is None:
            found = self._best[node] = self._first_of_best(node)
        return found

    def _first_of_best(self, node: Node) -> Action:
        values = {action: self._mean_of(outcomes) for action, outcomes in node.after.items()}
        highest = max(values.values())
        scores = [a for a in values if isinstance(a, Score) and values[a] > highest - EQUAL]
        if scores:
            offers = {offer.action: offer for offer in node.position.offers()}
            return min(scores, key=lambda a: (offers[a].points > 0, self.ruleset.box_index[a.box]))
        return self._best_keep(values, node.position.dice)

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
