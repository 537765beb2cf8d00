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

from fivedice.base.language import ENGLISH, Language
from fivedice.game.action import Action, Announce, Keep
from fivedice.game.position import Position
from fivedice.game.record import Record
from fivedice.game.turn import Turn
from fivedice.rulesets.explanation.boxes import box_title
from fivedice.rulesets.explanation.dice import dice_text
from fivedice.rulesets.ruleset import Ruleset


def filled_names(ruleset: Ruleset, turn: Turn, to: Language = ENGLISH) -> str:
    """The name of the box that a finished turn filled; empty before its end."""
    return box_title(ruleset, turn.offer.action.box, to) if turn.offer else ""


def to_do(position: Position, action: Action, to: Language = ENGLISH) -> str:
    """A legal action as advice in a language: keep 33, score Full House, scratch Ones."""
    if isinstance(action, Keep):
        if not action.dice:
            return to.say("keep nothing")
        return to.say("keep {dice}", dice=dice_text(position.ruleset, action.dice))
    box = box_title(position.ruleset, action.box, to)
    if isinstance(action, Announce):
        return to.say("announce {box}", box=box)
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
        return to.say("announcing {box}", box=box)
    offer = position.offer_for(action)
    if not offer.points:
        return to.say("scratching {box}", box=box)
    return to.say("scoring {points} in {box}", points=offer.points, box=box)


def outcome(record: Record, to: Language = ENGLISH) -> str:
    """A sentence with the winner and the winning score."""
    resigned = [record.seats[one.seat].name for one in record.resignations]
    winners = [record.seats[seat].name for seat in record.position.winners]
    if not winners:
        return resigned_sentence(resigned, to) if record.is_over else to.say("The game is not finished.")
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
