"""`ShortPosition`: the parts of a position as people type them; what is missing is that of a new game.

>>> ShortPosition("66444 crag[rolls=3]").canonical()
'crag[rolls=3] - 44466 r2'
"""

import re

from fivedice.errors import MalformedError, shown
from fivedice.rulesets import load_ruleset

DEFAULT_RULES = "yahtzee"
_FORM = "want RULESET CARD DICE rN, as in 'yahtzee - 33456 r2', or only the dice, as in 33456"


class ShortPosition:
    """The parts of a position, in whatever order they were typed."""

    def __init__(self, text: str) -> None:
        """Raises `MalformedError` for parts that are there twice, or of no kind."""
        if not text.strip():
            raise MalformedError(f"position {shown(text)}: {_FORM}")
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
