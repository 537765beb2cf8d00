"""Players: whoever decides at a seat, behind one protocol.

>>> from fivedice.game.notation import parse_position
>>> Greedy().choose(parse_position("yahtzee - 33333 r2"))
Score(box='yahtzee', is_scratch=False)
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Protocol

from fivedice.dice import Dice, keeps, sub_keeps, with_dice
from fivedice.errors import UnknownError, shown, suggest
from fivedice.game.action import Action, Keep, Offer, offers
from fivedice.game.card import ScoreCard
from fivedice.game.position import Position
from fivedice.ruleset import Ruleset

if TYPE_CHECKING:
    from fivedice.solver.solution import Solution


class Player(Protocol):
    """Decides at one seat. A player never rolls: dice are the table's."""

    def choose(self, position: Position) -> Action:
        """One legal action in a position that has dice and is not over."""
        ...


@dataclass(frozen=True)
class Human:
    """A person, asked for each action."""

    ask: Callable[[Position], Action]

    def choose(self, position: Position) -> Action:
        """The person's answer."""
        return self.ask(position)


@dataclass(frozen=True)
class Random:
    """Takes any legal action, each as likely as the others."""

    chance: random.Random

    def choose(self, position: Position) -> Action:
        """A random legal action."""
        return self.chance.choice(position.actions())


@dataclass(frozen=True)
class Greedy:
    """Makes the most points it can expect from this turn alone, as if no other followed.

    Points are all that the turn adds to the total: the box, the bonuses earned by it, a column's multiplier.
    A tie goes to scoring before rolling, then to the earlier box and to the larger keep.
    """

    def choose(self, position: Position) -> Action:
        """The action with the highest expected points of this turn."""
        best, offer = _best_offer(position.card, position.dice, is_first_roll=position.is_first_roll)
        if not position.rolls_left:
            return offer.action
        for rolls_left in range(1, position.rolls_left + 1):
            # Each finds the one before it in the cache: rolls may be saved by the thousand, and calls nest less deeply.
            expected, scale = _expected_points(position.card, rolls_left)
        options = sorted(sub_keeps(position.dice), key=lambda keep: (expected[keep], len(keep)))
        if best * scale >= expected[options[-1]]:
            return offer.action
        return Keep(options[-1])


@dataclass(frozen=True)
class Optimal:
    """Makes the most points that it can expect by the end of the game, from the exact solution of its rules."""

    solution: "Solution"

    def choose(self, position: Position) -> Action:
        """The best action."""
        # Imported here: whoever plays without it does not wait for the solver's libraries.
        from fivedice.analysis.advice import advise

        return advise(self.solution, position).best.action


def greedy_work(ruleset: Ruleset) -> int:
    """Keeps that a greedy player looks at for one choice, each once for every roll that a turn may have left."""
    rolls = ruleset.rolls + ((ruleset.rolls - 1) * ruleset.rounds if ruleset.saved_rolls else 0)
    return comb(ruleset.dice + ruleset.faces, ruleset.faces) * rolls


def _best_offer(card: ScoreCard, dice: Dice, *, is_first_roll: bool = False) -> tuple[int, Offer]:
    """The most points that scoring a roll now adds to the card's total, and the first offer that brings them."""
    found = [(_gain(card, offer), offer) for offer in offers(card, dice, is_first_roll=is_first_roll)]
    return max(found, key=lambda pair: pair[0])


def _gain(card: ScoreCard, offer: Offer) -> int:
    box = card.ruleset.boxes[card.ruleset.box_index[offer.action.box]]
    points = offer.points
    if box.category.section == "upper" and card.ruleset.upper_bonus:
        upper = card.section_total("upper", box.column)
        points += card.ruleset.bonus_for(upper + offer.points) - card.ruleset.bonus_for(upper)
    return points * card.ruleset.columns[box.column].multiplier + offer.bonus


@lru_cache(maxsize=64)
def _expected_points(card: ScoreCard, rolls_left: int) -> tuple[Mapping[Dice, int], int]:
    """Keep → the points expected from rolling the other dice with `rolls_left` rolls to go, as exact integers.

    They are multiplied by the scale returned beside them: the ordered outcomes of all dice, once for each roll.
    """
    ruleset = card.ruleset
    all_keeps = keeps(ruleset.dice, ruleset.faces)
    all_rolls = [keep for keep in all_keeps if len(keep) == ruleset.dice]
    stop = _stopping_points(card)
    if rolls_left == 1:
        after, scale = stop, 1
    else:
        expected, scale = _expected_points(card, rolls_left - 1)
        # Whatever a roll can keep, a keep with one die less can keep too: the best over all of them, smaller first.
        best = dict(expected)
        for keep in all_keeps:
            for index in range(len(keep)):
                best[keep] = max(best[keep], best[keep[:index] + keep[index + 1 :]])
        after = {roll: max(best[roll], stop[roll] * scale) for roll in all_rolls}
    outcomes = ruleset.faces**ruleset.dice
    result = {roll: after[roll] * outcomes for roll in all_rolls}
    for keep in reversed(all_keeps):
        if len(keep) < ruleset.dice:
            # Each face is as likely as the others; the scale makes the division exact.
            result[keep] = sum(result[with_dice(keep, (f,))] for f in range(1, ruleset.faces + 1)) // ruleset.faces
    return result, scale * outcomes


@lru_cache(maxsize=64)
def _stopping_points(card: ScoreCard) -> Mapping[Dice, int]:
    """Roll → the most points that scoring it adds, when it is not the first roll of the turn."""
    ruleset = card.ruleset
    return {
        roll: _best_offer(card, roll)[0] for roll in keeps(ruleset.dice, ruleset.faces) if len(roll) == ruleset.dice
    }


KINDS: Mapping[str, str] = {
    "human": "a person at this keyboard",
    "greedy": "takes the most points it can expect from each turn, and never plans ahead",
    "optimal": "plays perfectly for the highest expected score, from the exact solution",
    "random": "takes any legal action at random",
}
"""Every kind of player with a line about it."""


def make_player(
    kind: str,
    chance: random.Random,
    ask: Callable[[Position], Action],
    solve: Callable[[], "Solution"],
) -> Player:
    """A player of a kind. `ask` is how a human is asked; `solve` gives the solution that the optimal player needs.

    Raises `UnknownError` for any other kind.
    """
    match kind:
        case "human":
            return Human(ask)
        case "greedy":
            return Greedy()
        case "optimal":
            return Optimal(solve())
        case "random":
            return Random(chance)
    raise UnknownError(f"there is no player {shown(kind)}: {suggest(kind, KINDS)}")
