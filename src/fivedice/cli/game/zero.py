"""The question before a zero that could be avoided."""

from fivedice.cli.text.language import box_name
from fivedice.cli.text.plural import counted
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
        reasons.append(f"{box_name(ruleset, best.action.box)} would score {counted(best.points, 'point')}")
    if position.rolls_left:
        reasons.append(f"{position.rolls_left} roll{' is' if position.rolls_left == 1 else 's are'} left")
    if not reasons:
        return ""
    sentence = ", and ".join(reasons)
    return f"Write 0 in {box_name(ruleset, action.box)}? {sentence[0].upper()}{sentence[1:]}."
