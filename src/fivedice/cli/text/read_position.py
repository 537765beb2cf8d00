"""Reads positions as people type them: dice in any order, and what is missing from a new game.

>>> read_position(["66444"])[0]
<Position yahtzee - 44466 r2>
>>> print(read_position(["crag", "1 3 2", "r0"])[1])
Read as "crag - 123 r0": a new game of Crag, 0 rolls left.
"""

import sys
from collections.abc import Sequence

from fivedice.cli.language import chosen, numbered, say
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.parsed_line import ShortPosition
from fivedice.game.position import Position
from fivedice.rulesets.explanation.page import prose


def told_position(words: Sequence[str], *, json: bool) -> Position:
    """As `read_position`, which says how it was read, with an empty line after that; beside JSON on standard error."""
    position, note = read_position(words)
    if note:
        print(f"{note}\n", file=sys.stderr if json else sys.stdout)
    return position


def read_position(words: Sequence[str]) -> tuple[Position, str]:
    """The position that these arguments of a command describe, and a sentence that says how it was read if it was not
    typed in notation, else an empty one; raises the errors of `parse_position`."""
    text = " ".join(word.strip() for word in words if word.strip())
    parts = ShortPosition(text)
    canonical = parts.canonical()
    position = parse_position(canonical)
    if text == canonical and len(words) == 1:
        return position, ""
    if text == canonical:
        return position, say("Put quotes around a position, so that your shell leaves it alone: '{text}'", text=text)
    ruleset = position.ruleset
    is_new = position.cards == (ScoreCard.empty(ruleset),) * len(position.cards)
    if not (parts.is_incomplete and is_new):
        return position, say('Read as "{line}".', line=canonical)
    note = numbered(
        'Read as "{line}": a new game of {game}, 1 roll left.',
        'Read as "{line}": a new game of {game}, {n} rolls left.',
        position.rolls_left,
        line=canonical,
        game=prose(ruleset, ruleset.name, chosen()).text,
    )
    return position, note


def line_position(line: str) -> Position:
    """The position in a line of many, in notation, or as `read_position` reads it; raises the errors of notation."""
    try:
        return parse_position(line)
    except ValueError as error:
        try:
            return read_position((line,))[0]
        except ValueError:
            raise error from None
