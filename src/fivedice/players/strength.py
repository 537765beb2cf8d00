"""`Strength`: how well somebody decides under one ruleset, from their last rated games; `over_all` joins rulesets.

A game is rated if it was not casual, without advice before decisions and without undo. Losses are by exact values only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum

from fivedice.analysis.reviews.estimate import CONFIDENCE, LEAST_GAMES, estimate, half_width, student_quantile
from fivedice.analysis.reviews.player_figures import PlayerFigures, num_decisions

NUM_GAMES = 50
"""The last games that count: enough for a narrow interval, and few enough to tell how somebody plays now."""

LEAST_RATED = 3
"""With fewer games, there is no interval worth telling."""

NARROW = 0.03
"""The widest half of an interval that is not provisional, as a share of the scale: 8 points a game in Yahtzee, half the
distance between neighbouring levels."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How well somebody decides under one ruleset, from their last rated games: without advice before a decision, and
    without a turn taken back.

    The points `lost` a decision with the 95 % interval lost ± half_width, from their own spread between games; the same
    as a `share` of the mean score of the best play; how many `unforced_decisions` there were, and how many of them were
    the `best` or as good. The values are those of the table that the `digest` names. It `is_provisional` while the
    interval is wide.
    """

    ruleset: str
    ruleset_name: str
    digest: str
    games: int
    lost: float
    half_width: float
    share: float
    share_half_width: float
    unforced_decisions: int
    best: int
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class OverallStrength:
    """The points lost over the rated games of all rulesets, as a share of the mean score of their best play."""

    games: int
    share: float
    half_width: float
    is_provisional: bool


def strength_of(figures: PlayerFigures) -> Strength | None:
    """The strength that follows from the last `NUM_GAMES` rated games; None from fewer than `LEAST_RATED`."""
    games = [game for game in figures.complete if game.is_rated and not game.is_approximate][-NUM_GAMES:]
    if len(games) < LEAST_RATED:
        return None
    lost, ruleset = estimate([game.lost_a_decision for game in games]), figures.ruleset
    # Score = value of the rules + luck - losses, so that each game has the value of the rules, which is the scale.
    part = num_decisions(ruleset) / (games[-1].dice_neutral + games[-1].lost)
    width = lost.half_width or 0.0
    return Strength(
        ruleset=str(ruleset),
        ruleset_name=ruleset.name,
        digest=ruleset.digest,
        games=lost.num,
        lost=lost.mean,
        half_width=width,
        share=lost.mean * part,
        share_half_width=width * part,
        unforced_decisions=sum(game.num_unforced for game in games),
        best=sum(game.num_best for game in games),
        is_provisional=_is_provisional(lost.num, width * part),
    )


def over_all(strengths: Iterable[Strength | None]) -> OverallStrength | None:
    """The strength over several rulesets, each weighing as much as its games; None without any.

    The rulesets are strata: their variances add up.
    """
    found = [one for one in strengths if one]
    num = sum(one.games for one in found)
    if not found:
        return None
    share = fsum(one.share * one.games for one in found) / num
    parts = [
        ((one.share_half_width / student_quantile(one.games - 1, CONFIDENCE) * one.games / num) ** 2, one.games - 1)
        for one in found
    ]
    width = half_width(parts)
    return OverallStrength(num, share, width, _is_provisional(num, width))


def _is_provisional(games: int, share_half_width: float) -> bool:
    return games < LEAST_GAMES or share_half_width > NARROW
