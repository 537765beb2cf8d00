"""The question before a zero that could be avoided."""

from fivedice.cli.language import box_name, numbered, say
from fivedice.game.action import Score
from fivedice.game.position import Position


def zero_question(position: Position, action: Score) -> str:
    """What to ask before a legal score; empty unless it writes a zero while a box would score or a roll is left."""
    if position.offer_for(action).points:
        return ""
    ruleset = position.ruleset
    best = max(position.offers(), key=lambda offer: offer.points)
    reasons = []
    if best.points:
        name = box_name(ruleset, best.action.box)
        reasons.append(numbered("{box} would score 1 point.", "{box} would score {n} points.", best.points, box=name))
    if position.rolls_left:
        reasons.append(numbered("There is 1 roll left.", "There are {n} rolls left.", position.rolls_left))
    if not reasons:
        return ""
    return " ".join([say("Write 0 in {box}?", box=box_name(ruleset, action.box)), *reasons])
