"""Reads positions as people type them: dice in any order, and what is missing from a new game.

>>> read_position(["66444"]).position
<Position yahtzee - 44466 r2>
>>> print(read_position(["crag", "1 3 2", "r0"]).note)
Read as "crag - 123 r0": a new game of Crag, no rolls left.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from fivedice.cli.text.language import chosen
from fivedice.errors import MalformedError, shown
from fivedice.explanation.page import prose
from fivedice.game.card import ScoreCard
from fivedice.game.notation import parse_position
from fivedice.game.position import Position
from fivedice.language import marked
from fivedice.rulesets import load_ruleset

DEFAULT_RULES = "yahtzee"
_FORM = "want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2', or only the dice, as in 33456"


_NOTES = {
    (True, 0): marked('Read as "{line}": a new game of {game}, no rolls left.'),
    (True, 1): marked('Read as "{line}": a new game of {game}, 1 roll left.'),
    (True, 2): marked('Read as "{line}": a new game of {game}, {n} rolls left.'),
    (False, 0): marked('Read as "{line}": {game}, no rolls left.'),
    (False, 1): marked('Read as "{line}": {game}, 1 roll left.'),
    (False, 2): marked('Read as "{line}": {game}, {n} rolls left.'),
}
"""Whether the game is new, and how many rolls are left (2 for more) → the note."""


@dataclass(frozen=True, slots=True)
class TypedPosition:
    """A position, and a sentence that says how it was read if it was not typed in notation, else an empty one."""

    position: Position
    note: str = ""

    def tell(self, file: TextIO) -> None:
        """Print the note, if there is one, with an empty line after it."""
        if self.note:
            print(f"{self.note}\n", file=file)


def read_position(words: Sequence[str]) -> TypedPosition:
    """The position that these arguments of a command describe; raises the errors of `parse_position`."""
    text = " ".join(word.strip() for word in words if word.strip())
    if not text:
        raise MalformedError(f"position {shown(text)}: {_FORM}")
    parts = _Parts(text)
    canonical = parts.canonical()
    position = parse_position(canonical)
    if text == canonical and len(words) == 1:
        return TypedPosition(position)
    if text == canonical:
        note = chosen().say("Put quotes around a position, so that your shell leaves it alone: '{text}'", text=text)
        return TypedPosition(position, note)
    if parts.is_incomplete:
        return TypedPosition(position, parts.about(position, canonical))
    return TypedPosition(position, chosen().say('Read as "{line}".', line=canonical))


class _Parts:
    """The parts of a position, in whatever order they were typed."""

    def __init__(self, text: str) -> None:
        self.rules = self.card = self.seat = self.rolls = ""
        self.dice: list[str] = []
        hyphens = 0
        for word in text.split():
            if word == "-":
                hyphens += 1
            elif re.fullmatch(r"[0-9,]*[0-9][0-9,]*", word):
                self.dice += re.findall(r"[0-9]", word)
            elif re.fullmatch(r"@\S+", word):
                self._set("seat", word, text)
            elif re.fullmatch(r"[rR]-?\d\S*", word):
                self._set("rolls", word.lower(), text)
            elif "[" not in word and not word.endswith(".toml") and re.search(r"[=+/]", word):
                self._set("card", word, text)
            else:
                self._set("rules", word, text)
        if hyphens > 2 or (hyphens == 2 and (self.card or self.dice)) or (hyphens and self.card and self.dice):
            raise MalformedError(f"position {shown(text)}: {_FORM}")
        self.is_incomplete = not (self.rules and self.rolls and (self.card or hyphens) and (self.dice or hyphens))

    def canonical(self) -> str:
        """The position in notation; what is missing is that of a new game after its first roll."""
        rules = self.rules or DEFAULT_RULES
        cards = self.card or "-"
        rolls = self.rolls
        dice = "".join(sorted(self.dice)) or "-"
        if not rolls:
            start = load_ruleset(rules).rolls + _saved_rolls(cards, self.seat)
            rolls = f"r{start - 1 if self.dice else start}"
        return " ".join(part for part in (rules, cards, self.seat, dice, rolls) if part)

    def about(self, position: Position, line: str) -> str:
        """How it was read, and what was taken for granted: `a new game of Yahtzee, 2 rolls left.`"""
        to, num = chosen(), position.rolls_left
        is_new = position.cards == (ScoreCard.empty(position.ruleset),) * len(position.cards)
        game = prose(position.ruleset, position.ruleset.name, to).text
        return to.say(_NOTES[is_new, min(num, 2)], line=line, game=game, n=num)

    def _set(self, part: str, word: str, text: str) -> None:
        if getattr(self, part):
            raise MalformedError(f"position {shown(text)}: {_FORM}")
        setattr(self, part, word)


def _saved_rolls(cards: str, seat: str) -> int:
    """The rolls carried forward on the card of the seat to move."""
    each = cards.split("/")
    number = int(seat[1:]) if re.fullmatch(r"@\d{1,2}", seat) else 0
    found = re.search(r"(?:^|,)saved=(\d{1,6})(?:,|$)", each[number] if number < len(each) else "")
    return int(found[1]) if found else 0
