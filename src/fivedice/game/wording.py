"""Actions in English words for people, as opposed to notation.

>>> from fivedice.game.notation import parse_action, parse_position
>>> position = parse_position("yahtzee - 33355 r1")
>>> [to_do(position, parse_action(text)) for text in ("keep 333", "keep -", "score full_house", "score ones")]
['keep 333', 'keep nothing', 'score Full House', 'scratch Ones']
>>> doing(position, parse_action("score full_house"))
'scoring 25 in Full House'
"""

from fivedice.dice import format_dice
from fivedice.explain.boxes import box_title
from fivedice.game.action import Action, Keep
from fivedice.game.position import Position
from fivedice.language import ENGLISH
from fivedice.ruleset import Ruleset


def box_name(ruleset: Ruleset, id: str) -> str:
    """The name of a box; if boxes share it, with the column, or else the id, in brackets."""
    return box_title(ruleset, id, ENGLISH)


def to_do(position: Position, action: Action) -> str:
    """A legal action as advice: keep 33, score Full House, scratch Ones."""
    if isinstance(action, Keep):
        return f"keep {_dice(action)}"
    verb = "score" if position.offer_for(action).points else "scratch"
    return f"{verb} {box_name(position.ruleset, action.box)}"


def doing(position: Position, action: Action) -> str:
    """A legal action as a thing done: keeping 33, scoring 25 in Full House, scratching Ones."""
    if isinstance(action, Keep):
        return f"keeping {_dice(action)}"
    points, name = position.offer_for(action).points, box_name(position.ruleset, action.box)
    return f"scoring {points} in {name}" if points else f"scratching {name}"


def _dice(keep: Keep) -> str:
    return format_dice(keep.dice) if keep.dice else "nothing"
