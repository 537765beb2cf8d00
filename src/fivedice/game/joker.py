"""`Ruling` on a roll: the open boxes it may fill, those of them at joker value, and why the others are closed."""

from dataclasses import dataclass

from fivedice.dice import Dice
from fivedice.game.card import ScoreCard
from fivedice.ruleset import Joker


@dataclass(frozen=True, slots=True)
class Ruling:
    """Boxes by their index on the card. `reason` is a short explanation if the joker rule closes boxes."""

    allowed: tuple[int, ...]
    at_joker_value: frozenset[int] = frozenset()
    reason: str = ""


def rule_on(card: ScoreCard, dice: Dice) -> Ruling:
    """The ruling of a card's ruleset on a roll; see `fivedice.ruleset.Joker` for the joker orders."""
    ruleset = card.ruleset
    playable = tuple(card.playable())
    if ruleset.joker is Joker.NONE or not card.is_extra(dice):
        return Ruling(playable)
    boxes = ruleset.boxes
    matching = ruleset.matching_upper[dice[0]]
    open_matching = tuple(index for index in playable if index in matching)
    lower = tuple(index for index in playable if boxes[index].category.section == "lower")

    match ruleset.joker:
        case Joker.FREE:
            is_filled = bool(matching) and all(card.boxes[index] is not None for index in matching)
            return Ruling(playable, frozenset(lower) if is_filled else frozenset())
        case Joker.LOWER_FIRST if lower:
            return Ruling(lower, frozenset(lower), "an extra Yahtzee goes below while a lower box is open")
        case Joker.LOWER_FIRST:
            return Ruling(playable)
        case _ if open_matching:
            name = boxes[open_matching[0]].category.name
            return Ruling(open_matching, reason=f"an extra Yahtzee goes in {name} while it is open")
        case Joker.FORCED if lower:
            return Ruling(lower, frozenset(lower), "an extra Yahtzee is a joker below while a lower box is open")
        case _:
            return Ruling(playable, frozenset(lower))


def why_closed(card: ScoreCard, dice: Dice, box: int) -> str:
    """Why a roll may not fill the box with this index, in a few words; empty if it may."""
    if card.boxes[box] is not None:
        return f"the box is filled, with {card.boxes[box]}"
    if box not in card.playable():
        return f"the boxes of this column are filled {card.ruleset.columns[card.ruleset.boxes[box].column].order}"
    ruling = rule_on(card, dice)
    return "" if box in ruling.allowed else ruling.reason
