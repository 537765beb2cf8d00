"""`Mark`s of decisions and `Level`s of players, calibrated on simulated players of known kinds, and grades in words;
`LuckScale` compares the luck of a game with that of perfectly played games.

`docs/review.md` describes these players and has the tables of measurements and the command that makes them.

>>> mark_of(0.4), mark_of(2.0), mark_of(30.0)
(None, <Mark.INACCURACY: 'inaccuracy'>, <Mark.BLUNDER: 'blunder'>)
>>> level_of(0.3).name
'strong'
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, floor, fsum, inf
from typing import TYPE_CHECKING, Literal, TypeAlias

from fivedice.base.errors import MalformedError
from fivedice.base.language import Language
from fivedice.game.action import Action
from fivedice.game.position import Position
from fivedice.game.wording import doing, to_do

if TYPE_CHECKING:
    from fivedice.solver.play.distribution import Distribution  # it loads NumPy
    from fivedice.solver.saved.portable import PortableScores

INACCURACY = 1.5
"""Points: the median error of a player who plays each turn perfectly and guesses the value of later turns."""

MISTAKE = 3.0
"""Points: the upper quartile of the same player's errors."""

BLUNDER = 8.0
"""Points: the median error of a random choice in an otherwise perfect game."""

SHOWN_LOSS = 0.05
"""Points: reports show a smaller loss as 0.0, and count it as none."""

LevelName: TypeAlias = Literal["master", "expert", "strong", "solid", "casual", "beginner"]


class Mark(StrEnum):
    """The name for a decision that loses many points."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


SYMBOLS = {None: "✓", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}
"""Signs for marks, as in chess; the first for decisions without a mark."""


@dataclass(frozen=True, slots=True)
class Level:
    """A range of error rates (points lost per unforced decision): `at_least` ≤ rate < `below`."""

    name: LevelName
    at_least: float
    below: float

    @property
    def about(self) -> str:
        """What the level means, under any rules."""
        if self.below == inf:
            return f"loses {self.at_least} points or more per unforced decision"
        return f"loses less than {self.below} points per unforced decision"


LEVELS = (
    Level("master", 0.0, 0.12),
    Level("expert", 0.12, 0.23),
    Level("strong", 0.23, 0.53),
    Level("solid", 0.53, 1.04),
    Level("casual", 1.04, 2.05),
    Level("beginner", 2.05, inf),
)
"""All levels, best first. Each bound is the error rate of one simulated player of Yahtzee (docs/review.md). The bounds
are the same for all rules: if less is at stake than in Yahtzee, the same care earns a better level."""


def mark_of(loss: float) -> Mark | None:
    """The mark of a decision that loses `loss` points; None below an inaccuracy."""
    if loss >= BLUNDER:
        return Mark.BLUNDER
    if loss >= MISTAKE:
        return Mark.MISTAKE
    return Mark.INACCURACY if loss >= INACCURACY else None


def level_of(error_rate: float) -> Level:
    """The level of a player who loses `error_rate` points per unforced decision.

    Raises `MalformedError` for a rate that is not a number of at least 0.
    """
    for level in LEVELS:
        if level.at_least <= error_rate < level.below:
            return level
    raise MalformedError(f"error rate {error_rate}: want points lost per decision, a number of at least 0")


def lost_points(loss: float, to: Language) -> str:
    """A loss as text with a decimal, and its unit."""
    if loss < SHOWN_LOSS:
        return to.say("less than {points} points", points=to.with_point(str(SHOWN_LOSS)))
    return to.say("{points} points", points=to.decimal(loss))


def verdict(
    position: Position, action: Action, loss: float | None, best: Action, to: Language, *, is_close: bool = False
) -> str:
    """The grade of an answer; `loss` is None if it is best, and `is_close` if it is accepted all the same."""
    if loss is None:
        return to.say("Right: nothing is better.")
    done, lost, wanted = doing(position, action, to), lost_points(loss, to), to_do(position, best, to)
    done = f"{done[0].upper()}{done[1:]}"
    if is_close:
        return to.say("Good enough. {done} loses {points}; best is to {best}.", done=done, points=lost, best=wanted)
    return to.say("Best is to {best}. {done} loses {points}.", done=done, points=lost, best=wanted)


ROUNDING = 1e-6
"""Scores of perfect games are whole numbers, so a smaller difference is a rounding error."""


@dataclass(frozen=True, eq=False)
class LuckScale:
    """`scores` is the distribution of the final scores of perfectly played games, `start_value` their mean.

    A perfect player loses nothing, so the luck of such a game is its score minus the value at the start.

    >>> from fivedice.solver.saved.portable import PortableScores
    >>> scale = LuckScale(start_value=100.5, scores=PortableScores(first=99, chances=[0.25, 0.5, 0.0, 0.25]))
    >>> scale.percentile(-0.5), scale.percentile(1.0), scale.percentile(-90.0)
    (50.0, 75.0, 0.0)
    """

    start_value: float
    scores: "Distribution | PortableScores"

    def percentile(self, luck: float) -> float:
        """The percentage of games with less luck, from 0 to 100; those with equal luck count half."""
        score = self.start_value + luck
        at_least, above = (self._at_least(number) for number in (ceil(score - ROUNDING), floor(score + ROUNDING) + 1))
        return 50.0 * (2.0 - at_least - above)

    def _at_least(self, score: int) -> float:
        """The chance of this score or more, the same to the last bit without NumPy."""
        first = self.scores.first
        chances: Iterable[float] = self.scores.chances[max(0, score - first) :]
        return min(1.0, fsum(chances)) if score > first else 1.0
