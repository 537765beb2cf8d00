"""`Ruling` on a roll: the open boxes it may fill, those of them at joker value, and why the others are closed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from fivedice.base.language import Language, marked
from fivedice.game.card import ScoreCard
from fivedice.rulesets.dice import Dice
from fivedice.rulesets.explanation.boxes import box_title, category_name, joker_name
from fivedice.rulesets.ruleset import Joker, Ruleset

ClosedBy: TypeAlias = Literal["filled", "down", "up", "announce", "announced", "score", "lower", "upper", "joker"]
"""What closes a box to a roll."""

CLOSED: Mapping[ClosedBy, str] = MappingProxyType(
    {
        "filled": marked("the box is filled, with {points}"),
        "down": marked("the boxes of this column are filled down"),
        "up": marked("the boxes of this column are filled up"),
        "announce": marked("it must be announced after the first roll"),
        "announced": marked("{box} is announced, so this turn must fill it"),
        "score": marked("a roll that scores in another box must be scored there"),
        "lower": marked("an extra {extra} goes below while a lower box is open"),
        "upper": marked("an extra {extra} goes in {box} while it is open"),
        "joker": marked("an extra {extra} is a joker below while a lower box is open"),
    }
)
"""The reasons in words; the page has the same ones (`web/messages.py`)."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why boxes are closed to a roll, and the index of the box that must be filled instead, if it is a single one."""

    closed_by: ClosedBy
    instead: int | None = None

    def in_words(self, card: ScoreCard, to: Language, points: int | None = None) -> str:
        """The reason in a language; `points` are those in a filled box."""
        ruleset, box = card.ruleset, ""
        if self.instead is not None:
            wanted = ruleset.boxes[self.instead]
            is_whole = self.closed_by == "announced"  # other reasons name boxes of a column that all boxes share
            box = box_title(ruleset, wanted.id, to) if is_whole else category_name(wanted.category, ruleset, to)
        return to.say(CLOSED[self.closed_by], extra=joker_name(ruleset, to), box=box, points=points)


@dataclass(frozen=True, slots=True)
class Ruling:
    """Boxes by their index on the card, and the reason if a rule closes some of them."""

    allowed: tuple[int, ...]
    at_joker_value: frozenset[int] = frozenset()
    reason: Reason | None = None


def rule_on(card: ScoreCard, dice: Dice) -> Ruling:
    """The ruling of a card's ruleset on a roll; see `fivedice.rulesets.ruleset.Joker` for the joker orders."""
    ruling = _joker_ruling(card, dice)
    if not card.ruleset.forced_score:
        return ruling
    worth = ((index, card.ruleset.boxes[index].category, index in ruling.at_joker_value) for index in ruling.allowed)
    scoring = tuple(
        index
        for index, category, is_joker in worth
        if card.written(index, category.joker_score(dice) if is_joker else category.score(dice))
    )
    if not scoring or scoring == ruling.allowed:
        return ruling
    return replace(ruling, allowed=scoring, reason=ruling.reason or Reason("score"))


def _joker_ruling(card: ScoreCard, dice: Dice) -> Ruling:
    playable = tuple(card.playable())
    if card.ruleset.joker is Joker.NONE or not card.is_extra(dice):
        return Ruling(playable)
    return rule_on_extra(card.ruleset, dice[0], playable, card.filled)


def rule_on_extra(ruleset: Ruleset, face: int, playable: Sequence[int], filled: Collection[int]) -> Ruling:
    """The ruling on an extra Yahtzee of a face, by the boxes that the turn may fill and those that are filled."""
    playable, boxes = tuple(playable), ruleset.boxes
    matching = ruleset.matching_upper[face]
    open_matching = tuple(index for index in playable if index in matching)
    lower = tuple(index for index in playable if boxes[index].category.section == "lower")

    match ruleset.joker:
        case Joker.NONE:
            return Ruling(playable)
        case Joker.FREE:
            is_filled = bool(matching) and matching.issubset(filled)
            return Ruling(playable, frozenset(lower) if is_filled else frozenset())
        case Joker.LOWER_FIRST if lower:
            return Ruling(lower, frozenset(lower), Reason("lower"))
        case Joker.LOWER_FIRST:
            return Ruling(playable)
        case _ if open_matching:
            return Ruling(open_matching, reason=Reason("upper", open_matching[0]))
        case Joker.FORCED if lower:
            return Ruling(lower, frozenset(lower), Reason("joker"))
        case _:
            return Ruling(playable, frozenset(lower))


def why_closed(card: ScoreCard, dice: Dice, box: int) -> Reason | None:
    """Why a roll may not fill the box with this index; None if it may."""
    if card.boxes[box] is not None:
        return Reason("filled")
    if box not in card.playable():
        return _why_not_playable(card, box)
    if box in rule_on(card, dice).allowed:
        return None
    ruling = _joker_ruling(card, dice)
    return Reason("score") if box in ruling.allowed else ruling.reason


def _why_not_playable(card: ScoreCard, box: int) -> Reason:
    column = card.ruleset.columns[card.ruleset.boxes[box].column]
    if card.announced:
        return Reason("announced", card.ruleset.box_index[card.announced])
    if box in card.announceable():
        return Reason("announce")
    return Reason("up" if column.order == "up" else "down")
