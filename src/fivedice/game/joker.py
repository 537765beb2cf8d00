"""`Ruling` on a roll: the open boxes it may fill, those of them at joker value, and why the others are closed."""

from dataclasses import dataclass, replace

from fivedice.dice import Dice
from fivedice.explanation.boxes import box_title, category_name, joker_name
from fivedice.game.card import ScoreCard
from fivedice.language import ENGLISH, Language, marked
from fivedice.ruleset import Joker

MUST_SCORE = marked("a roll that scores in another box must be scored there")
"""The reason why a box is closed to a roll under a ruleset with `forced_score`."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Boxes by their index on the card. `reason` is a short explanation if a rule closes boxes."""

    allowed: tuple[int, ...]
    at_joker_value: frozenset[int] = frozenset()
    reason: str = ""


def rule_on(card: ScoreCard, dice: Dice, to: Language = ENGLISH) -> Ruling:
    """The ruling of a card's ruleset on a roll; see `fivedice.ruleset.Joker` for the joker orders."""
    ruling = _joker_ruling(card, dice, to)
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
    return replace(ruling, allowed=scoring, reason=ruling.reason or to.say(MUST_SCORE))


def _joker_ruling(card: ScoreCard, dice: Dice, to: Language) -> Ruling:
    ruleset = card.ruleset
    playable = tuple(card.playable())
    if ruleset.joker is Joker.NONE or not card.is_extra(dice):
        return Ruling(playable)
    boxes = ruleset.boxes
    matching = ruleset.matching_upper[dice[0]]
    open_matching = tuple(index for index in playable if index in matching)
    name = joker_name(ruleset, to)
    lower = tuple(index for index in playable if boxes[index].category.section == "lower")

    match ruleset.joker:
        case Joker.FREE:
            is_filled = bool(matching) and all(card.boxes[index] is not None for index in matching)
            return Ruling(playable, frozenset(lower) if is_filled else frozenset())
        case Joker.LOWER_FIRST if lower:
            reason = to.say("an extra {extra} goes below while a lower box is open", extra=name)
            return Ruling(lower, frozenset(lower), reason)
        case Joker.LOWER_FIRST:
            return Ruling(playable)
        case _ if open_matching:
            box = category_name(boxes[open_matching[0]].category, ruleset, to)
            reason = to.say("an extra {extra} goes in {box} while it is open", extra=name, box=box)
            return Ruling(open_matching, reason=reason)
        case Joker.FORCED if lower:
            reason = to.say("an extra {extra} is a joker below while a lower box is open", extra=name)
            return Ruling(lower, frozenset(lower), reason)
        case _:
            return Ruling(playable, frozenset(lower))


def why_closed(card: ScoreCard, dice: Dice, box: int, to: Language = ENGLISH) -> str:
    """Why a roll may not fill the box with this index, in a few words; empty if it may."""
    if card.boxes[box] is not None:
        return to.say("the box is filled, with {points}", points=card.boxes[box])
    if box not in card.playable():
        return _why_not_playable(card, box, to)
    if box in rule_on(card, dice).allowed:
        return ""
    ruling = _joker_ruling(card, dice, to)
    return to.say(MUST_SCORE) if box in ruling.allowed else ruling.reason


def _why_not_playable(card: ScoreCard, box: int, to: Language) -> str:
    column = card.ruleset.columns[card.ruleset.boxes[box].column]
    if card.ruleset.boxes_per_turn == 2:
        if card.announced:
            return to.say("this turn fills it already")
        return to.say("announce the first of two boxes before the second")
    if card.announced:
        announced = box_title(card.ruleset, card.announced, to)
        return to.say("{box} is announced, so this turn must fill it", box=announced)
    if column.announced and box in card.announceable():
        return to.say("it must be announced after the first roll")
    if column.order == "up":
        return to.say("the boxes of this column are filled up")
    return to.say("the boxes of this column are filled down")
