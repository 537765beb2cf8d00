"""Actions, `Keep`, `Announce` and `Score`, and the `Offer`s of a roll: every box that it may fill, with the points."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from fivedice.base.errors import MalformedError, shown, wrong_type
from fivedice.game.card import LATER as LATER
from fivedice.game.card import ScoreCard
from fivedice.game.joker import rule_on
from fivedice.rulesets.dice import Dice, as_dice, format_dice, parse_dice, sub_keeps
from fivedice.rulesets.ruleset import Ruleset

EXPENSIVE = 20
"""Before a zero is written in a box that can hold this many points, a person is asked to confirm it."""


@dataclass(frozen=True, slots=True, init=False)
class Keep:
    """Keep these dice and roll the others: `Keep((3, 3))`, `Keep([3, 3])` or `Keep("33")`, in any order.

    They are stored in ascending order. Raises `MalformedError` for impossible faces.
    """

    dice: Dice

    def __init__(self, dice: Iterable[int] | str) -> None:
        object.__setattr__(self, "dice", as_dice(dice))

    def __str__(self) -> str:
        return f"keep {format_dice(self.dice)}"


@dataclass(frozen=True, slots=True)
class Score:
    """End the turn by filling a box; with `is_scratch`, with a zero although the roll would score there."""

    box: str
    is_scratch: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.box, str):
            raise wrong_type("the id of a box, as in Score('ones')", self.box)

    def __str__(self) -> str:
        return f"{'scratch' if self.is_scratch else 'score'} {self.box}"


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce, after the first roll of a turn, the box that the turn will fill. The same dice stay on the table."""

    box: str

    def __str__(self) -> str:
        return f"announce {self.box}"


Action: TypeAlias = Keep | Announce | Score


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


def offers(card: ScoreCard, dice: Dice, *, roll: int = LATER) -> list[Offer]:
    """Every box that a roll may fill on this card, in the order of the card; a scratch follows its box's score.

    `roll` is the number of the roll in its turn, from 0; by default, one to which no rule for early rolls applies.
    """
    ruleset = card.ruleset
    ruling = rule_on(card, dice)
    scores = ruleset.face_scores(dice)
    pays_extra = card.pays_extra(dice)
    per_column, can_scratch = len(ruleset.categories), 0 in ruleset.writable(1)
    result = []
    for index in ruling.allowed:
        box = ruleset.boxes[index]
        is_joker = index in ruling.at_joker_value
        points = card.written(index, box.category.joker_score(dice) if is_joker else scores[index % per_column], roll)
        wins = roll == 0 and box.category.first_roll_wins and points > 0
        bonus = card.extra_points(index, dice, points) if pays_extra else 0
        result.append(Offer(_score(box.id), points, bonus, is_joker, wins))
        if can_scratch and points:
            bonus = card.extra_points(index, dice, 0) if pays_extra else 0
            result.append(Offer(_score(box.id, is_scratch=True), 0, bonus))
    return result


def points_if_announced(card: ScoreCard, dice: Dice, box: str, *, roll: int) -> int:
    """What dice would score in a box that may be announced, if the turn ended there now."""
    return max(offer.points for offer in offers(replace(card, announced=box), dice, roll=roll))


@lru_cache(maxsize=50_000)
def keeps_of(roll: Dice) -> tuple[Keep, ...]:
    """Every keep of a roll, in the order of `sub_keeps`."""
    return tuple(map(Keep, sub_keeps(roll)))


def expensive_zeros(ruleset: Ruleset, offers: Collection[Offer]) -> frozenset[str]:
    """The boxes for which a person should confirm a zero, given all offers of a roll.

    They can hold `EXPENSIVE` points or more, and the roll scores in another box.
    """
    if not any(offer.points for offer in offers):
        return frozenset()
    zeros = [offer.action.box for offer in offers if not offer.points and not offer.action.is_scratch]
    return _expensive_boxes(ruleset).intersection(zeros)


@lru_cache(maxsize=100)
def _expensive_boxes(ruleset: Ruleset) -> frozenset[str]:
    """The boxes that can hold `EXPENSIVE` points or more."""
    return frozenset(box.id for box, most in zip(ruleset.boxes, ruleset.most_by_box, strict=True) if most >= EXPENSIVE)


def parse_action(text: str) -> Action:
    """The action that a text describes, whether legal or not; raises `MalformedError`."""
    if not isinstance(text, str):
        raise wrong_type("text, as in 'keep 33' or 'score ones'", text)
    verb, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if verb == "keep" and rest:
        return Keep(parse_dice(rest))
    if verb in ("score", "scratch") and re.fullmatch(r"[a-z0-9_]{1,81}", rest):
        return Score(rest, is_scratch=verb == "scratch")
    if verb == "announce" and re.fullmatch(r"[a-z0-9_]{1,81}", rest):
        return Announce(rest)
    raise MalformedError(f"action {shown(text)}: want keep DIGITS, keep -, score BOX, scratch BOX or announce BOX")


def as_action(action: Action | str) -> Action:
    """An action, given as itself or as text; raises `MalformedError`, and `TypeError` for anything else."""
    if isinstance(action, str):
        return parse_action(action)
    if not isinstance(action, Action):
        raise wrong_type('an action, as in Score("ones"), Keep((3, 3)) or "keep 33"', action)
    return action
