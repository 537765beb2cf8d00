"""`Ruling` on a roll: the open boxes it may fill, those of them at joker value, and why the others are closed."""

from dataclasses import dataclass, replace

from fivedice.box import Category
from fivedice.dice import Dice
from fivedice.explanation.boxes import joker_name
from fivedice.game.card import ScoreCard
from fivedice.language import ENGLISH
from fivedice.ruleset import Joker

MUST_SCORE = "a roll that scores in another box must be scored there"
"""The reason why a box is closed to a roll under a ruleset with `forced_score`."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Boxes by their index on the card. `reason` is a short explanation if a rule closes boxes."""

    allowed: tuple[int, ...]
    at_joker_value: frozenset[int] = frozenset()
    reason: str = ""


def rule_on(card: ScoreCard, dice: Dice) -> Ruling:
    """The ruling of a card's ruleset on a roll; see `fivedice.ruleset.Joker` for the joker orders."""
    ruling = _joker_ruling(card, dice)
    if not card.ruleset.forced_score:
        return ruling
    boxes = card.ruleset.boxes
    scoring = tuple(
        index
        for index in ruling.allowed
        if (index in ruling.at_joker_value or boxes[index].category.score(dice))
        and not (boxes[index].category.requires and card.is_locked(index))
        and card.is_within_limit(index, _points(ruling, boxes[index].category, index, dice))
    )
    if not scoring or scoring == ruling.allowed:
        return ruling
    return replace(ruling, allowed=scoring, reason=ruling.reason or MUST_SCORE)


def _points(ruling: Ruling, category: Category, index: int, dice: Dice) -> int:
    return category.joker_score(dice) if index in ruling.at_joker_value else category.score(dice)


def _joker_ruling(card: ScoreCard, dice: Dice) -> Ruling:
    ruleset = card.ruleset
    playable = tuple(card.playable())
    if ruleset.joker is Joker.NONE or not card.is_extra(dice):
        return Ruling(playable)
    boxes = ruleset.boxes
    matching = ruleset.matching_upper[dice[0]]
    open_matching = tuple(index for index in playable if index in matching)
    extra = f"an extra {joker_name(ruleset, ENGLISH)}"
    lower = tuple(index for index in playable if boxes[index].category.section == "lower")

    match ruleset.joker:
        case Joker.FREE:
            is_filled = bool(matching) and all(card.boxes[index] is not None for index in matching)
            return Ruling(playable, frozenset(lower) if is_filled else frozenset())
        case Joker.LOWER_FIRST if lower:
            return Ruling(lower, frozenset(lower), f"{extra} goes below while a lower box is open")
        case Joker.LOWER_FIRST:
            return Ruling(playable)
        case _ if open_matching:
            name = boxes[open_matching[0]].category.name
            return Ruling(open_matching, reason=f"{extra} goes in {name} while it is open")
        case Joker.FORCED if lower:
            return Ruling(lower, frozenset(lower), f"{extra} is a joker below while a lower box is open")
        case _:
            return Ruling(playable, frozenset(lower))


def why_closed(card: ScoreCard, dice: Dice, box: int) -> str:
    """Why a roll may not fill the box with this index, in a few words; empty if it may."""
    if card.boxes[box] is not None:
        return f"the box is filled, with {card.boxes[box]}"
    if box not in card.playable():
        return _why_not_playable(card, box)
    if box in rule_on(card, dice).allowed:
        return ""
    ruling = _joker_ruling(card, dice)
    return MUST_SCORE if box in ruling.allowed else ruling.reason


def _why_not_playable(card: ScoreCard, box: int) -> str:
    column = card.ruleset.columns[card.ruleset.boxes[box].column]
    if card.ruleset.boxes_per_turn == 2:
        return "this turn fills it already" if card.announced else "announce the first of two boxes before the second"
    if card.announced:
        return f"{card.announced} is announced, so this turn must fill it"
    if column.announced and box in card.announceable():
        return "it must be announced after the first roll"
    return f"the boxes of this column are filled {column.order}"
