"""Actions in English words for people, as opposed to notation; coloured dice have the marks of their colours.

>>> from fivedice.game.notation import parse_action, parse_position
>>> position = parse_position("yahtzee - 33355 r1")
>>> [to_do(position, parse_action(text)) for text in ("keep 333", "keep -", "score full_house", "score ones")]
['keep 333', 'keep nothing', 'score Full House', 'scratch Ones']
>>> doing(position, parse_action("score full_house"))
'scoring 25 in Full House'
"""

from fivedice.explanation.boxes import box_title
from fivedice.explanation.dice import dice_text
from fivedice.game.action import Action, Announce, Keep
from fivedice.game.position import Position
from fivedice.game.turn import Turn
from fivedice.language import ENGLISH, Language
from fivedice.ruleset import Ruleset


def filled_boxes(turn: Turn) -> tuple[str, ...]:
    """The ids of the boxes that a finished turn filled, of two the announced one first; none before its end."""
    if turn.offer is None:
        return ()
    is_pair = turn.announced is not None and turn.announced.box != turn.offer.action.box
    return (turn.announced.box, turn.offer.action.box) if turn.announced and is_pair else (turn.offer.action.box,)


def filled_names(ruleset: Ruleset, turn: Turn, to: Language = ENGLISH) -> str:
    """The names of the boxes that a finished turn filled: Full House, or Ones and Full House."""
    return to.listed(box_title(ruleset, box, to) for box in filled_boxes(turn))


def to_do(position: Position, action: Action, to: Language = ENGLISH) -> str:
    """A legal action as advice in a language: keep 33, score Full House, scratch Ones."""
    if isinstance(action, Keep):
        if not action.dice:
            return to.say("keep nothing")
        return to.say("keep {dice}", dice=dice_text(position.ruleset, action.dice))
    box = box_title(position.ruleset, action.box, to)
    if isinstance(action, Announce):
        is_pair = position.ruleset.boxes_per_turn == 2
        return to.say("choose {box} as the first box", box=box) if is_pair else to.say("announce {box}", box=box)
    if position.offer_for(action).points:
        return to.say("score {box}", box=box)
    return to.say("scratch {box}", box=box)


def doing(position: Position, action: Action, to: Language = ENGLISH) -> str:
    """A legal action as a thing done: keeping 33, scoring 25 in Full House, scratching Ones."""
    if isinstance(action, Keep):
        if not action.dice:
            return to.say("keeping nothing")
        return to.say("keeping {dice}", dice=dice_text(position.ruleset, action.dice))
    box = box_title(position.ruleset, action.box, to)
    if isinstance(action, Announce):
        is_pair = position.ruleset.boxes_per_turn == 2
        return to.say("choosing {box} as the first box", box=box) if is_pair else to.say("announcing {box}", box=box)
    points = position.offer_for(action).points
    if position.card.announced and position.ruleset.boxes_per_turn == 2:
        box = to.listed([box_title(position.ruleset, position.card.announced, to), box])
    elif not points:
        return to.say("scratching {box}", box=box)
    return to.say("scoring {points} in {box}", points=points, box=box)
