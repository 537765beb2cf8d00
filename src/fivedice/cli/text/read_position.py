"""Reads positions as people type them: dice in any order, and what is missing from a new game.

>>> read_position(["66444"]).position
<Position yahtzee - 44466 r2>
>>> print(read_position(["crag", "1 3 2", "r0"]).note)
Read as "crag - 123 r0": a new game of Crag, 0 rolls left.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from fivedice.cli.language import chosen
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.parsed_line import ShortPosition
from fivedice.game.position import Position
from fivedice.rulesets.explanation.page import prose


@dataclass(frozen=True, slots=True)
class TypedPosition:
    """A position, and a sentence that says how it was read if it was not typed in notation, else an empty one."""

    position: Position
    note: str = ""

    def told(self, *, json: bool) -> Position:
        """The position, after the note is printed with an empty line after it; beside JSON on standard error."""
        if self.note:
            print(f"{self.note}\n", file=sys.stderr if json else sys.stdout)
        return self.position


def read_position(words: Sequence[str]) -> TypedPosition:
    """The position that these arguments of a command describe; raises the errors of `parse_position`."""
    text = " ".join(word.strip() for word in words if word.strip())
    parts = ShortPosition(text)
    canonical = parts.canonical()
    position = parse_position(canonical)
    if text == canonical and len(words) == 1:
        return TypedPosition(position)
    if text == canonical:
        note = chosen().say("Put quotes around a position, so that your shell leaves it alone: '{text}'", text=text)
        return TypedPosition(position, note)
    to, ruleset = chosen(), position.ruleset
    is_new = position.cards == (ScoreCard.empty(ruleset),) * len(position.cards)
    if not (parts.is_incomplete and is_new):
        return TypedPosition(position, to.say('Read as "{line}".', line=canonical))
    note = to.numbered(
        'Read as "{line}": a new game of {game}, 1 roll left.',
        'Read as "{line}": a new game of {game}, {n} rolls left.',
        position.rolls_left,
        line=canonical,
        game=prose(ruleset, ruleset.name, to).text,
    )
    return TypedPosition(position, note)


def line_position(line: str) -> Position:
    """The position in a line of many, in notation, or as `read_position` reads it; raises the errors of notation."""
    try:
        return parse_position(line)
    except ValueError as error:
        try:
            return read_position((line,)).position
        except ValueError:
            raise error from None
