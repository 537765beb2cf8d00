"""Optimal play by brute force over the engine, what it brings, and games in which a seat plays to win."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any

from fivedice.analysis.action_values import turn_state
from fivedice.game.action import Action, Keep, Score
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.rulesets.dice import Dice, rolls, ways, with_dice
from fivedice.rulesets.ruleset import Ruleset
from fivedice.solver.solve import solve

EQUAL = 1e-12


class Exact:
    """The mean final result of a one-seat game under optimal play, in fractions and computed on demand, by the rules of
    the engine alone. It shares nothing with the solver, and is the shortest complete description of what is solved:

    >>> from fivedice.game.notation import parse_position
    >>> from fivedice.rulesets import load_ruleset
    >>> boxes = "crag=50,thirteen=26,three_of_a_kind=25,low_straight=20,high_straight=20,odd_straight=0,even_straight=0"
    >>> card = parse_position(f"crag {boxes},sixes=6,fives=5,fours=4,threes=3,twos=2 - r2").card
    >>> Exact(load_ruleset("crag")).value(card) - card.total
    Fraction(11, 12)

    `value_of` gives the value of a card at the beginning of a turn, for example from a table that is to be checked;
    without it, values are computed from those at the end of the game. `worth` of a final result is the result itself,
    or a utility of it.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        value_of: Callable[[ScoreCard], Any] | None = None,
        worth: Callable[[int], Any] = Fraction,
    ) -> None:
        self.ruleset, self.worth = ruleset, worth
        self.found: dict[ScoreCard, Any] = {}
        """The values of cards so far."""
        self._value_of = value_of or self.before_turn
        self._best = cache(self._best_action)
        self._after = cache(self._after_keep)

    def value(self, card: ScoreCard) -> Any:
        """The value of a card at the beginning of a turn, or after the end of the game."""
        if card not in self.found:
            self.found[card] = self._value_of(card)
        return self.found[card]

    def before_turn(self, card: ScoreCard) -> Any:
        """The value of a card before the first roll of a turn, from the values of cards after it."""
        if card.is_complete or card.won:
            return self.worth(card.result)
        return self._after(card, (), card.rolls)

    def _after_keep(self, card: ScoreCard, keep: Dice, rolls_left: int) -> Any:
        """The value before the dice beside a keep are rolled."""
        rolled = rolls(self.ruleset.dice - len(keep), self.ruleset.faces)
        total = sum(ways(dice) * self._best(card, with_dice(keep, dice), rolls_left - 1) for dice in rolled)
        return total / sum(map(ways, rolled))

    def _best_action(self, card: ScoreCard, dice: Dice, rolls_left: int) -> Any:
        """The value of the best action for these dice."""
        return max(self.action_values(Position(self.ruleset, (card,), 0, dice, rolls_left)).values())

    def action_values(self, position: Position) -> dict[Action, Any]:
        """The value of every legal action; other seats count for nothing."""
        card, dice, rolls_left = position.card, position.dice, position.rolls_left
        found: dict[Action, Any] = {}
        for offer in position.offers():
            found[offer.action] = self.value(position.take(offer).cards[position.seat])
        for keep in position.keeps():
            found[keep] = self._after(card, keep.dice, rolls_left)
        for announced in position.announcements():
            found[announced] = self._best(position.announce(announced).card, dice, rolls_left)
        return found


class BruteForce(Exact):
    """The expected final score of every position of a one-seat game, found by trying all legal actions."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset, worth=float)
        self._bests: dict[Any, Action] = {}
        self.value(ScoreCard.empty(ruleset))
        self.cards = {card: value for card, value in self.found.items() if not card.won}
        """Card at the beginning of a turn, or complete → expected final score."""

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


def num_positions(ruleset: Ruleset) -> int:
    """About how many positions with dice brute force looks at."""
    return solve(ruleset, threads=1).num_turn_states * len(rolls(ruleset.dice, ruleset.faces)) * ruleset.rolls


@lru_cache(maxsize=12)
def best_play(ruleset: Ruleset) -> BruteForce:
    """The values of a small ruleset, found once."""
    return BruteForce(ruleset)


Chances = dict[int, Fraction]


class Followed:
    """The chances of what the best actions bring; `count` says what is counted: a number of the card at the end."""

    def __init__(self, brute: BruteForce, count: Callable[[Position], int]) -> None:
        self.brute, self.count = brute, count
        self._from = cache(self._search)
        self._kept = cache(self._mean)

    def chances(self, position: Position) -> Chances:
        return self._from(position.card, position.dice, position.rolls_left)

    def after(self, position: Position, action: Action) -> Chances:
        if isinstance(action, Keep):
            return self._kept(position.card, action.dice, position.rolls_left)
        return self.chances(position.play(action))

    def _search(self, card: ScoreCard, dice: Dice, rolls_left: int) -> Chances:
        position = Position(self.brute.ruleset, (card,), 0, dice, rolls_left)
        if position.is_over:
            return {self.count(position): Fraction(1)}
        return self.after(position, self.brute.best(position)) if dice else self._kept(card, (), rolls_left)

    def _mean(self, card: ScoreCard, keep: Dice, rolls_left: int) -> Chances:
        """The chances before the dice beside a keep are rolled."""
        num, faces = self.brute.ruleset.dice - len(keep), self.brute.ruleset.faces
        result = defaultdict[int, Fraction](Fraction)
        for dice in rolls(num, faces):
            for number, chance in self._from(card, with_dice(keep, dice), rolls_left - 1).items():
                result[number] += ways(dice) * chance
        return {number: chance / faces**num for number, chance in result.items()}


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
