"""`Mark`s of decisions and `Level`s of players, calibrated on players of known kinds, made by the project itself.

`docs/review.md` has the population, the table that these numbers are taken from, and the command that makes it.

>>> mark_of(0.4), mark_of(2.0), mark_of(30.0)
(None, <Mark.INACCURACY: 'inaccuracy'>, <Mark.BLUNDER: 'blunder'>)
>>> level_of(0.3).name
'strong'
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Literal, TypeAlias

from fivedice.errors import MalformedError

INACCURACY = 1.5
"""Points: the median error of a player by a rule of thumb, who finds the best of a turn and guesses what follows."""

MISTAKE = 3.0
"""Points: three in four of the same player's errors cost less."""

BLUNDER = 8.0
"""Points: the median error of a choice made blindly in a game that is played perfectly otherwise."""


SHOWN_LOSS = 0.05
"""Points: reports show a smaller loss as 0.0, and count it as none."""

LevelName: TypeAlias = Literal["master", "expert", "strong", "solid", "casual", "beginner"]


class Mark(StrEnum):
    """What a decision is called that costs enough."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Level:
    """A band of error rates, points lost for each unforced decision: `at_least` ≤ rate < `below`."""

    name: LevelName
    at_least: float
    below: float
    about: str


def _levels(*bands: tuple[LevelName, float, str]) -> tuple[Level, ...]:
    """Levels from their names, upper bounds and descriptions, best first."""
    bounds = [0.0, *(below for _, below, _ in bands)]
    return tuple(Level(name, bounds[number], below, about) for number, (name, below, about) in enumerate(bands))


LEVELS = _levels(
    ("master", 0.12, "loses less than perfect play of Yahtzee with one random choice in 100"),
    ("expert", 0.23, "loses less than perfect play of Yahtzee with one random choice in 50"),
    ("strong", 0.53, "loses less than a good rule of thumb, perfectly applied, in Yahtzee"),
    ("solid", 1.04, "loses less than the greedy player, who never plans beyond the turn, in Yahtzee"),
    ("casual", 2.05, "loses less than perfect play of Yahtzee with one random choice in 5"),
    ("beginner", inf, "loses more than perfect play of Yahtzee with one random choice in 5"),
)
"""Every level, best first. Each bound is the error rate of one member of the reference population. It is the same under
all rules: where less is at stake than in Yahtzee, the same care earns a better level."""


def mark_of(loss: float) -> Mark | None:
    """The mark of a decision that loses so many points; None below an inaccuracy."""
    if loss >= BLUNDER:
        return Mark.BLUNDER
    if loss >= MISTAKE:
        return Mark.MISTAKE
    return Mark.INACCURACY if loss >= INACCURACY else None


def level_of(error_rate: float) -> Level:
    """The level of a player who loses so many points for each unforced decision.

    Raises `MalformedError` for a rate that is not a number of at least 0.
    """
    for level in LEVELS:
        if level.at_least <= error_rate < level.below:
            return level
    raise MalformedError(f"error rate {error_rate}: want points lost a decision, a number of at least 0")
