"""Actions and the end of a game in words for people, as opposed to notation; coloured dice have the marks of their
colours.

>>> from fivedice.game.notation import parse_action, parse_position
>>> position = parse_position("yahtzee - 33355 r1")
>>> [to_do(position, parse_action(text)) for text in ("keep 333", "keep -", "score full_house", "score ones")]
['keep 333', 'keep nothing', 'score Full House', 'scratch Ones']
>>> doing(position, parse_action("score full_house"))
'scoring 25 in Full House'
"""

from collections.abc import Sequence

from fivedice.explanation.boxes import box_title
from fivedice.explanation.dice import dice_text
from fivedice.game.action import Action, Announce, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record
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


def outcome(record: Record, to: Language = ENGLISH) -> str:
    """A sentence with the winner and the winning score."""
    resigned = [record.seats[one.seat].name for one in record.resignations]
    winners = [record.seats[seat].name for seat in record.position.winners]
    if not winners:
        return resigned_sentence(resigned[:1], to) if record.is_over else to.say("The game is not finished.")
    cards = record.position.cards
    best = cards[record.position.winners[0]].total
    if len(cards) == 1:
        return to.say("Final score: {score}.", score=best)
    if len(cards) - len(resigned) == 1:
        return " ".join([resigned_sentence(resigned, to), to.say("{name} wins.", name=winners[0])])
    if len(winners) > 1:
        names = to.listed(winners)
        return to.numbered(
            "{names} share the victory with 1 point.", "{names} share the victory with {n} points.", best, names=names
        )
    if any(card.won for card in cards):
        return to.numbered(
            "{name} wins on a first roll with 1 point.",
            "{name} wins on a first roll with {n} points.",
            best,
            name=winners[0],
        )
    return to.numbered("{name} wins with 1 point.", "{name} wins with {n} points.", best, name=winners[0])


def resigned_sentence(names: Sequence[str], to: Language = ENGLISH) -> str:
    """That these players gave up the game."""
    return to.count("{names} resigned.", "{names} resigned.", len(names), names=to.listed(names))
