"""Actions, `Keep` and `Score`, and the `Offer`s of a roll: every box that it may fill, with the points."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from fivedice.dice import Dice, format_dice
from fivedice.game.card import ScoreCard
from fivedice.game.joker import rule_on
from fivedice.ruleset import Ruleset

EXPENSIVE = 20
"""Before a zero is written in a box that can hold this many points, a person is asked to confirm it."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice and roll the others. They may be given in any order, and are stored in ascending order."""

    dice: Dice

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice)))

    def __str__(self) -> str:
        return f"keep {format_dice(self.dice)}"


@dataclass(frozen=True, slots=True)
class Score:
    """End the turn by filling a box; with `is_scratch`, with a zero although the roll would score there."""

    box: str
    is_scratch: bool = False

    def __str__(self) -> str:
        return f"{'scratch' if self.is_scratch else 'score'} {self.box}"


Action: TypeAlias = Keep | Score


_score = lru_cache(maxsize=1_000)(Score)
"""A score of a box, made once: every roll offers the same ones."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal `Score` with the points it writes in the box and the extra-Yahtzee bonus it earns at that moment.

    `is_joker`: the box takes the roll at joker value; `wins`: the score wins the game at once.
    """

    action: Score
    points: int
    bonus: int = 0
    is_joker: bool = False
    wins: bool = False


def offers(card: ScoreCard, dice: Dice, *, is_first_roll: bool = False) -> list[Offer]:
    """Every box that a roll may fill on this card, in the order of the card; a scratch follows its box's score."""
    ruleset = card.ruleset
    ruling = rule_on(card, dice)
    scores = ruleset.face_scores(dice)
    bonus = ruleset.extra_bonus if card.pays_extra(dice) else 0
    per_column = len(ruleset.categories)
    result = []
    for index in ruling.allowed:
        box = ruleset.boxes[index]
        is_joker = index in ruling.at_joker_value
        points = box.category.joker_score(dice) if is_joker else scores[index % per_column]
        wins = is_first_roll and box.category.first_roll_wins and points > 0
        if is_first_roll and points:
            points += box.category.first_roll_bonus
        result.append(Offer(_score(box.id), points, bonus, is_joker, wins))
        if ruleset.voluntary_zero and points:
            result.append(Offer(_score(box.id, is_scratch=True), 0, bonus))
    return result


def expensive_zeros(ruleset: Ruleset, offers: Collection[Offer]) -> frozenset[str]:
    """The boxes for which a person should confirm a zero, given all offers of a roll.

    They can hold `EXPENSIVE` points or more, and the roll scores in another box.
    """
    if not any(offer.points for offer in offers):
        return frozenset()
    zeros = [offer.action.box for offer in offers if not offer.points and not offer.action.is_scratch]
    boxes = ruleset.boxes
    return frozenset(id for id in zeros if max(ruleset.attainable(boxes[ruleset.box_index[id]].category)) >= EXPENSIVE)
