"""The parts of a score card as frozen data: `Category`, `Column`, `Box`, and the `Tier`s of bonuses and `Award`s."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from fivedice.rulesets.dice import Dice
from fivedice.rulesets.scoring import SCORERS, poker_rank

Pays = int | tuple[int, ...] | Literal["total", "matched", "rank"]
Order = Literal["free", "down", "up"]
Section = Literal["upper", "lower"]


@dataclass(frozen=True)
class Category:
    """A rule of the card: a scorer with its parameters, and what a match pays.

    `pays` is a fixed number of points, "total" (the sum of all dice), "matched" (the sum of the dice that match),
    "rank" (that of the roll among all hands of poker, `scoring.poker_rank`), or fixed points for each roll of a turn,
    the last for all later ones; `plus` is added to it. `first_roll_bonus` is added when the first roll of a turn is
    scored; with `first_roll_wins` a match on the first roll ends the game, won by the seat that rolled it.
    `requires` is the id of a category: until its box holds points, every roll scores 0 here.
    `above` is the id of another: if both boxes hold points, those here are more, or with `or_equal` not fewer. The box
    that is filled last scores 0 otherwise.
    """

    id: str
    name: str
    section: Section
    scorer: str
    params: tuple[tuple[str, Any], ...] = ()
    pays: Pays = "total"
    plus: int = 0
    first_roll_bonus: int = 0
    first_roll_wins: bool = False
    requires: str = ""
    above: str = ""
    or_equal: bool = False

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """The scorer's keyword arguments."""
        return dict(self.params)

    def score(self, dice: Dice) -> int:
        """Points of a roll at face value, without an early bonus; 0 if it does not match."""
        matched = SCORERS[self.scorer](dice, **self.arguments)
        return self._pay(dice, matched) if matched else 0

    def joker_score(self, dice: Dice) -> int:
        """Points of a roll that counts as a match in any case."""
        return self._pay(dice, SCORERS[self.scorer](dice, **self.arguments) or dice)

    def early_bonus(self, roll: int) -> int:
        """What a match on a roll of the turn, counted from 0, pays more than on its last one; it can be negative."""
        bonus = 0 if roll else self.first_roll_bonus
        if isinstance(self.pays, tuple) and roll < len(self.pays):
            bonus += self.pays[roll] - self.pays[-1]
        return bonus

    @cached_property
    def num_early(self) -> int:
        """How many rolls of a turn, from the first, can pay something else than the last."""
        by_roll = len(self.pays) - 1 if isinstance(self.pays, tuple) else 0
        return max(by_roll, int(self.first_roll_bonus > 0))

    def _pay(self, dice: Dice, matched: Dice) -> int:
        if isinstance(self.pays, tuple):
            return self.pays[-1] + self.plus
        if isinstance(self.pays, int):
            return self.pays + self.plus
        if self.pays == "rank":
            return poker_rank(dice, **self.arguments) + self.plus
        return sum(dice if self.pays == "total" else matched) + self.plus


@dataclass(frozen=True)
class Column:
    """One column of the card. Its boxes and its upper bonus count `multiplier` times.

    `order` is the order in which the boxes are filled: "free", "down" or "up". `name` is what people call it; without
    one it is shown by its multiplier. A box of an `announced` column can be filled only in a turn in which it was
    announced after the first roll.
    """

    id: str = ""
    multiplier: int = 1
    order: Order = "free"
    name: str = ""
    announced: bool = False

    @property
    def title(self) -> str:
        """The name, or else the multiplier, as in ×2."""
        return self.name or f"×{self.multiplier}"


@dataclass(frozen=True)
class Line:
    """A sum of each column: the points in one box, minus those in another, times those in a third.

    The three are ids of categories. The first two boxes count in this line only. The line counts 0 until all three
    boxes are filled, and can be negative.
    """

    id: str
    name: str
    plus: str
    minus: str
    times: str


@dataclass(frozen=True)
class Box:
    """A category's place in one column of the card."""

    id: str
    name: str
    category: Category
    column: int


@dataclass(frozen=True)
class Tier:
    """`points` for a total of at least `at`, such as an upper bonus; only the highest tier reached is paid."""

    points: int
    at: int


@dataclass(frozen=True)
class Award:
    """Points of the final result for the sum of a category's boxes, or of all boxes if `category` is empty.

    With `of` "boxes", the tiers count those of its boxes that hold points.
    """

    category: str
    tiers: tuple[Tier, ...]
    of: Literal["points", "boxes"] = "points"

    @property
    def is_of_card(self) -> bool:
        """Whether it is for the sum of the whole card, bonuses included."""
        return self.of == "points" and not self.category

    def points_for(self, reached: int) -> int:
        """The points of the highest tier that is reached; 0 below the first."""
        return next((tier.points for tier in reversed(self.tiers) if reached >= tier.at), 0)
