"""`Strength`: how well somebody decides under one ruleset, from their last rated games; `over_all` joins rulesets.

A game is rated if it was not casual, without advice before decisions and without undo. Losses are by exact values only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from fivedice.analysis.reviews.estimate import CONFIDENCE, LEAST_GAMES, Estimate, estimate, half_width, student_quantile
from fivedice.analysis.reviews.player_figures import PlayerFigures, num_decisions
from fivedice.rulesets.ruleset import Ruleset

NUM_GAMES = 50
"""The last games that count: enough for a narrow interval, and few enough to tell how somebody plays now."""

LEAST_RATED = 3
"""With fewer games, there is no interval worth telling."""

NARROW = 0.03
"""The widest half of an interval that is not provisional, as a share of the scale: 8 points a game in Yahtzee, half the
distance between neighbouring levels."""


@dataclass(frozen=True, slots=True)
class Strength:
    """The points `lost` a decision, as a mean over games with its interval from their own spread.

    `scale` is the mean score of the best play, in points. Of `num_unforced` decisions, `num_best` lost nothing. The
    values are those of the table that the digest of the rules names.
    """

    ruleset: Ruleset
    lost: Estimate
    scale: float
    num_unforced: int
    num_best: int

    @property
    def share(self) -> Estimate:
        """The points lost a game, as a share of the scale."""
        return _times(self.lost, num_decisions(self.ruleset) / self.scale)

    @property
    def is_provisional(self) -> bool:
        """Whether the interval is still wide."""
        return is_provisional(self.share)


def strength_of(figures: PlayerFigures) -> Strength | None:
    """The strength that follows from the last `NUM_GAMES` rated games; None from fewer than `LEAST_RATED`."""
    games = [game for game in figures.complete if game.is_rated and not game.is_approximate][-NUM_GAMES:]
    if len(games) < LEAST_RATED:
        return None
    # Score = value of the rules + luck - losses, so that each game has the value of the rules.
    scale = games[-1].dice_neutral + games[-1].lost
    return Strength(
        ruleset=figures.ruleset,
        lost=estimate([game.lost_a_decision for game in games]),
        scale=scale,
        num_unforced=sum(game.num_unforced for game in games),
        num_best=sum(game.num_best for game in games),
    )


def over_all(shares: Iterable[Estimate]) -> Estimate | None:
    """The share that somebody loses over several rulesets, each weighing as much as its games; None without any.

    The rulesets are strata: their variances add up.
    """
    found = [(one, one.half_width) for one in shares]
    known = [(one, half) for one, half in found if half is not None]
    num = sum(one.num for one, _ in known)
    if not known:
        return None
    mean = fsum(one.mean * one.num for one, _ in known) / num
    parts = [
        ((half / student_quantile(one.num - 1, CONFIDENCE) * one.num / num) ** 2, one.num - 1) for one, half in known
    ]
    return Estimate(mean, half_width(parts), num)


def is_provisional(share: Estimate) -> bool:
    """Whether a share of a scale is from few games, or its interval is wide."""
    return share.num < LEAST_GAMES or share.half_width is None or share.half_width > NARROW


def _times(one: Estimate, factor: float) -> Estimate:
    return Estimate(one.mean * factor, None if one.half_width is None else one.half_width * factor, one.num)
