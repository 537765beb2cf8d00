"""Results of tries: their order, and the line to share, which reads back.

>>> line = Share("ten", 214, best=8, answered=10, lost=32, marks=("✓",) * 7 + ("?!", "?", "✓")).line()
>>> line
'fivedice #214 · 8/10 · 3.2 points lost · ✓ ✓ ✓ ✓ ✓ ✓ ✓ ?! ? ✓'
>>> parse_share(line).lost
32
>>> Share("storm", 214, "kniffel", best=23).line()
'fivedice storm #214 kniffel · 23 solved'
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fivedice.base.errors import MalformedError, shown
from fivedice.base.language import ENGLISH, Language
from fivedice.daily.puzzles import is_best

Kind: TypeAlias = Literal["ten", "game", "storm", "streak"]
"""What one can try: ten positions, one game, or the ladder for three minutes or until the first mistake."""

STORM_SECONDS = 180.0
MAX_MISTAKES = {"storm": 3, "streak": 1}
"""The number of mistakes that ends a try."""


def is_late(kind: str, began: float, now: float) -> bool:
    """Whether the clock of a storm has run out, by the times in seconds."""
    return kind == "storm" and now >= began + STORM_SECONDS


_DEFAULT_RULES = "yahtzee"
_MILLI = 1_000
_MAX_SCORE = 10_000


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums of a try: how many answers there are and how many are best, the points lost, and a game's score."""

    answered: int
    best: int
    lost: float
    score: int | None = None

    @classmethod
    def of(cls, losses: Sequence[float], score: int | None = None) -> "Tally":
        """The tally of answers with these losses."""
        return cls(len(losses), sum(map(is_best, losses)), sum(losses), score)

    @property
    def mistakes(self) -> int:
        """The answers that are not best."""
        return self.answered - self.best

    def standing(self, kind: Kind) -> int:
        """The place in the order of results as a number, the best lowest; equal results have the same.

        A ten counts thousandths of points lost, a game also its score where these are equal, and all others the
        positions solved.
        """
        if kind in MAX_MISTAKES:
            return -self.best
        lost = round(self.lost * _MILLI)
        return lost * _MAX_SCORE - (self.score or 0) if kind == "game" else lost


def of_standing(kind: Kind, standing: int | None) -> tuple[float | None, int | None]:
    """The points lost and the score of a ten or a game with this standing; None where there are none."""
    if standing is None or kind in MAX_MISTAKES:
        return None, None
    if kind != "game":
        return standing / _MILLI, None
    lost = -(-standing // _MAX_SCORE)
    return lost / _MILLI, lost * _MAX_SCORE - standing


_SHARE = re.compile(
    r"fivedice(?: (?P<kind>game|storm|streak))? #(?P<number>-?[0-9]{1,6})(?: (?P<rules>[a-z0-9_]{1,40}))?"
    r" · (?P<best>[0-9]{1,4})(?:/(?P<answered>[0-9]{1,2}))? ?[^·0-9]*"
    r"(?:· (?P<lost>[0-9]{1,5}[.,][0-9]) [^·]*?)?(?: ?· (?P<marks>(?:✓|\?!|\?\?|\?)(?: (?:✓|\?!|\?\?|\?))*))?"
    r"(?: https?://\S+)?"
)


@dataclass(frozen=True, slots=True)
class Share:
    """What the line to share says. `lost` is in tenths of points; `best` is the score of a game, and the number of best
    answers of all else; `marks` and `answered` are those of a ten."""

    kind: Kind
    number: int
    rules: str = _DEFAULT_RULES
    best: int = 0
    answered: int = 0
    lost: int = 0
    marks: tuple[str, ...] = ()

    def line(self, to: Language = ENGLISH) -> str:
        """The line in a language; `parse_share` reads it in any."""
        head = f"fivedice{'' if self.kind == 'ten' else f' {self.kind}'} #{self.number}"
        head += "" if self.rules == _DEFAULT_RULES else f" {self.rules}"
        lost = to.say("{points} points lost", points=to.decimal(self.lost / 10))
        if self.kind == "ten":
            parts = [head, f"{self.best}/{self.answered}", lost, " ".join(self.marks)]
            return " · ".join(filter(None, parts))
        if self.kind == "game":
            score = to.numbered("1 point", "{n} points", self.best)
            return f"{head} · {score} · {lost}"
        solved = to.say("{number} solved", number=self.best)
        return f"{head} · {solved}"


def parse_share(text: str) -> Share:
    """What a shared line says, in any language, with or without a link at its end; raises `MalformedError`."""
    found = _SHARE.fullmatch(text.strip())
    if not found:
        raise MalformedError(
            f"result {shown(text)}: want a line as in 'fivedice #214 · 8/10 · 3.2 points lost · ✓ ✓ ?!'"
        )
    lost = re.sub("[.,]", "", found["lost"] or "0")
    return Share(
        found["kind"] or "ten",  # type: ignore[arg-type]
        int(found["number"]),
        found["rules"] or _DEFAULT_RULES,
        int(found["best"]),
        int(found["answered"] or 0),
        int(lost),
        tuple((found["marks"] or "").split()),
    )
