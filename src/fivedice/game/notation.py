"""Notation: one line of text for a position or an action. `str()` writes it; the functions here parse it.

    POSITION = RULESET CARD[/CARD…] [@SEAT] DICE rN
    CARD     = "-" | ENTRY,…       ENTRY = box=points | saved=N | won=1 | elsewhere=1 |
                                       announced=box | +N | resigned
    ACTION   = keep DIGITS | keep - | score BOX | scratch BOX | announce BOX

Entries are in the order of the card, then saved, won, elsewhere, announced, the extra-Yahtzee bonuses and resigned; any
order is accepted. A seat that `resigned` gave up the game and has no more turns. Where the rules ask for it,
elsewhere=1 means that the first equal dice were scored outside the Yahtzee box, and announced=BOX that the seat to move
announced this box after the first roll of its turn.

>>> parse_position("yahtzee yahtzee=50,threes=9,+1 33333 r0")
<Position yahtzee threes=9,yahtzee=50,+1 33333 r0>
>>> parse_action("keep 33")
Keep(dice=(3, 3))
"""

import re

from fivedice.base.errors import wrong_type
from fivedice.game.action import parse_action
from fivedice.game.parsed_line import is_named
from fivedice.game.position import Position
from fivedice.rulesets.ruleset import Ruleset

__all__ = ["as_position", "parse_action", "parse_position"]


def parse_position(text: str, ruleset: Ruleset | None = None) -> Position:
    """The position that a line describes; see `Position.parse`."""
    return Position.parse(text, ruleset)


def as_position(position: Position | str, ruleset: Ruleset) -> Position:
    """A position, given as itself or as a line of notation; a line may name `ruleset`, also if that is not shipped.

    Dice, with the rolls left or without, as in "445 r1", are a new game of the ruleset.
    """
    if isinstance(position, Position):
        return position
    if not isinstance(position, str):
        raise wrong_type("a Position or a line of text, as in 'yahtzee - 33456 r2'", position)
    if short := re.fullmatch(r"\s*([1-9]+)(\s+r\d+)?\s*", position, re.ASCII):
        rolls = short[2] or f"r{ruleset.rolls - 1}"
        position = f"{ruleset} - {''.join(sorted(short[1]))} {rolls.strip()}"
    first = position.split(maxsplit=1)[:1]
    return parse_position(position, ruleset if first and is_named(ruleset, first[0]) else None)
