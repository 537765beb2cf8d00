"""`Rating`: how strong somebody is by results, from games of any number of seats, by the model of Plackett and Luce.

The levels of the computer players have fixed ratings, which hold the scale in place: level 5 has 1500 points, and each
level wins as often against the one below as on the ladder of the rules that are played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, sqrt

from openskill.models import PlackettLuce

from fivedice.analysis.reviews.estimate import NORMAL
from fivedice.game.record import Record
from fivedice.game.seats import PERSON
from fivedice.players.levels import LEVELS, share_of

POINTS = 60.0
"""Points of one unit of the model, so that its mean 25 is 1500 points."""

MEAN, DEVIATION = 25.0, 5.5
"""The mean of all, in units of the model, and the deviation of somebody without a result, which is about that of the
levels."""

KNOWN = 1e-3
"""The deviation of a level, which is known."""

NARROW = 220.0
"""The widest half of an interval that is not provisional, in points."""

_MIDDLE = "level_5"


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of somebody's strength: a normal distribution in units of the model, from so many games."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def points(self) -> float:
        """The rating in points."""
        return self.mean * POINTS

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval, in points."""
        return NORMAL * self.deviation * POINTS

    @property
    def is_provisional(self) -> bool:
        """Whether the interval is still wide."""
        return self.half_width > NARROW


def rating_of_level(kind: str, rules: str) -> Rating | None:
    """The fixed rating of a computer player under the rules with an id; None for those that are on no level."""
    kinds = list(LEVELS)
    if kind not in LEVELS:
        return None
    # In the model, the one who is d better wins with the odds exp(d / (beta * sqrt(2))).
    step = _model().beta * sqrt(2) * log(share_of(rules) / (1 - share_of(rules)))
    return Rating(MEAN + step * (kinds.index(kind) - kinds.index(_MIDDLE)), KNOWN)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a rated game under the rules with an id: by seat the kind of player and the rank, 1 for the
    winners."""

    kinds: tuple[str, ...]
    ranks: tuple[int, ...]
    rules: str

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, kind in enumerate(self.kinds) if kind == PERSON]

    def rate(self, before: Mapping[int, Rating]) -> dict[int, Rating]:
        """The ratings of people after the game, by seat; those without one before were new."""
        all_before = [
            before.get(seat) or rating_of_level(kind, self.rules) or Rating() for seat, kind in enumerate(self.kinds)
        ]
        after = rate(all_before, self.ranks)
        return {seat: after[seat] for seat in self.people}


def result_of(record: Record) -> Result | None:
    """The result of a game if it is rated, as far as its record tells.

    There are several seats, a winner, no advice and no turn taken back; a computer player is one of the levels.
    """
    kinds = tuple(seat.kind for seat in record.seats)
    ranks = tuple(rank for rank in record.position.ranks if rank is not None)
    is_known = all(kind == PERSON or kind in LEVELS for kind in kinds)
    is_unaided = record.proof is not None and record.proof.is_unaided
    return Result(kinds, ranks, record.ruleset.id) if is_known and is_unaided and 1 < len(kinds) == len(ranks) else None


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game of two or more seats; `ranks` are by seat, 1 for the winners, and tied seats share one.

    Those of levels are to be ignored.
    """
    model = _model()
    teams = [[model.rating(mu=one.mean, sigma=one.deviation)] for one in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(one[0].mu, one[0].sigma, was.games + 1) for one, was in zip(after, before, strict=True)]


@cache
def _model() -> PlackettLuce:
    # The usual factor of 1 / c would shrink deviations so slowly that intervals of 95 % contain 98 to 100.
    return PlackettLuce(gamma=lambda *_: 1.0)
